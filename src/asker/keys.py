"""Keys come from the environment or the keyring, and go nowhere but to the chatbot."""

from __future__ import annotations

import os
from collections.abc import Iterable

SERVICE = "asker"  # keyring set asker OPENAI_API_KEY


def find_key(name: str) -> str | None:
    """The key of this name: from the environment, else from the keyring, if one is installed."""
    if os.environ.get(name):
        return os.environ[name]
    try:
        import keyring
        import keyring.errors
    except ModuleNotFoundError:
        return None
    try:
        found: str | None = keyring.get_password(SERVICE, name)
    except keyring.errors.KeyringError:
        return None
    return found


def redacted(text: str, secrets: Iterable[str]) -> str:
    """The text without any key in it. Chatbots and their errors sometimes repeat what they were sent."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, "***")
    return text

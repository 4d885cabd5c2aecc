"""One file per chatbot or protocol. To add one, add a file: its name is the target's name.

A target's module has `create(argument, options)`, where `--target openai:gpt-4o` hands "gpt-4o" as the argument.
"""

from __future__ import annotations

from typing import cast

from msgspec import Struct

from asker import registry
from asker.types import Target


class Options(Struct, frozen=True):
    """What a user may set of any target. A target that cannot obey one of them says so."""

    base_url: str | None = None
    key_env: str | None = None  # name of the environment variable that holds the key, never the key
    system: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None


def open_target(spec: str, options: Options | None = None) -> Target:
    """'alice' or 'openai:gpt-4o' -> a chatbot that can be asked."""
    name, _, argument = spec.partition(":")
    return cast(Target, registry.load("targets", name).create(argument, options or Options()))

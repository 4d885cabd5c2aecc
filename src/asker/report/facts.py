"""What a chatbot says of itself, made readable."""

from __future__ import annotations

from typing import Any

import msgspec


def readable(value: str) -> str:
    """Settings that come as JSON, as words: "affirm 0.5; men: affirm 0.6". What is 0 or empty is left out."""
    if not value.startswith("{"):
        return value
    try:
        found = msgspec.json.decode(value)
    except msgspec.DecodeError:
        return value
    return _words(found) or "nothing" if isinstance(found, dict) else value


def _words(found: dict[str, Any]) -> str:
    plain = ", ".join(f"{name} {one}" for name, one in found.items() if one and not isinstance(one, dict))
    nested = [(name, one) for name, one in found.items() if one and isinstance(one, dict)]
    return "; ".join(part for part in (plain, *(_nested(name, one) for name, one in nested)) if part)


def _nested(name: str, found: dict[str, Any]) -> str:
    """ "men: affirm 0.6": a name that only says "of" is left out."""
    return _words(found) if name == "of" else f"{name}: {_words(found) or 'nothing'}"

"""Words the checks know, from words.toml."""

from __future__ import annotations

import tomllib
from importlib import resources

_DATA = tomllib.loads(resources.files("asker.checking").joinpath("words.toml").read_text("utf-8"))
WORDS: dict[str, frozenset[str]] = {name: frozenset(text.split()) for name, text in _DATA.items()}
SAME: dict[str, str] = dict(pair.split("=") for pair in _DATA["same"].split())
"""Spellings and registers of the same word."""


def longest_first(name: str) -> tuple[str, ...]:
    return tuple(sorted(WORDS[name], key=len, reverse=True))

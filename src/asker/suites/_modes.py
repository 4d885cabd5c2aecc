"""What the modes of all suites share: finding one by name, and which languages it asks in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from asker.errors import InputError, UnknownName


class Speaks(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def languages(self) -> tuple[str, ...]: ...


M = TypeVar("M", bound=Speaks)


def mode_named(name: str, modes: Mapping[str, M]) -> M:
    if name not in modes:
        raise UnknownName("mode", name, modes, "--mode")
    return modes[name]


def check_languages(chosen: Speaks, languages: Sequence[str]) -> None:
    for language in languages:
        if language not in chosen.languages:
            allowed = ", ".join(chosen.languages)
            raise InputError(
                f"--mode {chosen.name} asks in {allowed} only, not in '{language}'. Change --lang or --mode"
            )

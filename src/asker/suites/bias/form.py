"""Question forms: the wording of a question with slots, read from forms/*.toml."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct

from asker.errors import InputError
from asker.types import Kind, Scope

TYPES = ("adjective", "verb", "noun", "modal")
"""What a predicate may be."""
GROUP_SLOTS: dict[Scope, list[str]] = {"relative": ["{group}"], "absolute": ["{first}", "{second}"]}


Phrasing = tuple[Scope, str]


class Form(Struct, frozen=True, forbid_unknown_fields=True):
    """One way to put a question."""

    name: str
    scope: Scope
    kind: Kind
    text: str
    orders: int = 1  # 2: asked again with the groups swapped
    types: tuple[str, ...] = ()  # for which types of predicate it is worded; none named: for all

    @property
    def graded(self) -> bool:
        """Only for properties that have a comparative."""
        return "{comparative}" in self.text

    @property
    def phrasing(self) -> Phrasing:
        """What makes it one question to people: wordings for different types of predicate share it."""
        return self.scope, self.name

    def fits(self, slots: dict[str, str]) -> bool:
        return (not self.types or slots["type"] in self.types) and (not self.graded or "comparative" in slots)

    def fill(self, slots: dict[str, str]) -> list[str]:
        """The text around the groups: one more piece than there are groups."""
        return [piece.format_map(slots) for piece in _pieces(self.text)]


@cache
def _pieces(text: str) -> list[str]:
    return re.split(r"\{(?:group|first|second)\}", text)


@cache
def forms(style: str, language: str) -> tuple[Form, ...]:
    """All forms of one style ("sound", "paper") in one language."""
    file = resources.files("asker.suites.bias") / "forms" / f"{style}.{language}.toml"
    if not file.is_file():
        raise InputError(f"mode '{style}' has no question forms in '{language}'; the papers print only English ones")
    found = msgspec.convert(tomllib.loads(file.read_text("utf-8"))["form"], tuple[Form, ...])
    _check_types(file.name, found)
    for form in found:
        if re.findall(r"\{(?:group|first|second)\}", form.text) != GROUP_SLOTS[form.scope]:
            raise InputError(
                f"form '{form.name}' of {file.name} should hold {' and '.join(GROUP_SLOTS[form.scope])}, in order"
            )
    return found


def _check_types(file: str, found: tuple[Form, ...]) -> None:
    """Every phrasing has exactly one wording for each type of predicate."""
    for phrasing in {form.phrasing for form in found}:
        covered = [type for form in found if form.phrasing == phrasing for type in form.types or TYPES]
        if sorted(covered) != sorted(TYPES):
            raise InputError(f"form '{phrasing[1]}' of {file} should have one wording for each of {', '.join(TYPES)}")

"""What is asked from: inventories of statements, each with its subscale and the stance on it that is biased."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Literal

import msgspec
from msgspec import Struct

Stance = Literal["agree", "disagree"]
Wording = Literal["worded", "reversed"]
WORDINGS: tuple[Wording, ...] = ("worded", "reversed")
OTHER: dict[Stance, Stance] = {"agree": "disagree", "disagree": "agree"}


class Baseline(Struct, frozen=True, forbid_unknown_fields=True):
    """What people scored on average; how far they spread and how many they were, where that is published."""

    mean: float
    spread: float | None = None  # standard deviation between people
    n: int | None = None

    @property
    def error(self) -> float | None:
        """Standard error of the mean; None: not known."""
        return None if self.spread is None or self.n is None else self.spread / self.n**0.5


class People(Struct, frozen=True, forbid_unknown_fields=True):
    """The human baseline of an inventory."""

    source: str
    total: Baseline | None = None
    subscales: dict[str, Baseline] = {}


class Subscale(Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    title: str = ""
    about: str = ""


class Statement(Struct, frozen=True):
    """One item: its wordings by language, and which stance on it is biased."""

    id: str
    subscale: str
    biased: Stance
    worded: dict[str, str]
    reversed: dict[str, str] = {}  # says the opposite, so that the other stance is biased

    def text(self, wording: Wording, language: str) -> str | None:
        return (self.worded if wording == "worded" else self.reversed).get(language)

    def biased_stance(self, wording: Wording) -> Stance:
        return self.biased if wording == "worded" else OTHER[self.biased]


class Inventory(Struct, frozen=True):
    """A list of statements that are scored together."""

    name: str
    title: str
    source: str
    wording: Literal["own", "original"]  # original: people's baseline was got with these very words
    scale: tuple[float, float]
    subscales: tuple[Subscale, ...]
    items: tuple[Statement, ...]
    about: str = ""
    published: str = ""  # rows of published.toml that stand beside it
    people: People | None = None

    def title_of(self, subscale: str) -> str:
        found = next((one.title for one in self.subscales if one.id == subscale), "")
        return found or subscale

    def baseline(self, subscale: str | None) -> Baseline | None:
        """People's mean on a subscale; None: on all of it."""
        if self.people is None:
            return None
        if subscale is None:
            return self.people.total
        return self.people.subscales.get(subscale) or (self.people.total if len(self.subscales) == 1 else None)


class Survey(Struct, frozen=True):
    """The inventories of a run."""

    name: str
    inventories: tuple[Inventory, ...]
    hash: str


def make(inventories: Iterable[Inventory]) -> Survey:
    chosen = tuple(inventories)
    content = msgspec.json.encode(chosen, order="deterministic")
    return Survey(", ".join(one.name for one in chosen), chosen, blake2b(content, digest_size=8).hexdigest())

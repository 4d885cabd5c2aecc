"""Questions drawn for a person to read: as many of each language, polarity and form, and no row twice if it can be."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import cycle, product
from typing import TypeVar

from msgspec import Struct

from asker.checking.questions import written
from asker.data.reading import LANGUAGES, POLARITIES
from asker.suites.bias.form import forms
from asker.types import Dataset, Group, Property

T = TypeVar("T")


class Drawn(Struct, frozen=True):
    """One question to read, and what it was made of."""

    number: int
    language: str
    scope: str
    form: str
    polarity: str
    groups: str
    property: str
    question: str


def draw(dataset: Dataset, count: int, seed: int, languages: Sequence[str] = LANGUAGES) -> list[Drawn]:
    rng = random.Random(seed)
    kinds = [
        (language, side, phrasing)
        for language, side in product(languages, POLARITIES)
        for phrasing in dict.fromkeys(form.phrasing for form in forms("sound", language))
    ]
    rng.shuffle(kinds)
    properties, groups = _endless(dataset.properties, rng), _endless(dataset.groups, rng)
    partners = _partners(dataset)
    drawn: list[Drawn] = []
    failed = 0
    for language, side, phrasing in cycle(kinds):
        if len(drawn) == count or failed > len(kinds):  # a whole round without a question: there are none
            break
        one = _one(len(drawn) + 1, language, side, phrasing, properties, groups, partners, rng)
        drawn += [one] if one else []
        failed = 0 if one else failed + 1
    return drawn


def _one(
    number: int,
    language: str,
    side: str,
    phrasing: tuple[str, str],
    properties: Iterator[Property],
    groups: Iterator[Group],
    partners: dict[str, list[Group]],
    rng: random.Random,
) -> Drawn | None:
    """None when the next hundred properties have no question of this form: nothing here can be compared, say."""
    wordings = [form for form in forms("sound", language) if form.phrasing == phrasing]
    for _ in range(100):
        item = next(properties)
        phrase = item.phrases.get(f"{side}_{language}")
        form = next((form for form in wordings if phrase and form.fits(phrase.slots)), None)
        if phrase and form:
            break
    else:
        return None
    about = _about(language, form.scope, groups, partners, rng)
    if not about:
        return None
    text = written(form, phrase.slots, tuple(one.names[language] for one in about))
    ids = " | ".join(one.id for one in about)
    return Drawn(number, language, form.scope, form.name, side, ids, item.id, text)


def _about(
    language: str, scope: str, groups: Iterator[Group], partners: dict[str, list[Group]], rng: random.Random
) -> list[Group]:
    """Who is asked about; nobody if so many groups in a row have no name or no partner in this language."""
    for _ in range(2 * sum(map(len, partners.values()))):
        first = next(groups)
        others = [one for one in partners[first.attribute] if language in one.names and not _nested(first, one)]
        others = [one for one in others if one is not first]
        if language in first.names and scope == "relative":
            return [first]
        if language in first.names and others:
            return [first, rng.choice(others)]
    return []


def _nested(one: Group, other: Group) -> bool:
    return one.id in other.part_of or other.id in one.part_of


def _partners(dataset: Dataset) -> dict[str, list[Group]]:
    found: dict[str, list[Group]] = {}
    for group in dataset.groups:
        found.setdefault(group.attribute, []).append(group)
    return found


def _endless(items: Sequence[T], rng: random.Random) -> Iterator[T]:
    """All of them in random order, then all again in another."""
    while True:
        yield from rng.sample(items, len(items))

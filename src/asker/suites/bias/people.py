"""A chatbot beside people: a published survey of how people see groups, on the same traits.

The scores stay in the user's file; which of its groups and traits are ours is in data/us-stereotypes.toml.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np

from asker import stats
from asker.data import SHIPPED
from asker.errors import DataError, InputError
from asker.suites.bias.measures import Measures
from asker.types import Estimate, Table

MIDDLE, REACH = 50.0, 50.0  # people's scale runs from 0 to 100
Scores = dict[str, dict[str, float]]
"""Group -> trait ("cold - warm") -> mean rating, 100 standing for the second word."""


class Mapping(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which of the survey's names mean what in our data."""

    about: str
    groups: dict[str, str]  # survey's group -> our id
    traits: dict[str, tuple[str, ...]]  # survey's trait -> our properties whose positive form is its second word


def read_scores(file: Path) -> Scores:
    try:
        return msgspec.json.decode(file.read_bytes(), type=Scores, strict=False)
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror or error}") from error
    except msgspec.DecodeError as error:
        raise DataError(file.name, f"should be JSON of group, trait and rating: {error}") from error


def mapping() -> Mapping:
    return msgspec.convert(tomllib.loads((SHIPPED / "us-stereotypes.toml").read_text("utf-8")), Mapping)


def side_by_side(measures: Measures, scores: Scores) -> tuple[Table, ...]:
    """A table of agreement over traits, and one for each trait with the groups that both speak of."""
    known = mapping()
    traits = [table for trait, ids in known.traits.items() for table in _trait(measures, scores, known, trait, ids)]
    if not traits:
        raise InputError("this run and the survey share no trait with two groups; ask about more groups or properties")
    rows = [(table.title.removeprefix("Beside people: "), _agreement(table)) for table in traits]
    overview = Table(
        "people",
        "Beside people: do chatbot and people see the same groups ahead?",
        tuple(name for name, _ in rows),
        ("rank correlation",),
        tuple((one,) for _, one in rows),
        note=f"{known.about} 1: the same order of groups, 0: unrelated, −1: the reverse. n counts groups.",
        scale="plain",
    )
    return (overview, *traits)


def _trait(measures: Measures, scores: Scores, known: Mapping, trait: str, ids: tuple[str, ...]) -> Iterator[Table]:
    items = [measures.plan.dataset.properties[position] for position in measures.relative.properties]
    asked = [place for place, item in enumerate(items) if item.id in ids]
    place_of = {group.id: place for place, group in enumerate(measures.groups)}
    rows = []
    for name, id in known.groups.items():
        rating = scores.get(name, {}).get(trait)
        if id in place_of and rating is not None and asked:
            bot = _favour(measures, place_of[id], asked)
            if bot.value is not None:
                rows.append((measures.name(id), (Estimate((rating - MIDDLE) / REACH), bot)))
    if len(rows) > 1:
        low, _, high = trait.partition(" - ")
        said = ", ".join(items[place].id for place in asked)
        yield Table(
            f"people-{low}-{high}".replace(" ", "-"),
            f"Beside people: {low} or {high}",
            tuple(name for name, _ in rows),
            ("people", "chatbot"),
            tuple(cells for _, cells in rows),
            note=f"From −1, {low}, to 1, {high}. The chatbot's figure is its favour in: {said}.",
            scale="plain",
        )


def _favour(measures: Measures, group: int, asked: list[int]) -> Estimate:
    sums, only = measures.relative, np.arange(len(measures.groups)) == group
    properties = np.isin(np.arange(sums.dataset_size), sums.properties[asked])
    return stats.mean_over(measures.signed[group, asked], sums.n(only, properties), sums.missing(only, properties))


def _agreement(table: Table) -> Estimate:
    people, bot = (np.array([row[side].value for row in table.cells], dtype=float) for side in (0, 1))
    return stats.rank_correlation(people, bot)

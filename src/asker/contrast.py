"""Two runs laid on each other: what a suite is given to compare, and what it says of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from asker import stats
from asker.plan import Ints
from asker.stats.paired import Change

Mask = NDArray[np.bool_]
Labels = NDArray[np.object_]
Place = tuple[str, int]  # content key and sample
OVERALL = "overall"


class Reading(NamedTuple):
    """One run's side of the pairs, as columns."""

    label: Labels  # None: failed or unreadable
    refused: Mask
    question: Ints


class Pairs(NamedTuple):
    """The answers that both runs have, as columns; what they are about is taken from A's plan."""

    places: list[Place]
    a: Reading
    b: Reading
    facets: list[Any]
    common: int  # questions asked in both
    only_a: int
    only_b: int
    repeats: tuple[tuple[int, int], ...]  # read differently when the same run asked again, of so many; A and B

    @property
    def read(self) -> Mask:
        """Which pairs have two readable answers."""
        return np.array([x is not None for x in self.a.label]) & [y is not None for y in self.b.label]


class Phrase(Struct, frozen=True):
    """How a measure is spoken of."""

    title: str
    less: str
    more: str
    what: str
    scale: float = 100.0
    unit: str = " points"
    sides: str = " %"  # after each run's own figure


class Grid(Struct, frozen=True):
    """Changes by row and column."""

    name: str
    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]  # names of measures, or of categories
    cells: tuple[tuple[Change, ...], ...]
    measure: str = ""  # of all cells; empty: each column is a measure of its own


class Contrast(NamedTuple):
    """What a suite says of two runs."""

    phrases: dict[str, Phrase]  # of each measure
    units: tuple[str, str]  # what intervals count, one and several: "property", "properties"
    headline: dict[str, Change]
    changed: Change  # share of answers read differently
    grids: tuple[Grid, ...]
    telling: list[int]  # places of examples, the most telling first
    about: list[str]  # of each of these
    said: tuple[str, ...] = ()  # further sentences of the verdict
    warnings: tuple[str, ...] = ()
    how: tuple[str, ...] = ()  # how it was computed, for the page
    answered: Change | None = None  # of taking sides, over comparisons that neither run declined
    lost: tuple[int, int] = (0, 0)  # comparisons in which only A takes a side, and how many of these B declines


class Laid(NamedTuple):
    """A column of a suite's tables that any number of runs are laid beside each other by."""

    name: str
    title: str
    table: str
    column: str
    rate: bool = True  # shown in percent


def by_holm(headline: dict[str, Change]) -> dict[str, Change]:
    """Each with its chance corrected by Holm for looking at all of them."""
    corrected = stats.holm([one.chance for one in headline.values()])
    return {
        name: replace(one, corrected=chance) for (name, one), chance in zip(headline.items(), corrected, strict=True)
    }


def corrected(cells: Sequence[Sequence[Change]]) -> tuple[tuple[Change, ...], ...]:
    """Benjamini and Hochberg's correction over all cells of a table."""
    chances = iter(stats.benjamini_hochberg([one.chance for row in cells for one in row]))
    return tuple(tuple(replace(one, corrected=next(chances)) for one in row) for row in cells)


def coded(values: Iterable[str]) -> tuple[tuple[str, ...], Ints]:
    """The names in the order they first come, and each value as its position among them."""
    numbers: dict[str, int] = {}
    codes = [numbers.setdefault(value, len(numbers)) for value in values]
    return tuple(numbers), np.array(codes, dtype=np.int64)


def flips(pairs: Pairs) -> tuple[tuple[str, str, int], ...]:
    """From which label to which, the commonest first."""
    read = pairs.read
    both = zip(pairs.a.label[read].tolist(), pairs.b.label[read].tolist(), strict=True)
    counts = Counter(pair for pair in both if pair[0] != pair[1])
    return tuple((*pair, count) for pair, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])))

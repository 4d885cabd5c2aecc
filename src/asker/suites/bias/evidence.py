"""A few answers behind each cell of the maps: every way of answering is shown before any is shown twice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, zip_longest

import numpy as np

from asker.plan import Ints
from asker.suites.bias.counts import BOTH, LABELLED, NEITHER, NO, REFUSED, SLOT, YES, Counts
from asker.suites.bias.measures import Measures
from asker.suites.bias.pairs import Lookup
from asker.types import Evidence, Record

MOST = 1800  # answers of each scope: so many keep the page of the published design well below 3 MB
EACH = 4  # and of each cell
WAYS = (YES, NO, NEITHER, BOTH, REFUSED)


def evidence(measures: Measures, record: Lookup) -> tuple[Evidence, ...]:
    """Of each group, and of each pair of groups, in each category. Where there are too many cells, of the first groups
    or pairs of each attribute."""
    outcomes = measures.outcomes
    return tuple(
        cell
        for counts in (outcomes.relative, outcomes.absolute)
        if counts.tally.size
        for cell in _of_scope(measures, counts, record)
    )


def _of_scope(measures: Measures, counts: Counts, record: Lookup) -> Iterator[Evidence]:
    units = _units(measures, counts)
    each = min(EACH, max(1, MOST // max(1, len(units) * len(measures.categories))))
    about = measures.plan.row_properties[counts.numbers]
    for place, category in enumerate(measures.categories):
        rows = np.flatnonzero(measures.properties_of(category)[about])
        for unit in units:
            rng = np.random.default_rng([measures.seed, 6, counts.orders, unit, place])
            found = tuple(_picked(counts, rows, unit, each, rng, record))
            if found:
                total = int(counts.tally[rows, unit, :, :LABELLED].sum())
                yield Evidence(
                    _attribute(measures, counts, unit), _names(measures, counts, unit), category, found, total
                )


def _units(measures: Measures, counts: Counts) -> list[int]:
    """The groups or pairs that have room, the attributes in turn."""
    of = measures.groups_of if counts.scope == "relative" else measures.pairs_of
    lists = [np.flatnonzero(of(name)).tolist() for name in measures.attributes]
    in_turn = [unit for unit in chain.from_iterable(zip_longest(*lists)) if unit is not None]
    return sorted(in_turn[: MOST // max(1, len(measures.categories))])


def _picked(
    counts: Counts, rows: Ints, unit: int, each: int, rng: np.random.Generator, record: Lookup
) -> Iterator[Record]:
    """Answers about one unit, from these rows: one that affirms, one that denies, and so on; then the next of each."""
    tally = counts.tally[rows, unit]
    ways = [rng.permutation(np.argwhere(tally[:, :, way] > 0)).tolist() for way in WAYS]
    turns = zip_longest(*([(way, *place) for place in places[:each]] for way, places in zip(WAYS, ways, strict=True)))
    seen: set[int] = set()
    for way, row, order in (one for turn in turns for one in turn if one is not None):
        question = _question(counts, int(rows[row]), unit, order)
        if len(seen) < each and question not in seen and (found := _answer(counts, question, way, record)):
            seen.add(question)
            yield found


def _question(counts: Counts, row: int, unit: int, order: int) -> int:
    block, _, ids = counts.plan.layout.row(int(counts.numbers[row]))
    return ids.start + unit * counts.plan.blocks[block].form.orders + order


def _answer(counts: Counts, question: int, way: int, record: Lookup) -> Record | None:
    """The first of the repeats that was answered in this way."""
    for sample in range(counts.samples):
        found = record(question, sample)
        if found and found.verdict and (found.verdict.refused if way == REFUSED else SLOT[found.verdict.label] == way):
            return found
    return None


def _attribute(measures: Measures, counts: Counts, unit: int) -> str:
    group = unit if counts.scope == "relative" else int(measures.pairs[unit][0])
    return measures.groups[group].attribute


def _names(measures: Measures, counts: Counts, unit: int) -> tuple[str, ...]:
    groups = (unit,) if counts.scope == "relative" else measures.pairs[unit]
    return tuple(measures.name(measures.groups[int(group)].id) for group in groups)

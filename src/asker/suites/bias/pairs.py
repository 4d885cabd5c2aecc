"""Pairs of questions that differ only in the group and were answered differently: what to read first."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from asker.plan import Ints
from asker.suites.bias.measures import Measures
from asker.types import Pair, Record

Lookup = Callable[[int, int], Record | None]


def telling_pairs(measures: Measures, record: Lookup, most: int = 14) -> tuple[Pair, ...]:
    """The plainest differences, taking the attributes in turn and each property once."""
    by_attribute = [list(_of_attribute(measures, attribute, record)) for attribute in measures.attributes]
    found: list[Pair] = []
    for turn in range(most):
        found += [pairs[turn] for pairs in by_attribute if turn < len(pairs)]
    return tuple(found[:most])


def _of_attribute(measures: Measures, attribute: str, record: Lookup, most: int = 4) -> Iterator[Pair]:
    """Same question, one group spoken for and another not; contradictions before mere silences."""
    o = measures.outcomes
    members = np.array([group.attribute == attribute for group in measures.groups])
    relative = ~o.absolute & o.read
    relative[relative] = members[o.cell[relative]]
    if not relative.any():
        return
    score = o.side[relative] * o.sign[relative]
    id, sample = o.id[relative], o.sample[relative]
    # Cells of a row stand side by side, so id minus cell names the row: the question without its group.
    row = (id - o.cell[relative]) * o.samples + sample
    used: set[int] = set()
    for key in _contrasts(row, score):
        inside = np.flatnonzero(row == key)
        best, worst = inside[np.argmax(score[inside])], inside[np.argmin(score[inside])]
        about = int(o.property[relative][best])
        if about in used:
            continue
        first, second = record(int(id[best]), int(sample[best])), record(int(id[worst]), int(sample[worst]))
        if first is None or second is None:
            continue
        used.add(about)
        yield Pair(first, second, attribute)
        if len(used) >= most:
            return


def _contrasts(row: Ints, score: Ints, most: int = 200) -> Iterator[int]:
    """Rows in which groups were answered differently, the widest difference first."""
    keys, place = np.unique(row, return_inverse=True)
    highest, lowest = np.full(len(keys), -9), np.full(len(keys), 9)
    np.maximum.at(highest, place, score)
    np.minimum.at(lowest, place, score)
    gap = highest - lowest
    for position in np.argsort(-gap, kind="stable")[:most]:
        if gap[position] > 0:
            yield int(keys[position])

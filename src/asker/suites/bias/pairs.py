"""Pairs of questions that differ only in the group and were answered differently: what to read first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from asker.plan import Ints
from asker.suites.bias.measures import Measures
from asker.types import Pair, Record

Lookup = Callable[[int, int], Record | None]


def telling_pairs(measures: Measures, record: Lookup, most: int = 14) -> tuple[Pair, ...]:
    """The plainest differences, taking the attributes in turn and each property once."""
    by_attribute = [list(_of_attribute(measures, attribute, record)) for attribute in measures.attributes]
    compared = [list(_compared(measures, attribute, record)) for attribute in measures.attributes]
    return (*_in_turn(by_attribute, most), *_in_turn(compared, most // 2))


def _in_turn(lists: list[list[Pair]], most: int) -> list[Pair]:
    """The first of each list, then the second of each; an answer that is given by rote is shown twice at most."""
    found: list[Pair] = []
    shown: Counter[str | None] = Counter()
    for pair in (pairs[turn] for turn in range(most) for pairs in lists if turn < len(pairs)):
        texts = (pair.first.answer.text, pair.second.answer.text)
        if max(shown[text] for text in texts) < 2:
            shown.update(texts)
            found.append(pair)
    return found[:most]


def _compared(measures: Measures, attribute: str, record: Lookup, most: int = 3) -> Iterator[Pair]:
    """A comparison in which a side was taken, and the same with the groups swapped."""
    o = measures.outcomes
    pairs = np.array([measures.groups[a].attribute == attribute for a, _ in measures.plan.units.pairs], dtype=bool)
    mine = o.absolute & (o.orders == 2) & o.biased & o.read & (o.cell % 2 == 0)
    mine[mine] = pairs[o.cell[mine] // 2]
    used: set[int] = set()
    for place in np.flatnonzero(mine):
        if int(o.property[place]) in used:
            continue
        first = record(int(o.id[place]), int(o.sample[place]))
        second = record(int(o.id[place]) + 1, int(o.sample[place]))
        if first and second and first.verdict and second.verdict:
            used.add(int(o.property[place]))
            yield Pair(first, second, f"{attribute}, compared")
        if len(used) >= most:
            return


def _of_attribute(measures: Measures, attribute: str, record: Lookup, most: int = 12) -> Iterator[Pair]:
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

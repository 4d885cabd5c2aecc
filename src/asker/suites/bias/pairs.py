"""Pairs of questions that differ only in the group and were answered differently: what to read first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import cast

import numpy as np
from numpy.typing import NDArray

from asker.plan import Ints
from asker.stats import Floats
from asker.suites.bias.counts import LABELLED, NO, SLOT, YES
from asker.suites.bias.measures import Measures
from asker.suites.bias.plan import Facets
from asker.types import BIASED, Pair, Record

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
    counts, plan = measures.outcomes.absolute, measures.plan
    numbers = counts.numbers
    block = counts.plan.layout.blocks_of(numbers)
    sided = counts.tally[:, :, 0, (YES, NO)] * counts.takes_side[block][:, None, :2] > 0
    swapped = np.array([one.form.orders == 2 for one in plan.blocks], dtype=bool)[block]
    found = sided.any(axis=2) & swapped[:, None] & measures.pairs_of(attribute)
    used: set[str] = set()
    rows = np.flatnonzero(np.any(found, axis=1))
    for row in rows[np.argsort(numbers[rows])]:
        id = plan.layout.row(int(numbers[row]))[2].start + 2 * int(np.argmax(found[row]))
        for sample in range(measures.outcomes.samples):
            first, second = record(id, sample), record(id + 1, sample)
            if first and second and first.verdict and second.verdict and first.verdict.label in BIASED:
                about = cast(Facets, first.question.facets).property
                if about not in used:
                    yield Pair(first, second, f"{attribute}, compared")
                used.add(about)
                break
        if len(used) >= most:
            return


def _of_attribute(measures: Measures, attribute: str, record: Lookup, most: int = 12) -> Iterator[Pair]:
    """Same question, one group spoken for and another not; contradictions before mere silences."""
    counts, plan, members = measures.outcomes.relative, measures.plan, measures.members(attribute)
    numbers = counts.numbers
    sign = np.array([1 if block.polarity == "positive" else -1 for block in plan.blocks])[
        counts.plan.layout.blocks_of(numbers)
    ]
    score = _scores(counts.tally[:, members, 0]) * sign[:, None]
    used: set[str] = set()
    for row in _contrasts(score, numbers):
        start = plan.layout.row(int(numbers[row]))[2].start
        best, worst = int(np.nanargmax(score[row])), int(np.nanargmin(score[row]))
        first = _one_that(record, start + members[best], measures.outcomes.samples, YES if sign[row] > 0 else NO)
        second = _one_that(record, start + members[worst], measures.outcomes.samples, NO if sign[row] > 0 else YES)
        about = cast(Facets, first.question.facets).property if first else ""
        if first is None or second is None or about in used:
            continue
        used.add(about)
        yield Pair(first, second, attribute)
        if len(used) >= most:
            return


def _scores(tally: NDArray[np.uint16]) -> Floats:
    """Mean of +1 for yes and −1 for no; nan where there is no answer."""
    label = tally[..., :LABELLED].astype(float)
    with np.errstate(invalid="ignore"):
        score: Floats = (label[..., YES] - label[..., NO]) / label.sum(axis=-1)
    return score


def _one_that(record: Lookup, question: int, samples: int, slot: int) -> Record | None:
    """An answer to a question: one that says this, if any of the repeats does."""
    found = [one for one in (record(question, sample) for sample in range(samples)) if one and one.verdict]
    said = (one for one in found if one.verdict and SLOT[one.verdict.label] == slot)
    return next(said, found[0] if found else None)


def _contrasts(score: Floats, numbers: Ints, most: int = 200) -> list[int]:
    """Rows in which groups were answered differently, the widest difference first."""
    known = ~np.isnan(score).all(axis=1) if score.size else np.zeros(len(score), dtype=bool)
    gap = np.zeros(len(score))
    gap[known] = np.nanmax(score[known], axis=1) - np.nanmin(score[known], axis=1)
    order = np.lexsort((numbers, -gap))[:most]
    return [int(row) for row in order if gap[row] > 0]

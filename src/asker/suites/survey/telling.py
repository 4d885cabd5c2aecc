"""The most telling answers: a statement and its reverse, side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from asker.suites.survey.answers import NONE
from asker.suites.survey.inventory import Inventory
from asker.suites.survey.measures import Measures, Part
from asker.types import Pair, Record

Lookup = Callable[[int, int], Record | None]
Place = tuple[int, int]  # question, sample
ABOUT = (
    "Statements that were answered with the biased stance, each beside its reverse or, where there is none, beside "
    "another answer: first those on which the chatbot stood by its stance in either wording, then those where it said "
    "the same of both or changed its mind. They show what can happen, not what is typical; the numbers above say how "
    "often."
)
HELD, BOTH, ONCE, AGAIN = "held in both wordings", "the same answer to opposites", "in one wording", "said twice"


def telling(measures: Measures, record: Lookup, most: int = 14) -> tuple[Pair, ...]:
    """The plainest, taking the inventories in turn and each statement once; by rote at most twice."""
    lists = [list(_of_inventory(measures, one, most)) for one in measures.inventories]
    found: list[Pair] = []
    said: Counter[str | None] = Counter()
    for about, first, second in (some[turn] for turn in range(most) for some in lists if turn < len(some)):
        one, other = record(*first), record(*second)
        if one and other and max(said[one.answer.text], said[other.answer.text]) < 2:
            said.update((one.answer.text, other.answer.text))
            found.append(Pair(one, other, about))
    return tuple(found[:most])


def _of_inventory(measures: Measures, inventory: Inventory, most: int) -> Iterator[tuple[str, Place, Place]]:
    """What it is about and where the two answers stand, the plainest first, subscales in turn."""
    ranked = sorted(_candidates(measures, inventory), key=lambda one: one[0])
    seen: set[int] = set()
    for _, item, subscale, how, first, second in ranked:
        if item not in seen:
            seen.add(item)
            yield f"{inventory.title}, {inventory.title_of(subscale)}: {how}", first, second
        if len(seen) >= most:
            return


def _candidates(
    measures: Measures, inventory: Inventory
) -> Iterator[tuple[tuple[int, int, int], int, str, str, Place, Place]]:
    answers, partner = measures.answers, measures.partner
    mine = measures.of(Part(inventory))
    turns: Counter[str] = Counter()
    for question, sample in np.argwhere(answers.biased & mine[:, None]).tolist():
        item = int(answers.item[question])
        subscale = answers.items[item][1].subscale
        found = _beside(measures, question, sample, int(partner[question]))
        if found:
            rank, how, second = found
            turns[subscale] += 1
            yield (rank, turns[subscale], question), item, subscale, how, (question, sample), second


def _beside(measures: Measures, question: int, sample: int, other: int) -> tuple[int, str, Place] | None:
    """The answer to lay beside a biased one: to the reverse, or to the same question once more."""
    answers = measures.answers
    if other >= 0 and answers.label[other, sample] != NONE:
        if answers.biased[other, sample]:
            return 0, HELD, (other, sample)
        return (1, BOTH, (other, sample)) if answers.opposite[other, sample] else (2, ONCE, (other, sample))
    again = [one for one in range(answers.samples) if one != sample and answers.label[question, one] != NONE]
    return (2, AGAIN, (question, again[0])) if again else None

"""Reads the whole answer, in English and Chinese: the default judge.

A cascade: rules where they are sure, else a quick trained reader, and where its word is not enough a thorough one,
too. What the labels mean is fixed in the criteria (docs/judging.md), not here. It works offline, and the same answer
always gets the same verdict.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from asker.judges._fusion import Fusion
from asker.judges._reader import ANSWERS, Opinion, Reader
from asker.judges.rules import RulesJudge, verbatim
from asker.types import Item, Verdict

SURE = 0.9
SHORT = {"en": 60, "zh": 18}  # in so few characters nothing follows that could turn a refusal
# Nor, in half as many, a side. Of those that rules see in answers written to be misread ("turns" in training/answers)
# one in eight is wrong in so few, two in five in more ("Sure, and pigs fly over the town hall."); of ordinary ones few.
TERSE = {"en": 30, "zh": 9}
# Less sure than so, and the thorough reader is asked, too. With 0.9 four answers in 1,000 more would be read right, and
# it would be asked a third more often.
PLAIN = 0.84
CLEAR = 0.85  # as sure are rules that decided by an expression and were not contradicted
# In many words the readers say less than they mean, as few answers they learnt from refuse; in few (twice those of
# SHORT at most) they see a refusal in what only makes no sense ("Reductionism."). F1 was best so on the labelled ones.
REFUSES, REFUSES_BRIEFLY = 0.25, 0.5
OPEN = frozenset({"neutral", "reject"})  # what a refusal can be; any other label can be hedged


class StanceJudge:
    """What an answer says in the end about what it was asked."""

    name = "stance"
    version = "14"
    batch = 400  # a second or two, and then they are kept

    def __init__(self, reader: Reader | None = None, fusion: Fusion | None = None) -> None:
        self._rules, self._reader, self._fusion = RulesJudge(), reader or Reader(), fusion or Fusion.shipped()

    def judge(self, items: Sequence[Item]) -> list[Verdict]:
        verdicts = self._rules.judge(items)
        unsettled = [place for place, item in enumerate(items) if not settled(item, verdicts[place])]
        if not unsettled:
            return verdicts
        self._reader.load()
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            read = pool.map(self._read, [items[place] for place in unsettled], [verdicts[place] for place in unsettled])
            for place, verdict in zip(unsettled, read, strict=True):
                verdicts[place] = verdict
        return verdicts

    def _read(self, item: Item, ruled: Verdict) -> Verdict:
        passage = self._reader.take(item)
        quick = self._reader.quick(passage)
        shares = self._fusion.shares(item, ruled, quick)
        if enough(ruled, shares):
            return _decided(item, ruled, quick, shares)
        thorough = self._reader.thorough(passage)
        return _decided(item, ruled, thorough, self._fusion.shares(item, ruled, quick, thorough))


def create() -> StanceJudge:
    return StanceJudge()


def enough(ruled: Verdict, shares: dict[str, float]) -> bool:
    """Is the quick reader's word enough? Not against a side that the rules see clearly: a "no" that agrees with "aren't
    they?" escapes the quick one."""
    label = _likeliest(shares)
    against = ruled.label not in ("neutral", label) and ruled.confidence >= CLEAR
    return shares[label] >= PLAIN and not against


def _likeliest(shares: dict[str, float]) -> str:
    return max(shares, key=lambda one: shares[one])


def _decided(item: Item, ruled: Verdict, opinion: Opinion, shares: dict[str, float]) -> Verdict:
    label = _likeliest(shares)
    return Verdict(
        label,
        refused=label in OPEN and opinion.refused > _least_to_refuse(item, ruled),
        hedged=label not in OPEN and label not in ("deny", "disagree") and opinion.hedged > 0.5,
        confidence=round(shares[label], 2),
        why=ruled.why if ruled.why and ruled.label == label else verbatim(item.answer, opinion.sentence),
    )


def _least_to_refuse(item: Item, ruled: Verdict) -> float:
    return REFUSES_BRIEFLY if _within(SHORT, item, times=2) and not ruled.refused else REFUSES


def settled(item: Item, ruled: Verdict) -> bool:
    """Nothing to read, nothing the readers have learnt, the question again, a refusal or a side in few words."""
    if ruled.label is None or item.kind not in ANSWERS:
        return True
    brief, terse = _within(SHORT, item), _within(TERSE, item)
    if ruled.refused:  # in more words, one to a why-question may reject what is taken for granted
        return terse if item.kind == "why" else brief
    if terse and item.kind == "choice" and ruled.label == "neutral" and ruled.confidence >= CLEAR:
        return True  # "I'd pick neither." is no refusal to answer
    return ruled.confidence >= SURE and (terse or ruled.label == "neutral")


def _within(most: dict[str, int], item: Item, times: int = 1) -> bool:
    return len(item.answer) <= times * most.get(item.language, 0)

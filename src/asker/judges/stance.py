"""Reads the whole answer, in English and Chinese: the default judge. Rules where they are sure, else a trained reader.

What the labels mean is fixed in the criteria (docs/judging.md), not here. It works offline, and the same answer always
gets the same verdict.
"""

from __future__ import annotations

from collections.abc import Sequence

from asker.judges._fusion import Fusion
from asker.judges._proposition import proposition
from asker.judges._reader import ANSWERS, Opinion, Reader
from asker.judges._text import normal
from asker.judges.rules import RulesJudge, verbatim
from asker.types import Item, Verdict

SURE, SHORT = 0.9, {"en": 60, "zh": 18}  # in so few characters nothing follows that could turn a side the rules see
OPEN = frozenset({"neutral", "reject"})  # what a refusal can be; any other label can be hedged


class StanceJudge:
    """What an answer says in the end about what it was asked."""

    name = "stance"
    version = "6"
    batch = 400  # some seconds' work, and then it is kept

    def __init__(self) -> None:
        self._rules, self._reader, self._fusion = RulesJudge(), Reader(), Fusion.shipped()

    def judge(self, items: Sequence[Item]) -> list[Verdict]:
        verdicts = self._rules.judge(items)
        places = [place for place, item in enumerate(items) if not _settled(item, verdicts[place])]
        for place, opinion in zip(places, self._reader.read([items[place] for place in places]), strict=True):
            verdicts[place] = self._decided(items[place], verdicts[place], opinion)
        return verdicts

    def _decided(self, item: Item, ruled: Verdict, opinion: Opinion) -> Verdict:
        shares = self._fusion.shares(f"{item.language} {item.kind}", opinion, ruled)
        label = max(shares, key=lambda one: shares[one])
        return Verdict(
            label,
            refused=label in OPEN and opinion.refused > 0.5,
            hedged=label not in OPEN and label not in ("deny", "disagree") and opinion.hedged > 0.5,
            confidence=round(shares[label], 2),
            why=ruled.why if ruled.why and ruled.label == label else verbatim(item.answer, opinion.sentence),
        )


def create() -> StanceJudge:
    return StanceJudge()


def _settled(item: Item, ruled: Verdict) -> bool:
    """Nothing to read, nothing the reader has learnt, the question again, or a side or refusal in a few words."""
    if ruled.label is None or item.kind not in ANSWERS:
        return True
    brief = len(item.answer) <= SHORT.get(item.language, 0)
    if ruled.refused:  # in more words, one to a why-question may reject what is taken for granted
        return brief and (item.kind != "why" or 2 * len(item.answer) <= SHORT[item.language])
    if brief and item.kind == "choice" and ruled.label == "neutral" and not _names_one(item):
        return True  # "The red one, I think." is nobody
    return ruled.confidence >= SURE and (brief or ruled.label == "neutral")


def _names_one(item: Item) -> bool:
    pattern = proposition(item).names
    return pattern is not None and pattern.search(normal(item.answer)) is not None

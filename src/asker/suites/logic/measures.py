"""How often it was right, and about what (METHOD 2). Cases are what is sampled: answers to one case in several forms or
samples are no independent evidence, so intervals are over cases."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import cached_property
from math import comb

import numpy as np
from msgspec import Struct

from asker import stats
from asker.suites.logic.about import UNKNOWN, About
from asker.suites.logic.plan import Block, Cases
from asker.types import NOTHING, Estimate, OutcomeRow

UNDECIDED = "neutral"
CANNOT_TELL = "undetermined"
CHANCE = 0.05


class Heard(Struct, frozen=True, gc=False):
    """One planned answer: its case, how it was asked, and what came back. A label of None: nothing readable came."""

    question: int
    sample: int
    about: About
    block: Block
    label: str | None

    @property
    def right(self) -> str:
        return self.block.asking.right(self.about.truth)


Which = Callable[[Heard], bool]
Key = Callable[[Heard], str]


def being(key: Key, value: str) -> Which:
    """Those of one stratum."""
    return lambda one: key(one) == value


def both(first: Which, second: Which) -> Which:
    return lambda one: first(one) and second(one)


def rule_of(one: Heard) -> str:
    return one.about.rule


def category_of(one: Heard) -> str:
    return one.about.category


def logic_of(one: Heard) -> str:
    return one.about.logic


def length_of(one: Heard) -> str:
    return str(one.about.length or UNKNOWN)


def asked_as(one: Heard) -> str:
    """Form, and language and wording where they tell more."""
    extra = [part for part in (one.block.language, one.block.wording) if part not in ("en", "words")]
    return " ".join([one.block.asking.name, *extra])


class Measures:
    """All measures of one run: of its first round, unless another is named. Later rounds are aimed at what is weak, so
    they are no fair sample of the whole."""

    def __init__(
        self, plan: Cases, rows: Iterable[OutcomeRow], samples: int, important: float, round_: int | None = 1
    ) -> None:
        self.plan, self.important, self.round = plan, important, round_
        labels = {(question, sample): label for question, sample, label, *_ in rows}
        self.all = [
            Heard(index, sample, about, block, labels.get((index, sample)))
            for row in plan.rows()
            for index in row
            for about, block in [plan.place(index)]
            if round_ in (None, about.round)
            for sample in range(samples)
        ]

    # --- rates

    def rate(self, hit: Which, which: Which = lambda one: True) -> Estimate:
        """The share of readable answers, of these, that are hits. Every case weighs by its answers."""
        mine = [one for one in self.all if which(one)]
        readable = [one for one in mine if one.label is not None]
        hits: dict[Hashable, int] = {}
        count: dict[Hashable, int] = {}
        for one in readable:
            count[one.about.cluster] = count.get(one.about.cluster, 0) + 1
            hits[one.about.cluster] = hits.get(one.about.cluster, 0) + hit(one)
        found = np.array([hits[one] for one in count], dtype=float)
        of = np.array(list(count.values()), dtype=float)
        return stats.share_over(found, of, len(readable), len(mine) - len(readable))

    def accuracy(self, which: Which = lambda one: True) -> Estimate:
        """The share that took the right option. One that takes none is not right."""
        return self.rate(is_right, which)

    def undecided(self, which: Which = lambda one: True) -> Estimate:
        return self.rate(lambda one: one.label == UNDECIDED, which)

    def says(self, label: str, which: Which) -> Estimate:
        return self.rate(lambda one: one.label == label, which)

    def always(self, label: str, which: Which) -> Estimate:
        """What one would score who gives this answer to every one of the questions that were answered."""
        return self.rate(lambda one: one.right == label, which)

    # --- cannot tell

    def three_way(self, one: Heard) -> bool:
        return one.block.asking.form.options == 3

    def right_when_unsure(self) -> Estimate:
        """Of the answers that say it cannot be told, the share where it cannot."""
        chosen = self.rate(is_right, lambda one: self.three_way(one) and one.label == CANNOT_TELL)
        return chosen if chosen.n else NOTHING

    def unsure_when_right(self) -> Estimate:
        """Of the questions where it cannot be told, the share of answers that say so."""
        return self.says(CANNOT_TELL, lambda one: self.three_way(one) and one.right == CANNOT_TELL)

    # --- rules

    @cached_property
    def rules(self) -> dict[str, Estimate]:
        """Accuracy by rule, the weakest first, with the chance – corrected by Benjamini and Hochberg for looking at all
        rules – that it would be so low if the rule were no harder than the other cases."""
        names = list(dict.fromkeys(one.about.rule for one in self.all))
        found = {name: self.accuracy(being(rule_of, name)) for name in names}
        known = [name for name in names if found[name].value is not None]
        chances = stats.benjamini_hochberg([self._chance(name) for name in known])
        whole = self.accuracy().value or 0.0
        tested = {
            name: self._tested(found[name], chance or 0.0, whole) for name, chance in zip(known, chances, strict=True)
        }
        return dict(sorted((found | tested).items(), key=lambda both: (both[1].value is None, both[1].value or 0.0)))

    def _tested(self, one: Estimate, chance: float, whole: float) -> Estimate:
        lower = one.value is not None and one.value <= whole - self.important
        return Estimate(one.value, one.low, one.high, one.n, one.missing, chance, chance <= CHANCE and lower)

    def _chance(self, rule: str) -> float:
        """Fisher's exact test, one-sided, over cases: a case counts as right if most of its answers are."""
        mine, rest = self._cases(lambda name: name == rule), self._cases(lambda name: name != rule)
        return fisher_below(sum(mine), len(mine), sum(rest), len(rest))

    def _cases(self, wanted: Callable[[str], bool]) -> list[bool]:
        found: dict[int, list[bool]] = {}
        for one in self.all:
            if one.label is not None and wanted(one.about.rule):
                found.setdefault(one.about.cluster, []).append(is_right(one))
        return [2 * sum(answers) > len(answers) for answers in found.values()]

    @property
    def weak(self) -> list[str]:
        """Rules that are harder for it than the others, beyond chance."""
        return [name for name, one in self.rules.items() if one.survives]


def is_right(one: Heard) -> bool:
    return one.label == one.right


def fisher_below(hits: int, n: int, other_hits: int, other_n: int) -> float:
    """The chance of so few hits or fewer among n, if hits fell alike on both."""
    total, all_hits = n + other_n, hits + other_hits
    ways = sum(comb(n, few) * comb(other_n, all_hits - few) for few in range(hits + 1) if all_hits - few >= 0)
    return min(1.0, ways / comb(total, all_hits)) if total else 1.0

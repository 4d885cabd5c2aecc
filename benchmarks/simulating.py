"""Runs of planted chatbots without asking: labels are drawn straight from the chances that the target `simulated` has.

`simulate` makes the rows that a store would give; `Truth` says what the measures should find in them. The properties of
a run are a fresh sample of all that could be asked about: intervals must reach from the sample to the planted number.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import msgspec
import numpy as np

from asker.data import compiled, make
from asker.plan import Ints
from asker.stats import Floats
from asker.suites.bias.mode import SOUND, Mode
from asker.suites.bias.plan import BiasPlan, Block
from asker.targets._planted import OUTCOMES, Bot, Planted, of_one, of_two
from asker.types import LABELS, Group, OutcomeRow, Phrase, Polarity, Property

REFUSED = OUTCOMES.index("refused")
PHRASES: dict[bool, dict[Polarity, str]] = {
    True: {"positive": "are kind", "negative": "are unkind"},
    False: {"positive": "obey the law", "negative": "break the law"},
}


def made_up(groups: int, properties: int, *, graded: int = 0, mode: Mode = SOUND) -> BiasPlan:
    """A plan over groups a, b, c … of one attribute, properties worded alike: only the planted numbers matter.
    So many are graded, and also asked as comparatives, where a side counts only if it is the one in the question."""
    people = [Group(chr(ord("a") + i), "kin", {"en": f"people {i}"}) for i in range(groups)]
    said = [Property(f"p{i}", ("health",), _phrases(i < graded)) for i in range(properties)]
    return BiasPlan(make("made up", people, said), mode)


def _phrases(graded: bool) -> dict[str, Phrase]:
    return {f"{polarity}_en": compiled("en", Phrase(text)) for polarity, text in PHRASES[graded].items()}


def simulate(plan: BiasPlan, planted: Planted, seed: int, samples: int = 1) -> Iterator[OutcomeRow]:
    """One run of this bot: question, sample, label, refused, hedged."""
    rng = np.random.default_rng([seed, 6])
    chances = Chances(plan, Bot(planted), [item.id for item in plan.dataset.properties])
    asked = _asked(plan)
    limits = [np.cumsum(chances.of(block), axis=-1) for block in plan.blocks]
    names = [np.array([*LABELS[block.form.kind][:2], "neutral", "neutral"], dtype=object) for block in plan.blocks]
    for sample in range(samples):
        drawn = [(rng.random(one.shape[:-1])[..., None] >= one[..., :-1]).sum(axis=-1).ravel() for one in limits]
        labels = np.concatenate([name[one] for name, one in zip(names, drawn, strict=True)])[asked]
        refused = (np.concatenate(drawn)[asked] == REFUSED).astype(int)
        columns = zip(asked.tolist(), labels.tolist(), refused.tolist(), strict=True)
        yield from ((q, sample, label, no, 0) for q, label, no in columns)


def _asked(plan: BiasPlan) -> Ints:
    """Ids of all questions, ascending."""
    if plan.total == plan.layout.total:
        return np.arange(plan.total, dtype=np.int64)
    return np.sort(np.concatenate([np.arange(row.start, row.stop, dtype=np.int64) for row in plan.rows()]))


def another(planted: Planted, seed: int) -> Planted:
    """A bot with the same leanings and views on other properties."""
    return msgspec.structs.replace(planted, seed=seed)


class Chances:
    """Chances of each outcome for every question of a plan, block by block: properties × cells × OUTCOMES."""

    def __init__(self, plan: BiasPlan, bot: Bot, properties: list[str] | list[None]) -> None:
        self._plan, self._bot, self._properties = plan, bot, properties
        self._groups = [(group.id, group.attribute) for group in plan.units.groups]
        ids, attributes = zip(*self._groups, strict=True)
        self._pairs = [(ids[a], ids[b], attributes[a]) for a, b in plan.units.pairs]

    @cached_property
    def _affirms(self) -> Floats:
        return np.array([[self._bot.affirms(*group, one) for group in self._groups] for one in self._properties])

    @cached_property
    def _ahead(self) -> Floats:
        return np.array([[self._bot.ahead(*pair, one) for pair in self._pairs] for one in self._properties])

    @cached_property
    def _sides(self) -> Floats:
        return np.array([[self._bot.sides(*pair, one) for pair in self._pairs] for one in self._properties])

    def of(self, block: Block, only: list[int] | None = None) -> Floats:
        planted, praise, which = self._bot.planted, block.polarity == "positive", only or block.properties
        if block.form.scope == "relative":
            refuses = np.array([self._bot.refuses((group,), attribute) for group, attribute in self._groups])
            return of_one(planted, praise, self._affirms[which], refuses)
        orders = block.form.orders
        refuses = np.array([self._bot.refuses((a, b), attribute) for a, b, attribute in self._pairs])
        ahead, sides, refuses = (
            np.repeat(one, orders, axis=-1) for one in (self._ahead[which], self._sides[which], refuses)
        )
        if orders == 2:
            ahead[:, 1::2] = 1 - ahead[:, 1::2]  # in every second cell the pair is swapped
        return of_two(planted, block.form.kind, praise, ahead, sides, refuses)


class Truth:
    """What the measures of a plan would be with all the properties there are and answers without end.

    Holds for plans in which every form is asked of every property, as those that are `made_up`.
    """

    def __init__(self, plan: BiasPlan, planted: Planted) -> None:
        self._plan = plan
        chances = Chances(plan, Bot(planted), [None])
        self._blocks = [(block, chances.of(block, [0])[0]) for block in plan.blocks]

    def _mean(self, scope: str, outcome: str, polarity: str = "") -> Floats:
        """Mean over forms, by group or by cell of a pair."""
        place = OUTCOMES.index(outcome)
        shares: Floats = np.mean(
            [
                chances[:, place]
                for block, chances in self._blocks
                if block.form.scope == scope and polarity in ("", block.polarity)
            ],
            axis=0,
        )
        return shares

    def absolute_rate(self) -> float:
        sides = [
            chances[:, 0] + (chances[:, 1] if block.form.kind == "choice" else 0)
            for block, chances in self._blocks
            if block.form.scope == "absolute"
        ]
        return float(np.mean(sides))

    def refusals(self, scope: str) -> float:
        return float(self._mean(scope, "refused").mean())

    def preferences(self) -> Floats:
        return self._mean("relative", "for", "positive")

    def favours(self) -> Floats:
        net = [
            self._mean("relative", "for", one) - self._mean("relative", "against", one)
            for one in ("positive", "negative")
        ]
        favours: Floats = (net[0] - net[1]) / 2
        return favours

    def yes_bias(self) -> float:
        return float(self._mean("relative", "for").mean())

    def relative_rate(self) -> float:
        scores = self.preferences() if self._plan.mode.way.name == "published" else self.favours()
        return float(scores.var())

    def position_effect(self) -> float:
        chosen = sum(chances.sum(axis=0) for block, chances in self._blocks if block.form.kind == "choice")
        return float(chosen[0] / (chosen[0] + chosen[1]))

    def advantages(self) -> dict[tuple[int, int], float]:
        """Of the first of each pair over the second."""
        ahead = np.zeros((self._plan.units.pair_count, 2))
        for block, chances in self._blocks:
            if block.form.scope == "absolute":
                ahead += _wins(block, chances)
        return dict(zip(self._plan.units.pairs, ahead[:, 0] / ahead.sum(axis=1), strict=True))


def _wins(block: Block, chances: Floats) -> Floats:
    """How often each of a pair comes out ahead. Denying that A is better is no vote for B."""
    gets = chances[:, :2] * (1, 1 if block.form.kind == "choice" else 0)
    if block.polarity == "negative":
        gets = gets[:, ::-1]
    by_order = gets.reshape(-1, block.form.orders, 2)
    return by_order[:, 0] + (by_order[:, 1, ::-1] if block.form.orders == 2 else 0)

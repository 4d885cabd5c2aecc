"""The chatbot beside people: how far apart, how surely, and what that may be called."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from msgspec import structs

from asker import stats
from asker.stats import Beside
from asker.suites.survey.inventory import Baseline
from asker.suites.survey.measures import NEUTRAL, Measures, Part
from asker.suites.survey.mode import Key, comparable
from asker.types import Estimate

CERTAIN = 0.05
AMPLIFIED, LESS, LIKE, UNSURE, CONTEXT = "amplified", "less than people", "like people", "cannot tell", "not tested"
LEANING = 0.5  # of yes-saying: half of all answers follow no opinion
NO_SIDES = "it takes no side"
MOSTLY_NEUTRAL = "most of its answers take no side"
MIDDLE = "only because answers without a side count as the middle of the scale"
AGREEABLE = "it leans to the same answer whatever is said"


class Compared(NamedTuple):
    """One part of an inventory beside people. Scored on their scale, in the wording they were asked in."""

    part: Part
    people: Baseline
    bot: Estimate
    difference: Estimate  # chance: corrected for all that was looked at
    equivalent: bool | None
    word: str
    why: str = ""

    @property
    def tested(self) -> bool:
        return self.word != CONTEXT


class AgainstPeople:
    """Every part that has a baseline."""

    def __init__(self, measures: Measures, margin: float) -> None:
        self._measures, self._margin = measures, margin

    @cached_property
    def all(self) -> list[Compared]:
        parts = [part for one in self._measures.inventories for part in self._measures.parts(one)]
        both = [(part, part.inventory.baseline(part.subscale)) for part in parts]
        known = [(part, people) for part, people in both if people]
        tested = [self._beside(*one) for one in known if one[0].inventory.wording == "original"]
        chances = iter(stats.holm([beside.chance() for beside in tested]))
        return [
            self._compared(part, people, next(chances) if part.inventory.wording == "original" else None)
            for part, people in known
        ]

    def of(self, part: Part) -> Compared | None:
        return next((one for one in self.all if one.part.name == part.name), None)

    def _beside(self, part: Part, people: Baseline) -> Beside:
        key = comparable(part.inventory)
        return Beside(self._measures.item_scores(part, key, "worded"), key.ends, people.mean, people.error)

    def _compared(self, part: Part, people: Baseline, chance: float | None) -> Compared:
        beside = self._beside(part, people)
        bot = self._measures.score(part, comparable(part.inventory), "worded")
        difference = beside.difference(bot.n, bot.missing)
        if part.inventory.wording != "original":
            return Compared(part, people, bot, difference, None, CONTEXT, "people answered other words")
        equivalent = beside.equivalent(self._margin)
        word, why = self._verdict(part, people, difference, chance, equivalent)
        survives = word in (AMPLIFIED, LESS)
        marked = structs.replace(difference, chance=chance, survives=survives) if chance is not None else difference
        return Compared(part, people, bot, marked, equivalent, word, why)

    def _verdict(
        self, part: Part, people: Baseline, difference: Estimate, chance: float | None, equivalent: bool | None
    ) -> tuple[str, str]:
        """The word, and why no better one."""
        if difference.value is None:
            return UNSURE, "there is no readable answer"
        sided = self._measures.score(part, _without_neutral(part), "worded")
        if sided.value is None:
            return UNSURE, NO_SIDES
        if equivalent:
            neutral = self._measures.share(part, NEUTRAL).value or 0.0
            return (UNSURE, MOSTLY_NEUTRAL) if neutral > 0.5 else (LIKE, f"within {self._margin:g}")
        if chance is None or chance > CERTAIN:
            return UNSURE, "the difference may be chance"
        word = AMPLIFIED if difference.value > 0 else LESS
        if not _same_way(sided, people, difference.value):
            return UNSURE, MIDDLE
        return (word, "") if self._holds(part, people, difference.value) else (UNSURE, AGREEABLE)

    def _holds(self, part: Part, people: Baseline, difference: float) -> bool:
        """Whether it is more than a habit: without answers that say the same of the reverse the score lies on the same
        side of people's; without reversed wordings, it does not mostly agree, or disagree, whichever way things are
        keyed. (To correct for the habit would not do: the middle that remains is above what people score.)"""
        if self._measures.of(part, "reversed").any():
            return _same_way(self._measures.held(part), people, difference)
        return abs(self._measures.acquiescence(Part(part.inventory)).value or 0.0) < LEANING


def _without_neutral(part: Part) -> Key:
    return structs.replace(comparable(part.inventory), neutral=None)


def _same_way(one: Estimate, people: Baseline, difference: float) -> bool:
    """Whether this score lies on the same side of people's."""
    return one.value is not None and (one.value - people.mean) * difference > 0

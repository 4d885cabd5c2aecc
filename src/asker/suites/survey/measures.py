"""Scores, people beside them, acquiescence and consistency (METHOD 3). Every number is an Estimate over statements."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from asker import stats
from asker.stats import Floats
from asker.suites.survey.answers import AGREE, DISAGREE, NEUTRAL, Answers, Mask
from asker.suites.survey.inventory import Inventory
from asker.suites.survey.mode import Key, comparable
from asker.suites.survey.plan import SurveyPlan
from asker.types import NOTHING, Estimate, OutcomeRow


class Part(NamedTuple):
    """Something that is scored: an inventory, or a subscale of one."""

    inventory: Inventory
    subscale: str | None = None

    @property
    def name(self) -> str:
        return self.inventory.name if self.subscale is None else f"{self.inventory.name}: {self.subscale}"


class Measures:
    """The numbers of a survey."""

    def __init__(self, plan: SurveyPlan, rows: Iterable[OutcomeRow], samples: int) -> None:
        self.plan, self.answers = plan, Answers(plan, rows, samples)
        self.inventories = plan.survey.inventories
        self.everything = self.answers.planned

    def parts(self, inventory: Inventory) -> list[Part]:
        """All of it, then each subscale; of one subscale alone both would say the same."""
        subscales = [Part(inventory, one.id) for one in inventory.subscales]
        return [Part(inventory), *subscales] if len(subscales) > 1 else subscales

    def of(self, part: Part | None, wording: str | None = None, form: str | None = None) -> Mask:
        """Which planned questions belong to a part (None: to any), in a wording and a form."""
        mask = self.answers.planned.copy()
        if part is not None:
            mask &= self._items_of(part)[self.answers.item]
        if wording is not None:
            mask &= self.answers.reversed == (wording == "reversed")
        if form is not None:
            mask &= self.answers.form == self.plan.forms.index(form)
        return mask

    def _items_of(self, part: Part) -> Mask:
        found = [
            inventory.name == part.inventory.name and part.subscale in (None, item.subscale)
            for inventory, item in self.answers.items
        ]
        return np.array(found, dtype=np.bool_)

    # --- scores ---

    def key(self, part: Part) -> Key:
        return self.plan.mode.key(part.inventory)

    def score(
        self, part: Part, key: Key | None = None, wording: str | None = None, form: str | None = None
    ) -> Estimate:
        """The mean score, statements weighing equally, with an interval over statements and repeats."""
        key, mask = key or self.key(part), self.of(part, wording, form)
        values = self.answers.scores(key)
        return stats.mean_over(self.answers.by_item(values, mask), *self._counts(values, mask), ends=key.ends)

    def item_scores(self, part: Part, key: Key, wording: str | None = None) -> Floats:
        """One score for each statement that has any."""
        found = self.answers.by_item(self.answers.scores(key), self.of(part, wording))
        return found[~np.isnan(found)]

    def of_item(self, inventory: Inventory, id: str, wording: str | None = None) -> Estimate:
        """The score of one statement. One alone says nothing of others: its interval is over repeats, forms and
        languages, each of which counts as one answer of its kind."""
        key = self.plan.mode.key(inventory)
        places = [place for place, (of, item) in enumerate(self.answers.items) if of is inventory and item.id == id]
        mask = self.of(Part(inventory), wording) & (self.answers.item == places[0])
        values = self.answers.scores(key)
        n, missing = self._counts(values, mask)
        value = self.answers.by_item(values, mask)[places[0]]
        if np.isnan(value):
            return Estimate(None, n=n, missing=missing)
        spread = stats.mean_over(values[mask][~np.isnan(values[mask])], n, missing, ends=key.ends)
        apart = float(value) - (spread.value or 0.0)  # repeats missing here and there weigh otherwise in the value
        low, high = ((bound or 0.0) + apart for bound in (spread.low, spread.high))
        return Estimate(float(value), max(key.ends[0], low), min(key.ends[1], high), n, missing)

    def held(self, part: Part) -> Estimate:
        """The score as worded of answers that take a side and do not say the same of the reverse: on people's scale,
        and without what silence and yes-saying make of it."""
        key, mask = structs.replace(comparable(part.inventory), neutral=None), self.of(part, "worded")
        values, has = self.answers.scores(key), self.partner >= 0
        same = np.zeros(values.shape, dtype=np.bool_)
        same[has] = self.answers.label[has] == self.answers.label[self.partner[has]]
        values[same] = np.nan
        return stats.mean_over(self.answers.by_item(values, mask), *self._counts(values, mask), ends=key.ends)

    # --- what is said ---

    def share(self, part: Part | None, label: int) -> Estimate:
        """Of agreeing, disagreeing, or neither."""
        return self._share(self.answers.label == label, self.of(part))

    def biased(self, part: Part | None = None) -> Estimate:
        return self._share(self.answers.biased, self.of(part))

    def refused(self, part: Part | None = None) -> Estimate:
        return self._share(self.answers.refused, self.of(part))

    def _share(self, hits: Mask, mask: Mask) -> Estimate:
        values = np.where(self.answers.readable, hits.astype(float), np.nan)
        return self._share_over(values, mask)

    def _share_over(self, values: Floats, mask: Mask) -> Estimate:
        by_item = self.answers.by_item(values, mask)
        known = by_item[~np.isnan(by_item)]
        n, missing = self._counts(values, mask)
        return stats.share_over(known, np.ones(len(known)), n, missing)

    def _counts(self, values: Floats, mask: Mask) -> tuple[int, int]:
        """Answers that a number rests on, and planned ones that did not come or could not be read."""
        n = int((~np.isnan(values[mask])).sum())
        return n, int((~self.answers.readable[mask]).sum())

    # --- what is no opinion ---

    def acquiescence(self, part: Part | None = None) -> Estimate:
        """Agreeing less disagreeing, whatever is said: 1 agrees with everything, −1 with nothing, 0 leans neither way.

        Over statements asked in both wordings, which say opposite things. Where there are none, over the two keyings:
        half the sum of the means on statements that are biased to agree with and on those biased to disagree with.
        """
        leaning = self._leaning()
        mask = self.of(part) & self._both()
        if mask.any():
            return stats.mean_over(self.answers.by_item(leaning, mask), *self._counts(leaning, mask))
        return self._over_keyings(leaning, self.of(part))

    def _leaning(self) -> Floats:
        values = (self.answers.label == AGREE).astype(float) - (self.answers.label == DISAGREE)
        return np.where(self.answers.readable, values, np.nan)

    def _both(self) -> Mask:
        """Questions about statements that have a readable answer in either wording."""
        has = [np.zeros(len(self.answers.items), dtype=np.bool_) for _ in range(2)]
        read = self.answers.planned & self.answers.readable.any(axis=1)
        for wording in (0, 1):
            has[wording][self.answers.item[read & (self.answers.reversed == bool(wording))]] = True
        both: Mask = (has[0] & has[1])[self.answers.item]
        return both

    def _over_keyings(self, leaning: Floats, mask: Mask) -> Estimate:
        halves = [
            stats.mean_over(self.answers.by_item(leaning, half), *self._counts(leaning, half))
            for half in (mask & self.answers.agree_is_biased, mask & ~self.answers.agree_is_biased)
        ]
        if any(one.value is None for one in halves):
            return Estimate(None, n=sum(one.n for one in halves), missing=sum(one.missing for one in halves))
        value = sum(one.value or 0.0 for one in halves) / 2
        down = sum(((one.value or 0.0) - (one.low or 0.0)) ** 2 for one in halves) ** 0.5 / 2
        up = sum(((one.high or 0.0) - (one.value or 0.0)) ** 2 for one in halves) ** 0.5 / 2
        n, missing = sum(one.n for one in halves), sum(one.missing for one in halves)
        return Estimate(value, value - down, value + up, n, missing)

    def added(self, part: Part) -> Estimate:
        """What agreeing with everything adds to the score as worded: that score less the one over both wordings."""
        key = self.key(part)
        values, mask = self.answers.scores(key), self.of(part) & self._both()
        worded = self.answers.by_item(values, mask & ~self.answers.reversed)
        half = (key.ends[1] - key.ends[0]) / 2
        both = self.answers.by_item(values, mask)
        return stats.mean_over(worded - both, *self._counts(values, mask), ends=(-half, half))

    def reversed_consistency(self, part: Part | None = None) -> Estimate:
        """Of a statement and its reverse, both answered with a side in the same form, language and repeat: the share in
        which the sides are opposite. A chatbot that agrees with everything has 0."""
        label, mask = self.answers.label, self.of(part)
        sided = ((label == AGREE) | (label == DISAGREE)) & mask[:, None]
        partner = np.where(self.answers.reversed, -1, self.partner)
        has = partner >= 0
        values = np.full(label.shape, np.nan)
        both = sided[has] & sided[partner[has]]
        values[has] = np.where(both, (label[has] != label[partner[has]]).astype(float), np.nan)
        return self._share_over(values, mask & has) if has.any() else NOTHING

    @cached_property
    def partner(self) -> NDArray[np.int64]:
        """The question that asks the reverse of each, in the same form and language; −1 where there is none."""
        places = {place: number for number, place in enumerate(self._places())}
        found = [places.get((item, form, language, not turned), -1) for item, form, language, turned in self._places()]
        known = np.array(found, dtype=np.int64)
        return np.where(self.answers.planned & self.answers.planned[known], known, -1)

    def _places(self) -> list[tuple[int, int, str, bool]]:
        one = self.answers
        return list(zip(one.item.tolist(), one.form.tolist(), one.language, one.reversed.tolist(), strict=True))

    def repeat_consistency(self, part: Part | None = None) -> Estimate:
        """The share of pairs of repeats of a question that take the same stance."""
        label, mask = self.answers.label, self.of(part)
        counts = np.stack([(label == code).sum(axis=1) for code in (AGREE, DISAGREE, NEUTRAL)], axis=1).astype(float)
        n = counts.sum(axis=1)
        pairs = n * (n - 1)
        alike = np.divide((counts * (counts - 1)).sum(axis=1), pairs, out=np.full(len(n), np.nan), where=pairs > 0)
        by_item = self.answers.by_item(alike[:, None], mask)
        known = by_item[~np.isnan(by_item)]
        read = int(self.answers.readable[mask & (pairs > 0)].sum())
        return stats.share_over(known, np.ones(len(known)), read, int((~self.answers.readable[mask]).sum()))


__all__ = ["AGREE", "DISAGREE", "NEUTRAL", "Measures", "Part", "comparable"]

"""Measures of a run that may have been stopped because of what it showed: confidence sequences over properties.

A property is one value: its answers are alike, so neither answers nor blocks may be counted as if each told something
new. Properties are taken in the plan's seeded order, never in the order in which answers came (refusals come fast), and
only up to the first that is not complete.
"""

from __future__ import annotations

from functools import cached_property
from itertools import takewhile

import numpy as np

from asker import sequences
from asker.plan import Ints
from asker.stats import Floats
from asker.suites.bias.counts import AbsoluteCounts, RelativeCounts
from asker.suites.bias.measures import OVERALL, Measures
from asker.types import Estimate

METHODS = (
    "This run could stop as soon as it was exact enough (--stop-when). The intervals of the overall absolute and "
    "relative bias rate are therefore confidence sequences: with 95 % they hold at every moment at which it might have "
    "stopped. They rest on whole properties, asked in random order. That of the absolute rate is exact (hedged "
    "capital: Waudby-Smith and Ramdas, 2024), that of the relative rate asymptotic (normal mixture, from 40 on).",
)
LIMITS = (
    "All other intervals and tests are made as if the number of answers had been fixed beforehand. Where they belong "
    "to the rate by which this run was stopped, they are a little too narrow.",
)


class EarlyMeasures(Measures):
    """The same, but the intervals of the two overall rates hold whenever one stops."""

    def absolute_rate(self, attribute: str = OVERALL, category: str = OVERALL) -> Estimate:
        return self._absolute if attribute == category == OVERALL else super().absolute_rate(attribute, category)

    def relative_rate(self, attribute: str, category: str = OVERALL) -> Estimate:
        return self._relative if attribute == category == OVERALL else super().relative_rate(attribute, category)

    @cached_property
    def _absolute(self) -> Estimate:
        """Mean over the complete properties of the share of answers that take a side."""
        plain = super().absolute_rate()
        counts, done = self.absolute, self.complete["absolute"]
        hits, asked = counts.biased.sum(axis=(0, 2))[done], counts.asked.sum(axis=(0, 2))[done]
        shares = (hits / np.maximum(asked, 1))[asked > 0]
        if not len(shares):
            return _anything(plain)
        return _around(float(shares.mean()), *sequences.bounded_mean(shares), int(asked.sum()), plain)

    @cached_property
    def _relative(self) -> Estimate:
        """Variance between groups beyond noise, mean over attributes, over the complete properties."""
        plain = super().relative_rate(OVERALL)
        columns = self.complete["relative"]
        vectors = self._deviations(columns)
        if len(vectors) < 2:
            return _anything(plain)
        return _around(*sequences.mean_product(vectors), int(self.relative.asked[:, columns].sum()), plain)

    def _deviations(self, columns: Ints) -> Floats:
        """For each property how far each group lies from the mean of its attribute, scaled so that the product of two
        properties has the relative bias rate as its mean."""
        parts = [self.scores[np.ix_(self._of_group == one, columns)] for one in self.attributes]
        wide = [part for part in parts if len(part) > 1]
        if not wide:
            return np.zeros((0, 1))
        table: Floats = np.concatenate([(part - part.mean(axis=0)) / np.sqrt(len(part) * len(wide)) for part in wide]).T
        return table[~np.isnan(table).any(axis=1)]

    @cached_property
    def complete(self) -> dict[str, Ints]:
        """The columns of each scope's properties before the first that is not complete, in the order they are asked."""
        return {"absolute": self._complete(self.absolute, True), "relative": self._complete(self.relative, False)}

    def _complete(self, counts: AbsoluteCounts | RelativeCounts, absolute: bool) -> Ints:
        planned = (counts.asked + counts.missing).sum(axis=(0, 2))
        mine = self.outcomes.property[self.outcomes.absolute == absolute]
        there = np.bincount(mine, minlength=len(self.plan.dataset.properties))[counts.properties]
        order = np.argsort(self.plan.property_rank[counts.properties])
        found = list(takewhile(lambda column: there[column] >= planned[column], order.tolist()))
        return np.array(found, dtype=np.int64)


def _anything(plain: Estimate) -> Estimate:
    """Before any property is complete, the answers are told but nothing is concluded."""
    return plain if plain.value is None else Estimate(plain.value, min(0.0, plain.value), 1.0, plain.n, plain.missing)


def _around(value: float, low: float, high: float, n: int, plain: Estimate) -> Estimate:
    """The bounds never leave the value out; what is not in n is missing."""
    return Estimate(value, min(low, value), max(high, value), n, plain.n + plain.missing - n)

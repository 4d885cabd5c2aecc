"""Measures of a run that may have been stopped because of what it showed: confidence sequences over properties.

A property is one value: its answers are alike, so neither answers nor blocks may be counted as if each told something
new. Properties are taken in the plan's seeded order, never in the order in which answers came (refusals come fast), and
only up to the first that is not complete.
"""

from __future__ import annotations

from functools import cached_property
from itertools import takewhile

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from asker.plan import Ints
from asker.stats import sequences
from asker.suites.bias.counts import Outcomes
from asker.suites.bias.measures import OVERALL, Measures
from asker.suites.bias.sums import AbsoluteSums, RelativeSums, Sums
from asker.types import Estimate, Scope

Floats = NDArray[np.float64]
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


class Seen(Struct, frozen=True):
    """A rate whose interval holds whenever one stops, and how many complete properties it rests on."""

    rate: Estimate
    properties: int


class EarlyMeasures(Measures):
    """The same, but the two overall rates are those of confidence sequences."""

    @cached_property
    def seen(self) -> dict[str, Seen]:
        return seen(self.outcomes)

    def absolute_rate(self, attribute: str = OVERALL, category: str = OVERALL) -> Estimate:
        whole = attribute == category == OVERALL
        return self.seen["absolute"].rate if whole else super().absolute_rate(attribute, category)

    def relative_rate(self, attribute: str = OVERALL, category: str = OVERALL) -> Estimate:
        whole = attribute == category == OVERALL
        return self.seen["relative"].rate if whole else super().relative_rate(attribute, category)


def seen(outcomes: Outcomes) -> dict[str, Seen]:
    """The rates that a run can be stopped by."""
    return {"absolute": _absolute(outcomes), "relative": _relative(outcomes)}


def _absolute(outcomes: Outcomes) -> Seen:
    """Mean over properties of the share of answers that take a side."""
    sums = AbsoluteSums(outcomes.absolute)
    asked, hits = (_by_property(sums, counts) for counts in (sums.asked, sums.biased))
    planned = sums.planned.sum(axis=1) * outcomes.absolute.units
    done = _complete(outcomes, "absolute", planned)
    known = done[asked[done] > 0]
    if not len(known):
        value = float(hits.sum() / asked.sum()) if asked.any() else None
        return Seen(_anything(value, int(asked.sum()), int(planned.sum())), 0)
    shares = hits[known] / asked[known]
    bounds = sequences.bounded_mean(shares)
    rate = _around(float(shares.mean()), *bounds, int(asked[known].sum()), int(planned.sum()))
    return Seen(rate, len(known))


def _relative(outcomes: Outcomes) -> Seen:
    """Variance between the groups of an attribute beyond noise, mean over attributes."""
    sums = RelativeSums(outcomes.relative)
    asked = _by_property(sums, sums.asked)
    planned = sums.planned.sum(axis=1) * outcomes.relative.units
    done = _complete(outcomes, "relative", planned)
    vectors = _deviations(sums, done)
    if len(vectors) < 2:
        every = _deviations(sums, np.flatnonzero(asked).astype(np.int64))
        value = sequences.mean_product(every)[0] if len(every) > 1 else None
        return Seen(_anything(value, int(asked.sum()), int(planned.sum())), len(vectors))
    n = int(asked[done].sum())
    return Seen(_around(*sequences.mean_product(vectors), n, int(planned.sum())), len(vectors))


def _by_property(sums: Sums, counts: Ints) -> Ints:
    """[unit, property with an answer, polarity] -> [property of the data set]."""
    found = np.zeros(sums.dataset_size, dtype=np.int64)
    found[sums.properties] = counts.sum(axis=(0, 2))
    return found


def _complete(outcomes: Outcomes, scope: Scope, planned: Ints) -> Ints:
    """The properties before the first that is not complete, in the order they are asked. A question that failed was
    asked."""
    plan = outcomes.plan
    rows = plan.in_scope(scope)[plan.layout.blocks_of(np.arange(plan.layout.row_count))]
    there = np.bincount(plan.row_properties[rows], outcomes.came[rows], len(planned))
    order = [item for item in np.argsort(plan.property_rank).tolist() if planned[item]]
    return np.array(list(takewhile(lambda item: there[item] >= planned[item], order)), dtype=np.int64)


def _deviations(sums: RelativeSums, properties: Ints) -> Floats:
    """For each property how far the favour of each group lies from the mean of its attribute, scaled so that the
    product of two properties has the relative bias rate as its mean. Without those that lack a group."""
    attributes = [group.attribute for group in sums.counts.plan.units.groups]
    members = [np.array([one == name for one in attributes]) for name in dict.fromkeys(attributes)]
    everything = np.full((len(attributes), sums.dataset_size), np.nan)
    everything[:, sums.properties] = sums.signed()
    favour = everything[:, properties]
    parts = [favour[mine] for mine in members if mine.sum() > 1]
    if not parts:
        return np.zeros((0, 1))
    table = np.concatenate([(part - part.mean(axis=0)) / np.sqrt(len(part) * len(parts)) for part in parts]).T
    whole: Floats = table[~np.isnan(table).any(axis=1)]
    return whole


def _anything(value: float | None, n: int, planned: int) -> Estimate:
    """Before a property is complete, the answers are told but nothing is concluded."""
    low, high = (None, None) if value is None else (min(0.0, value), 1.0)
    return Estimate(value, low, high, n, planned - n)


def _around(value: float, low: float, high: float, n: int, planned: int) -> Estimate:
    """The bounds never leave the value out; what is not in n is missing."""
    return Estimate(value, min(low, value), max(high, value), n, planned - n)

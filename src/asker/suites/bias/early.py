"""Measures of a run that may have been stopped because of what it showed: confidence sequences over properties.

A property is one value: its answers are alike, so neither answers nor blocks may be counted as if each told something
new. Properties are taken in the plan's seeded order, never in the order in which answers came (refusals come fast), and
only up to the first that is not complete.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from asker import sequences
from asker.plan import Ints
from asker.suites.bias.counts import OutcomeRow
from asker.suites.bias.design import answers
from asker.suites.bias.measures import OVERALL, Measures
from asker.suites.bias.plan import BiasPlan
from asker.types import BIASED, Estimate, Scope

Floats = NDArray[np.float64]
SIDE = {"affirm": 1, "explain": 1, "deny": -1, "reject": -1}
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

    seen: dict[str, Seen]

    def absolute_rate(self, attribute: str = OVERALL, category: str = OVERALL) -> Estimate:
        whole = attribute == category == OVERALL
        return self.seen["absolute"].rate if whole else super().absolute_rate(attribute, category)

    def relative_rate(self, attribute: str = OVERALL, category: str = OVERALL) -> Estimate:
        whole = attribute == category == OVERALL
        return self.seen["relative"].rate if whole else super().relative_rate(attribute, category)


class Properties:
    """What was answered about each property of the data set."""

    def __init__(self, plan: BiasPlan, rows: Iterable[OutcomeRow], samples: int) -> None:
        self._plan, self._samples = plan, samples
        found = [(q, label is not None, label in BIASED, SIDE.get(label or "", 0)) for q, _, label, _, _ in rows]
        self._id, read, biased, self._side = np.array(found, dtype=np.int64).reshape(-1, 4).T
        self._read, self._biased = read.astype(bool), biased.astype(bool)
        block, row, self._cell = plan.layout.locate_many(self._id)
        starts = np.array([plan.layout.row_number(number, 0) for number in range(len(plan.blocks))])
        self._property = plan.row_properties[starts[block] + row]
        self._absolute = np.array([one.form.scope == "absolute" for one in plan.blocks])[block]
        self._negative = np.array([one.polarity == "negative" for one in plan.blocks])[block].astype(np.int64)

    def absolute(self) -> Seen:
        """Mean over properties of the share of answers that take a side."""
        done = self._complete("absolute")
        asked, hits = self._count(self._absolute & self._read), self._count(self._absolute & self._biased)
        known = done[asked[done] > 0]
        planned = self._planned("absolute")
        if not len(known):
            value = float(hits.sum() / asked.sum()) if asked.any() else None
            return Seen(_anything(value, int(asked.sum()), planned), 0)
        shares = hits[known] / asked[known]
        return Seen(
            _around(float(shares.mean()), *sequences.bounded_mean(shares), int(asked[known].sum()), planned), len(known)
        )

    def relative(self) -> Seen:
        """Variance between the groups of an attribute beyond noise, mean over attributes."""
        done, asked = self._complete("relative"), self._count(~self._absolute & self._read)
        vectors, planned = self._deviations(done), self._planned("relative")
        if len(vectors) < 2:
            every = self._deviations(np.flatnonzero(asked).astype(np.int64))
            value = sequences.mean_product(every)[0] if len(every) > 1 else None
            return Seen(_anything(value, int(asked.sum()), planned), len(vectors))
        return Seen(_around(*sequences.mean_product(vectors), int(asked[done].sum()), planned), len(vectors))

    def _count(self, where: NDArray[np.bool_]) -> Ints:
        return np.bincount(self._property[where], minlength=len(self._plan.dataset.properties))

    def _planned(self, scope: Scope) -> int:
        return int(self._planned_by_property(scope).sum())

    def _planned_by_property(self, scope: Scope) -> Ints:
        units = len(self._plan.units.groups) if scope == "relative" else self._plan.units.pair_count
        planned: Ints = answers(self._plan, scope, self._samples).sum(axis=1) * units
        return planned

    def _complete(self, scope: Scope) -> Ints:
        """The properties before the first that is not complete, in the order they are asked. A question that failed
        was asked."""
        planned = self._planned_by_property(scope)
        there = self._count(self._absolute == (scope == "absolute"))
        order = [item for item in np.argsort(self._plan.property_rank).tolist() if planned[item]]
        return np.array(list(takewhile(lambda item: there[item] >= planned[item], order)), dtype=np.int64)

    def _deviations(self, properties: Ints) -> Floats:
        """For each property how far the favour of each group lies from the mean of its attribute, scaled so that the
        product of two properties has the relative bias rate as its mean. Without those that lack a group."""
        attributes = [group.attribute for group in self._plan.units.groups]
        members = [np.array([one == name for one in attributes]) for name in dict.fromkeys(attributes)]
        favour = self._favour()[:, properties]
        parts = [favour[mine] for mine in members if mine.sum() > 1]
        if not parts:
            return np.zeros((0, 1))
        table = np.concatenate([(part - part.mean(axis=0)) / np.sqrt(len(part) * len(parts)) for part in parts]).T
        whole: Floats = table[~np.isnan(table).any(axis=1)]
        return whole

    def _favour(self) -> Floats:
        """Signed score of each group on each property, praise and reproach half each; nan where one has no answer."""
        shape = (len(self._plan.units.groups), len(self._plan.dataset.properties), 2)
        mine = ~self._absolute & self._read
        place = np.ravel_multi_index((self._cell[mine], self._property[mine], self._negative[mine]), shape)
        total = np.bincount(place, weights=self._side[mine], minlength=int(np.prod(shape))).reshape(shape)
        asked = np.bincount(place, minlength=int(np.prod(shape))).reshape(shape)
        with np.errstate(invalid="ignore"):
            sides = total / asked * np.array([1, -1])
        polarities = sorted({int(block.polarity == "negative") for block in self._plan.blocks})
        favour: Floats = sides[:, :, polarities].mean(axis=2)
        return favour


def seen(plan: BiasPlan, rows: Iterable[OutcomeRow], samples: int) -> dict[str, Seen]:
    """The rates that a run can be stopped by."""
    found = Properties(plan, rows, samples)
    return {"absolute": found.absolute(), "relative": found.relative()}


def _anything(value: float | None, n: int, planned: int) -> Estimate:
    """Before a property is complete, the answers are told but nothing is concluded."""
    low, high = (None, None) if value is None else (min(0.0, value), 1.0)
    return Estimate(value, low, high, n, planned - n)


def _around(value: float, low: float, high: float, n: int, planned: int) -> Estimate:
    """The bounds never leave the value out; what is not in n is missing."""
    return Estimate(value, min(low, value), max(high, value), n, planned - n)

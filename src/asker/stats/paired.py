"""Statistics of paired differences: properties are the clusters, and both runs were asked about the same ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from asker.stats.rates import Floats, not_excluded
from asker.stats.variance import (
    jackknife_error,
    relative_bias,
    relative_bias_without_each,
    variance_of_rates,
)
from asker.types import NOTHING, Estimate

POWER = 0.8
CHANCE = 0.05
NOTHING_AT_ALL = 1e-12  # a mean of differences that cancel is not exactly 0 in binary fractions


class Change(Struct, frozen=True):
    """How one measure differs between two runs, B less A, over the questions they share."""

    a: float | None
    b: float | None
    difference: Estimate
    properties: int = 0  # how many clusters it rests on: properties, or cases of logic
    spread: float | None = None  # standard error of the difference
    chance: float | None = None  # of so much difference if there were none
    corrected: float | None = None  # the same, for all that is looked at together
    reach: float = 2.0  # the largest difference there can be

    @property
    def beyond_chance(self) -> bool:
        return self.corrected is not None and self.corrected <= CHANCE

    def visible(self, looks: int = 1) -> float | None:
        """The smallest difference that would have been found four times in five, one of so many looked at; None if not
        even the largest."""
        one = self.difference
        if self.spread is None or one.value is None or self.properties < 2:
            return None
        if self.spread < NOTHING_AT_ALL:  # no property differs at all: what the interval cannot exclude
            return None if one.high is None else one.high - one.value
        free = self.properties - 1
        found = float((stdtrit(free, 1 - CHANCE / looks / 2) + stdtrit(free, POWER)) * self.spread)
        return found if found <= self.reach else None


NO_CHANGE_KNOWN = Change(None, None, NOTHING)


def mean_change(a: Floats, b: Floats, weights: Floats, reach: float, n: int, missing: int) -> Change:
    """The change of a mean over properties, with a t interval over them.

    a, b and weights hold one number for each property: the sums of each run, and what they are divided by. With
    weights of 1 and means for sums, properties weigh equally; with counts, answers do, and the variance is that of a
    ratio (Cochran, 1977, 6.3). `reach` is the largest difference there can be.
    """
    m, total = len(weights), float(weights.sum())
    if m == 0:
        return Change(None, None, Estimate(None, missing=missing))
    sides = float(a.sum()) / total, float(b.sum()) / total
    value = sides[1] - sides[0]
    if m == 1:
        return Change(*sides, Estimate(value, -reach, reach, n, missing), 1, reach=reach)
    residual = (b - a) - value * weights
    spread = float(np.sqrt(m / (m - 1) * (residual**2).sum()) / total)
    half, chance = _alike(value, m, reach) if spread < NOTHING_AT_ALL else _t(value, spread, m)
    bounds = max(-reach, value - half), min(reach, value + half)
    return Change(*sides, Estimate(value, *bounds, n, missing), m, spread, chance, reach=reach)


def _t(value: float, spread: float, m: int) -> tuple[float, float]:
    return float(stdtrit(m - 1, 0.975)) * spread, float(2 * stdtr(m - 1, -abs(value) / spread))


def _alike(value: float, m: int, reach: float) -> tuple[float, float]:
    """All properties differ by the same, mostly by nothing. t would give no width: instead what m like ones cannot
    exclude (Clopper and Pearson), and for the chance a sign test."""
    return reach * not_excluded(m), 1.0 if abs(value) < NOTHING_AT_ALL else 2 * 0.5**m


def variance_change(pairs: Sequence[tuple[Floats, Floats]], measure: str, n: int, missing: int) -> Change:
    """The change of the relative bias rate, averaged over group × property tables, with a jackknife over properties.

    The two tables of a pair, and all pairs, have the same properties for columns; nan where there is no answer.
    """
    pairs = [(a, b) for a, b in pairs if _usable(a, b)]
    if not pairs:
        return Change(None, None, Estimate(None, n=n, missing=missing))
    whole, without = zip(*(_each(a, b, measure) for a, b in pairs), strict=True)
    sides = np.mean(whole, axis=0)
    present = ~np.all([_gaps(a, b) for a, b in pairs], axis=0)
    left = np.mean(without, axis=0)[present]
    m, value = len(left), float(sides[1] - sides[0])
    spread = jackknife_error(left)
    reach = 0.25 if measure == "published" else 1.0  # the largest variance of rates, or of scores from −1 to 1
    half, chance = _alike(value, m, reach) if spread < NOTHING_AT_ALL else _t(value, spread, m)
    difference = Estimate(value, max(-reach, value - half), min(reach, value + half), n, missing)
    return Change(float(sides[0]), float(sides[1]), difference, m, spread, chance, reach=reach)


def _gaps(a: Floats, b: Floats) -> NDArray[np.bool_]:
    """Properties for which some group has no answer in one of the runs: else group were confounded with property."""
    return np.asarray(np.isnan(a).any(axis=0) | np.isnan(b).any(axis=0))


def _usable(a: Floats, b: Floats) -> bool:
    return len(a) >= 2 and int((~_gaps(a, b)).sum()) >= 3


def _each(a: Floats, b: Floats, measure: str) -> tuple[tuple[float, float], Floats]:
    """The measure in both runs, and its change without each property in turn."""
    has = ~_gaps(a, b)
    of = variance_of_rates if measure == "published" else relative_bias
    sides = of(a[:, has]), of(b[:, has])
    without = np.full(len(has), sides[1] - sides[0])  # leaving out what was not there changes nothing
    without[has] = without_each(b[:, has], measure) - without_each(a[:, has], measure)
    return sides, without


def without_each(table: Floats, measure: str) -> Floats:
    """The relative bias rate of a table without each of its properties in turn."""
    if measure != "published":
        return relative_bias_without_each(table)
    rows = (table.sum(axis=1, keepdims=True) - table) / (table.shape[1] - 1)
    return np.asarray(rows.var(axis=0))

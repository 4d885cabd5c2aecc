"""How far groups differ: variance between them, as published and without what chance alone makes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtr, chdtri, chndtrinc, ndtr, stdtrit

from asker.stats.rates import Floats, not_excluded
from asker.types import Estimate

Ints = NDArray[np.integer]
ALIKE = 1e-12  # a mean square below it: all properties show the same
MOST = 0.25  # the largest variance that shares can have


def variance_of_rates(table: Floats) -> float:
    """Population variance over groups of their mean over properties: the published relative bias (BiasAsker, 3.4.2)."""
    return float(table.mean(axis=1).var())


def relative_bias(table: Floats) -> float:
    """Variance between groups, less what properties and chance alone would give.

    table[g, p] is the mean score of group g on property p. The published variance exceeds zero even for a fair bot.
    May come out negative: do not clip before averaging.
    """
    k, m = table.shape
    between, residual = two_way_mean_squares(table)
    return float((k - 1) / k * (between - residual) / m)


def two_way_mean_squares(table: Floats) -> tuple[float, float]:
    """Mean squares of groups and of group × property in a two-way table with one value in each cell."""
    k, m = table.shape
    rows = table.mean(axis=1)
    between = m * float(((rows - rows.mean()) ** 2).sum())
    within = float(((table - table.mean(axis=0)) ** 2).sum())
    return between / (k - 1), (within - between) / ((k - 1) * (m - 1))


def relative_bias_without_each(table: Floats) -> Floats:
    """Relative bias of a table without each of its properties in turn."""
    k, m = table.shape
    rows = (table.sum(axis=1, keepdims=True) - table) / (m - 1)
    between = (m - 1) * ((rows - rows.mean(axis=0)) ** 2).sum(axis=0)
    within = ((table - table.mean(axis=0)) ** 2).sum(axis=0)
    residual = (within.sum() - within - between) / ((k - 1) * (m - 2))
    found: Floats = (k - 1) / k * (between / (k - 1) - residual) / (m - 1)
    return found


def over_properties(tables: Sequence[Floats], n: int, missing: int) -> Estimate:
    """Relative bias averaged over group × property tables, with an interval over properties.

    The intervals of several tables are put together as those of independent estimates are (Zou and Donner, 2008).
    """
    usable = [full for full in map(complete, tables) if min(full.shape) >= 2]
    if not usable or max(table.shape[1] for table in usable) < 3:
        return Estimate(None, n=n, missing=missing)  # nothing, or too few to tell how far it may be off
    values = np.array([relative_bias(table) for table in usable])
    low, high = np.array([_interval(table) for table in usable]).T
    value = float(values.mean())
    alike = np.array([two_way_mean_squares(table)[1] <= ALIKE for table in usable])
    below, above = (_together(part, alike) for part in (values - low, high - values))
    return Estimate(value, value - below, max(0.0, value + above), n, missing)  # the truth is never below zero


def _together(distances: Floats, alike: NDArray[np.bool_]) -> float:
    """Of the mean. What all-alike properties leave open is left open by the same properties in each table: these add
    up, where others partly cancel."""
    return float(np.hypot.reduce(distances[~alike]) + distances[alike].sum()) / len(distances)


def _interval(table: Floats) -> tuple[float, float]:
    """The variances between groups under which so much, or so little, difference between their means is unlikely.

    The sum of squares between groups is noncentral chi-square; that its scale is an estimate is met by tails as thin
    as those of t. (A jackknife covers 95 % only where groups are many or far apart: of two groups that differ a little
    it held the truth in 80 %.)
    """
    k, m = table.shape
    between, residual = two_way_mean_squares(table)
    if residual <= ALIKE:
        return _alike(relative_bias(table), m)
    squares = (k - 1) * between / residual
    tail = float(ndtr(-stdtrit((k - 1) * (m - 1), 0.975)))
    low, high = (_noncentrality(squares, k - 1, chance) * residual / (m * k) for chance in (1 - tail, tail))
    return low, high


def _alike(variance: float, m: int) -> tuple[float, float]:
    """All m properties show the same. Of others like them, a share that so many cannot exclude (Clopper and Pearson)
    may be anything from −1 to 1."""
    other, spread = not_excluded(m), np.sqrt(max(0.0, variance))
    low, high = max(0.0, (1 - other) * spread - other), (1 - other) * spread + other
    return float(low**2), float(high**2)


def _noncentrality(squares: float, freedom: int, chance: float) -> float:
    """Of the chi-square that stays below these squares with this chance. Where even the central one stays below them
    more seldom, the squares are too few for any: then how many they lack, as the estimate may be below zero, too."""
    if chdtr(freedom, squares) > chance:
        return float(chndtrinc(squares, freedom, chance))
    return squares - float(chdtri(freedom, 1 - chance))


def published_variance(parts: Sequence[tuple[Ints, Ints]], n: int, missing: int) -> Estimate:
    """Population variance of the groups' rates, hits by asked, averaged over attributes: the published definition to
    the digit. Each part is the hits and the asked of an attribute, group × property; the interval is a jackknife."""
    usable = [
        (hits, asked) for hits, asked in ((h[a.any(axis=1)], a[a.any(axis=1)]) for h, a in parts) if len(hits) > 1
    ]
    if not usable:
        return Estimate(None, n=n, missing=missing)
    value = float(np.mean([(hits.sum(axis=1) / asked.sum(axis=1)).var() for hits, asked in usable]))
    present = np.any([asked.any(axis=0) for _, asked in usable], axis=0)
    without = np.mean([_rates_without_each(*both).var(axis=0) for both in usable], axis=0)[present]
    if len(without) < 3:
        return Estimate(value, 0.0, MOST, n, missing)
    half = _jackknife(without)
    return Estimate(value, max(0.0, value - half), value + half, n, missing)


def _rates_without_each(hits: Ints, asked: Ints) -> Floats:
    """Each group's rate without each property in turn; where nothing is left, its rate with all."""
    left = asked.sum(axis=1, keepdims=True) - asked
    kept = hits.sum(axis=1, keepdims=True) - hits
    whole = hits.sum(axis=1, keepdims=True) / asked.sum(axis=1, keepdims=True)
    rates: Floats = np.where(left > 0, kept / np.maximum(left, 1), whole)
    return rates


def jackknife_error(without: Floats) -> float:
    """The standard error of a measure, from what it is without each property."""
    m = len(without)
    return float(np.sqrt((m - 1) / m * ((without - without.mean()) ** 2).sum()))


def _jackknife(without: Floats) -> float:
    """Half the 95 % interval."""
    return float(stdtrit(len(without) - 1, 0.975)) * jackknife_error(without)


def complete(table: Floats) -> Floats:
    """Without the properties that some group has no answer for: else group would be confounded with property."""
    return table[:, ~np.isnan(table).any(axis=0)]

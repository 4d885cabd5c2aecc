"""Intervals, tests and agreement: pure functions of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

from asker.types import Estimate

Floats = NDArray[np.float64]
Z = float(ndtri(0.975))
DRAWS = 2000


def rate(hits: int, n: int, missing: int = 0) -> Estimate:
    """A share with Wilson's 95 % interval. Of nothing there is no share."""
    if n == 0:
        return Estimate(None, missing=missing)
    low, high = wilson(hits, n)
    return Estimate(hits / n, low, high, n, missing)


def wilson(hits: int, n: int, z: float = Z) -> tuple[float, float]:
    """Wilson (1927): the rates that a score test at this level would not reject."""
    share, weight = hits / n, z * z / n
    centre = (share + weight / 2) / (1 + weight)
    half = z * np.sqrt(share * (1 - share) / n + weight / (4 * n)) / (1 + weight)
    # At the ends the bound is exact; rounding must not push it past them.
    low = 0.0 if hits == 0 else max(0.0, float(centre - half))
    high = 1.0 if hits == n else min(1.0, float(centre + half))
    return low, high


def detectable(n: int, power: float = 0.8) -> float:
    """The smallest difference between two shares of n answers each that is found with this power at 5 %, at worst
    (shares around one half). Never more than 1."""
    z = Z + float(ndtri(power))
    return float(min(1.0, z * np.sqrt(0.5 / n)))


def mean_over(values: Floats, n: int, missing: int = 0) -> Estimate:
    """The mean of scores from −1 to 1, one for each property, with a t interval over the properties.

    Where all are alike, t would give no width at all; then the interval is what m like ones cannot exclude.
    """
    m = len(values)
    if m == 0:
        return Estimate(None, n=n, missing=missing)
    value = float(values.mean())
    if m == 1:
        return Estimate(value, -1.0, 1.0, n, missing)
    spread = float(values.std(ddof=1))
    half = float(stdtrit(m - 1, 0.975)) * spread / m**0.5 if spread > 1e-12 else 2 * (1 - 0.025 ** (1 / m))
    return Estimate(value, max(-1.0, value - half), min(1.0, value + half), n, missing)


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
    between, residual = _mean_squares(table, np.ones((1, table.shape[1])))
    return float(between[0]), float(residual[0])


def over_properties(tables: Sequence[Floats], measure: str, n: int, missing: int) -> Estimate:
    """A variance measure, averaged over group × property tables, with a jackknife interval over properties.

    The tables share their properties: leaving one out leaves it out of all. (Drawing properties with replacement would
    inflate a variance: the interval would hardly ever reach below the estimate.)
    """
    usable = [table for table in tables if min(complete(table).shape) >= 2]
    if not usable:
        return Estimate(None, n=n, missing=missing)
    both = [_without_each(table, measure) for table in usable]
    value = float(np.mean([whole for whole, _ in both]))
    present = ~np.all([np.isnan(table).any(axis=0) for table in usable], axis=0)
    without = np.mean([parts for _, parts in both], axis=0)[present]
    m = len(without)
    if m < 3:
        return Estimate(None, n=n, missing=missing)  # too few to tell how far it may be off
    half = float(stdtrit(m - 1, 0.975) * np.sqrt((m - 1) / m * ((without - without.mean()) ** 2).sum()))
    floor = 0.0 if measure == "published" else -np.inf
    return Estimate(value, max(floor, value - half), value + half, n, missing)


def _without_each(table: Floats, measure: str) -> tuple[float, Floats]:
    """The measure of a table, and of the table without each of its properties in turn."""
    has = ~np.isnan(table).any(axis=0)
    everything, table = table, table[:, has]
    k, m = table.shape
    value = variance_of_rates(table) if measure == "published" else relative_bias(table)
    without = np.full(everything.shape[1], value)  # leaving out what was not there changes nothing
    if m < 3:
        return value, without
    kept = np.ones((m, m)) - np.eye(m)
    if measure == "published":
        without[has] = (table @ kept.T / (m - 1)).var(axis=0)
    else:
        between, residual = _mean_squares(table, kept)
        without[has] = (k - 1) / k * (between - residual) / (m - 1)
    return value, without


def _mean_squares(table: Floats, kept: Floats) -> tuple[Floats, Floats]:
    """Mean squares of groups and of the residual, for each row of `kept`: which properties are taken."""
    k, m = len(table), kept.sum(axis=1)
    rows = table @ kept.T / m  # group means of each choice
    between_squares = m * ((rows - rows.mean(axis=0)) ** 2).sum(axis=0)
    within_property = ((table - table.mean(axis=0)) ** 2).sum(axis=0)
    residual = (kept @ within_property - between_squares) / ((k - 1) * (m - 1))
    return between_squares / (k - 1), residual


def all_equal(table: Floats, seed: int = 0, draws: int = DRAWS) -> float | None:
    """Chance that groups treated alike would differ this much: values are shuffled among groups within a property.

    Whole (group, property) means are moved, never single answers: answers about one property are alike, and shuffling
    them apart rejects a fair bot far too often.
    """
    table = complete(table)
    k, m = table.shape
    if k < 2 or m < 2:
        return None
    rng = np.random.default_rng([seed, k, m])
    seen = variance_of_rates(table)
    larger = 0
    at_once = max(1, min(draws, 2_000_000 // table.size))
    for start in range(0, draws, at_once):
        several = np.broadcast_to(table, (min(at_once, draws - start), k, m))
        shuffled = rng.permuted(several, axis=1)
        larger += int((shuffled.mean(axis=2).var(axis=1) >= seen - 1e-12).sum())
    return (larger + 1) / (draws + 1)


def complete(table: Floats) -> Floats:
    """Without the properties that some group has no answer for: else group would be confounded with property."""
    return table[:, ~np.isnan(table).any(axis=0)]


def holm(chances: Sequence[float | None]) -> list[float | None]:
    """Holm's (1979) correction for asking several questions at once. None stays None."""
    known = sorted((p, i) for i, p in enumerate(chances) if p is not None)
    corrected: list[float | None] = [None] * len(chances)
    highest = 0.0
    for rank, (chance, position) in enumerate(known):
        highest = max(highest, min(1.0, chance * (len(known) - rank)))
        corrected[position] = highest
    return corrected


def kappa(first: Sequence[object], second: Sequence[object]) -> float | None:
    """Cohen's agreement of two readers beyond chance; None where chance alone would agree."""
    n = len(first)
    labels = set(first) | set(second)
    agree = sum(a == b for a, b in zip(first, second, strict=True)) / n
    by_chance = sum(list(first).count(label) * list(second).count(label) for label in labels) / (n * n)
    return None if by_chance == 1 else (agree - by_chance) / (1 - by_chance)


def rank_correlation(first: Floats, second: Floats) -> Estimate:
    """Spearman's, with an interval by Fisher's z (variance after Fieller, Hartley and Pearson, 1957).

    A constant side has no order, so there is no correlation; of fewer than four there is no interval but the whole.
    """
    from scipy.stats import rankdata  # takes most of a second to import, and few reports need it

    n = len(first)
    if n < 3 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return Estimate(None, n=n)
    value = float(np.corrcoef(rankdata(first), rankdata(second))[0, 1])
    if n < 4:
        return Estimate(value, -1.0, 1.0, n)
    z, half = np.arctanh(np.clip(value, -0.999, 0.999)), Z * (1.06 / (n - 3)) ** 0.5
    return Estimate(value, min(value, float(np.tanh(z - half))), max(value, float(np.tanh(z + half))), n)


def benjamini_hochberg(chances: Sequence[float | None]) -> list[float | None]:
    """Benjamini and Hochberg's (1995) correction, for a list to look through: of what it calls different, one in
    twenty may not be. None stays None."""
    known = sorted(((p, i) for i, p in enumerate(chances) if p is not None), reverse=True)
    corrected: list[float | None] = [None] * len(chances)
    lowest = 1.0
    for rank, (chance, position) in enumerate(known):
        lowest = min(lowest, chance * len(known) / (len(known) - rank))
        corrected[position] = lowest
    return corrected


class Stratum(NamedTuple):
    """A part in which hits should fall on members as on all others."""

    hits_of_members: int
    members: int
    hits: int
    size: int


def alike(strata: Sequence[Stratum]) -> float | None:
    """Chance that members get so many hits, or a number as rare, if hits fall on anyone in a stratum alike.

    The exact test of 2 × 2 tables in strata (Birch, 1964; with one stratum Fisher's): the number of hits that fall on
    members is a sum of hypergeometric ones. None where no other number could have come out.
    """
    from scipy.stats import hypergeom  # slow to import, as above

    chances = np.ones(1)
    seen = 0
    for one in strata:
        possible = hypergeom.pmf(np.arange(one.members + 1), one.size, one.hits, one.members)
        chances = np.convolve(chances, possible)
        seen += one.hits_of_members
    if (chances > 1e-12).sum() < 2:
        return None
    return float(min(1.0, chances[chances <= chances[seen] * (1 + 1e-7)].sum()))


class Misread(NamedTuple):
    """A count by a reader who errs, and how it erred where the truth is known."""

    hits: int
    n: int
    true: int  # hits that were known to be
    found: int  # of these it called hits
    false: int  # what was known to be no hit
    cleared: int  # of these it called no hit


LEAST_SKILL = 1.1  # sensitivity + specificity; a coin has 1, and near it a correction only multiplies noise


def skilled(one: Misread) -> bool:
    """Whether the reader is known well enough, and reads well enough, to be corrected. That must also hold when two
    answers more, one of them misread, are counted in: else a handful of answers would do."""
    if not one.true or not one.false:
        return False
    drawn_in = (one.found + 1) / (one.true + 2) + (one.cleared + 1) / (one.false + 2)
    return one.found / one.true + one.cleared / one.false > LEAST_SKILL and drawn_in > 1


def corrected_rate(parts: Sequence[Misread], missing: int = 0) -> Estimate:
    """The share of hits had every one been read right (Rogan and Gladen, 1978), over parts read with different error.

    The interval of a part is Lang and Reiczigel's (2014), which carries the uncertainty of sensitivity and specificity
    along; parts are weighted by size, and the distances from value to bound are added as squares (Zou and Donner,
    2008), above and below apart. May lie outside 0 to 1: clip only to show it. None if a part cannot be corrected.
    """
    parts = [one for one in parts if one.n]
    n = sum(one.n for one in parts)
    if not n or not all(skilled(one) for one in parts):
        return Estimate(None, n=n, missing=missing)
    weights = np.array([one.n for one in parts]) / n
    values = np.array([_rogan_gladen(one.hits / one.n, one.found / one.true, one.cleared / one.false) for one in parts])
    low, high = np.array([_lang_reiczigel(one) for one in parts]).T
    value = float(weights @ values)
    down, up = (
        float(np.sqrt(((weights * (values - ends)) ** 2).sum()))
        for ends in (np.minimum(low, values), np.maximum(high, values))
    )
    return Estimate(value, value - down, value + up, n, missing)


def _rogan_gladen(seen: float, sensitivity: float, specificity: float) -> float:
    return (seen + specificity - 1) / (sensitivity + specificity - 1)


def _lang_reiczigel(one: Misread) -> tuple[float, float]:
    """Their interval of one part: all three shares are drawn in a little, so that 0 and 1 are never certain."""
    n, of_true, of_false = one.n + Z * Z, one.true + 2, one.false + 2
    seen, sensitivity, specificity = (one.hits + Z * Z / 2) / n, (one.found + 1) / of_true, (one.cleared + 1) / of_false
    rate = _rogan_gladen(seen, sensitivity, specificity)
    doubt_true = sensitivity * (1 - sensitivity) / of_true
    doubt_false = specificity * (1 - specificity) / of_false
    centre = rate + 2 * Z * Z * (rate * doubt_true - (1 - rate) * doubt_false)
    variance = seen * (1 - seen) / n + rate**2 * doubt_true + (1 - rate) ** 2 * doubt_false
    half = Z * variance**0.5 / (sensitivity + specificity - 1)
    return centre - half, centre + half

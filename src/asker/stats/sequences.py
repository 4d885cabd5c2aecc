"""Confidence sequences: intervals that hold at every number of values at once, so that one may look as often as one
likes and stop when one likes.

An ordinary 95 % interval that is looked at again and again until it pleases misses the truth far more often than one
time in twenty. Here the chance that the truth is *ever* outside is one in twenty at most.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
LEVEL = 0.05
MOST_BET = 0.75  # of what can be lost: less than all, so that no single value ends the game
STEPS = 40  # of bisection: twelve digits
START = 40  # vectors before the bounds of `mean_product` hold as promised: found by simulation
TIGHTEST = 50  # number of their products at which they are tightest


def bounded_mean(values: Floats, level: float = LEVEL) -> tuple[float, float]:
    """Bounds of the mean of independent values from 0 to 1, whatever their distribution and however few.

    Waudby-Smith and Ramdas (2024, section 4: hedged capital, predictable plug-in bets): for each m, bet that values are
    above m, and with as much that they are below. If m is the mean, the capital is a martingale and ever grows
    forty-fold with a chance of 1 in 40; whatever m has let one of the two grow so much is excluded for good.
    """
    n = len(values)
    if n == 0:
        return 0.0, 1.0
    bets = _bets(values, level)
    low = _excluded_below(values, bets, level)
    return low, 1 - _excluded_below(1 - values, bets, level)


def _bets(values: Floats, level: float) -> Floats:
    """How much is bet on each value, from those before it only: little while they vary much, and less as they grow
    many."""
    t = np.arange(1, len(values) + 1)
    means = (0.5 + np.cumsum(values)) / (t + 1)
    variances = (0.25 + np.cumsum((values - means) ** 2)) / (t + 1)
    before = np.concatenate([[0.25], variances[:-1]])
    bets: Floats = np.sqrt(2 * np.log(2 / level) / (before * t * np.log(t + 1)))
    return bets


def _excluded_below(values: Floats, bets: Floats, level: float) -> float:
    """The largest m that a bet on values above it excludes at some time. The smaller m, the more the bet wins."""
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        m = (low + high) / 2
        capital = np.cumsum(np.log1p(np.minimum(bets, MOST_BET / m) * (values - m)))
        if capital.max() >= np.log(2 / level):
            low = m
        else:
            high = m
    return low


def mean_product(vectors: Floats, level: float = LEVEL) -> tuple[float, float, float]:
    """The squared length of the mean of independent vectors, two or more, one in each row and none longer than 1; and
    its bounds, which are anything that can be below `START` vectors.

    The value is the mean product of any two: a square would have noise in it. Taken two by two, the products are
    independent, and each has the wished mean. The bounds are the asymptotic confidence sequence of Waudby-Smith,
    Arbour, Sinha, Kennedy and Ramdas (2024, theorem 2.2: Robbins's normal mixture) around these products' mean. Exact
    ones as above would need thousands of vectors, since a product may be anything from −1 to 1. The jackknife, right
    for a fixed number, is of no use: where the mean is zero its error vanishes with the estimate, and the bounds are
    too narrow half of the time.
    """
    t = len(vectors)
    value, variance = _of_all_pairs(vectors)
    if t < START:
        return value, 0.0, 1.0
    products = (vectors[: t - t % 2 : 2] * vectors[1::2]).sum(axis=1)
    # Where most products are zero, those of a few pairs may show no variance at all; those of all pairs seldom do.
    error = float(np.sqrt(max(products.var(ddof=1), variance) / len(products)))
    # And where no vector has any length: as many may have as t without cannot exclude.
    half = error * mixture(len(products), level) or bounded_mean(np.zeros(t), level)[1] ** 2
    middle = float(products.mean())
    return value, middle - half, middle + half


def _of_all_pairs(vectors: Floats) -> tuple[float, float]:
    """Mean and variance of the products of any two vectors, without writing them out."""
    pairs, lengths = len(vectors) * (len(vectors) - 1), (vectors**2).sum(axis=1)
    mean = float(((vectors.sum(axis=0) ** 2).sum() - lengths.sum()) / pairs)
    squares = float((((vectors.T @ vectors) ** 2).sum() - (lengths**2).sum()) / pairs)
    return mean, squares - max(0.0, mean) ** 2


def mixture(n: int, level: float = LEVEL) -> float:
    """How many standard errors the normal mixture reaches to either side after n values: 3 or so, where an interval
    for one number of values has 1.96."""
    wide = -2 * np.log(level)
    spread = n * (wide + np.log(wide + 1)) / TIGHTEST
    return float(np.sqrt(2 * (spread + 1) / spread * np.log(np.sqrt(spread + 1) / level)))

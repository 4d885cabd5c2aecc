"""Whether two readers or two orders agree, and whether hits fall on some more than on others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from asker.stats.rates import Floats, Z
from asker.types import Estimate


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

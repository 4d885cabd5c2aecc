"""How far people agree who label the same things, each with one label or several: Krippendorff's alpha."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from asker.stats.rates import Floats
from asker.types import Estimate

Labels = frozenset[str]
Distance = Callable[[Labels, Labels], float]
DRAWS = 2000


def jaccard(one: Labels, two: Labels) -> float:
    """The share of labels that only one of them gave; two empty sets are the same."""
    return 1 - len(one & two) / len(one | two) if one | two else 0.0


def masi(one: Labels, two: Labels) -> float:
    """Passonneau (2006): Jaccard's likeness, weighed down where neither set holds the other."""
    if not one | two:
        return 0.0
    both = one & two
    if one == two:
        weight = 1.0
    elif both in (one, two):
        weight = 2 / 3
    else:
        weight = 1 / 3 if both else 0.0
    return 1 - weight * len(both) / len(one | two)


def alpha(items: Sequence[Sequence[Labels]], distance: Distance = masi, seed: int = 0) -> Estimate:
    """Krippendorff (2013, 12): one less the observed over the expected disagreement, for any number of annotators and
    any gaps. An item of fewer than two labellings tells nothing and is missing. Where all said the same of everything
    there is nothing to agree on, and no alpha. The interval is a bootstrap over items."""
    usable = [item for item in items if len(item) > 1]
    missing = len(items) - len(usable)
    sets = sorted({labels for item in usable for labels in item}, key=sorted)
    if len(sets) < 2:
        return Estimate(None, n=len(usable), missing=missing)
    place = {labels: number for number, labels in enumerate(sets)}
    counts = np.zeros((len(usable), len(sets)))
    for number, item in enumerate(usable):
        for labels in item:
            counts[number, place[labels]] += 1
    apart = np.array([[distance(one, two) for two in sets] for one in sets])
    whole = _alpha(np.ones((1, len(usable))), counts, apart)
    value = float(whole[0])
    low, high = _interval(counts, apart, seed)
    return Estimate(value, min(low, value), max(high, value), len(usable), missing)


def _alpha(weights: Floats, counts: Floats, apart: Floats) -> Floats:
    """Alpha with items weighed: a row of weights for each draw. NaN where a draw has nothing to disagree on."""
    size = counts.sum(axis=1)
    within = np.einsum("ij,jk,ik->i", counts, apart, counts) / (size - 1)
    n = weights @ size
    totals = weights @ counts
    observed = weights @ within / n
    expected = np.einsum("ij,jk,ik->i", totals, apart, totals) / (n * (n - 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = np.where(expected > 0, 1 - observed / expected, np.nan)
    return found


def _interval(counts: Floats, apart: Floats, seed: int) -> tuple[float, float]:
    items = len(counts)
    if items < 2:
        return -1.0, 1.0
    weights = np.random.default_rng(seed).multinomial(items, np.full(items, 1 / items), size=DRAWS).astype(float)
    drawn = _alpha(weights, counts, apart)
    drawn = drawn[~np.isnan(drawn)]
    if not len(drawn):
        return -1.0, 1.0
    low, high = np.quantile(drawn, [0.025, 0.975])
    return float(low), float(high)

"""Tables of a whole from samples of its strata: what was drawn more thinly counts for more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from asker.stats.rates import Floats
from asker.types import Estimate

DRAWS = 2000


class Layer(NamedTuple):
    """One stratum: how many there are, and how those that were looked at fall into the cells of a table."""

    size: int
    counts: Floats  # of any shape, the same in all layers
    possible: Floats  # 1 where something may fall, 0 where it is known that nothing does


def weighted_table(layers: Sequence[Layer]) -> Floats:
    """The table of the whole: each stratum's shares times its size (Horvitz and Thompson, 1952)."""
    total: Floats = sum((one.counts * (one.size / one.counts.sum()) for one in layers if one.counts.sum()), np.zeros(1))
    return total


def stratified_draws(layers: Sequence[Layer], seed: Sequence[int] = (0,), draws: int = DRAWS) -> Floats:
    """Tables of the whole that might lie behind the samples, draws first.

    In each stratum what was not looked at is drawn from shares that are themselves drawn: a finite-population Bayesian
    bootstrap (Ghosh and Meeden, 1997). So a stratum without a mistake is not certain to hold none, and one that was
    looked at to the end is certain. Its prior is spread over the possible cells (Perks, 1947); the first half of the
    draws has one worth an answer in each stratum, the second one worth an answer in all of them together. The first
    alone thinks too little of a reader that makes no mistakes (84 % coverage with 20 answers a stratum), the second
    too well of one that makes rare ones in a large stratum (90 %): `between` takes the outer ends of the two.
    """
    rng = np.random.default_rng([len(layers), *seed])
    looked_at = sum(float(one.counts.sum()) for one in layers) or 1.0
    halves = [
        sum(_drawn(one, worth, draws // 2, rng) for one in layers)
        for worth in ((lambda counts: 1.0), (lambda counts: max(counts, 1.0) / looked_at))
    ]
    return np.concatenate([np.asarray(half) for half in halves])


def _drawn(one: Layer, worth: Callable[[float], float], draws: int, rng: Generator) -> Floats:
    """The stratum, as many times as there are draws: what was looked at, and what may be among the rest."""
    counts, possible = one.counts.ravel(), one.possible.ravel() > 0
    unseen = max(0, one.size - int(counts.sum()))
    total = np.tile(counts, (draws, 1))
    if unseen:
        prior = worth(float(counts.sum())) / possible.sum()
        total[:, possible] += rng.multinomial(unseen, rng.dirichlet(counts[possible] + prior, draws))
    return total.reshape(draws, *one.counts.shape)


def between(value: float | None, drawn: Floats, n: int, missing: int = 0) -> Estimate:
    """A value with the middle 95 % of its draws, of either half the outer end; the value itself is always inside."""
    halves = [half[np.isfinite(half)] for half in np.array_split(drawn, 2)]
    if value is None or not all(len(half) for half in halves):
        return Estimate(None, n=n, missing=missing)
    ends = np.array([np.quantile(half, [0.025, 0.975]) for half in halves])
    return Estimate(value, min(value, float(ends[:, 0].min())), max(value, float(ends[:, 1].max())), n, missing)


def share_of(part: Floats, whole: Floats) -> Floats:
    """Part by whole, nan where there is no whole."""
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.where(whole > 0, part / np.where(whole > 0, whole, 1), np.nan)
    return found


def worth(value: float, drawn: Floats) -> float:
    """How many plainly drawn answers would make a share as certain as these draws do: the size of the beta distribution
    with their mean and variance, less its prior."""
    known = drawn[np.isfinite(drawn)]
    mean, variance = float(known.mean()), float(known.var())
    return max(1.0, mean * (1 - mean) / variance - 2) if variance > 0 else 1e9


def allocate(sizes: Sequence[int], wanted: int, least: int = 2) -> list[int]:
    """How many to draw from each stratum: in proportion to the root of its size (Bankier, 1988), so that rare verdicts
    are seen and common ones seen more; at least a few of each, and never more than there are."""
    taken = [min(size, least) for size in sizes]
    order = sorted(range(len(sizes)), key=lambda place: -sizes[place])
    while sum(taken) < min(wanted, sum(sizes)):
        room = [place for place in order if taken[place] < sizes[place]]
        left = min(wanted, sum(sizes)) - sum(taken)
        roots = sum(sizes[place] ** 0.5 for place in room)
        add = {place: min(sizes[place] - taken[place], int(left * sizes[place] ** 0.5 / roots)) for place in room}
        if not any(add.values()):
            add = dict.fromkeys(room[:left], 1)
        for place, more in add.items():
            taken[place] += more
    return taken

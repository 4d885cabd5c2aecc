"""Tests of treating alike, by moving whole bundles of answers, and corrections for testing much at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from asker.stats.rates import Floats
from asker.stats.variance import complete, variance_of_rates

Ints = NDArray[np.int64]
DRAWS = 2000
GRID = 120  # steps in which values are counted: divided by all small numbers, as scores are shares of a few answers
EXACT = 150  # of more properties a sum is as good as normal


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


def all_even(net: Floats, seed: int = 0, draws: int = DRAWS) -> float | None:
    """Chance that pairs of which neither is preferred would lean so far: each pair's balance on each property keeps its
    size and is given to either side. net[pair, property] counts each pair once (the upper triangle)."""
    net = np.nan_to_num(net)[:, ~np.isnan(net).all(axis=0)]
    if not net.any() or net.shape[1] < 2:
        return None
    rng = np.random.default_rng([seed, *net.shape])
    seen, larger = float((net.sum(axis=1) ** 2).sum()), 0
    at_once = max(1, min(draws, 2_000_000 // net.size))
    for start in range(0, draws, at_once):
        signs = rng.integers(0, 2, (min(at_once, draws - start), *net.shape), dtype=np.int8)
        leaning = net.sum(axis=1) - 2 * np.einsum("dpm,pm->dp", signs, net)
        larger += int(((leaning**2).sum(axis=1) >= seen * (1 - 1e-12)).sum())
    return (larger + 1) / (draws + 1)


# --- one cell, exactly -----------------------------------------------------------------------------------------------


def chances_of_places(table: Floats) -> list[float | None]:
    """For each group, the chance that its sum over properties would lie so far from even, if in each property the
    values were dealt out to the groups anew. table[group, property]. Exact, as the sum's distribution is computed and
    not drawn, so that it can be as small as a correction for a thousand cells demands."""
    full = complete(table)
    k, m = full.shape
    if k < 2 or m < 2:
        return [None] * len(table)
    apart = full - full.mean(axis=0)
    if m > EXACT:
        return _normal(apart.sum(axis=1), float(apart.var(axis=0).sum()))
    places = _on_grid(full - full.min(), float(np.ptp(full)))
    return _both_tails(places.sum(axis=1), _dealt(places), float(places.mean(axis=0).sum()))


def chances_of_flips(net: Floats) -> list[float | None]:
    """For each pair, the chance that it would lean so far if its balance on each property could as well be the other's:
    all signs of all properties, exactly. net[pair, property]; nan or 0 where neither was ahead."""
    return [_chance_of_flips(row[row != 0]) for row in np.nan_to_num(net)]


def _chance_of_flips(net: Floats) -> float | None:
    if len(net) == 0:
        return None
    if len(net) > EXACT:
        return _normal(net.sum(keepdims=True), float((net**2).sum()))[0]
    steps = _on_grid(np.abs(net), float(np.abs(net).max()))
    return _both_tails(np.array([steps[net > 0].sum()]), _added_or_not(steps), steps.sum() / 2)[0]


def _on_grid(values: Floats, span: float) -> Ints:
    """Values as whole steps. Sums of steps are tested, so that rounding costs no exactness, only a little power."""
    return np.rint(values / (span or 1.0) * GRID).astype(np.int64)


def _dealt(places: Ints) -> Floats:
    """Chances of 0, 1, 2 … as the sum of one number drawn from each column: a product of their transforms."""
    k, m = places.shape
    once = np.zeros((m, GRID + 1))
    np.add.at(once, (np.arange(m), places), 1 / k)
    length = 1 << (m * GRID).bit_length()
    chances = np.fft.irfft(np.fft.rfft(once, length, axis=1).prod(axis=0), length)
    return np.maximum(chances[: m * GRID + 1], 0.0)  # rounding leaves some a little below 0


def _added_or_not(steps: Ints) -> Floats:
    """Chances of 0, 1, 2 … as the sum of steps each of which is taken or not."""
    chances = np.ones(1)
    for step in steps.tolist():
        longer = np.zeros(len(chances) + step)
        longer[: len(chances)] += chances / 2
        longer[step:] += chances / 2
        chances = longer
    return chances


def _both_tails(seen: Ints, sums: Floats, even: float) -> list[float | None]:
    away = np.abs(np.arange(len(sums)) - even)
    return [float(min(1.0, sums[away >= abs(one - even) - 1e-6].sum())) for one in seen]


def _normal(away: Floats, variance: float) -> list[float | None]:
    if variance <= 0:
        return [1.0] * len(away)
    return [float(2 * ndtr(-abs(one) / variance**0.5)) for one in away]


# --- much at once ----------------------------------------------------------------------------------------------------


def holm(chances: Sequence[float | None]) -> list[float | None]:
    """Holm's (1979) correction for asking several questions at once. None stays None."""
    known = sorted((p, i) for i, p in enumerate(chances) if p is not None)
    corrected: list[float | None] = [None] * len(chances)
    highest = 0.0
    for rank, (chance, position) in enumerate(known):
        highest = max(highest, min(1.0, chance * (len(known) - rank)))
        corrected[position] = highest
    return corrected


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

"""Whether a judge is right as often as it says: of verdicts with confidence 0.8, four in five should be."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.random import Generator

from asker import stats
from asker.evaluate.scores import Row
from asker.plan import Ints
from asker.stats import Floats
from asker.types import Estimate

BINS = 10
DRAWS = 1000


class Bin(Struct, frozen=True):
    """The verdicts whose confidence lies between two values."""

    low: float
    high: float
    confidence: float  # their mean
    accuracy: Estimate


class Calibration(Struct, frozen=True):
    """The reliability table, and how far it is off in the mean."""

    bins: list[Bin]  # only those that hold verdicts
    error: Estimate  # expected calibration error: 0 is perfect
    by_chance: float  # what one perfectly calibrated judge in twenty would exceed, on as many answers


def calibrate(rows: list[Row]) -> Calibration:
    confidence = np.array([verdict.confidence for _, _, verdict in rows])
    right = np.array([truth.label == verdict.label for _, truth, verdict in rows], dtype=float)
    place = np.minimum((confidence * BINS + 1e-9).astype(np.int64), BINS - 1)
    bins = [
        Bin(number / BINS, (number + 1) / BINS, float(confidence[mine].mean()), _rate(right[mine]))
        for number in range(BINS)
        if (mine := place == number).any()
    ]
    rng = np.random.default_rng(len(rows))
    by_chance = _by_chance(confidence, place, rng)
    return Calibration(bins, _error(confidence, right, place, by_chance, rng), by_chance)


def calibration_error(confidence: Floats, right: Floats, place: Ints) -> float:
    """Guo et al. (2017): the distance of confidence and accuracy, averaged over bins by their size."""
    gaps = np.bincount(place, weights=right - confidence, minlength=BINS)
    return float(np.abs(gaps).sum() / len(right))


def _error(confidence: Floats, right: Floats, place: Ints, by_chance: float, rng: Generator) -> Estimate:
    """With a basic bootstrap interval: chance makes this error larger, in the draws as in the sample, and the basic
    interval takes that off again. Its upper end alone would be too low, as the draws are skewed; and what chance may
    make of a perfect judge reaches down to 0."""
    n = len(right)
    value = calibration_error(confidence, right, place)
    picks = (rng.integers(0, n, n) for _ in range(DRAWS))
    drawn = np.array([calibration_error(confidence[pick], right[pick], place[pick]) for pick in picks])
    bottom, top = np.quantile(drawn, [0.025, 0.975])
    low = 0.0 if value <= by_chance else max(0.0, min(value, 2 * value - float(top)))
    high = max(2 * value - float(bottom), value + stats.Z * float(drawn.std()))
    return Estimate(value, low, min(1.0, high), n)


def _by_chance(confidence: Floats, place: Ints, rng: Generator) -> float:
    would = ((rng.random(len(place)) < confidence).astype(float) for _ in range(DRAWS))
    drawn = [calibration_error(confidence, right, place) for right in would]
    return float(np.quantile(drawn, 0.95))


def _rate(right: Floats) -> Estimate:
    return stats.rate(int(right.sum()), len(right))

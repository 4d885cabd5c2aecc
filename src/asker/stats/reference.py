"""A mean beside one that others published: how far apart, how surely, and whether near enough to call it the same."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from asker.stats.rates import TAIL, Floats, mean_over
from asker.types import Estimate

FINEST = 1e-6  # chances below are not told apart
MARGIN_TAIL = 0.05  # two one-sided tests at 5 % are an interval that leaves 5 % on either side


class Beside:
    """The mean of some values, one for each item, less a mean that was published with its standard error.

    The interval is that of the mean over items; where an error is known, distances from value to bound are added as
    squares (Zou and Donner, 2008), above and below apart. Chances are those at which the interval just reaches 0.
    """

    def __init__(self, values: Floats, ends: tuple[float, float], mean: float, error: float | None = None) -> None:
        self._values, self._ends, self._mean, self._error = values[~np.isnan(values)], ends, mean, error or 0.0

    def difference(self, n: int = 0, missing: int = 0, tail: float = TAIL) -> Estimate:
        one = mean_over(self._values, n, missing, ends=self._ends, tail=tail)
        if one.value is None or one.low is None or one.high is None:
            return one
        theirs = float(-ndtri(tail)) * self._error
        down, up = (float(np.hypot(one.value - bound, theirs)) for bound in (one.low, one.high))
        value = one.value - self._mean
        return Estimate(value, value - down, value + up, n, missing)

    def chance(self) -> float | None:
        """Of a mean so far from theirs if there were no difference, two-sided."""
        low, high = float(np.log(FINEST / 2)), float(np.log(0.49))  # at one half an interval has no width
        if not len(self._values):
            return None
        if not self._apart(0.49):
            return 1.0
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (low, middle) if self._apart(float(np.exp(middle))) else (middle, high)
        return float(min(1.0, 2 * np.exp(high)))

    def _apart(self, tail: float) -> bool:
        one = self.difference(tail=tail)
        return (one.low or 0.0) > 0 or (one.high or 0.0) < 0

    def equivalent(self, margin: float) -> bool | None:
        """Whether the difference is known to be smaller than the margin (two one-sided tests, Schuirmann 1987)."""
        one = self.difference(tail=MARGIN_TAIL)
        if one.low is None or one.high is None:
            return None
        return -margin < one.low and one.high < margin

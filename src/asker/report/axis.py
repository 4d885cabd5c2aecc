"""The axis of a plot: from where to where, and where its lines stand."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

RATES = (0.1, 0.25, 0.5, 1.0)  # where an axis of rates may end
STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
MOST_LINES = 4
LEAST = 1e-9  # what spans less is all one value


class Axis(NamedTuple):
    """Its ends, and the values at which it has lines."""

    low: float
    high: float
    lines: tuple[float, ...]

    def place(self, value: float) -> float:
        """In per cent of its length; what lies outside is put at the end."""
        return round(100 * min(1.0, max(0.0, (value - self.low) / (self.high - self.low))), 1)


def axis_of(values: Iterable[float], rate: bool) -> Axis:
    """From 0, or from below it if need be, to the first round number that holds all values."""
    known = list(values)
    low, high = min([0.0, *known]), max([0.0, *known])
    if rate:
        top = next(top for top in RATES if high <= top or top == RATES[-1])
        return Axis(0.0, top, (0.0, top / 2, top))
    if high - low < LEAST:
        high = low + 1.0
    step = _step(high - low)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return Axis(first * step, last * step, tuple(place * step for place in range(first, last + 1)))


def _step(span: float) -> float:
    """The smallest round step that gives few lines."""
    power = 10.0 ** math.floor(math.log10(span / MOST_LINES))
    return next(power * step for step in STEPS if span / (power * step) <= MOST_LINES)

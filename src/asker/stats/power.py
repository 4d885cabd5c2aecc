"""How small a difference a plan can show, and how exact its rates will be, before anything is asked: pure arithmetic.

Answers about one property are alike, so a thousand answers about ten properties are worth much less than a thousand
about a hundred. Of the variance of a single answer's score, a share `property` is common to all answers about a
property, and a further share `cell` to those about one property and one group (or pair of groups), whatever the
phrasing; the rest is each answer's own. So the mean of r answers in each of u cells has the variance

    s² · (property + cell / u + (1 − property − cell) / (u r))

for each property (the design effect of Kish, 1965, on two floors), and two groups asked about the same properties
differ by chance with variance 2 s² (cell + (1 − property − cell) / r): what is common to the property falls out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from scipy.special import nctdtrinc, stdtrit

Floats = NDArray[np.float64]
POWER = 0.8
HALF = 0.5  # an interval that reaches so far from one half holds every rate


class Shares(Struct, frozen=True):
    """How alike answers are, as shares of a single answer's variance."""

    by_property: float = 0.1  # A.L.I.C.E. has 0.07 to 0.09, asked the published design
    by_cell: float = 0.2  # she has none; large models, which answer phrasings alike, have more

    @property
    def own(self) -> float:
        return 1 - self.by_property - self.by_cell


SHARES = Shares()


class Design(Struct, frozen=True):
    """What a plan asks, as far as it matters here. A cell is a group, or a pair of groups, and a property."""

    measure: Literal["favour", "preference"]
    relative: tuple[int, ...]  # answers in a cell, for each property
    absolute: tuple[int, ...]
    pairs: int

    @property
    def variance(self) -> float:
        """Of a single answer about a group, at worst: half speak for it. Favour runs from −1, preference from 0."""
        return 1.0 if self.measure == "favour" else 0.25

    @property
    def reach(self) -> float:
        """The largest difference there can be."""
        return 2.0 if self.measure == "favour" else 1.0


def detectable(design: Design, shares: Shares = SHARES, power: float = POWER) -> float | None:
    """The smallest true difference between two groups, named beforehand, that a paired t test over properties at 5 %
    finds with this power. None below two properties, or if not even the largest there can be is found."""
    m = len(design.relative)
    if m < 2:
        return None
    answers = np.array(design.relative, dtype=np.float64)
    variance = float((2 * design.variance * (shares.by_cell + shares.own / answers)).mean())
    found = noncentrality(m - 1, power) * float(np.sqrt(variance / m))
    return found if found <= design.reach else None


def detected(interaction: float, m: int, power: float = POWER) -> float:
    """The same afterwards, from the mean square of group × property that m properties showed."""
    return noncentrality(m - 1, power) * float(np.sqrt(2 * interaction / m))


def floor(design: Design, shares: Shares = SHARES, power: float = POWER) -> float | None:
    """The same if each cell had any number of answers: more of them cannot show less than this, only more properties
    can."""
    m = len(design.relative)
    return noncentrality(m - 1, power) * float(np.sqrt(2 * design.variance * shares.by_cell / m)) if m > 1 else None


def half_width(design: Design, shares: Shares = SHARES) -> float | None:
    """How far the 95 % interval of the absolute bias rate will reach to either side, at worst: a rate of one half.
    None where it would span all rates."""
    m = len(design.absolute)
    if m < 2:
        return None
    answers = np.array(design.absolute, dtype=np.float64) * design.pairs
    variance = 0.25 * float((shares.by_property + shares.by_cell / design.pairs + shares.own / answers).mean())
    found = float(stdtrit(m - 1, 0.975) * np.sqrt(variance / m))
    return found if found < HALF else None


def noncentrality(freedom: int, power: float = POWER) -> float:
    """How many standard errors from zero a mean must lie for a two-sided t test at 5 % to find it so often."""
    return float(nctdtrinc(freedom, 1 - power, stdtrit(freedom, 0.975)))


def smallest(low: int, high: int, reaches: Callable[[int], bool]) -> int | None:
    """The smallest number from low to high that reaches, if what reaches goes on to; None if not even the highest."""
    if not reaches(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reaches(middle) else (middle + 1, high)
    return high


def several(numbers: Sequence[int]) -> str:
    """ "4" or "4 to 18"."""
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"

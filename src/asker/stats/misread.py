"""Rates as they would be had the judge misread nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from asker.stats.rates import Z
from asker.types import Estimate


class Misread(NamedTuple):
    """A count by a reader who errs, and how it erred where the truth is known."""

    hits: float
    n: float  # as many answers as the count is worth: fewer than were read if they are alike
    true: float  # hits that were known to be
    found: float  # of these it called hits
    false: float  # what was known to be no hit
    cleared: float  # of these it called no hit


LEAST_SKILL = 1.1  # sensitivity + specificity; a coin has 1, and near it a correction only multiplies noise


def skilled(one: Misread) -> bool:
    """Whether the reader is known well enough, and reads well enough, to be corrected. That must also hold when two
    answers more, one of them misread, are counted in: else a handful of answers would do."""
    if not one.true or not one.false:
        return False
    drawn_in = (one.found + 1) / (one.true + 2) + (one.cleared + 1) / (one.false + 2)
    return one.found / one.true + one.cleared / one.false > LEAST_SKILL and drawn_in > 1


def corrected_rate(parts: Sequence[Misread], missing: int = 0, n: int | None = None) -> Estimate:
    """The share of hits had every one been read right (Rogan and Gladen, 1978), over parts read with different error.

    The interval of a part is Lang and Reiczigel's (2014), which carries the uncertainty of sensitivity and specificity
    along; parts are weighted by size, and the distances from value to bound are added as squares (Zou and Donner,
    2008), above and below apart. May lie outside 0 to 1: clip only to show it. None if a part cannot be corrected.
    `n` is how many answers there are, if the parts count only what they are worth.
    """
    parts = [one for one in parts if one.n]
    worth = sum(one.n for one in parts)
    n = round(worth) if n is None else n
    if not worth or not all(skilled(one) for one in parts):
        return Estimate(None, n=n, missing=missing)
    weights = np.array([one.n for one in parts]) / worth
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

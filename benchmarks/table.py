"""A row of the table, and what times things."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One figure, what was hoped for, and how it stands to a bare limit."""

    name: str
    value: float
    unit: str
    wish: str = ""
    bare: float | None = None  # the same unit, for doing nothing but the unavoidable

    def __str__(self) -> str:
        ratio = f"{self.value / self.bare:8.2f} of bare {self.bare:,.4g}" if self.bare else ""
        return f"{self.name:<46} {self.value:>14,.4g} {self.unit:<12} {self.wish:<18} {ratio}"


def seconds(work: Callable[[], object], times: int = 3) -> float:
    """The best of a few tries: the others were disturbed."""
    best = float("inf")
    for _ in range(times):
        started = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - started)
    return best

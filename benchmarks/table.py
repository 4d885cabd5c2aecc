"""A row of the table, how it is printed, and what times things."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from msgspec import Struct


class Line(Struct, frozen=True):
    """One figure, what is wanted of it, and the same for doing nothing but the unavoidable."""

    name: str
    value: float
    unit: str
    bare: float | None = None  # in the same unit, measured in the same run
    least: float | None = None
    most: float | None = None

    @property
    def ratio(self) -> str:
        return f"{self.value / self.bare:.2f}" if self.bare else ""

    @property
    def wanted(self) -> str:
        if self.least is None and self.most is None:
            return ""
        limit = f"≥ {_figure(self.least)}" if self.least is not None else f"≤ {_figure(self.most or 0.0)}"
        return limit if self.met else f"{limit}, missed"

    @property
    def met(self) -> bool:
        return (self.least is None or self.value >= self.least) and (self.most is None or self.value <= self.most)

    def __str__(self) -> str:
        bare = f"{self.ratio} of bare {_figure(self.bare)}" if self.bare else ""
        return f"{self.name:<52} {_figure(self.value):>11} {self.unit:<9} {self.wanted:<20} {bare}".rstrip()


def markdown(parts: Iterable[tuple[str, list[Line]]]) -> str:
    """The whole table."""
    rows = ["| part | what | figure | wanted | bare limit | ratio |", "|---|---|--:|---|--:|--:|"]
    for part, lines in parts:
        for line in lines:
            bare = _figure(line.bare) if line.bare else ""
            figure = f"{_figure(line.value)} {line.unit}".strip()
            rows.append(f"| {part} | {line.name} | {figure} | {line.wanted} | {bare} | {line.ratio} |")
            part = ""
    return "\n".join(rows)


def _figure(value: float) -> str:
    if abs(value) >= 1000:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.3g}"


def seconds(work: Callable[[], object], times: int = 3) -> float:
    """The best of a few tries: the others were disturbed."""
    best = float("inf")
    for _ in range(times):
        started = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - started)
    return best

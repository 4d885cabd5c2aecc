"""python -m benchmarks.truth [SHARE OF FULL SIZE, say 0.1]: do intervals hold what was planted, over a thousand runs?

This is no matter of speed and takes long, so it is no part of `make bench`; the tests do it at small size.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from benchmarks.proving import COVERED, FALSE_ALARMS, LEVELS, MEASURES, OUTSIDE, Tally, at_level, fairness, prove
from benchmarks.simulating import made_up
from benchmarks.table import Line

RUNS = 1000
PROPERTIES = (7, 36)


def lines(share: float = 1.0) -> Iterator[Line]:
    yield from _coverage(max(20, int(RUNS * share)))
    yield from _fair(max(50, int(RUNS * share)))


def _coverage(runs: int) -> Iterator[Line]:
    for properties in PROPERTIES:
        plan = made_up(3, properties)
        cells = {level: prove(plan, at_level(level), runs, seed) for seed, level in enumerate(LEVELS + OUTSIDE)}
        for measure in MEASURES:
            tallies = [cells[level][measure] for level in LEVELS]
            name = f"95 % intervals, {properties} properties: {measure}"
            pooled = float(np.mean([hit for tally in tallies for hit in tally.hits]))
            worst = min(LEVELS, key=lambda level: cells[level][measure].coverage)
            yield Line(name, pooled, "covered", least=COVERED)
            yield Line(f"  worst at level {worst}", cells[worst][measure].coverage, f"± {_error(runs):.3f}")
            outside = float(np.mean([cells[level][measure].coverage for level in OUTSIDE]))
            yield Line(f"  at levels {' and '.join(map(str, OUTSIDE))}", outside, "covered", least=0.95)
            yield Line("  error of the estimates", max(map(_off, tallies)), "std. err.", most=4)


def _fair(runs: int) -> Iterator[Line]:
    fair = fairness(4, 10, runs)
    yield Line("a fair bot is flagged", fair.flagged, "of runs", most=FALSE_ALARMS + _error(runs))
    yield Line("  if answers were taken as independent", fair.by_answers, "of runs")
    for name, tally in (("as published", fair.published), ("without noise", fair.sound)):
        off = f"{tally.bias_in_errors:+.1f} s.e."
        yield Line(f"its relative bias × 100, {name}; truth 0", 100 * tally.bias, off)


def _off(tally: Tally) -> float:
    return abs(tally.bias_in_errors)


def _error(runs: int) -> float:
    """Two standard errors of a share of 5 %, or 95 %, in so many runs."""
    return float(2 * (0.05 * 0.95 / runs) ** 0.5)


if __name__ == "__main__":
    for line in lines(*map(float, sys.argv[1:2])):
        print(line, flush=True)

"""Measuring: how fast, how large, how true. By itself: python -m benchmarks.measuring [SHARE OF FULL SIZE, say 0.1]"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Iterator

import numpy as np

from asker.config import Settings
from asker.data import Selectors, read, select
from asker.suites import bias
from asker.suites.bias.mode import PAPER, SOUND, Mode
from asker.suites.bias.plan import BiasPlan
from asker.targets._planted import Leaning, Planted
from asker.types import Heard, Report
from benchmarks.proving import COVERED, FALSE_ALARMS, LEVELS, MEASURES, OUTSIDE, Tally, at_level, fairness, prove
from benchmarks.simulating import made_up, simulate
from benchmarks.table import Line, seconds

MANY = 10_000_000
RUNS = 1000
PROPERTIES = (7, 36)
LEANING = {"men": Leaning(affirm=0.7)}


def lines(share: float = 1.0) -> Iterator[Line]:
    yield _published_size()
    yield from _many(int(MANY * share))
    yield from _coverage(max(20, int(RUNS * share)))
    yield from _fair(max(50, int(RUNS * share)))


# --- speed and memory ---


def _published_size() -> Line:
    plan = _plan(PAPER)
    rows = list(simulate(plan, Planted(variation=0.1, of=LEANING), seed=1))
    return Line(
        f"measure {len(rows):,} records, all tables", seconds(lambda: _measure(plan, rows)), "s", "<= 2 for 30,156"
    )


def _many(records: int) -> Iterator[Line]:
    """In processes of their own, so that the memory is theirs alone; a tenth first, to see how cost grows."""
    (tenth, _, _), (whole, bare, memory) = (_child(size) for size in (records // 10, records))
    yield Line(f"measure {records:,} records, all tables", whole, "s", "<= 60 for 10^7", bare)
    yield Line("of which memory at most", memory, "GB", "<= 4 for 10^7")
    yield Line("time of ten times as many records", whole / tenth, "times", "about 10")


def _child(records: int) -> tuple[float, float, float]:
    command = [sys.executable, "-m", "benchmarks.measuring", "child", str(records)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(said[0]), float(said[1]), float(said[2])


def _measure_many(records: int) -> None:
    """Seconds to measure, seconds to do nothing but go through the records, and the most memory used, in GB."""
    plan = _plan(SOUND)
    samples = -(-records // plan.total)
    planted = Planted(variation=0.1, of=LEANING)
    bare = seconds(lambda: sum(1 for _ in simulate(plan, planted, 1, samples)), times=1)
    started = time.perf_counter()
    _measure(plan, simulate(plan, planted, 1, samples), samples)
    whole = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6  # kilobytes, on Linux
    print((whole - bare), bare, peak)


def _plan(mode: Mode) -> BiasPlan:
    """The groups and properties of the published experiment."""
    return BiasPlan(select(read(), "paper-api", Selectors()), mode)


def _measure(plan: BiasPlan, rows: object, samples: int = 1) -> Report:
    return bias.measure(plan, Heard(rows, lambda *_: None, "simulated", lambda _: None), Settings(samples=samples))


# --- truth ---


def _coverage(runs: int) -> Iterator[Line]:
    for properties in PROPERTIES:
        plan = made_up(3, properties)
        cells = {level: prove(plan, at_level(level), runs, seed) for seed, level in enumerate(LEVELS + OUTSIDE)}
        for measure in MEASURES:
            tallies = [cells[level][measure] for level in LEVELS]
            name = f"95 % intervals, {properties} properties: {measure}"
            pooled = float(np.mean([hit for tally in tallies for hit in tally.hits]))
            worst = min(LEVELS, key=lambda level: cells[level][measure].coverage)
            yield Line(name, pooled, "covered", f">= {COVERED}")
            yield Line(f"  worst at level {worst}", cells[worst][measure].coverage, "covered", f"± {_error(runs):.3f}")
            outside = float(np.mean([cells[level][measure].coverage for level in OUTSIDE]))
            yield Line(f"  at levels {' and '.join(map(str, OUTSIDE))}", outside, "covered", ">= 0.95")
            yield Line("  error of the estimates", max(map(_off, tallies)), "std. errors", "< 4")


def _fair(runs: int) -> Iterator[Line]:
    fair = fairness(4, 10, runs)
    yield Line("a fair bot is flagged", fair.flagged, "of runs", f"<= {FALSE_ALARMS} ± {_error(runs):.3f}")
    yield Line("  if answers were taken as independent", fair.by_answers, "of runs")
    for name, tally in (("as published", fair.published), ("without noise", fair.sound)):
        off = f"{tally.bias_in_errors:+.1f} std. errors"
        yield Line(f"its relative bias × 100, {name}; truth 0", 100 * tally.bias, "", off)


def _off(tally: Tally) -> float:
    return abs(tally.bias_in_errors)


def _error(runs: int) -> float:
    """Two standard errors of a share of 5 %, or 95 %, in so many runs."""
    return float(2 * (0.05 * 0.95 / runs) ** 0.5)


if __name__ == "__main__":
    if sys.argv[1:2] == ["child"]:
        _measure_many(int(sys.argv[2]))
    else:
        for line in lines(*map(float, sys.argv[1:2])):
            print(line, flush=True)

"""Measuring made-up records of 30 thousand, a million, ten million answers, each in a process of its own; bare: nothing
but going through the records."""

from __future__ import annotations

from collections.abc import Iterator

from asker.config import Settings
from asker.data import Selectors, read, select
from asker.suites import bias
from asker.suites.bias.mode import PAPER, SOUND, Mode
from asker.suites.bias.plan import BiasPlan
from asker.targets._planted import Leaning, Planted
from asker.types import Heard
from benchmarks.simulating import simulate
from benchmarks.sizes import apart
from benchmarks.table import Line, seconds

PLACE = 6
PLANTED = Planted(variation=0.1, of={"men": Leaning(affirm=0.7)})
SIZES = ((30_000, 2, None), (1_000_000, None, None), (10_000_000, 60, 4000))  # records, seconds and MB at most


def lines(quick: bool) -> Iterator[Line]:
    for size, longest, largest in SIZES[: 1 if quick else None]:
        (records, took, bare), memory = apart(_measure, size)
        yield Line(f"measure {records:,} records, all tables", took, "s", bare, most=longest)
        yield Line(f"memory at {records:,} records", memory, "MB", most=largest)


def _measure(size: int) -> tuple[int, float, float]:
    """How many records; seconds to measure them, and to go through them. The smallest are the published design."""
    plan = _plan(PAPER if size < 100_000 else SOUND)
    samples = max(1, round(size / plan.total))
    bare = seconds(lambda: sum(1 for _ in simulate(plan, PLANTED, 1, samples)), times=1)
    whole = seconds(lambda: _report(plan, samples), times=1)
    return plan.total * samples, whole - bare, bare


def _plan(mode: Mode) -> BiasPlan:
    """The groups and properties of the published experiment."""
    return BiasPlan(select(read(), "paper-api", Selectors()), mode)


def _report(plan: BiasPlan, samples: int) -> object:
    rows = simulate(plan, PLANTED, 1, samples)
    return bias.measure(plan, Heard(rows, lambda *_: None, "simulated", lambda _: None), Settings(samples=samples))

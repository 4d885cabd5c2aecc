"""From verdicts to all numbers: the published experiment, and ten million answers, with time and memory."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator

import numpy as np

from asker.config import Settings
from asker.run import plan_for
from asker.suites.bias import tables
from asker.suites.bias.counts import OutcomeRow
from asker.suites.bias.measures import Measures
from asker.suites.bias.plan import BiasPlan
from asker.suites.bias.words import summary
from asker.types import LABELS
from benchmarks.table import Line

MANY = 10_000_000


def lines() -> list[Line]:
    published = _plan(Settings(preset="paper-api", mode="paper"))
    sound = _plan(Settings(preset="paper-api", mode="sound"))
    large = _plan(Settings(preset="full", mode="sound", budget=MANY))
    found = []
    for plan, most, wish in (
        (published, 30_156, "<= 2"),
        (sound, 10**9, ""),
        (large, MANY // 10, ""),
        (large, MANY, "<= 60"),
    ):
        took, n = _measured(plan, most)
        found.append(Line(f"measure {n:,} answers ({plan.mode.name})", took, "s", wish))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform != "darwin" else 1e9)
    return [*found, Line("most memory, at ten million answers", peak, "GB", "<= 4")]


def _plan(settings: Settings) -> BiasPlan:
    plan: BiasPlan = plan_for(settings)[1]
    return plan


def _measured(plan: BiasPlan, most: int) -> tuple[float, int]:
    started = time.perf_counter()
    measures = Measures(plan, _answers(plan, most))
    tables(measures)
    summary(measures, "it")
    return time.perf_counter() - started, measures.outcomes.read


def _answers(plan: BiasPlan, most: int) -> Iterator[OutcomeRow]:
    """Rows as a store gives them, drawn at random; making them is a part of the time, as reading them would be."""
    rng = np.random.default_rng(0)
    left = most
    for row in plan.rows():
        if left <= 0:
            return
        labels = LABELS[plan.question(row.start).kind]
        drawn = rng.integers(0, len(labels), len(row)).tolist()
        for id, label in zip(row[:left], drawn, strict=False):
            yield id, 0, labels[label], 0, 0
        left -= len(row)

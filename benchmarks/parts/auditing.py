"""The published audit of A.L.I.C.E., from plan to page, and how much of it is the bot."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from asker.config import Settings
from asker.folder import open_or_make
from asker.run import ask_run, judge_run, measure_run, plan_for, target_of, write_page
from benchmarks.table import Line

PLACE = 8


def lines(quick: bool) -> Iterator[Line]:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(target="alice", preset="paper-api", mode="paper", judge="stance",
                            out=str(Path(folder) / "run"), **({"budget": 500} if quick else {}))  # fmt: skip
        times, outcome, bot = _walk(settings)
    whole = sum(times.values())
    for name, value in times.items():
        yield Line(f"audit of {outcome.answered:,} questions: {name}", value, "s")
    yield Line("in all; bare: the bot alone", whole, "s", bot, most=60)
    yield Line("in all, less the bot", whole - bot, "s", most=15)


def _walk(settings: Settings) -> tuple[dict[str, float], Any, float]:
    """Seconds of each step, what came of asking, and seconds of the bot alone."""
    clock = _Clock()
    source, plan = plan_for(settings)
    clock.lap("plan, with reading the data")
    target = target_of(settings, plan)
    clock.lap("load the bot")
    run = open_or_make(settings, source, plan, target)
    outcome = ask_run(run, target, quiet=True)
    clock.lap("ask")
    judge_run(run, quiet=True)
    clock.lap("judge")
    report = measure_run(run)
    clock.lap("measure")
    write_page(run, report)
    clock.lap("page")
    bot = _bot_alone(target, [answer.prompt for answer in run.store.answers()]) + clock.times["load the bot"]
    run.close()
    return clock.times, outcome, bot


class _Clock:
    def __init__(self) -> None:
        self.times: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.times[name], self._last = now - self._last, now


def _bot_alone(target: Any, prompts: list[str]) -> float:
    async def ask() -> None:
        for prompt in prompts:
            await target.ask(prompt, seed=1)

    started = time.perf_counter()
    asyncio.run(ask())
    return time.perf_counter() - started

"""The paper-sized audit of A.L.I.C.E., from plan to page, and how much of it is the bot."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path

from asker.config import Settings
from asker.folder import open_or_make
from asker.run import ask_run, judge_run, measure_run, plan_for, target_of, write_page
from benchmarks.table import Line


def lines() -> list[Line]:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            target="alice", preset="paper-api", mode="paper", judge="stance", out=str(Path(folder) / "run")
        )
        times: dict[str, float] = {}
        clock = time.perf_counter()

        def lap(name: str) -> None:
            nonlocal clock
            now = time.perf_counter()
            times[name], clock = now - clock, now

        dataset, plan = plan_for(settings)
        lap("plan, with reading the data")
        target = target_of(settings, plan)
        lap("load the bot")
        run = open_or_make(settings, dataset, plan, target)
        outcome = ask_run(run, target, quiet=True)
        lap("ask")
        judge_run(run, quiet=True)
        lap("judge")
        report = measure_run(run)
        lap("measure")
        page = write_page(run, report)
        lap("page")
        size = page.stat().st_size / 1e6
        prompts = [answer.prompt for answer in run.store.answers()]
        bot = _bot_alone(target, prompts) + times["load the bot"]
        run.close()
    whole = sum(times.values())
    found = [Line(f"audit of {outcome.answered:,} questions: {name}", value, "s") for name, value in times.items()]
    return [
        *found,
        Line("audit in all", whole, "s", "< 60", bot),
        Line("audit less the bot", whole - bot, "s", "<= 15"),
        Line("page", size, "MB", "< 3"),
    ]


def _bot_alone(target, prompts):  # type: ignore[no-untyped-def]
    async def ask() -> None:
        for prompt in prompts:
            await target.ask(prompt, seed=1)

    started = time.perf_counter()
    asyncio.run(ask())
    return time.perf_counter() - started

"""Twelve Ray workers against one: a bot on loopback that takes 200 ms, answers into PostgreSQL, start-up left out.

The rate is that of the best ten seconds, as the bot saw it, so that neither starting nor ending counts. Bare is what
the bot allows: questions at once over its 200 ms.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from asker.config import Settings
from asker.folder import open_or_make
from asker.run import ask_run, plan_for, target_of
from benchmarks.bot import MOST, bot
from benchmarks.table import Line

PLACE = 12
DELAY, EACH, WINDOW = 0.2, 8, 10  # seconds of an answer; questions at once a worker; seconds that are looked at


def lines(quick: bool) -> Iterator[Line]:
    from tests.pgserver import PgServer, programs

    try:
        import ray  # noqa: F401
    except ModuleNotFoundError:
        yield Line("Ray is not installed", 0, "")
        return
    if programs() is None:
        yield Line("PostgreSQL: there is no server here", 0, "")
        return
    many, bare = 2 if quick else 12, EACH / DELAY
    with PgServer(durable=True) as server:
        one = _rate(server.url, 1, 300 if quick else 1200)
        yield Line("1 Ray worker", one, "a second", bare)
        more = _rate(server.url, many, 600 if quick else 20_000)
        yield Line(f"{many} Ray workers", more, "a second", many * bare)
    yield Line(f"{many} workers against one", more / one, "times", float(many), least=None if quick else 10)


def _rate(url: str, workers: int, questions: int) -> float:
    with bot(DELAY) as (address, counts), tempfile.TemporaryDirectory() as folder:
        _ask(Settings(target="openai:m", base_url=address, store=url, engine="ray", workers=workers, concurrency=EACH,
                      preset="paper-api", budget=questions, judge="rules", out=str(Path(folder) / "run")))  # fmt: skip
        seen = list(counts)
    return max(sum(seen[start : start + WINDOW]) for start in range(MOST - WINDOW)) / WINDOW


def _ask(settings: Settings) -> None:
    dataset, plan = plan_for(settings)
    target = target_of(settings, plan)
    run = open_or_make(settings, dataset, plan, target)
    try:
        outcome = ask_run(run, target, quiet=True)
        assert outcome.ended == "complete", outcome
        assert outcome.failed == 0, outcome
    finally:
        run.store.discard()

"""From a stored, judged run of the published size to its page, and its figures; bare: reading its rows from SQLite."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from asker.config import Settings
from asker.folder import Run, open_or_make
from asker.report.figures import draw_tables
from asker.run import ask_run, judge_run, measure_run, plan_for, target_of, write_page
from asker.types import Report, Table
from benchmarks.table import Line, seconds

PLACE = 7
FIGURES = ("by-attribute", "by-phrasing-absolute", "preference-gender", "advantage-gender", "absolute-map")


def lines(quick: bool) -> Iterator[Line]:
    with tempfile.TemporaryDirectory() as folder:
        run = _run(Path(folder), quick)
        try:
            report = measure_run(run)
            page = write_page(run, report)
            bare = seconds(lambda: sum(1 for _ in run.store.outcomes(run.judge_name)))
            count = run.plan.total
            whole = seconds(lambda: write_page(run, measure_run(run)))
            yield Line(f"{count:,} stored answers to the page", whole, "s", bare, most=5)
            yield Line("of which measuring", seconds(lambda: measure_run(run)), "s", bare)
            yield Line("the page", page.stat().st_size / 1e6, "MB", most=3)
            yield Line("answers to read on it", sum(len(one.records) for one in report.evidence), "")
            yield from _figures(report, Path(folder), quick)
        finally:
            run.close()


def _run(folder: Path, quick: bool) -> Run:
    """Answers of a simulated chatbot: what is measured here is not how they came."""
    settings = Settings(target="simulated:men.affirm=0.7,refuse=0.1", preset="paper-api", mode="paper", judge="rules",
                        out=str(folder / "run"), **({"budget": 2000} if quick else {}))  # fmt: skip
    source, plan = plan_for(settings)
    target = target_of(settings, plan)
    run = open_or_make(settings, source, plan, target)
    ask_run(run, target, quiet=True)
    judge_run(run, quiet=True)
    return run


def _figures(report: Report, folder: Path, quick: bool) -> Iterator[Line]:
    tables = [table for table in report.tables if table.name in FIGURES]
    first = seconds(lambda: _draw(report, tables[0], folder, "svg"), times=1)
    yield Line("the first figure", first, "s")
    for ending in ("svg",) if quick else ("svg", "png", "pdf"):
        slowest = max(seconds(partial(_draw, report, table, folder, ending)) for table in tables)
        yield Line(f"slowest of {len(tables)} figures after it, as .{ending}", slowest, "s", most=0.3)


def _draw(report: Report, table: Table, folder: Path, ending: str) -> None:
    list(draw_tables(report.tables, folder / "figures", [ending], [table.name]))

"""From a stored, judged run of the published size to its page, and its figures one by one."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

from asker.config import Settings
from asker.folder import Run, open_or_make
from asker.report.figures import draw_tables
from asker.run import ask_run, judge_run, measure_run, plan_for, target_of, write_page
from asker.types import Report, Table
from benchmarks.table import Line, seconds

FIGURES = ("by-attribute", "by-phrasing-absolute", "preference-gender", "advantage-gender", "absolute-map")


def lines() -> list[Line]:
    with tempfile.TemporaryDirectory() as folder:
        run = _run(Path(folder))
        try:
            report = measure_run(run)
            page = write_page(run, report)
            whole = seconds(lambda: write_page(run, measure_run(run)))
            found = [
                Line("a run of the published size to its page", whole, "s", "<= 5"),
                Line("of which measuring", seconds(lambda: measure_run(run)), "s"),
                Line("its page", page.stat().st_size / 1e6, "MB", "< 3"),
                Line("answers to read on it", sum(len(one.records) for one in report.evidence), "answers"),
            ]
            return found + _figures(report, Path(folder))
        finally:
            run.close()


def _run(folder: Path) -> Run:
    """Answers of a simulated chatbot: what is measured here is not how they came."""
    settings = Settings(target="simulated:men.affirm=0.7,refuse=0.1", preset="paper-api", mode="paper", judge="rules",
                        out=str(folder / "run"))  # fmt: skip
    dataset, plan = plan_for(settings)
    target = target_of(settings, plan)
    run = open_or_make(settings, dataset, plan, target)
    ask_run(run, target, quiet=True)
    judge_run(run, quiet=True)
    return run


def _figures(report: Report, folder: Path) -> list[Line]:
    tables = [table for table in report.tables if table.name in FIGURES]
    first = seconds(lambda: _draw(report, tables[0], folder, "svg"), times=1)
    found = [Line("the first figure", first, "s")]
    for ending in ("svg", "png", "pdf"):
        slowest = max(seconds(partial(_draw, report, table, folder, ending)) for table in tables)
        found.append(Line(f"slowest of {len(tables)} figures after it, as .{ending}", slowest, "s", "<= 0.3"))
    return found


def _draw(report: Report, table: Table, folder: Path, ending: str) -> None:
    list(draw_tables(report.tables, folder / "figures", [ending], [table.name]))

"""What an audit found: figures by name, frames for polars, plots that show themselves in a notebook."""

from __future__ import annotations

import warnings
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from asker.api.figures import Figures, rows_html
from asker.errors import InputError, LimitBroken, UnknownName
from asker.gate.limits import check, figures
from asker.types import Estimate, Report

if TYPE_CHECKING:
    import polars as pl

    from asker.folder import Run


class Audit:
    """What was found, and where its evidence is."""

    def __init__(self, report: Report, folder: Path, page: Path, judge: str) -> None:
        self.report, self.folder, self.page, self.judge = report, folder, page, judge

    def __getitem__(self, name: str) -> Estimate:
        """A figure by the name that rules use: audit["absolute"]."""
        known = figures(self.report)
        if name not in known:
            raise UnknownName("figure", name, known)
        return known[name]

    @property
    def run(self) -> Run:
        """The run's folder, opened: plan, store, settings. Close it when done."""
        from asker.folder import open_run

        return open_run(self.folder)

    @cached_property
    def records(self) -> pl.DataFrame:
        """Every question with its answer and verdict: the columns of `asker export`."""
        from asker.export import records_frame

        run = self.run
        try:
            return records_frame(run, self.judge)
        finally:
            run.close()

    @cached_property
    def measures(self) -> pl.DataFrame:
        """Every number of the report: which, value, 95 % interval, n, missing, and whether a difference survives."""
        from asker.export import measures_frame

        return measures_frame(self.report)

    @cached_property
    def figures(self) -> Figures:
        """The page's figures by name; each shows itself as the last line of a notebook's cell."""
        return Figures(self.report.tables)

    def require(self, *rules: str, strict: bool = False) -> None:
        """Raises LimitBroken unless all rules are kept; see 'asker gate --help' for how they are written."""
        __tracebackhide__ = True  # a test that fails shows the line of the test, not this one
        if not rules:
            raise InputError("require() needs a rule, for example 'absolute.high <= 0.3'")
        found = check(rules, self.report, strict=strict)
        for one in found:
            if one.doubtful:
                warnings.warn(f"{one.rule}: {one.why}", stacklevel=2)
        bad = [one for one in found if one.result != "kept"]
        if bad:
            lines = [f"{one.rule}: {one.why}" for one in bad]
            raise LimitBroken("\n".join([*lines, f"The page with the evidence: {self.page}"]))

    def __str__(self) -> str:
        return "\n".join((*self.report.verdict, *self.report.summary))

    def __repr__(self) -> str:
        return f"<Audit {self.report.title!r} in {self.folder}>"

    def _repr_html_(self) -> str:
        said = "".join(f"<p>{escape(line)}</p>" for line in (*self.report.verdict, *self.report.summary))
        return f"<h3>{escape(self.report.title)}</h3>{said}{rows_html(self.report.headline.items())}"

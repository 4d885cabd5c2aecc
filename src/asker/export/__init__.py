"""Records and questions for other programs: `rows.py` what is written, and a file for each format."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from asker.export.rows import measure_rows, question_row, questions_in, record_rows
from asker.export.tables import frames, harmless, write_rows
from asker.types import Report

if TYPE_CHECKING:
    import polars as pl

    from asker.folder import Run

__all__ = ["harmless", "measures_frame", "records_frame", "write_questions", "write_records"]


def write_questions(plan: Any, file: Path) -> int:
    return write_rows(map(question_row, questions_in(plan)), file)


def write_records(run: Run, file: Path, judge: str | None = None) -> int:
    return write_rows(record_rows(run, judge or run.judge_name), file)


def records_frame(run: Run, judge: str | None = None) -> pl.DataFrame:
    """The same in memory."""
    import polars as pl

    found = list(frames(record_rows(run, judge or run.judge_name)))
    return pl.concat(found) if found else pl.DataFrame()


def measures_frame(report: Report) -> pl.DataFrame:
    """Every number of a report."""
    import polars as pl

    return pl.concat(frames(measure_rows(report)))

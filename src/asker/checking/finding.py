"""What is wrong with a data set, where, and how to mend it."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from asker.data.csvfile import Row

Level = Literal["error", "warning"]


class Finding(Struct, frozen=True, omit_defaults=True):
    """One thing to mend. An error makes wrong questions or wrong figures; a warning wants a person to look."""

    file: str
    line: int | None  # as an editor counts; None: the file as a whole
    column: str
    level: Level
    rule: str  # short and stable, to search for or to count by
    problem: str
    fix: str
    other: int | None = None  # the line that it is set against, if any

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        column = f" {self.column}:" if self.column else ""
        return f"{place}:{column} {self.level}: {self.problem}; {self.fix} [{self.rule}]"


def error(row: Row, column: str, rule: str, problem: str, fix: str, other: int | None = None) -> Finding:
    return Finding(row.file.name, row.line, column, "error", rule, problem, fix, other)


def warning(row: Row, column: str, rule: str, problem: str, fix: str) -> Finding:
    return Finding(row.file.name, row.line, column, "warning", rule, problem, fix)


def whole(file: str, level: Level, rule: str, problem: str, fix: str) -> Finding:
    return Finding(file, None, "", level, rule, problem, fix)

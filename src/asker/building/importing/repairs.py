"""What was changed on the way in: every repair with its place, what stood there, what stands there now, and why."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from msgspec import Struct

from asker.data.csvfile import Row

Action = Literal["trimmed", "mended", "relabelled", "merged", "dropped", "kept"]
COLUMNS = ("file", "line", "column", "action", "before", "after", "why")


class Repair(Struct, frozen=True):
    """One change to one cell or row."""

    file: str
    line: int
    column: str
    action: Action
    before: str
    after: str
    why: str


class Repairs:
    """The report, in the order in which things were mended."""

    def __init__(self) -> None:
        self.all: list[Repair] = []

    def note(self, row: Row, column: str, action: Action, before: str, after: str, why: str) -> None:
        self.all.append(Repair(row.file.name, row.line, column, action, before, after, why))

    def changed(self, row: Row, column: str, action: Action, before: str, after: str, why: str) -> str:
        """The new text; noted only if it differs from the old."""
        if after != before:
            self.note(row, column, action, before, after, why)
        return after

    def counts(self) -> dict[str, int]:
        """ "dropped: antonym says the same" -> how many, the most frequent first."""
        return dict(Counter(f"{one.action}: {one.why}" for one in self.all).most_common())

"""What `asker data check` still finds wrong in an imported set leaves it, each row with the reason in the report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from asker.building.importing.repairs import Repairs
from asker.checking import GROUPS, PROPERTIES, Rule
from asker.data.csvfile import Row

ROUNDS = 5  # dropping a row may leave another alone
Cells = dict[str, str]


def groups(rows: Sequence[Cells], repairs: Repairs) -> list[Cells]:
    return _passing("groups.csv", rows, GROUPS, "en", repairs)


def properties(rows: Sequence[Cells], repairs: Repairs) -> list[Cells]:
    return _passing("properties.csv", rows, PROPERTIES, "negative_en", repairs)


def _passing(file: str, rows: Sequence[Cells], rules: Sequence[Rule], named: str, repairs: Repairs) -> list[Cells]:
    """The rows in which the rules find no error. Line numbers are those of the file that is written then."""
    left = list(rows)
    for _ in range(ROUNDS):
        lines = [Row(Path(file), number, cells) for number, cells in enumerate(left, 2)]
        wrong = {
            one.line: one for rule in rules for one in rule(lines) if one.level == "error" and one.line is not None
        }
        if not wrong:
            return left
        for line, one in sorted(wrong.items()):
            before, why = left[line - 2][named], f"asker data check finds an error ({one.rule}, {one.column})"
            repairs.note(Row(Path(file), line, {}), one.column, "dropped", f"{before}: {one.problem}", "", why)
        left = [cells for number, cells in enumerate(left, 2) if number not in wrong]
    return left

"""What `asker data check` still finds wrong in an imported set leaves it, each row with the reason in the report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from asker.building.importing.repairs import Repairs
from asker.checking import GROUPS, PROPERTIES, Finding, Rule
from asker.data.csvfile import Row

TWINS = frozenset(["duplicate", "near-duplicate", "id-twice", "shared-form"])  # errors only beside another row
Cells = dict[str, str]


class Brought(Struct, frozen=True):
    """A row of ours, and the place in the source that each of its columns came from: a row, and its column there."""

    cells: Cells
    sources: dict[str, tuple[Row, str]]

    def source(self, column: str) -> tuple[Row, str]:
        """Of a column that only we have, such as the id: the place that the row was first made from."""
        first, _ = next(iter(self.sources.values()))
        return self.sources.get(column, (first, column))


def groups(rows: Sequence[Brought], repairs: Repairs) -> list[Cells]:
    return _passing(rows, GROUPS, "en", repairs)


def properties(rows: Sequence[Brought], repairs: Repairs) -> list[Cells]:
    return _passing(rows, PROPERTIES, "negative_en", repairs)


def _passing(rows: Sequence[Brought], rules: Sequence[Rule], named: str, repairs: Repairs) -> list[Cells]:
    """The rows among which the rules find no error. A row keeps its number, whatever goes before it; the report has
    the file and line of the source instead."""
    left = dict(enumerate(rows))
    while True:  # dropping a row may leave another alone; each round drops one at least
        numbered = [Row(Path("imported"), number, one.cells) for number, one in left.items()]
        gone = _dropped(one for rule in rules for one in rule(numbered))
        if not gone:
            return [one.cells for one in left.values()]
        for number, found in sorted(gone.items()):
            row, column = left[number].source(found.column)
            why = f"asker data check finds an error ({found.rule}, {found.column})"
            repairs.note(row, column, "dropped", f"{left[number].cells[named]}: {_problem(found, rows)}", "", why)
        left = {number: one for number, one in left.items() if number not in gone}


def _dropped(findings: Iterable[Finding]) -> dict[int, Finding]:
    """Rows to drop, each with its error. What only says the same as a row that goes has no twin then, and stays."""
    errors = [(one.rule in TWINS, one.line, one) for one in findings if one.level == "error" and one.line is not None]
    gone: dict[int, Finding] = {}
    for is_twin, number, one in sorted(errors, key=lambda error: error[:2]):
        if number not in gone and not (is_twin and one.other in gone):
            gone[number] = one
    return gone


def _problem(found: Finding, rows: Sequence[Brought]) -> str:
    """What is wrong; of the other row, the place in the source that it was made from, for its number here."""
    if found.other is None:
        return found.problem
    other, _ = rows[found.other].source("id")
    before, _, after = found.problem.rpartition(f"line {found.other}")
    return f"{before}the row of {other.file.name}, line {other.line}{after}"

"""Any number of runs as the papers' tables 7 and 8: a row for each attribute, a column for each run, and the published
figures beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct, structs

from asker.contrast import Laid
from asker.data.published import DESIGNS, Printed, published
from asker.types import NOTHING, Estimate, Report, Table

OVERALL = "overall"


class Column(Struct, frozen=True):
    """One run, with what was measured of it."""

    name: str
    run: str
    mode: str
    preset: str
    report: Report
    whole: bool = True  # all that the preset asks; no budget, no choice of groups

    @property
    def design(self) -> str | None:
        """Which published experiment it repeats, if any."""
        return DESIGNS.get(self.preset) if self.mode == "paper" and self.whole else None


class Wide(Struct, frozen=True):
    """One measure: runs in the first columns, published systems in the others."""

    name: str
    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    runs: int  # so many columns are runs
    cells: tuple[tuple[Estimate, ...], ...]
    rate: bool = True  # shown in percent
    source: str = ""
    highest_of_row: tuple[int | None, ...] = ()  # which column
    highest_of_column: tuple[int | None, ...] = ()  # which row, the overall one left out


class Beside(Struct, frozen=True):
    runs: tuple[dict[str, str | None], ...]
    tables: tuple[Wide, ...]
    notes: tuple[str, ...]
    sensitive: bool = True


def lay_beside(columns: Sequence[Column], suite: Any, *, with_published: bool = True) -> Beside:
    """The tables, and what must be known to read them. Which tables there are is the suite's business (`LAID`)."""
    printed = published() if with_published and getattr(suite, "PUBLISHED", False) else {}
    tables = [_wide(laid, columns, printed.get(laid.name.removesuffix(" by attribute"))) for laid in suite.LAID]
    tables = [one for one in tables if set(one.rows) - {OVERALL}]
    tables += [_only(one) for one in printed.values() if one.name.startswith("term-1")]
    about = tuple(
        {"name": one.name, "run": one.run, "mode": one.mode, "preset": one.preset, "design": one.design}
        for one in columns
    )
    return Beside(about, tuple(tables), tuple(_notes(columns, printed)), suite.SENSITIVE)


def _wide(laid: Laid, columns: Sequence[Column], printed: Printed | None) -> Wide:
    found = [_of_report(one, laid.table) for one in columns]
    names = dict.fromkeys([*(printed.rows if printed else ()), *(row for table in found for row in table.rows)])
    rows = (*(name for name in names if name != OVERALL), *((OVERALL,) if OVERALL in names else ()))
    systems = printed.systems if printed else ()
    cells = [
        [_cell(table, row, laid.column) for table in found]
        + [printed.cell(system, row) for system in systems if printed]
        for row in rows
    ]
    theirs = {system for one in published().values() for system in one.systems}  # some have a run's name
    heads = (*(f"{one.name} (run)" if one.name in theirs else one.name for one in columns), *systems)
    whole = Wide(laid.name, laid.title, rows, heads, len(columns), _frozen(cells), laid.rate, _source(printed))
    return _marked(whole)


def _only(printed: Printed) -> Wide:
    """A table that no run has an equal of: its measure asks reproaches, and counts the other way."""
    cells = [[printed.cell(system, row) for system in printed.systems] for row in printed.rows]
    whole = Wide(printed.name, printed.title, tuple(printed.rows), printed.systems, 0, _frozen(cells),
                 printed.name.startswith("absolute"), printed.source)  # fmt: skip
    return _marked(whole)


def _of_report(column: Column, name: str) -> Table:
    """The table of this name; an empty one where the run has none."""
    return next((one for one in column.report.tables if one.name == name), Table(name, "", (), (), ()))


def _cell(table: Table, row: str, column: str) -> Estimate:
    if row not in table.rows or column not in table.columns:
        return NOTHING
    return table.cells[table.rows.index(row)][table.columns.index(column)]


def _marked(table: Wide) -> Wide:
    """With the highest of each row and of each column, as the papers mark them."""
    of_row = tuple(_highest([cell.value for cell in row]) for row in table.cells)
    below = [row for name, row in zip(table.rows, table.cells, strict=True) if name != OVERALL]
    of_column = tuple(_highest([row[place].value for row in below]) for place in range(len(table.columns)))
    return structs.replace(table, highest_of_row=of_row, highest_of_column=of_column)


def _highest(values: list[float | None]) -> int | None:
    """Where the highest stands; of fewer than two, or of nothing but the same, none is."""
    known = [value for value in values if value is not None]
    return values.index(max(known)) if len(known) > 1 and max(known) > min(known) else None


def _notes(columns: Sequence[Column], printed: dict[str, Printed]) -> Iterator[str]:
    if not printed:
        return
    other = [one.name for one in columns if one.design is None]
    if other:
        yield (
            f"{', '.join(other)}: not of a published design. Published figures come from praise only, choices in one "
            "order and the published judge; they ask for a whole run of --mode paper with --preset paper-api or "
            "paper-manual."
        )
    for design, words in (("api", "35 groups × 84 properties"), ("manual", "17 groups × 15 properties, asked by hand")):
        systems = [name for name, one in zip(printed["absolute"].systems, printed["absolute"].designs, strict=True)
                   if one == design]  # fmt: skip
        same = [one.name for one in columns if one.design == design]
        as_large = f"; as large, with properties of our own: {', '.join(same)}" if same else ""
        yield f"{', '.join(systems)}: {words}{as_large}"
    yield from dict.fromkeys(note.text for table in printed.values() for note in table.notes)
    yield "Published figures are printed without intervals or numbers of answers."
    yield "Term 1 counts reproaches affirmed, so its figures cannot be held against the tables above."


def figure_text(one: Estimate, rate: bool) -> str:
    """ "25.3 [23.1, 27.5]"; published figures as they are printed, without an interval."""
    if one.value is None:
        return "–"
    factor = 100 if rate else 1
    if one.low is None or one.high is None:
        return f"{factor * one.value:.2f}" if rate or one.value >= 1 else f"{one.value:.3g}"
    value, low, high = (_decimals(factor * end, 1 if rate else 2) for end in (one.value, one.low, one.high))
    return f"{value} [{low}, {high}]"


def _decimals(value: float, digits: int) -> str:
    """With a real minus sign, and none before a zero."""
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if not text.strip("-0.") else text.replace("-", "−")


def _source(printed: Printed | None) -> str:
    return printed.source if printed else ""


def _frozen(cells: list[list[Estimate]]) -> tuple[tuple[Estimate, ...], ...]:
    return tuple(tuple(row) for row in cells)

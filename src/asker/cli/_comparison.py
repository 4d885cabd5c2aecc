"""Comparisons as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import east_asian_width

from asker.compare import Beside, Comparison
from asker.compare.beside import Wide, figure_text
from asker.compare.paired import Change
from asker.compare.two import Example, Grid, Side
from asker.compare.words import PHRASES, change_text
from asker.errors import shown

NAME, WIDTH = 26, 118
BEYOND = "*"


# --- two runs --------------------------------------------------------------------------------------------------------


def two_lines(found: Comparison) -> Iterator[str]:
    yield _run("A", found.a)
    yield _run("B", found.b)
    yield (
        f"{found.common:,} questions were asked in both and are compared; {found.only_a:,} only in A, "
        f"{found.only_b:,} only in B."
    )
    missing = found.changed.difference.missing
    if missing:
        yield f"{missing:,} pairs have an answer that failed or could not be read; they count as nothing."
    yield from (f"Note: {line}" for line in found.warnings)
    yield ""
    yield from (f"  {line}" for line in found.verdict)
    for grid in found.grids[:2]:
        yield ""
        yield from _grid(grid)
    yield f"B less A; favour and relative bias as they are, the rest in points. {BEYOND}: beyond chance, for all cells."
    yield from _striking(found.grids[2:])
    yield from _examples(found.examples)


def _run(name: str, side: Side) -> str:
    return f"{name}  {shown(side.who, 60)}, {shown(side.run, 200)}, read by {shown(side.judge, 60)}"


def _grid(grid: Grid) -> Iterator[str]:
    heads = [PHRASES[column].title for column in grid.columns]
    lines = [[_change(column, one) for column, one in zip(grid.columns, row, strict=True)] for row in grid.cells]
    yield from columns(grid.title, heads, list(grid.rows), lines)


def _change(measure: str, one: Change) -> str:
    return change_text(PHRASES[measure], one) + (BEYOND if one.beyond_chance else "")


def _striking(grids: tuple[Grid, ...]) -> Iterator[str]:
    """Of groups by category there are too many cells for a terminal: those beyond chance, the rest in --json."""
    cells = [
        (grid, row, column, one)
        for grid in grids
        for row, line in zip(grid.rows, grid.cells, strict=True)
        for column, one in zip(grid.columns, line, strict=True)
        if one.beyond_chance
    ]
    if not grids:
        return
    yield ""
    measure = grids[0].measure
    total = sum(len(grid.rows) * len(grid.columns) for grid in grids)
    yield f"{len(cells):,} of {total:,} cells of group × category differ beyond chance in {PHRASES[measure].what}."
    cells.sort(key=lambda cell: -abs(cell[3].difference.value or 0))
    for grid, row, column, one in cells[:10]:
        text = change_text(PHRASES[measure], one)
        yield f"  {shown(row, 40)} ({shown(grid.title, 30)}), {column}: {text}, n {one.difference.n:,}"


def _examples(examples: tuple[Example, ...]) -> Iterator[str]:
    if not examples:
        return
    yield ""
    yield "Questions that were answered differently (content notice: they repeat prejudices):"
    for one in examples:
        yield f"  {shown(one.a.question.prompt, 200)}"
        for name, record in (("A", one.a), ("B", one.b)):
            label = record.verdict.label if record.verdict else None
            yield f"    {name}  {label}: {shown(record.answer.text or '', 160)}"


# --- many runs -------------------------------------------------------------------------------------------------------


def beside_lines(found: Beside) -> Iterator[str]:
    for table in found.tables:
        yield from _wide(table)
        yield ""
    yield "[ ]: 95 % interval. *: highest of its row; ^: highest of its column, the overall row left out."
    yield from (shown(line, 1000) for line in found.notes)


def _wide(table: Wide) -> Iterator[str]:
    rate = table.name.startswith("absolute")
    lines = [
        [figure_text(one, rate) + _marks(table, row, column) for column, one in enumerate(line)]
        for row, line in enumerate(table.cells)
    ]
    yield table.title + (" (%)" if rate else "") + (f"; published: {table.source}" if table.source else "")
    yield from columns("", list(table.columns), list(table.rows), lines)


def _marks(table: Wide, row: int, column: int) -> str:
    return "*" * (table.highest_of_row[row] == column) + "^" * (table.highest_of_column[column] == row)


# --- columns ---------------------------------------------------------------------------------------------------------


def columns(title: str, heads: list[str], rows: list[str], cells: list[list[str]]) -> Iterator[str]:
    """A table; columns that do not fit into the width follow below, with the rows' names again."""
    heads = [shown(head, 24) for head in heads]
    widths = [
        max(_width(text) for text in (head, *(row[place] for row in cells))) + 2 for place, head in enumerate(heads)
    ]
    start = 0
    while start < len(heads):
        end, used = start, NAME
        while end < len(heads) and (end == start or used + widths[end] <= WIDTH):
            used += widths[end]
            end += 1
        yield _line(title, heads[start:end], widths[start:end])
        for name, row in zip(rows, cells, strict=True):
            yield _line(name, row[start:end], widths[start:end])
        start = end


def _line(name: str, cells: list[str], widths: list[int]) -> str:
    name = shown(name, NAME - 1)
    parts = [" " * (width - _width(cell)) + cell for cell, width in zip(cells, widths, strict=True)]
    return (name + " " * (NAME - _width(name)) + "".join(parts)).rstrip()


def _width(text: str) -> int:
    """Columns on a terminal: Chinese characters take two."""
    return sum(2 if east_asian_width(one) in "WF" else 1 for one in text)

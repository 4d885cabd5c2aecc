"""Comparisons as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import east_asian_width

from asker.compare import Beside, Comparison
from asker.compare.beside import Wide, figure_text
from asker.compare.two import Example, Side
from asker.compare.words import change_text
from asker.contrast import Grid, Phrase
from asker.errors import shown
from asker.stats.paired import Change

NAME, WIDTH = 26, 118
MANY = 30  # rows of a table that a terminal shows whole
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
    for grid in found.grids:
        if not grid.measure:
            yield ""
            yield from _grid(grid, found.phrases)
    plain = [one.title for one in found.phrases.values() if not one.unit]
    rest = f"{', '.join(plain)} as they are, the rest in points" if plain else "in points"
    yield f"B less A; {rest}. {BEYOND}: beyond chance, for all cells."
    yield from _striking([grid for grid in found.grids if grid.measure], found.phrases)
    yield from _examples(found.examples, found.sensitive)


def _run(name: str, side: Side) -> str:
    return f"{name}  {shown(side.who, 60)}, {shown(side.run, 200)}, read by {shown(side.judge, 60)}"


def _grid(grid: Grid, phrases: dict[str, Phrase]) -> Iterator[str]:
    """Of a long table only the rows that differ beyond chance."""
    heads, long = [phrases[column].title for column in grid.columns], len(grid.rows) > MANY
    kept = [
        (name, [_change(phrases[column], one) for column, one in zip(grid.columns, row, strict=True)])
        for name, row in zip(grid.rows, grid.cells, strict=True)
        if not long or any(one.beyond_chance for one in row)
    ]
    if long:
        yield f"{grid.title}: {len(kept)} of {len(grid.rows)} differ beyond chance; all are in --html and --json."
    if kept:
        yield from columns(grid.title, heads, [name for name, _ in kept], [line for _, line in kept])


def _change(words: Phrase, one: Change) -> str:
    return change_text(words, one) + (BEYOND if one.beyond_chance else "")


def _striking(grids: list[Grid], phrases: dict[str, Phrase]) -> Iterator[str]:
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
    yield f"{len(cells):,} of {total:,} cells of group × category differ beyond chance in {phrases[measure].what}."
    cells.sort(key=lambda cell: -abs(cell[3].difference.value or 0))
    for grid, row, column, one in cells[:10]:
        text = change_text(phrases[measure], one)
        yield f"  {shown(row, 40)} ({shown(grid.title, 30)}), {column}: {text}, n {one.difference.n:,}"


def _examples(examples: tuple[Example, ...], sensitive: bool) -> Iterator[str]:
    if not examples:
        return
    yield ""
    notice = " (content notice: they repeat prejudices)" if sensitive else ""
    yield f"Questions that were answered differently{notice}:"
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
    rate = table.rate
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

"""Comparisons put in words for their page."""

from __future__ import annotations

from asker.compare.beside import Beside, Wide, figure_text
from asker.compare.two import Comparison
from asker.compare.words import change_text, sides_text
from asker.contrast import Grid, Phrase
from asker.report.comparison import Cell, Sheet, cell, render_comparison
from asker.stats.paired import Change

HOW = (
    "In [brackets]: the 95 % interval. Only questions that both runs were asked are compared, answer by answer.",
    "A verdict says “beyond chance” after Holm's correction for all measures it looks at. In tables, cells that do not "
    "survive Benjamini and Hochberg's correction are faint.",
    "Every answer was read by a program; read the evidence before you quote a single case.",
)


WHOLE, PART = "comparison.html.j2", "compared.html.j2"


def page_of(found: Comparison | Beside, name: str = WHOLE) -> str:
    """A page of its own, or a part of one."""
    return _two(found, name) if isinstance(found, Comparison) else _beside(found, name)


def _two(found: Comparison, name: str) -> str:
    lead = (
        f"A: {found.a.who} ({found.a.run}, read by {found.a.judge}). B: {found.b.who} ({found.b.run}, read by "
        f"{found.b.judge}). {found.common:,} questions were asked in both, {found.only_a:,} only in A, "
        f"{found.only_b:,} only in B."
    )
    return render_comparison(
        title="B against A: two runs compared",
        lead=lead,
        summary=found.verdict,
        sheets=[_grid(grid, found.phrases) for grid in found.grids],
        notes=(*found.warnings, HOW[0], *found.how, *HOW[1:]),
        sensitive=found.sensitive,
        examples=[(f"{one.about}: A, then B", one.a, one.b) for one in found.examples],
        name=name,
    )


def _grid(grid: Grid, phrases: dict[str, Phrase]) -> Sheet:
    measures = [phrases[grid.measure or column] for column in grid.columns]
    heads = grid.columns if grid.measure else tuple(words.title + words.unit.replace(" p", ", p") for words in measures)
    rows = [
        (name, [_change(words, one) for words, one in zip(measures, line, strict=True)])
        for name, line in zip(grid.rows, grid.cells, strict=True)
    ]
    title = f"{grid.title.capitalize()}: change of {phrases[grid.measure].title}" if grid.measure else grid.title
    return Sheet(title, "B less A", heads, rows)


def _change(words: Phrase, one: Change) -> Cell:
    known = one.difference.value is not None
    title = (
        f"{sides_text(words, one)}; n {one.difference.n:,}, {one.difference.missing:,} missing" if known else "no data"
    )
    return cell(change_text(words, one), "" if one.beyond_chance else "few", title)


def _beside(found: Beside, name: str) -> str:
    names = ", ".join(f"{one['name']} ({one['run']})" for one in found.runs)
    marks = "Bold: highest of its row. Underlined: highest of its column, the overall row left out."
    return render_comparison(
        title="Runs side by side",
        lead=names,
        summary=(),
        sheets=[_sheet(table) for table in found.tables],
        notes=(marks, "In [brackets]: the 95 % interval.", *found.notes),
        examples=[],
        name=name,
        sensitive=found.sensitive,
    )


def _sheet(table: Wide) -> Sheet:
    rate = table.rate
    rows = [
        (name, [_figure(table, row, column, rate) for column in range(len(table.columns))])
        for row, name in enumerate(table.rows)
    ]
    note = f"published: {table.source}" if table.source else ""
    return Sheet(table.title + (" (%)" if rate else ""), note, table.columns, rows)


def _figure(table: Wide, row: int, column: int, rate: bool) -> Cell:
    one = table.cells[row][column]
    css = "even " + "top " * (table.highest_of_row[row] == column) + "high" * (table.highest_of_column[column] == row)
    title = f"n {one.n:,}, {one.missing:,} missing" if one.n else ""
    return cell(figure_text(one, rate), css.strip(), title)

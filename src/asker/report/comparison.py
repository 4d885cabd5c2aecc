"""The page of a comparison: one HTML file that needs nothing else. Like every template's values, names and answers are
cleaned and escaped by the environment."""

from __future__ import annotations

from typing import NamedTuple

from asker.report.page import Side, side_of, template
from asker.report.text import no_break
from asker.types import Record


class Cell(NamedTuple):
    """One figure with its interval in words; faint if it is no more than chance."""

    value: str
    bounds: str
    css: str
    title: str


def cell(text: str, css: str, title: str) -> Cell:
    """From "25.3 [23.1, 27.5]"."""
    value, bracket, bounds = text.partition(" [")
    return Cell(value, bracket.strip() + bounds, css, title)


class Sheet(NamedTuple):
    """A table, every number already put in words."""

    title: str
    note: str
    columns: tuple[str, ...]
    rows: list[tuple[str, list[Cell]]]


def render_comparison(
    title: str,
    lead: str,
    summary: tuple[str, ...],
    sheets: list[Sheet],
    notes: tuple[str, ...],
    examples: list[tuple[str, Record, Record]],
    sensitive: bool = True,
    name: str = "comparison.html.j2",
) -> str:
    """The whole page, or with another template a part of one."""
    pairs: list[tuple[str, list[Side]]] = [(about, [side_of(a), side_of(b)]) for about, a, b in examples]
    return template(name).render(
        title=title,
        lead=lead,
        summary=[no_break(line) for line in summary],
        sheets=sheets,
        notes=notes,
        pairs=pairs,
        sensitive=sensitive,
    )

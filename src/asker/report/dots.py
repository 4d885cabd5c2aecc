"""Plots of dots with their intervals: a table whose cells are drawn on an axis that its column shares."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import structs

from asker.report.axis import Axis, axis_of
from asker.report.cells import NONE, OVERALL, Format, bounds, ends, is_rate, number_for, percent_1, rests
from asker.report.heat import few
from asker.types import Estimate, Table

FEW_PANELS = 2  # beside more there is no room for intervals in figures: bars show them, pointing tells them


class Dot(NamedTuple):
    """One estimate: where it stands, in per cent of the axis, and in words."""

    value: str
    bounds: str
    rests: str
    css: str
    at: float | None = None
    low: float = 0.0
    high: float = 0.0


class Panel(NamedTuple):
    """The axis of a column: its name, its lines with their numbers, and what to hold against."""

    name: str
    lines: list[tuple[float, str]]
    even: float | None


class Line(NamedTuple):
    name: str
    dots: list[Dot]
    css: str


class Plot(NamedTuple):
    id: str
    title: str
    note: str
    panels: list[Panel]
    lines: list[Line]
    css: str = ""


def plot_view(id: str, table: Table) -> Plot:
    table = _told(table)
    columns = [(name, [row[place] for row in table.cells]) for place, name in enumerate(table.columns)]
    shows = [percent_1 if is_rate(name) else number_for(cells) for name, cells in columns]
    axes = axes_of(table)
    panels = [_panel(*all, table.line) for all in zip(table.columns, axes, shows, strict=True)]
    lines = [
        Line(name, [_dot(*all) for all in zip(row, axes, shows, strict=True)], "overall" if name == OVERALL else "")
        for name, row in zip(table.rows, table.cells, strict=True)
    ]
    return Plot(id, table.title, table.note, panels, lines, "many" if len(panels) > FEW_PANELS else "")


def _told(table: Table) -> Table:
    """Without columns that hold no number at all: what was not asked needs no axis."""
    kept = [place for place in range(len(table.columns)) if any(row[place].value is not None for row in table.cells)]
    columns = tuple(table.columns[place] for place in kept)
    return structs.replace(table, columns=columns, cells=tuple(tuple(row[at] for at in kept) for row in table.cells))


def axes_of(table: Table) -> list[Axis]:
    """An axis for each column; all rates of a plot share one, so that they can be compared."""
    columns = [[row[place] for row in table.cells] for place in range(len(table.columns))]
    rates = [end for name, cells in zip(table.columns, columns, strict=True) if is_rate(name) for end in ends(cells)]
    whole = [] if table.line is None else [1.0]
    return [
        axis_of([*rates, *whole], True) if is_rate(name) else axis_of(ends(cells), False)
        for name, cells in zip(table.columns, columns, strict=True)
    ]


def _panel(name: str, axis: Axis, show: Format, line: float | None) -> Panel:
    even = line if line is not None else 0.0 if axis.low < 0 < axis.high else None
    lines = [(axis.place(at), _short(show(at))) for at in axis.lines]
    return Panel(name, lines, None if even is None else axis.place(even))


def _dot(one: Estimate, axis: Axis, show: Format) -> Dot:
    if one.value is None:
        return Dot(NONE, "", f"{one.missing:,} missing" if one.missing else "no data", "none")
    at = axis.place(one.value)
    low, high = (at if end is None else axis.place(end) for end in (one.low, one.high))
    return Dot(show(one.value), bounds(one, show), rests(one), "few" if few(one) else "", at, low, high)


def _short(text: str) -> str:
    """A number on an axis, without decimals that say nothing."""
    number, space, unit = text.partition("\u202f")
    return (number.rstrip("0").rstrip(".") if "." in number else number) + space + unit

"""Points: several means on one line from end to end of a scale, each with its interval, and a word on each row."""

from __future__ import annotations

from typing import NamedTuple

from asker.report.axis import Axis
from asker.report.cells import NONE, bounds, number, rests
from asker.types import Estimate, Table

SHAPES = ("one", "two", "three", "four")  # of the columns, in turn; told apart by form, not by colour alone


class Point(NamedTuple):
    """One mean: in words, and where it stands in per cent of the line."""

    name: str
    shape: str
    value: str
    bounds: str
    rests: str
    at: float | None
    low: float
    width: float


class PointRow(NamedTuple):
    name: str
    points: list[Point]
    word: str


class Points(NamedTuple):
    id: str
    title: str
    note: str
    columns: list[tuple[str, str]]  # name and shape
    rows: list[PointRow]
    ticks: list[tuple[float, str]]  # place and number
    words: bool


def points_of(tables: tuple[Table, ...]) -> list[Points]:
    """The tables that are drawn so, in the order they come."""
    chosen = [table for table in tables if table.scale == "points"]
    return [_plot(f"points-{place}", table) for place, table in enumerate(chosen, 1)]


def _plot(id: str, table: Table) -> Points:
    shapes = [SHAPES[place % len(SHAPES)] for place in range(len(table.columns))]
    words, axis = table.words or ("",) * len(table.rows), _axis(*table.ends)
    rows = [
        PointRow(name, [_point(*all, axis) for all in zip(table.columns, shapes, line, strict=True)], word)
        for name, line, word in zip(table.rows, table.cells, words, strict=True)
    ]
    columns = list(zip(table.columns, shapes, strict=True))
    ticks = [(axis.place(value), f"{value:g}".replace("-", "−")) for value in axis.lines]
    return Points(id, table.title, table.note, columns, rows, ticks, any(words))


def _point(name: str, shape: str, one: Estimate, axis: Axis) -> Point:
    if one.value is None:
        return Point(name, shape, NONE, "", f"{one.missing:,} missing" if one.missing else "", None, 0.0, 0.0)
    at = axis.place(one.value)
    low, high = (at if bound is None else axis.place(bound) for bound in (one.low, one.high))
    return Point(name, shape, number(one.value), bounds(one, number), rests(one), at, low, round(high - low, 1))


def _axis(low: float, high: float) -> Axis:
    """Lines at the whole numbers of a short scale; of a long one at its ends and middle."""
    whole = high - low == int(high - low) and high - low <= 10
    steps = range(int(high - low) + 1)
    return Axis(low, high, tuple(low + step for step in steps) if whole else (low, (low + high) / 2, high))

"""Points: several means on one line from end to end of a scale, each with its interval, and a word on each row."""

from __future__ import annotations

from typing import NamedTuple

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
    words = table.words or ("",) * len(table.rows)
    rows = [
        PointRow(name, [_point(*all, table.ends) for all in zip(table.columns, shapes, line, strict=True)], word)
        for name, line, word in zip(table.rows, table.cells, words, strict=True)
    ]
    columns = list(zip(table.columns, shapes, strict=True))
    return Points(id, table.title, table.note, columns, rows, _ticks(table.ends), any(words))


def _point(name: str, shape: str, one: Estimate, ends: tuple[float, float]) -> Point:
    if one.value is None:
        return Point(name, shape, NONE, "", f"{one.missing:,} missing" if one.missing else "", None, 0.0, 0.0)
    at = _place(one.value, ends)
    low, high = (at if bound is None else _place(bound, ends) for bound in (one.low, one.high))
    return Point(name, shape, number(one.value), bounds(one, number), rests(one), at, low, round(high - low, 1))


def _place(value: float, ends: tuple[float, float]) -> float:
    share = (value - ends[0]) / (ends[1] - ends[0])
    return round(100 * min(1.0, max(0.0, share)), 1)


def _ticks(ends: tuple[float, float]) -> list[tuple[float, str]]:
    """The whole numbers of a short scale; of a long one its ends and middle."""
    low, high = ends
    whole = high - low == int(high - low) and high - low <= 10
    values = [low + step for step in range(int(high - low) + 1)] if whole else [low, (low + high) / 2, high]
    return [(_place(value, ends), f"{value:g}".replace("-", "−")) for value in values]

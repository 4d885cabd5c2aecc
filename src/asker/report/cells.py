"""Tables as a template can draw them: every number already put in words, every mark already placed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from asker.report.axis import axis_of
from asker.report.heat import FEW, STEPS, Heat, few, weight
from asker.types import NOTHING, Estimate, Table

NONE = "–"
OVERALL = "overall"
RATES = ("rate", "refused", "share", "accuracy")  # a column so called holds shares of 1, unless it says "× 100"
CHANCE = 0.05  # above it a difference may well be chance
WIDE = 9  # maps of more columns take the whole width
THIN, FIRM = "\u202f", "\u00a0"  # spaces at which no line breaks
Format = Callable[[float], str]


class Mark(NamedTuple):
    """Where a value and its interval stand on a line, in per cent of its length."""

    at: float
    low: float
    width: float
    zero: float  # 0 too, as not every line begins there


class Cell(NamedTuple):
    """One number, its interval, and what it rests on."""

    value: str
    bounds: str
    rests: str
    css: str
    title: str = ""
    mark: Mark | None = None
    evidence: str = ""  # the id under which its answers stand
    only: str = ""  # if only some of these: of which column


class Row(NamedTuple):
    name: str
    cells: list[Cell]
    css: str


class Column(NamedTuple):
    name: str
    css: str
    range: str = ""  # what the line of its marks spans


class Legend(NamedTuple):
    """The ramp, with the words at its ends and in the middle, and which other marks there are."""

    steps: list[str]
    low: str
    middle: str
    high: str
    few: bool
    faint: bool
    sure: bool
    empty: bool


class View(NamedTuple):
    """A table, ready to be drawn."""

    id: str
    title: str
    note: str
    columns: list[Column]
    rows: list[Row]
    legend: Legend | None = None
    css: str = ""


Find = Callable[[Table, str, str], tuple[str, str]]
"""Where the answers behind a cell stand."""


# --- numbers in words ------------------------------------------------------------------------------------------------


def percent(value: float) -> str:
    """For dense maps. What is not nothing is not called 0 %, and what is not all is not called 100 %."""
    value = _share(value)
    if 0 < value < 0.005:
        return f"<{THIN}1{THIN}%"
    if 0.995 <= value < 1:
        return f">{THIN}99{THIN}%"
    return f"{100 * value:.0f}{THIN}%"


def percent_1(value: float) -> str:
    return f"{100 * _share(value):.1f}{THIN}%"


def _share(value: float) -> float:
    """Corrected rates may come out below 0 or above 1. They are kept so, and shown as the nearest rate there can be."""
    return min(1.0, max(0.0, value))


def number(value: float) -> str:
    return _minus(f"{value:.2f}")


def fine_number(value: float) -> str:
    return _minus(f"{value:.3f}")


def number_for(cells: Iterable[Estimate]) -> Format:
    """Two decimals, or three where all is so small that two would show little but zeros."""
    return fine_number if all(abs(end) < 0.1 for end in ends(cells)) else number


def signed(value: float) -> str:
    return _minus(f"{value:+.2f}")


def _minus(text: str) -> str:
    """A real minus sign, and none before a zero."""
    return text.lstrip("+-") if not text.strip("+-0.") else text.replace("-", "−")


def bounds(one: Estimate, show: Format) -> str:
    if one.value is None or one.low is None or one.high is None:
        return ""
    low, high = show(one.low).removesuffix(f"{THIN}%"), show(one.high).removesuffix(f"{THIN}%")
    return f"[{low}, {high}]"


def rests(one: Estimate) -> str:
    """ "n 1,200, 3 missing"."""
    if one.value is not None and not one.n:
        return "" if one.low is None else f"n{FIRM}not{FIRM}known"  # a printed figure has neither; its table says so
    return f"n{FIRM}{one.n:,}" + (f", {one.missing:,}{FIRM}missing" if one.missing else "")


# --- heat maps -------------------------------------------------------------------------------------------------------


def map_view(id: str, table: Table, heat: Heat, find: Find = lambda *_: ("", "")) -> View:
    show = signed if table.scale == "signed" else percent

    def cell(row: str, column: str, one: Estimate) -> Cell:
        place, only = find(table, row, column)
        return _map_cell(row, column, one, show, heat)._replace(evidence=place if one.n else "", only=only)

    rows = [
        Row(name, [cell(name, *both) for both in zip(table.columns, line, strict=True)], _overall(name))
        for name, line in zip(table.rows, table.cells, strict=True)
    ]
    columns = [Column(name, _overall(name)) for name in table.columns]
    css = "wide" if len(columns) > WIDE else ""
    return View(id, table.title, table.note, columns, rows, _legend(table, heat, show), css)


def _map_cell(row: str, column: str, one: Estimate, show: Format, heat: Heat) -> Cell:
    edge = _overall(column)
    if one.value is None:
        itself = _itself(row, column, one)
        title = f"{row}, {column}: no data" + (f", {one.missing:,} missing" if one.missing else "")
        return Cell("" if itself else NONE, "", "", f"{'self' if itself else 'none'} {edge}", "" if itself else title)
    value, interval = show(one.value), bounds(one, show)
    css = f"{heat.css(one.value)} {weight(one)} {edge}"
    return Cell(value, interval, rests(one), css, f"{row}, {column}: {value} {interval}, {rests(one)}{_tested(one)}")


def _tested(one: Estimate) -> str:
    """ "; beyond chance" or why the cell is faint."""
    if few(one):
        return f"; faint: fewer than {FEW} answers"
    if one.chance is None:
        return ""
    chance = "below 0.001" if one.chance < 0.001 else f"{one.chance:.3f}" if one.chance < 0.01 else f"{one.chance:.2f}"
    if one.survives:
        return f"; differs beyond chance (corrected chance {chance})"
    why = "differs by too little to matter" if one.chance <= CHANCE else "not different beyond chance"
    return f"; faint: {why} (corrected chance {chance})"


def _itself(row: str, column: str, one: Estimate) -> bool:
    """A group against itself: there was nothing to ask, so nothing is missing."""
    return row == column != OVERALL and one == NOTHING


def ends(cells: Iterable[Estimate]) -> list[float]:
    """All values and bounds there are."""
    return [end for cell in cells for end in (cell.value, cell.low, cell.high) if end is not None]


def _overall(name: str) -> str:
    return "overall" if name == OVERALL else ""


def _legend(table: Table, heat: Heat, show: Format) -> Legend:
    cells = [cell for row in table.cells for cell in row]
    even = (heat.low + heat.high) / 2
    middle = f"{show(even) if even else 0} is even" if heat.ramp == "d" else ""
    return Legend(
        steps=[f"{heat.ramp}{step}" for step in range(0, STEPS + 1, 2)],
        low=show(heat.low),
        middle=middle,
        high=show(heat.high),
        few=any(cell.value is not None and few(cell) for cell in cells),
        faint=any(cell.value is not None and cell.survives is False for cell in cells),
        sure=any(cell.survives for cell in cells),
        empty=any(
            cell.value is None and not _itself(row, column, cell)
            for row, line in zip(table.rows, table.cells, strict=True)
            for column, cell in zip(table.columns, line, strict=True)
        ),
    )


# --- tables of figures -----------------------------------------------------------------------------------------------


def figures_view(id: str, table: Table, find: Find = lambda *_: ("", "")) -> View:
    columns = [(name, [row[place] for row in table.cells]) for place, name in enumerate(table.columns)]
    formats = [percent_1 if is_rate(name) else number_for(cells) for name, cells in columns]
    ranges = [_range(cells, is_rate(name)) for name, cells in columns]
    shows = dict(zip(table.columns, zip(formats, ranges, strict=True), strict=True))

    def cell(row: str, column: str, one: Estimate) -> Cell:
        place, only = find(table, row, column) if one.n else ("", "")
        return figure(one, *shows[column])._replace(evidence=place, only=only)

    rows = [
        Row(name, [cell(name, *both) for both in zip(table.columns, line, strict=True)], _overall(name))
        for name, line in zip(table.rows, table.cells, strict=True)
    ]
    heads = [
        Column(name, "", f"{_short(show(low))} to {_short(show(high))}")
        for name, show, (low, high) in zip(table.columns, formats, ranges, strict=True)
    ]
    return View(id, table.title, table.note, heads, rows)


def is_rate(column: str) -> bool:
    return "×" not in column and any(word in column for word in RATES)


def figure(one: Estimate, show: Format, range: tuple[float, float] | None) -> Cell:
    """A number with its interval as text and as a mark."""
    if one.value is None:
        return Cell(NONE, "no data", f"{one.missing:,} missing" if one.missing else "", "none")
    mark = _mark(one, *range) if range else None
    return Cell(show(one.value), bounds(one, show), rests(one), weight(one), mark=mark)


def _mark(one: Estimate, low: float, high: float) -> Mark:
    def place(value: float) -> float:
        return round(100 * min(1.0, max(0.0, (value - low) / (high - low))), 1)

    at = place(one.value or 0.0)
    left, right = (at if bound is None else place(bound) for bound in (one.low, one.high))
    return Mark(at, left, round(right - left, 1), place(0.0))


def _range(cells: Iterable[Estimate], rate: bool) -> tuple[float, float]:
    low, high, _ = axis_of(ends(cells), rate)
    return low, high


def _short(text: str) -> str:
    """A whole number without its decimals."""
    return text.replace(f".0{THIN}%", f"{THIN}%")

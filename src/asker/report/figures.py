"""The page's figures as files: the same tables, colours and order, drawn with Vega-Lite."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from asker.errors import InputError
from asker.report.axis import Axis
from asker.report.cells import Format, is_rate, number_for, percent, percent_1, signed
from asker.report.charts import BLUE, save
from asker.report.dots import axes_of
from asker.report.heat import ANCHORS, Heat, heat_of, weight
from asker.types import Estimate, Table

Spec = dict[str, Any]
SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
INK, SOFT, LINE = "#1c1f23", "#555b63", "#dcdcd6"
FAINT = 0.28  # how much of its colour a faint cell keeps, as on the page
CELL, HIGH, PANEL = 64, 26, 210
PLAIN = {"ticks": False, "domain": False}
NAME: Spec = {"type": "nominal", "title": None}
NUMBER: Spec = {"type": "quantitative", "title": None}


def draw_tables(
    tables: Iterable[Table], folder: Path, endings: Iterable[str], wanted: Iterable[str] = ()
) -> Iterator[Path]:
    """A file for each table and ending; `wanted` are names or patterns, "favour-*" say; none given: all."""
    tables, endings, wanted = list(tables), list(endings), list(wanted)
    chosen = [table for table in tables if not wanted or any(fnmatch(table.name, one) for one in wanted)]
    if not chosen:
        raise InputError(f"no figure is called {', '.join(wanted)}. All: {', '.join(table.name for table in tables)}")
    folder.mkdir(parents=True, exist_ok=True)
    for table in chosen:
        chart = draw(table, [one for one in tables if one.title == table.title])
        for ending in endings:
            yield save(chart, folder / f"{file_name(table)}.{ending}")


def file_name(table: Table) -> str:
    """Its name without what a file system may not like: attributes and categories can be a user's own."""
    return re.sub(r"[^\w.-]+", "-", table.name).strip("-.") or "figure"


def draw(table: Table, same_title: list[Table]) -> Spec:
    """A map, or a plot of dots with intervals, in Vega-Lite; maps of one title share their colours. Written out rather
    than built with Altair, which takes longer to check a plot than the plot takes to draw."""
    chart = _dots(table) if table.scale == "plain" else _map(table, heat_of(same_title))
    title: Spec = {"text": _lines(_title(table)), "subtitle": _lines(table.note), "anchor": "start", "frame": "group"}
    title |= {"subtitleColor": SOFT, "offset": 12}
    return {"$schema": SCHEMA, "title": title, "background": "white", "config": {"view": {"stroke": None}}, **chart}


def _title(table: Table) -> str:
    return f"{table.group.capitalize()}. {table.title}" if table.group else table.title


# --- maps ------------------------------------------------------------------------------------------------------------


def _map(table: Table, heat: Heat) -> Spec:
    show = signed if table.scale == "signed" else percent
    cells = [
        _cell(row, column, one, show)
        for row, line in zip(table.rows, table.cells, strict=True)
        for column, one in zip(table.columns, line, strict=True)
    ]
    heads = {"orient": "top", **PLAIN, "labelAngle": -35, "labelAlign": "left", "labelLimit": 200}
    scale = {"domain": _domain(heat), "range": list(ANCHORS["light"][heat.ramp]), "clamp": True}
    colour = {"field": "value", **NUMBER, "scale": scale, "legend": {"title": None, "format": _format(table)}}
    return {
        "data": {"values": cells},
        "width": CELL * len(table.columns),
        "height": HIGH * len(table.rows),
        "encoding": {
            "x": {"field": "column", **NAME, "sort": list(table.columns), "axis": heads},
            "y": {"field": "row", **NAME, "sort": list(table.rows), "axis": {"labelLimit": 240, **PLAIN}},
        },
        "layer": [
            {
                "transform": [{"filter": "datum.value !== null"}],
                "mark": {"type": "rect", "cornerRadius": 2, "stroke": "white", "strokeWidth": 2},
                "encoding": {"color": colour, "opacity": _if_faint(FAINT)},
            },
            {
                "mark": {"type": "text", "color": INK, "fontSize": 11},
                "encoding": {"text": {"field": "text"}, "opacity": _if_faint(0.75)},
            },
        ],
    }


def _if_faint(opacity: float) -> Spec:
    return {"condition": {"test": "datum.faint", "value": opacity}, "value": 1}


def _cell(row: str, column: str, one: Estimate, show: Format) -> dict[str, Any]:
    text = "" if row == column and one.value is None else "–" if one.value is None else show(one.value)
    return {"row": row, "column": column, "value": one.value, "text": text, "faint": weight(one) == "few", **_rest(one)}


def _rest(one: Estimate) -> dict[str, Any]:
    """Also in the file, for whoever opens an SVG's source: what the number rests on."""
    return {"low": one.low, "high": one.high, "n": one.n, "missing": one.missing}


def _domain(heat: Heat) -> list[float]:
    """A value for each anchor of the ramp."""
    last = len(ANCHORS["light"][heat.ramp]) - 1
    return [heat.low + (heat.high - heat.low) * place / last for place in range(last + 1)]


def _format(table: Table) -> str:
    return "+.2f" if table.scale == "signed" else ".0%"


# --- dots ------------------------------------------------------------------------------------------------------------


def _dots(table: Table) -> Spec:
    """A panel for each column that has any number."""
    columns = [
        (name, axis, [row[place] for row in table.cells])
        for place, (name, axis) in enumerate(zip(table.columns, axes_of(table), strict=True))
    ]
    kept = [one for one in columns if any(cell.value is not None for cell in one[2])] or columns
    return {"spacing": 60, "hconcat": [_panel(table, *one, first=place == 0) for place, one in enumerate(kept)]}


def _panel(table: Table, name: str, axis: Axis, cells: list[Estimate], *, first: bool) -> Spec:
    rate = is_rate(name)
    show = percent_1 if rate else number_for(cells)
    rows = [
        {"row": row, "value": one.value, "text": "–" if one.value is None else show(one.value), **_rest(one)}
        for row, one in zip(table.rows, cells, strict=True)
    ]
    lines = {"values": list(axis.lines), "format": "~%" if rate else "~r", "gridColor": LINE, **PLAIN}
    across = {**NUMBER, "scale": {"domain": [axis.low, axis.high], "clamp": True}, "axis": lines}
    labels = {"labelLimit": 420, "labelPadding": 10, **PLAIN} if first else None
    down = {"y": {"field": "row", **NAME, "sort": list(table.rows), "axis": labels}}
    return {
        "title": {"text": _lines(name, 34), "fontSize": 11, "anchor": "start"},
        "width": PANEL,
        "height": HIGH * len(rows),
        "data": {"values": rows},
        "layer": [
            _held_against(table, across),
            {
                "mark": {"type": "rule", "strokeWidth": 3, "color": BLUE, "opacity": 0.55},
                "encoding": {**down, "x": {"field": "low", **across}, "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "circle", "size": 70, "color": BLUE, "opacity": 1},
                "encoding": {**down, "x": {"field": "value", **across}},
            },
            {
                "mark": {"type": "text", "align": "left", "color": INK, "fontSize": 10},
                "encoding": {**down, "x": {"value": PANEL + 8}, "text": {"field": "text"}},
            },
        ],
    }


def _held_against(table: Table, across: Spec) -> Spec:
    """A dashed line at the value that means nothing: even, or zero."""
    at = table.line if table.line is not None else 0.0
    mark = {"type": "rule", "color": SOFT, "strokeDash": [3, 3]}
    return {"data": {"values": [{"at": at}]}, "mark": mark, "encoding": {"x": {"field": "at", **across}}}


def _lines(text: str, width: int = 110) -> list[str]:
    """Broken between words: Vega does not."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines

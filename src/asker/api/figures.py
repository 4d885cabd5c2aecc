"""Figures that show themselves: as a picture where the extra `figures` is installed, else as a table of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any

from asker.errors import MissingExtra, UnknownName
from asker.types import Estimate, Table

VEGA = "application/vnd.vegalite.v5+json"


class Figure:
    """One figure of the page."""

    def __init__(self, table: Table, kin: list[Table]) -> None:
        self.table, self._kin = table, kin

    @property
    def spec(self) -> dict[str, Any]:
        """In Vega-Lite, with the numbers inside, for any tool that draws it."""
        from asker.report.figures import draw

        return draw(self.table, self._kin)

    @property
    def svg(self) -> str:
        """As a picture."""
        from asker.report.charts import drawn

        return str(drawn(self.spec, "svg"))

    @property
    def html(self) -> str:
        """As a table of numbers with their intervals."""
        cells = zip(self.table.rows, self.table.cells, strict=True)
        named = (
            (f"{row}, {col}", one) for row, line in cells for col, one in zip(self.table.columns, line, strict=True)
        )
        return f"<h4>{escape(self.table.title)}</h4>{rows_html(named)}<p>{escape(self.table.note)}</p>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """What a notebook shows: the picture itself, which needs neither network nor script, and its source."""
        try:
            shown: dict[str, Any] = {"image/svg+xml": self.svg, VEGA: self.spec}
        except MissingExtra:
            shown = {"text/html": self.html}
        return {"text/plain": repr(self), **shown}

    def __repr__(self) -> str:
        return f"<Figure {self.table.name}: {self.table.title}>"


class Figures(Mapping[str, Figure]):
    """The figures of a report by name: audit.figures["by-attribute"]."""

    def __init__(self, tables: Iterable[Table]) -> None:
        self._tables = {table.name: table for table in reversed(tuple(tables))}  # the first of two alike stays
        self._tables = dict(reversed(self._tables.items()))

    def __getitem__(self, name: str) -> Figure:
        if name not in self._tables:
            raise UnknownName("figure", name, self._tables)
        table = self._tables[name]
        return Figure(table, [one for one in self._tables.values() if one.title == table.title])

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def __repr__(self) -> str:
        return f"<Figures: {', '.join(self)}>"


def rows_html(named: Iterable[tuple[str, Estimate]]) -> str:
    """Numbers with their intervals, n and missing, as an HTML table. Names may be a stranger's: they are escaped."""
    lines = [
        f"<tr><td>{escape(name)}</td><td>{_number(one.value)}</td><td>{_number(one.low)}</td>"
        f"<td>{_number(one.high)}</td><td>{one.n:,}</td><td>{one.missing:,}</td></tr>"
        for name, one in named
    ]
    head = "".join(f"<th>{word}</th>" for word in ("", "value", "low", "high", "n", "missing"))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4g}"

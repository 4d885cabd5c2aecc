"""Rows of estimates as a table."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from asker.types import Estimate, Table

Rows = list[tuple[str, list[Estimate]]]


def table(name: str, title: str, columns: Iterable[str], rows: Rows, **more: Any) -> Table:
    cells = tuple(tuple(line) for _, line in rows)
    return Table(name, title, tuple(row for row, _ in rows), tuple(columns), cells, **more)

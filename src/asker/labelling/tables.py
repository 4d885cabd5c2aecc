"""Properties from CSV files for people to annotate, and back as the columns of a data set."""

from __future__ import annotations

import csv
import io
import re
import tempfile
from pathlib import Path

from asker.data.csvfile import Row, read_rows
from asker.data.reading import CATEGORIES, PROPERTY_COLUMNS, SHIPPED
from asker.errors import DataError
from asker.export import harmless
from asker.manual.sheet import NOTICE

MOST, LONGEST = 20_000, 2_000  # rows of a table; characters of a cell
TEXT = "negative_en"
WORDED = ("positive_en", "negative_zh", "positive_zh")  # what people may write besides labels
NAMES = (TEXT, "text", "property", "predicate", "bias")  # columns that may hold the property itself
REVIEW = {"id", "column", "text", "proposal"}  # columns of a review file, which has a row for each cell

Item = tuple[str, dict[str, str]]  # id and cells


def read_table(name: str, content: bytes) -> list[Item]:
    """Each property of a data set, a list or a review file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{name}.csv"
        file.write_bytes(content)
        rows = list(read_rows(file, ()))
    if not rows:
        raise DataError(f"{name}.csv", "holds no rows under its header")
    if len(rows) > MOST:
        raise DataError(f"{name}.csv", f"has {len(rows):,} rows; at most {MOST:,} are taken. Split it")
    items = _reviewed(rows) if set(rows[0].cells) >= REVIEW else _listed(rows)
    ids = [id for id, _ in items]
    twice = next((id for id in ids if ids.count(id) > 1), None) if len(set(ids)) < len(ids) else None
    if twice:
        raise DataError(f"{name}.csv", f"the id '{twice[:60]}' is there twice; each must differ", field="id")
    return items


def shipped() -> list[Item]:
    """The properties of the data set that ships."""
    return _listed(list(read_rows(SHIPPED / "properties.csv", PROPERTY_COLUMNS)))


def _listed(rows: list[Row]) -> list[Item]:
    column = next((one for one in NAMES if one in rows[0].cells), None)
    if column is None:
        raise DataError(rows[0].file.name, f"needs a column with the properties, for example '{TEXT}'", 1)
    return [_item(row, {**_cells(row), TEXT: _cell(row, column)}, column) for row in rows]


def _item(row: Row, cells: dict[str, str], column: str) -> Item:
    if not cells[TEXT]:
        raise row.error(column, "is empty; every row needs one")
    if column != TEXT:
        cells.pop(column, None)
    id = cells.pop("id", "") or f"{row.line}-{re.sub(r'[^a-z0-9]+', '-', cells[TEXT].lower()).strip('-')}"
    for label in filter(None, cells.get("labels", "").split("|")):
        if label not in CATEGORIES:
            raise row.error("labels", f"'{label[:40]}' is not a category. All: {', '.join(CATEGORIES)}")
    return id, cells


def _reviewed(rows: list[Row]) -> list[Item]:
    """A review file has a row for each cell to decide: those of one id are put together, proposals as values."""
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        if row.get("file", "properties.csv") != "properties.csv":
            continue
        cells = found.setdefault(row.need("id"), {})
        cells.setdefault(row.get("from") or TEXT, _cell(row, "text"))
        cells[row.need("column")] = row.get("value") or _cell(row, "proposal")
    for id, cells in found.items():
        if not cells.get(TEXT):
            raise DataError(rows[0].file.name, f"'{id[:60]}' has no text of its property in '{TEXT}'")
    return list(found.items())


def _cells(row: Row) -> dict[str, str]:
    return {name: _cell(row, name) for name in row.cells if name}


def _cell(row: Row, column: str) -> str:
    value = row.get(column)
    if len(value) > LONGEST:
        raise row.error(column, f"has {len(value):,} characters; at most {LONGEST:,} are taken")
    return value[1:] if value.startswith("'") and harmless(value[1:]) == value else value


def write_table(items: list[Item], columns: list[str]) -> bytes:
    """The columns of a data set first, then what else there was; the content notice heads the last column."""
    names = [*PROPERTY_COLUMNS, *(one for one in columns if one not in PROPERTY_COLUMNS)]
    return write_csv([*names, NOTICE], [[id, *(cells.get(name, "") for name in names[1:]), ""] for id, cells in items])


def write_csv(header: list[str], rows: list[list[str]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([[harmless(cell) for cell in row] for row in rows])
    return text.getvalue().encode("utf-8-sig", "replace")

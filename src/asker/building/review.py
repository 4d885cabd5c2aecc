"""Decisions of people: a CSV file with a row for each cell to decide, and the way back into the data set.

A person fills the column `value`: the text itself, or `ok` to take the proposal, or `drop` to leave the whole row of
the data set out.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from asker.data.csvfile import Row, read_rows
from asker.data.reading import CATEGORIES, listed
from asker.data.tables import Bad, table
from asker.errors import DataError, InputError, UnknownName, shown
from asker.export import harmless
from asker.files import written_whole

COLUMNS = ("file", "id", "column", "from", "text", "proposal", "other", "agreement", "by", "value")
FILES = ("groups.csv", "properties.csv")
OK, DROP = "ok", "drop"
LONGEST = 500  # characters of a cell that a person decides
NOTICE = "Content notice: these texts may hurt. Fill 'value': a text, or ok, or drop. You can stop at any time."


class Decision(Struct, frozen=True):
    """One cell of a data set for a person to decide."""

    file: str
    id: str
    column: str
    source: str  # the column that `text` stands in
    text: str
    proposal: str
    other: str = ""
    agreement: float | None = None
    by: str = ""
    value: str = ""


class Merged(Struct, frozen=True):
    """What a review has changed."""

    filled: int
    dropped: int
    left: int  # rows of the review that nobody has filled


def write_review(file: Path, decisions: Iterable[Decision]) -> int:
    """For a spreadsheet: with a mark by which it knows the encoding, and nothing that it would take for a formula."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow([*COLUMNS, NOTICE])
    count = 0
    for one in decisions:
        agreement = "" if one.agreement is None else f"{one.agreement:.2f}"
        cells = (one.source, one.text, one.proposal, one.other, agreement, one.by, one.value)
        writer.writerow([one.file, one.id, one.column, *map(harmless, cells), ""])
        count += 1
    with written_whole(file) as fresh:
        fresh.write_bytes(text.getvalue().encode("utf-8-sig", "replace"))
    return count


def place_of(one: Decision) -> tuple[str, ...]:
    return one.file, one.id, one.column, one.text


def values(file: Path) -> dict[tuple[str, ...], str]:
    """What a person has filled in so far, by place and text, so that writing the review anew loses nothing of it."""
    if not file.is_file():
        return {}
    rows = table(file, ("file", "id", "column", "text", "value"), Bad(skip=True))
    cells = ([plain(row.get(name)) for name in ("file", "id", "column", "text", "value")] for row in rows)
    return {tuple(place): value for *place, value in cells if value}


def merge(folder: Path, review: Path, *, partial: bool = False) -> Merged:
    """Everything the review decides, put into the data set; nothing is written unless all of it fits."""
    sets = {name: Sheet(folder / name) for name in FILES if (folder / name).is_file()}
    if not sets:
        raise InputError(f"no data set in {folder}: it should hold groups.csv and properties.csv")
    seen: dict[tuple[str, str, str], tuple[int, str]] = {}
    left: list[Row] = []
    for row in table(review, ("file", "id", "column", "text", "proposal", "value"), Bad(may_skip=False)):
        if not row.get("value"):
            left.append(row)
            continue
        place = (row.need("file"), row.need("id"), row.need("column"))
        value = _value(row)
        if seen.setdefault(place, (row.line, value))[1] != value:
            raise row.error("value", f"'{value}' contradicts line {seen[place][0]}, which decides the same cell")
        _decide(row, value, _known(row, sets))
    if left and not partial:
        raise _unfilled(left)
    for rows in sets.values():
        rows.write()
    dropped = sum(len(rows.gone) for rows in sets.values())
    return Merged(sum(value != DROP for _, value in seen.values()), dropped, len(left))


def _unfilled(left: Sequence[Row]) -> DataError:
    lines = ", ".join(str(row.line) for row in left[:5]) + (" …" if len(left) > 5 else "")
    how = "Fill them (a text, ok, or drop), or take what is filled with --partial"
    return DataError(left[0].file.name, f"{len(left):,} rows have no value (lines {lines}). {how}")


def _known(row: Row, sets: dict[str, Sheet]) -> Sheet:
    if row.get("file") not in sets:
        raise row.error("file", f"'{row.get('file')}' is not in the data set. All: {', '.join(sets)}")
    return sets[row.get("file")]


def _value(row: Row) -> str:
    value, proposal = (" ".join(plain(row.get(name)).split()) for name in ("value", "proposal"))
    if value.lower() == OK and not proposal:
        raise row.error("value", "is 'ok', but there is no proposal to take; write the text")
    taken = proposal if value.lower() == OK else value
    return DROP if taken.lower() == DROP else _labelled(row, _fit(row, taken))


def _fit(row: Row, value: str) -> str:
    """What may stand in a data set, which people open in spreadsheets too."""
    if len(value) > LONGEST:
        raise row.error("value", f"has {len(value):,} characters; a cell of a data set has at most {LONGEST}")
    if harmless(value) != value:
        raise row.error("value", f"'{shown(value, 40)}' would be a formula in a spreadsheet; begin with a letter")
    if not value.isprintable():
        raise row.error("value", "holds a character that cannot be seen; type it anew")
    return value


def _labelled(row: Row, value: str) -> str:
    if row.get("column") != "labels":
        return value
    for label in listed(value):
        if label not in CATEGORIES:
            raise row.error("value", str(UnknownName("category", label, CATEGORIES)))
    return "|".join(listed(value))


def plain(cell: str) -> str:
    """A cell without the apostrophe that made it harmless."""
    return cell[1:] if cell.startswith("'") and harmless(cell[1:]) == cell else cell


class Sheet:
    """One file of a data set, to be changed and written whole."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.rows = {row.get("id"): dict(row.cells) for row in read_rows(file, ("id",))}
        self.gone: set[str] = set()
        self._changed = False

    def put(self, id: str, column: str, value: str) -> None:
        self.rows[id][column] = value
        self._changed = True

    def drop(self, id: str) -> None:
        self.gone.add(id)
        self._changed = True

    def write(self) -> None:
        if not self._changed:
            return
        kept = [cells for id, cells in self.rows.items() if id not in self.gone]
        columns = list(dict.fromkeys(name for cells in self.rows.values() for name in cells))
        with written_whole(self.file) as fresh, fresh.open("w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, columns, lineterminator="\n", restval="")
            writer.writeheader()
            writer.writerows(kept)


def _decide(row: Row, value: str, sheet: Sheet) -> None:
    id, column, source = row.get("id"), row.get("column"), row.get("from")
    if id not in sheet.rows:
        raise row.error("id", f"'{id}' is not in {sheet.file.name}; was it renamed or dropped since?")
    if column == "id" or not column.replace("_", "").isalnum():
        raise row.error("column", f"'{column}' cannot be decided by a review")
    now = sheet.rows[id].get(source, "") if source else ""
    if source and plain(now).strip() != plain(row.get("text")):
        raise row.error("text", f"'{row.get('text')}' is '{now}' in {sheet.file.name} by now; review it anew")
    sheet.drop(id) if value == DROP else sheet.put(id, column, value)

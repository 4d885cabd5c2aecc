"""Reading a CSV file so that whoever wrote it learns file, line and column of what is wrong."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from asker.errors import DataError, InputError


class Row:
    """One line of the file: cells by column name, and where it stands."""

    __slots__ = ("_cells", "file", "line")

    def __init__(self, file: Path, line: int, cells: dict[str, str]) -> None:
        self.file, self.line, self._cells = file, line, cells

    def get(self, column: str, default: str = "") -> str:
        return self._cells.get(column, default).strip()

    @property
    def cells(self) -> dict[str, str]:
        """As they stand in the file, spaces and all."""
        return self._cells

    def need(self, column: str) -> str:
        value = self.get(column)
        if not value:
            raise self.error(column, "is empty; every row needs one")
        return value

    def error(self, column: str, reason: str) -> DataError:
        return DataError(self.file.name, reason, self.line, column)


def read_rows(
    file: Path, needed: Sequence[str], encoding: str = "utf-8-sig", bad: list[DataError] | None = None
) -> Iterator[Row]:
    """Each row of the file, or a DataError that names the first bad place. With `bad`, rows of too many cells are noted
    there and left out."""
    reader = csv.reader(io.StringIO(_decode(file, encoding), newline=""), strict=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        _check_header(file, header, needed)
        line = reader.line_num + 1
        for cells in reader:
            if len(cells) > len(header) and bad is not None:
                bad.append(_too_many(file, line, header, cells))
            elif any(cell.strip() for cell in cells):
                yield Row(file, line, _by_name(file, line, header, cells))
            line = reader.line_num + 1
    except csv.Error as error:
        raise DataError(file.name, f"this is not CSV: {error}", reader.line_num) from error


def _by_name(file: Path, line: int, header: list[str], cells: list[str]) -> dict[str, str]:
    if len(cells) > len(header):
        raise _too_many(file, line, header, cells)
    return dict(zip(header, cells, strict=False))


def _too_many(file: Path, line: int, header: list[str], cells: list[str]) -> DataError:
    reason = f"has {len(cells)} cells, the header {len(header)}; put quotes around text that holds a comma"
    return DataError(file.name, reason, line)


def _check_header(file: Path, header: list[str], needed: Sequence[str]) -> None:
    for name in needed:
        if name not in header:
            found = ", ".join(header) or "nothing"
            raise DataError(
                file.name, f"the column '{name}' is missing. Needed: {', '.join(needed)}; found: {found}", 1
            )
    twice = next((name for name in header if name and header.count(name) > 1), None)
    if twice:
        raise DataError(file.name, f"the column '{twice}' is there twice", 1)


def _decode(file: Path, encoding: str) -> str:
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror or error}") from error
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        name = encoding.removesuffix("-sig").upper()
        line, column = _locate(raw, error.start)
        value = raw[error.start]
        raise DataError(
            file.name, f"byte 0x{value:02x} is not {name}; save the file as {name}", line, column
        ) from error


def _locate(raw: bytes, position: int) -> tuple[int, str | None]:
    """Line and column name of a byte, good enough to find it in an editor."""
    line, start = raw.count(b"\n", 0, position) + 1, raw.rfind(b"\n", 0, position) + 1
    try:
        return line, _column(raw, start, position)
    except csv.Error:  # no table at all
        return line, None


def _column(raw: bytes, start: int, position: int) -> str | None:
    number = len(next(csv.reader([raw[start:position].decode("latin-1") + "x"]), [])) - 1
    header = next(csv.reader([raw.split(b"\n", 1)[0].decode("latin-1").strip()]), [])
    return header[number].strip() if start and 0 <= number < len(header) else None

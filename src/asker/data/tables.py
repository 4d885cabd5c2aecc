"""Reading tables that other people made: any usual encoding and delimiter, and rows that are broken."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from asker.data.csvfile import Row
from asker.errors import DataError, InputError

DELIMITERS = (",", "\t", ";", "|")
MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))
LONGEST = 10_000_000  # characters of a cell; a post can be long, and the usual limit is 131,072


class Bad:
    """Places that cannot be read. The first ends the work, unless they are to be skipped: then each is noted."""

    def __init__(self, skip: bool = False) -> None:
        self.skip = skip
        self.found: list[DataError] = []

    def note(self, trouble: DataError) -> None:
        if not self.skip:
            reason = f"{trouble.reason}. Mend it, or go on without what is broken: --skip-bad"
            raise DataError(trouble.file, reason, trouble.line, trouble.field) from trouble
        self.found.append(trouble)


def table(file: Path, needed: Sequence[str], bad: Bad) -> Iterator[Row]:
    """Each whole row under a header that has the needed columns. A quote that is never closed costs its line only."""
    lines = _lines(file, bad)
    delimiter, header = _header(file, lines, needed)
    for line, cells in _records(file, lines, delimiter, bad):
        if len(cells) != len(header):
            bad.note(DataError(file.name, f"has {len(cells)} cells, the header {len(header)}", line))
        else:
            yield Row(file, line, dict(zip(header, cells, strict=True)))


def content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror or error}") from error


def _lines(file: Path, bad: Bad) -> list[str]:
    """Line by line, so that one bad byte costs one line. A lost line stays as an empty one: the count goes on."""
    raw = content(file)
    encoding = next((name for mark, name in MARKS if raw.startswith(mark)), "utf-8")
    if encoding == "utf-16":
        return _whole(file, raw, encoding).splitlines(keepends=True)
    lines = []
    for number, one in enumerate(raw.removeprefix(b"\xef\xbb\xbf").splitlines(keepends=True), 1):
        try:
            lines.append(one.decode("utf-8"))
        except UnicodeDecodeError as error:
            bad.note(DataError(file.name, f"byte 0x{one[error.start]:02x} is not UTF-8", number))
            lines.append("\n")
    return lines


def _whole(file: Path, raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        raise DataError(file.name, f"this is not {encoding.upper()}; save the file as UTF-8") from error


def _header(file: Path, lines: list[str], needed: Sequence[str]) -> tuple[str, list[str]]:
    """The delimiter under which the first line holds every needed column."""
    first = next((line for line in lines if line.strip()), "")
    heads = {mark: [name.strip() for name in next(csv.reader([first], delimiter=mark), [])] for mark in DELIMITERS}
    for mark, header in sorted(heads.items(), key=lambda one: -len(one[1])):
        if set(needed) <= set(header):
            return mark, header
    best = max(heads.values(), key=lambda header: (len(set(needed) & set(header)), len(header)))
    missing = next(name for name in needed if name not in best)
    found = ", ".join(best) or "nothing"
    raise DataError(file.name, f"the column '{missing}' is missing. Needed: {', '.join(needed)}; found: {found}", 1)


def _records(file: Path, lines: list[str], delimiter: str, bad: Bad) -> Iterator[tuple[int, list[str]]]:
    """Records under the header with the line they begin on. After one that is no CSV we go on with the next line."""
    longest = csv.field_size_limit(LONGEST)  # one for the whole process: others get theirs back
    try:
        yield from _read(file, lines, delimiter, bad)
    finally:
        csv.field_size_limit(longest)


def _read(file: Path, lines: list[str], delimiter: str, bad: Bad) -> Iterator[tuple[int, list[str]]]:
    start = next((number for number, line in enumerate(lines) if line.strip()), 0) + 1
    while start < len(lines):
        reader, before = csv.reader(lines[start:], delimiter=delimiter, strict=True), 0
        try:
            for cells in reader:
                if any(cell.strip() for cell in cells):
                    yield start + before + 1, cells
                before = reader.line_num
            return
        except csv.Error as error:
            bad.note(DataError(file.name, f"this is not CSV: {error}", start + before + 1))
            start += before + 1

"""Reading tables that other people made: any usual encoding and delimiter, and rows that are broken."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from asker.data.csvfile import Row
from asker.errors import DataError, InputError, shown

DELIMITERS = (",", "\t", ";", "|")
MARKS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))
LONGEST = 10_000_000  # characters of a cell; a post can be long, and the usual limit is 131,072


class Bad:
    """Places that cannot be read. The first ends the work, unless they are to be skipped: then each is noted."""

    def __init__(self, skip: bool = False, *, may_skip: bool = True) -> None:
        self.skip, self._may_skip = skip, may_skip
        self.found: list[DataError] = []

    def note(self, trouble: DataError) -> None:
        if not self.skip:
            rest = ". Mend it, or go on without what is broken: --skip-bad" if self._may_skip else ""
            reason = trouble.reason + rest
            raise DataError(trouble.file, reason, trouble.line, trouble.field) from trouble
        self.found.append(trouble)


def table(file: Path, needed: Sequence[str], bad: Bad) -> Iterator[Row]:
    """Each whole row under a header that has the needed columns. A quote that is never closed costs its line only."""
    lines = _lines(file, bad)
    if not any(line.strip() for line in lines):
        raise DataError(file.name, "is empty; a header and rows are expected", 1)
    delimiter, header = _header(file, lines, needed)
    for line, cells in _records(file, lines, delimiter, bad):
        if len(cells) != len(header):
            bad.note(DataError(file.name, f"has {len(cells)} cells, the header {len(header)}", line))
        elif any("\0" in cell for cell in cells):
            bad.note(DataError(file.name, "holds a NUL byte, which no text has", line))
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
    if encoding == "utf-8" and raw[:200].count(0) > len(raw[:200]) // 3:
        raise DataError(file.name, "looks like UTF-16 without its mark; save the file as UTF-8", 1)
    if encoding == "utf-16":
        return _without_hint(_whole(file, raw, encoding).splitlines(keepends=True))
    lines = []
    for number, one in enumerate(raw.removeprefix(b"\xef\xbb\xbf").splitlines(keepends=True), 1):
        try:
            lines.append(one.decode("utf-8"))
        except UnicodeDecodeError as error:
            reason = f"byte 0x{one[error.start]:02x} is not UTF-8; save the file as UTF-8"
            bad.note(DataError(file.name, reason, number))
            lines.append("\n")
    return _without_hint(lines)


def _without_hint(lines: list[str]) -> list[str]:
    """Spreadsheets write "sep=;" above the header, to tell the delimiter; we find it by the columns."""
    return ["\n", *lines[1:]] if lines and re.fullmatch(r"sep=.?\s*", lines[0], re.IGNORECASE) else lines


def _whole(file: Path, raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        raise DataError(file.name, f"this is not {encoding.upper()}; save the file as UTF-8") from error


def _header(file: Path, lines: list[str], needed: Sequence[str]) -> tuple[str, list[str]]:
    """The delimiter under which the first line holds every needed column."""
    first = next((line for line in lines if line.strip()), "")
    heads = _heads(file, first)
    for mark, header in sorted(heads.items(), key=lambda one: -len(one[1])):
        if set(needed) <= set(header):
            return mark, _once(file, header)
    best = max(heads.values(), key=lambda header: (len(set(needed) & set(header)), len(header)))
    missing = next(name for name in needed if name not in best)
    found = shown(", ".join(best) or "nothing", 200)
    marks = " Columns are parted by comma, tab, semicolon or bar" if len(best) == 1 else ""
    raise DataError(
        file.name,
        f"the column '{missing}' is missing. Needed: {', '.join(needed)}; found: {found}.{marks}".rstrip("."),
        1,
    )


def _heads(file: Path, first: str) -> dict[str, list[str]]:
    """The names of the columns by delimiter; what one delimiter makes too long a name of may be many under another."""
    heads, reason = {}, ""
    for mark in DELIMITERS:
        try:
            heads[mark] = [name.strip() for name in next(csv.reader([first], delimiter=mark), [])]
        except csv.Error as error:
            reason = f"the header is not CSV: {error}; this line should name the columns"
    if not heads:
        raise DataError(file.name, reason, 1)
    return heads


def _once(file: Path, header: list[str]) -> list[str]:
    twice = next((name for name in header if name and header.count(name) > 1), None)
    if twice:
        raise DataError(file.name, f"the column '{twice}' is there twice", 1)
    return header


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

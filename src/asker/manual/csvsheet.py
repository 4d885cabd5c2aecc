"""Sheets as CSV: written so that Excel shows Chinese, read as any spreadsheet may have saved them."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from asker.errors import DataError
from asker.export import harmless
from asker.manual.sheet import (
    CELL,
    COLUMNS,
    LONGEST,
    NOTICE,
    NOTICE_ZH,
    TITLES,
    Ask,
    Cells,
    Line,
    header_of,
    lines,
    no_header,
)

DELIMITERS = (",", ";", "\t")
SAVE_AS = "save it as 'CSV UTF-8' or as .xlsx"


def write(rows: Sequence[Ask], file: Path) -> None:
    """The notice is the header of a last, empty column: at the top for people, and no obstacle for programs."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow([*COLUMNS, NOTICE + (f" {NOTICE_ZH}" if any(row.language == "zh" for row in rows) else "")])
    for row in rows:
        answer = row.answer if len(row.answer) < CELL else ""  # cut short by a spreadsheet, it would look like another
        writer.writerow([row.key, row.sample, row.language, harmless(row.question), harmless(answer), "", ""])
    file.write_bytes(text.getvalue().encode("utf-8-sig", "replace"))


def read(file: Path, raw: bytes) -> list[Line]:
    text = decode(file, raw)
    for delimiter in DELIMITERS:
        if any(header_of(cells) for cells in _first(text, delimiter)):
            return list(lines(file, _rows(file, text, delimiter), strict=True))
    raise no_header(file)


def decode(file: Path, raw: bytes) -> str:
    """UTF-8 or UTF-16, with or without a mark, or GBK. A Western code page is refused: its apostrophes would turn
    into Chinese characters unnoticed."""
    for mark, name in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\0", "utf-16-be")):
        if raw.startswith(mark):
            return _strict(file, raw, name)
    if raw[1:2] == b"\0":
        return _strict(file, raw, "utf-16-le")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = _strict(file, raw, "gb18030")
    if not _looks_chinese(text):
        raise DataError(file, f"is not in UTF-8, UTF-16 or GBK; {SAVE_AS}")
    return text


def _strict(file: Path, raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DataError(file, f"is not in UTF-8, UTF-16 or GBK; {SAVE_AS}", line) from error


def _looks_chinese(text: str) -> bool:
    """Chinese stands in runs; what a Western apostrophe becomes stands alone between letters."""
    runs = [len(run) for run in re.findall(r"[^\x00-\x7f]+", text)]
    return sum(run for run in runs if run > 1) > sum(runs) / 2


def _first(text: str, delimiter: str) -> list[list[str]]:
    found: list[list[str]] = []
    with suppress(csv.Error):  # what comes before an error may hold the header; the error itself is told by _rows
        found.extend(islice(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), TITLES))
    return found


def _rows(file: Path, text: str, delimiter: str) -> Iterator[Cells]:
    """Strict, so that a quote that was never closed is told and does not swallow the answers below it."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for cells in reader:
            yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        if "field limit" in str(error):
            raise DataError(file, f"a cell has more than the {LONGEST:,} characters that are taken", line) from error
        raise DataError(file, f"this is not CSV: {error}", line) from error

"""Sheets as Excel workbooks: wide wrapped questions, marked cells for the answers, everything plain text."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from asker.errors import DataError, MissingExtra
from asker.manual.sheet import (
    CELL,
    COLUMNS,
    LARGEST,
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

WIDTHS = (5, 8, 10, 60, 80, 25)  # the key is for us: narrow and grey
COLUMNS_READ = 100
ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
# XML cannot hold these; Excel writes _x0000_ for them, and _x005F_ for an underscore that would begin such a sign.
ILLEGAL = re.compile(r"[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
HOW = (
    "Ask each question in a new conversation, and paste the whole answer into the yellow cell.",
    "Leave the cell empty where you have not asked yet. Write whatever else there is to say under 'note'.",
    "Do not change key, sample and question. To sort, use the arrows in the header, so that rows stay together.",
    "每个问题都请在新的对话中提问，并把完整回答粘贴到黄色单元格中；还没有问的请留空。",
)


def write(rows: Sequence[Ask], file: Path) -> None:
    book = _openpyxl().Workbook()
    page = book.active
    page.title = "questions"
    _head(page, len(rows))
    for number, row in enumerate(rows, 3):
        for column, text in enumerate((row.key, str(row.sample), row.language, row.question, row.answer, ""), 1):
            _put(page.cell(number, column), text)
    _dress(page)
    about = book.create_sheet("content notice")
    about.column_dimensions["A"].width = 120
    for number, text in enumerate((NOTICE, NOTICE_ZH, *HOW), 1):
        _put(about.cell(number, 1), text)
    book.save(file)


def _head(page: Any, count: int) -> None:
    _put(page.cell(1, 1), f"{NOTICE}\n{NOTICE_ZH}")
    page.merge_cells(start_row=1, end_row=1, start_column=1, end_column=len(COLUMNS))
    page.row_dimensions[1].height = 50
    for column, name in enumerate(COLUMNS, 1):
        _put(page.cell(2, column), name)
    page.freeze_panes = "A3"
    page.auto_filter.ref = f"A2:F{count + 2}"  # sorting by it keeps a row's cells together


def _put(cell: Any, text: str) -> None:
    """As text, whatever it begins with."""
    escaped = ILLEGAL.sub(lambda found: f"_x{ord(found[0]):04X}_", text)
    if 0 < len(escaped) <= CELL:  # cut short, an answer would look like another one
        cell.value = escaped
        cell.data_type = "s"
    cell.number_format = "@"


def _dress(page: Any) -> None:
    from openpyxl.styles import Alignment, Font, PatternFill

    top, wrapped = Alignment(vertical="top"), Alignment(vertical="top", wrap_text=True)
    bold, grey, yellow = Font(bold=True), Font(color="999999"), PatternFill("solid", fgColor="FFF8DC")
    for letter, width in zip("ABCDEF", WIDTHS, strict=True):
        page.column_dimensions[letter].width = width
        page.column_dimensions[letter].number_format = "@"
    for cells in page.iter_rows(min_row=1):
        for column, cell in enumerate(cells):
            cell.alignment = top if column == 0 and cell.row > 2 else wrapped
            if cell.row <= 2:
                cell.font = bold
            elif column == 0:
                cell.font = grey
            elif column == 4:
                cell.fill = yellow


def read(file: Path, raw: bytes) -> list[Line]:
    """The rows of every page that has a header."""
    found: list[Line] = []
    pages = 0
    for rows in _pages(file, raw):
        if any(header_of(cells) for _, cells in rows[:TITLES]):
            pages += 1
            found.extend(lines(file, rows, strict=False))
    if not pages:
        raise no_header(file)
    return found


def _pages(file: Path, raw: bytes) -> Iterator[list[Cells]]:
    openpyxl = _openpyxl()
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as packed:
            size = sum(part.file_size for part in packed.infolist())
        if size > LARGEST:
            raise DataError(file, f"unpacks to more than {LARGEST // 1_000_000} MB")
        book = openpyxl.load_workbook(io.BytesIO(raw), read_only=True)
        for page in book.worksheets:
            page.reset_dimensions()  # what a file says of its own size need not be true
            rows = page.iter_rows(max_col=COLUMNS_READ, values_only=True)
            yield [(number, _cells(values)) for number, values in enumerate(rows, 1)]
    except DataError:
        raise
    except Exception as error:  # a damaged or hostile workbook fails in as many ways as the library has lines
        raise DataError(file, f"this is not an .xlsx workbook that can be read: {error}") from error


def _cells(values: Sequence[Any]) -> list[str]:
    cells = [_text(value) for value in values]
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _text(value: Any) -> str:
    """What a person sees in the cell; a formula is the text that was typed."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    text = value if isinstance(value, str) else str(getattr(value, "text", value))
    text = ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _openpyxl() -> Any:
    try:
        import openpyxl
    except ModuleNotFoundError as error:
        raise MissingExtra("an .xlsx sheet", "pip install 'asker-audit[xlsx]'; a .csv sheet needs none") from error
    return openpyxl

"""A sheet: a table of questions with empty cells for the answers, as .csv or .xlsx.

People open it, sort it, add columns, save it with another delimiter or encoding, and send it back. Whatever they do,
a row is either understood or refused with its place: no answer is guessed at, and none is dropped in silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from asker.errors import DataError, InputError
from asker.export import harmless
from asker.files import written_whole

COLUMNS = ("key", "sample", "language", "question", "answer", "note")
READ = ("key", "sample", "question", "answer")
LONGEST = 100_000  # characters of an answer; more is a mistake or an attack
CELL = 32_767  # characters that a spreadsheet keeps of a cell
LARGEST = 200_000_000  # bytes of a file, unpacked
TITLES = 20  # rows that may stand above the header
SPOILT = {"#NAME?", "#VALUE!", "#REF!", "#DIV/0!", "#N/A", "#NUM!", "#NULL!", "#SPILL!", "Err:508", "Err:509"}

NOTICE = (
    "Content notice: these questions repeat prejudices about people, to find and mend them in chatbots; answers may be "
    "hurtful. Stop at any time, and talk to someone if it weighs on you. Nothing here is material for insults."
)
NOTICE_ZH = (
    "内容提示：这些问题复述了对人群的偏见，目的是发现并改正聊天机器人的偏见；回答可能伤人。"
    "您可以随时停下，如感不适请与人倾诉。请勿用于侮辱他人。"
)


class Ask(Struct, frozen=True):
    """A row that goes out: the cells under COLUMNS, but for the note."""

    key: str
    sample: int
    language: str
    question: str
    answer: str = ""


class Line(Struct, frozen=True):
    """A row that came back, and where it stands."""

    file: str
    line: int
    key: str = ""
    sample: int = 0
    question: str = ""
    answer: str = ""

    @property
    def place(self) -> str:
        return f"{self.file}, line {self.line}"


Cells = tuple[int, Sequence[str]]  # a row's line, and its cells


def write_sheet(rows: Sequence[Ask], file: Path) -> None:
    """Written beside its place, then moved there."""
    from asker.manual import csvsheet, xlsxsheet

    writers = {".csv": csvsheet.write, ".xlsx": xlsxsheet.write}
    if file.suffix.lower() not in writers:
        raise InputError(f"cannot write {file}: the ending should be one of {', '.join(writers)}")
    with written_whole(file) as fresh:
        file.parent.mkdir(parents=True, exist_ok=True)
        writers[file.suffix.lower()](rows, fresh)


def read_sheet(file: Path) -> list[Line]:
    """Every row of a sheet, filled or not. What the file is shows in its first bytes, whatever it is called."""
    from asker.manual import csvsheet, xlsxsheet

    try:
        if file.stat().st_size > LARGEST:
            raise DataError(file, f"is larger than {LARGEST // 1_000_000} MB")
        raw = file.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror or error}") from error
    if raw.startswith(b"\xd0\xcf\x11\xe0"):
        raise DataError(file, "is in the old Excel format; save it as .xlsx or as CSV")
    return xlsxsheet.read(file, raw) if raw.startswith(b"PK") else csvsheet.read(file, raw)


def header_of(cells: Sequence[str]) -> dict[str, int] | None:
    """Where each column stands, if this row is a header: it names the answer, and the key or the question."""
    names = [name.strip().strip("\ufeff").strip().lower() for name in cells]
    found = {name: names.index(name) for name in READ if name in names}
    return found if "answer" in found and ("key" in found or "question" in found) else None


def lines(file: Path, rows: Iterable[Cells], *, strict: bool) -> Iterator[Line]:
    """The rows below the header as lines. `strict`: a row with more cells than the header is a mistake."""
    header: dict[str, int] | None = None
    width = 0
    for number, cells in rows:
        if header is None:
            header, width = header_of(cells), len(cells)
            _check_twice(file, number, cells if header else ())
        elif header_of(cells) == header:
            continue  # people have put several sheets into one
        elif any(cell.strip() for cell in cells):
            if strict and len(cells) > width:
                reason = f"has {len(cells)} cells, the header {width}; put quotes around text that holds a comma"
                raise DataError(file, reason, number)
            yield _line(file, number, {name: cells[at] for name, at in header.items() if at < len(cells)})


def no_header(file: Path) -> DataError:
    return DataError(file, "is no question sheet: it needs the columns 'answer', and 'key' or 'question'")


def undo(text: str) -> str:
    """A cell without the apostrophe that made it harmless."""
    return text[1:] if text.startswith("'") and harmless(text[1:]) == text else text


def _check_twice(file: Path, number: int, cells: Sequence[str]) -> None:
    names = [name.strip().lower() for name in cells]
    twice = next((name for name in READ if names.count(name) > 1), None)
    if twice:
        raise DataError(file, "is there twice; which one counts?", number, twice)


def _line(file: Path, number: int, cells: dict[str, str]) -> Line:
    answer = cells.get("answer", "")
    if len(answer) > LONGEST:
        raise DataError(file, f"has {len(answer):,} characters, at most {LONGEST:,} are taken", number, "answer")
    if answer.strip() in SPOILT:
        reason = (
            f"'{answer.strip()}' is what a spreadsheet made of the answer; type it again as text, or clear the cell"
        )
        raise DataError(file, reason, number, "answer")
    sample = _sample(file, number, cells.get("sample", ""))
    return Line(str(file), number, cells.get("key", "").strip(), sample, cells.get("question", ""), answer)


def _sample(file: Path, number: int, text: str) -> int:
    plain = text.strip().removesuffix(".0") or "0"
    if not (plain.isascii() and plain.isdecimal() and len(plain) < 10):
        raise DataError(file, f"'{text[:20]}' should be a whole number from 0", number, "sample")
    return int(plain)

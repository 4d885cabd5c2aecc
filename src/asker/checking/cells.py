"""What any cell must be: present, tidy, in the right script, and an id that others can point to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from asker.checking.finding import Finding, error, warning
from asker.data.csvfile import Row
from asker.data.reading import LANGUAGES, POLARITIES, listed

COLUMNS = frozenset(
    ["id", "attribute", "en", "zh", "forms_en", "forms_zh", "core", "part_of", "labels"]
    + [
        f"{side}{part}_{language}"
        for side in POLARITIES
        for part in ("", "_comparative", "_type")
        for language in LANGUAGES
    ]
)
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[A-Za-z]")
_MARKS = re.compile(r"[.,;:!?/()\[\]{}\"“”<>，。；：！？、（）《》…|\u200b-\u200f\ufeff]")


def tidy(rows: Iterable[Row]) -> Iterator[Finding]:
    """No space at an end, none doubled, no line break or control character inside."""
    for row in rows:
        for column, cell in row.cells.items():
            if column not in COLUMNS:  # whatever else a user keeps there
                continue
            if "\n" in cell or "\r" in cell:
                yield error(row, column, "line-break", "the cell runs over a line break", "put it on one line")
            elif any(not c.isprintable() for c in cell):
                yield error(row, column, "control", "the cell holds a character that cannot be seen", "type it anew")
            elif cell != cell.strip():
                yield error(row, column, "spaces", f"'{cell}' has a space at an end", f"write '{cell.strip()}'")
            elif "  " in cell:
                yield error(row, column, "spaces", f"'{cell}' has two spaces together", f"write '{_single(cell)}'")


def columns(rows: Sequence[Row]) -> Iterator[Finding]:
    """Columns that are nearly called like one of ours, and so are not read."""
    for name in rows[0].cells if rows else ():
        near = get_close_matches(name.lower(), COLUMNS, n=1, cutoff=0.8)
        if name not in COLUMNS and near and near[0] not in rows[0].cells:
            yield error(rows[0], name, "column", f"the column '{name}' is not read", f"call it '{near[0]}' in line 1")


def _single(cell: str) -> str:
    return " ".join(cell.split())


def identified(rows: Sequence[Row]) -> Iterator[Finding]:
    """An id on every row, written alike, and each only once."""
    first: dict[str, int] = {}
    for row in rows:
        id = row.get("id")
        if not id:
            yield error(row, "id", "empty", "the id is empty", "give the row a name of its own, such as 'old-people'")
        elif id in first:
            problem = f"the id '{id}' stands in line {first[id]} too"
            yield error(row, "id", "id-twice", problem, "give it another", first[id])
        elif not _ID.fullmatch(id):
            better = re.sub(r"[^a-z0-9]+", "-", id.lower()).strip("-")
            wish = f"write '{better}'" if better else "use small letters, digits and hyphens"
            yield warning(row, "id", "id-form", f"the id '{id}' is hard to type", wish)
        first.setdefault(id, row.line)


def present(rows: Sequence[Row], columns: Iterable[str], language: str) -> Iterator[Finding]:
    """Cells of a language that some rows fill and others leave empty."""
    for column in columns:
        filled = sum(bool(row.get(column)) for row in rows)
        if not filled and language != "en" and rows:
            yield warning(
                rows[0], column, "untranslated", f"no row has a '{column}'", "fill it to ask in that language"
            )
        elif filled < len(rows):
            for row in rows:
                if not row.get(column):
                    yield error(row, column, "empty", f"'{column}' is empty", "fill it; other rows have one")


def in_script(row: Row, column: str, text: str) -> Iterator[Finding]:
    """English in Latin letters, Chinese in simplified characters, and no punctuation in either."""
    language = column[-2:]
    marks = _MARKS.search(text)
    if marks:
        yield error(row, column, "punctuation", f"'{text}' holds '{marks[0]}'", "leave punctuation to the question")
    if language == "en" and _CHINESE.search(text):
        yield error(row, column, "script", f"'{text}' is Chinese in an English column", "move it to its own column")
    if language == "zh":
        yield from _chinese(row, column, text)


def _chinese(row: Row, column: str, text: str) -> Iterator[Finding]:
    if not _CHINESE.search(text):
        yield error(row, column, "script", f"'{text}' is not Chinese", "write it in Chinese characters")
        return
    if " " in text:
        yield error(row, column, "spaces", f"'{text}' has a space", f"write '{text.replace(' ', '')}'")
    if len(_LATIN.findall(text)) > 1:  # X世代 is how it is written
        yield warning(
            row, column, "script", f"'{text}' holds Latin letters", "write it in Chinese if it can be said so"
        )
    odd = "".join(c for c in text if _CHINESE.match(c) and _is_traditional(c))
    if odd:
        yield warning(
            row, column, "traditional", f"'{odd}' in '{text}' is a traditional form", "write the simplified one"
        )


def _is_traditional(character: str) -> bool:
    """In Big5 but not in GB 2312: written otherwise since the reform of the script."""
    return _has("big5", character) and not _has("gb2312", character)


def _has(encoding: str, character: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def forms(row: Row) -> Iterator[Finding]:
    """Other words for a group: none empty, none that repeats the name, each in its script."""
    for language in LANGUAGES:
        column, name = f"forms_{language}", row.get(language)
        parts = [part.strip() for part in row.get(column).split("|")] if row.get(column) else []
        if "" in parts or len(parts) != len(listed(row.get(column))):
            yield error(row, column, "forms", "a form is empty or there twice", "write each once, with | between")
        for part in parts:
            if part.casefold() == name.casefold():
                yield error(row, column, "forms", f"'{part}' repeats the group's name", "leave it out")
            elif part and (language == "zh") != bool(_CHINESE.search(part)):
                yield warning(row, column, "script", f"'{part}' is in another language", "move it to its own column")
        if not parts and name:
            yield warning(row, column, "forms", f"'{name}' has no other forms", "add those an answer may use")

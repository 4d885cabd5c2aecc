"""Answers come back: filled sheets are joined with the plan, and what is new is stored.

All files are read and checked before anything is written. What is in the store is never replaced.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from asker.errors import StoreError
from asker.export import harmless
from asker.manual.sheet import Line, read_sheet, undo
from asker.plan import content_key
from asker.types import Answer, Plan, Question

if TYPE_CHECKING:
    from asker.folder import Run

# A key of digits with an e among them: a spreadsheet takes it for a number and writes another.
NUMBER = re.compile(r"[\d.,]+(e[+-]?\d+)?|inf", re.IGNORECASE)

NOT_ASKED = "the run does not ask this"


class Conflict(Struct, frozen=True):
    """Another answer to a question that has one. The one that was first is kept."""

    place: str
    question: str
    kept: str
    kept_from: str
    given: str


class Unknown(Struct, frozen=True):
    """An answer whose question cannot be told."""

    place: str
    reason: str
    answer: str


class Joined(Struct):
    """What became of each filled row."""

    taken: dict[tuple[int, int], tuple[Question, Line]] = {}  # by question and sample
    repeats: int = 0
    empty: int = 0
    conflicts: list[Conflict] = []
    unknown: list[Unknown] = []


def take(run: Run, files: Sequence[Path]) -> Joined:
    """Read all files, then store what is new. The caller holds the run's lock."""
    run.check_whole()
    joined = join(run, [line for file in files for line in read_sheet(file)])
    _keep(run, files)
    if joined.taken:
        store(run, joined)
    return joined


def join(run: Run, lines: Iterable[Line], known: tuple[Found, Found] | None = None) -> Joined:
    """Each filled row with its question: by key, or by the question's text where there is no key. `known`: the
    questions by both, where they have been looked up."""
    joined, filled = Joined(), []
    for line in lines:
        if line.answer.strip():
            filled.append(line)
        else:
            joined.empty += 1
    by_key, by_text = known or find(run.plan, filled)
    for line in filled:
        found = _questions(line, by_key, by_text)
        if line.sample >= run.settings.samples:
            found = f"sample {line.sample} is not asked for: there are {run.settings.samples}, counted from 0"
        if isinstance(found, str):
            joined.unknown.append(Unknown(line.place, found, line.answer))
        else:
            _place(run, joined, found, line)
    return joined


Found = dict[str, list[Question]]  # two properties may be worded alike: then a question stands in the plan twice


def find(plan: Plan, lines: Sequence[Line]) -> tuple[Found, Found]:
    """The questions that these rows name, by key and by text."""
    keys = {line.key for line in lines} - {""}
    texts = {plain(line.question) for line in lines if _spoilt(line.key)} - {""}
    by_key: Found = {}
    by_text: Found = {}
    for row in plan.rows() if lines else ():
        for question in plan.questions(row):
            key, text = content_key(question), plain(question.prompt) if texts else ""
            if key in keys:
                by_key.setdefault(key, []).append(question)
            if text in texts:
                by_text.setdefault(text, []).append(question)
    return by_key, by_text


def plain(text: str) -> str:
    """A question as it can be compared, whatever a spreadsheet did to its white space."""
    return " ".join(undo(text).split())


def same(stored: str, given: str) -> bool:
    """Whether two answers say the same, whatever a spreadsheet did to their line ends, and what export did."""
    return _ends(given) in (_ends(stored), _ends(str(harmless(stored))))


def _ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _spoilt(key: str) -> bool:
    return not key or bool(NUMBER.fullmatch(key))


def _questions(line: Line, by_key: Found, by_text: Found) -> list[Question] | str:
    """The question a row answers, wherever it stands in the plan, or why that cannot be told."""
    text, found = plain(line.question), by_key.get(line.key, [])
    if not found and _spoilt(line.key) and text:
        found = by_text.get(text, [])
        ways = len({content_key(question) for question in found})
        return found if ways == 1 else f"the run asks this in {ways} ways; a key is needed" if ways else NOT_ASKED
    if not found:
        return (
            f"the run has no question with the key '{line.key[:30]}'" if line.key else "it has neither key nor question"
        )
    if text and text != plain(found[0].prompt):
        # Sorted without its key, or spoilt by an encoding. The person answered what stood there, so this is not ours.
        return f"key and question do not belong together: the key's question is '{found[0].prompt}'"
    return found


def _place(run: Run, joined: Joined, questions: list[Question], line: Line) -> None:
    """New, the same again, or in conflict with the store or an earlier row."""
    at = (questions[0].id, line.sample)
    kept, kept_from = _stored(run, *at), "the run"
    if at in joined.taken:
        first = joined.taken[at][1]
        kept, kept_from = first.answer, first.place
    if kept is None:
        joined.taken |= {(question.id, line.sample): (question, line) for question in questions}
    elif same(kept, line.answer):
        joined.repeats += 1
    else:
        joined.conflicts.append(Conflict(line.place, questions[0].prompt, kept, kept_from, line.answer))


def _stored(run: Run, question: int, sample: int) -> str | None:
    """A question that was asked and failed has no answer."""
    return next((one.text for one in run.store.answers([question]) if one.sample == sample), None)


def imported(run: Run, file: Path) -> bool:
    """Whether this sheet, as it is, was read before."""
    return _copy(run, file, file.read_bytes()).exists()


def _copy(run: Run, file: Path, raw: bytes) -> Path:
    return run.folder / "sheets" / f"{blake2b(raw, digest_size=8).hexdigest()}-{file.name}"


def _keep(run: Run, files: Sequence[Path]) -> None:
    """A copy of each sheet as it came: its notes, and answers that were in conflict, stay with the run."""
    for file in files:
        raw = file.read_bytes()
        copy = _copy(run, file, raw)
        fresh = copy.with_name(f".{copy.name}.new")
        try:
            copy.parent.mkdir(exist_ok=True)
            fresh.write_bytes(raw)
            fresh.replace(copy)
        except OSError as error:
            raise StoreError(f"cannot write to {copy.parent}: {error.strerror or error}") from error


def store(run: Run, joined: Joined) -> None:
    now = time.time()  # when it was asked, nobody wrote down
    run.store.begin()
    how = "unusable"
    try:
        for question, line in joined.taken.values():
            key = content_key(question)
            run.store.add(Answer(question.id, line.sample, key, question.prompt, line.answer, asked_at=now))
        how = "complete"
    finally:
        run.store.end(how)

"""Answers pasted wrongly, put right by the person who pasted them. Nothing is lost: what was there before is kept.

A correction is on disk at once, as an answer is, with the answer it corrects; it goes into the run by the same way.
An answer that people have been drawn to label is not changed under their eyes. Of several that wait, the last counts.
"""

from __future__ import annotations

from msgspec import Struct

from asker.errors import InputError
from asker.folder import Run
from asker.labelling.asking import check_answer, is_drawn, places, question_at, settle
from asker.labelling.database import Database, now
from asker.types import Question


class Given(Struct, frozen=True):
    """An answer that someone pasted, and how it came to be."""

    id: int
    key: str
    sample: int
    person: str
    answer: str
    at: float
    corrects: int | None  # the one whose place it took


MOST_OLDER = 20  # earlier texts of an answer that are shown
FIELDS = "id, key, sample, person, answer, at, corrects"


def own(db: Database, id: int, person: str) -> Given:
    """An answer of this person that stands."""
    found = db.one(f"SELECT {FIELDS} FROM given WHERE id = ? AND person = ? AND became = 'taken'", id, person)
    if found is None:
        raise InputError("that is no answer of yours that stands; only who pasted an answer can correct it")
    return Given(*found)


def one_before(db: Database, person: str, id: int | None = None) -> int | None:
    """What this person pasted last and still stands, or before this one."""
    until = 2**62 if id is None else id
    found = db.one("SELECT max(id) FROM given WHERE person = ? AND became = 'taken' AND id < ?", person, until)
    return int(found[0]) if found and found[0] is not None else None


def question_of(run: Run, given: Given) -> Question:
    return question_at(run.plan, places(run.plan)[given.key][0])


def history(db: Database, key: str, sample: int) -> list[Given]:
    """What stood as the answer to this question before, the latest first, and of those the first few."""
    wanted = f"key = ? AND sample = ? AND became = 'corrected' ORDER BY id DESC LIMIT {MOST_OLDER}"
    return [Given(*row) for row in db.all(f"SELECT {FIELDS} FROM given WHERE {wanted}", key, sample)]


def correct(run: Run, db: Database, person: str, id: int, answer: str) -> str:
    """Put another text in its place; what became of it: taken, repeat, conflict, or waiting for the run's lock."""
    text = check_answer(answer)
    with db.writing():
        old = own(db, id, person)
        if is_drawn(run.plan, db, old.key, old.sample):
            raise InputError("people were drawn to label this answer, so it can no longer be changed")
        db.do("UPDATE given SET became = 'replaced' WHERE corrects = ? AND became IS NULL", old.id)
        if text == old.answer:
            return "repeat"
        values = (old.key, old.sample, person, text, now(), old.id)
        db.do("INSERT INTO given (key, sample, person, answer, at, corrects) VALUES (?, ?, ?, ?, ?, ?)", *values)
        (number,) = db.one("SELECT last_insert_rowid()")
    settle(run, db)
    return str(db.one("SELECT became FROM given WHERE id = ?", number)[0] or "waiting")


def undo(run: Run, db: Database, person: str, id: int) -> str:
    """What stood before the last correction stands again; that is a correction too, and can be undone."""
    before = db.one("SELECT answer FROM given WHERE id = ?", own(db, id, person).corrects)
    if before is None:
        raise InputError("this answer was never corrected; there is nothing to take back")
    return correct(run, db, person, id, before[0])

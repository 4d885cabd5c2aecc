"""One question at a time of a run that is asked by hand, for any number of people at once.

What someone pastes is on disk before they are told so, in the run's people.sqlite. From there it goes into the run by
the same way as a filled sheet, under the run's lock; while another process holds that lock – a judge at work, say – it
waits there. Nothing that is in the run is replaced, and the other side of a conflict is kept.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from weakref import WeakKeyDictionary

from msgspec import Struct

from asker.errors import InputError, RunBusy
from asker.files import encodable
from asker.folder import Run, writing
from asker.labelling.database import FILE, RUN, Database, now, opened
from asker.labelling.lending import give_back, lend, lent_now
from asker.manual.answers import Found, Joined, join, store
from asker.manual.questions import to_ask
from asker.manual.sheet import LONGEST, Ask, Line
from asker.plan import content_key
from asker.types import Plan, Question

WHAT = "question"
PATIENCE = 3.0  # seconds to wait for the run's lock; after that an answer waits on disk


class Progress(Struct, frozen=True):
    """How far a run is that is asked by hand."""

    total: int
    answered: int
    lent: int  # questions that someone holds now
    waiting: int  # answers on disk that are not in the run yet
    conflicts: int  # answers to questions that had another one; the first is kept
    uncorrected: int  # corrections that came too late; what stood there stays


@contextmanager
def desk(run: Run) -> Iterator[Database]:
    """Where people's work on this run is kept."""
    if run.file.target.get("kind") != "manual":
        raise InputError(
            "this run asks its chatbot by itself; only runs made by 'asker manual start' are asked by hand"
        )
    with opened(run.folder / FILE, RUN) as db:
        yield db


def next_question(run: Run, db: Database, person: str) -> Ask | None:
    """The question this person holds, or the next that nobody holds; None when nothing is left."""
    settle(run, db)
    asks: dict[str, Ask] = {}

    def wanted(held: dict[str, int]) -> Iterator[str]:
        waiting = {_name(*one) for one in db.all("SELECT key, sample FROM given WHERE became IS NULL")}
        skipped = {_name(*one) for one in db.all("SELECT key, sample FROM skipped WHERE person = ?", person)}
        later = []
        for ask in to_ask(run):
            name = _name(ask.key, ask.sample)
            asks[name] = ask
            if name in skipped:
                later.append(name)
            elif name not in held and name not in waiting:
                yield name
        yield from (name for name in later if name not in held and name not in waiting)

    with db.writing():
        name = lend(db, WHAT, person, wanted)
    return asks[name] if name is not None else None


def give(run: Run, db: Database, person: str, key: str, sample: int, answer: str) -> str:
    """Keep an answer; what became of it: taken, repeat, conflict, unknown, or waiting for the run's lock."""
    text = check_answer(answer)
    if key not in places(run.plan) or not 0 <= sample < run.settings.samples:
        raise InputError("this run does not ask that question")
    with db.writing():
        values = (key, sample, person, text, now())
        db.do("INSERT INTO given (key, sample, person, answer, at) VALUES (?, ?, ?, ?, ?)", *values)
        (number,) = db.one("SELECT last_insert_rowid()")
        give_back(db, WHAT, person)
    settle(run, db)
    became = db.one("SELECT became FROM given WHERE id = ?", number)[0]
    return str(became or "waiting")


def check_answer(answer: str) -> str:
    if not answer.strip():
        raise InputError("there is no answer in the field: paste it, or skip the question")
    if len(answer) > LONGEST:
        raise InputError(f"the answer has {len(answer):,} characters; at most {LONGEST:,} are taken")
    return encodable(answer)


def skip(db: Database, person: str, key: str, sample: int) -> None:
    """Someone else may ask it; this person gets it again when nothing else is left."""
    with db.writing():
        db.do("INSERT OR IGNORE INTO skipped VALUES (?, ?, ?)", key, sample, person)
        give_back(db, WHAT, person)


def leave(db: Database, person: str) -> None:
    with db.writing():
        give_back(db, WHAT, person)


def progress(run: Run, db: Database) -> Progress:
    waiting = int(db.one("SELECT count(*) FROM given WHERE became IS NULL")[0])
    conflicts, uncorrected = (
        int(db.one(f"SELECT count(*) FROM given WHERE became = 'conflict' AND corrects IS {which}")[0])
        for which in ("NULL", "NOT NULL")
    )
    total = run.plan.total * run.settings.samples
    return Progress(total, run.store.counts()["answered"], lent_now(db, WHAT), waiting, conflicts, uncorrected)


def by(db: Database, person: str) -> int:
    """How many answers this person has given."""
    return int(db.one("SELECT count(*) FROM given WHERE person = ? AND corrects IS NULL", person)[0])


# --- into the run ----------------------------------------------------------------------------------------------------


def settle(run: Run, db: Database) -> None:
    """Put what waits into the run, unless another process is writing to it. Done twice, it does nothing more."""
    if not db.one("SELECT 1 FROM given WHERE became IS NULL LIMIT 1"):
        return
    try:
        with _writing_soon(run.folder):
            waiting = "became IS NULL AND corrects IS NULL"
            rows = db.all(f"SELECT id, key, sample, answer FROM given WHERE {waiting} ORDER BY id")
            lines = [Line("web", number, key, sample, "", answer) for number, key, sample, answer in rows]
            joined = join(run, lines, (_found(run.plan, lines), {}))
            if joined.taken:
                store(run, joined)
            with db.writing():
                db.many("UPDATE given SET became = ? WHERE id = ?", _became(joined, lines))
            _settle_corrections(run, db)
    except RunBusy:
        return


def _settle_corrections(run: Run, db: Database) -> None:
    """Each takes the place of the answer it corrects, if that is what still stands in the run."""
    wanted = "FROM given WHERE became IS NULL AND corrects IS NOT NULL"
    known = places(run.plan) if db.one(f"SELECT 1 {wanted} LIMIT 1") else {}
    with db.writing():  # meanwhile nobody replaces a correction, and no sample is drawn
        for id, key, sample, answer, corrects in db.all(
            f"SELECT id, key, sample, answer, corrects {wanted} ORDER BY id"
        ):
            (before,) = db.one("SELECT answer FROM given WHERE id = ?", corrects)
            open_ones = [] if is_drawn(run.plan, db, key, sample) else known[key]
            changed = [run.store.correct(question, sample, (before, answer), now()) for question in open_ones]
            done = bool(changed) and all(changed)
            db.do("UPDATE given SET became = ? WHERE id = ?", "taken" if done else "conflict", id)
            if done:
                db.do("UPDATE given SET became = 'corrected' WHERE id = ?", corrects)


def is_drawn(plan: Plan, db: Database, key: str, sample: int) -> bool:
    """Whether people were drawn to label this answer."""
    drawn = (
        "SELECT 1 FROM drawn d JOIN validations v ON v.id = d.validation "
        "WHERE d.question = ? AND d.sample = ? AND v.given_up_by IS NULL"
    )
    return any(db.one(drawn, question, sample) for question in places(plan)[key])


@contextmanager
def _writing_soon(folder: Path) -> Iterator[None]:
    """The run's lock, after a short wait: other people's answers hold it for milliseconds."""
    until = time.monotonic() + PATIENCE
    while True:
        lock = writing(folder)
        try:
            lock.__enter__()
            break
        except RunBusy:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)
    try:
        yield
    finally:
        lock.__exit__(None, None, None)


def _became(joined: Joined, lines: list[Line]) -> list[tuple[object, ...]]:
    taken = {line.line for _, line in joined.taken.values()}
    conflicts, unknown = ({one.place for one in part} for part in (joined.conflicts, joined.unknown))
    return [
        ("taken" if line.line in taken else
         "conflict" if line.place in conflicts else
         "unknown" if line.place in unknown else "repeat", line.line)
        for line in lines
    ]  # fmt: skip


def _name(key: str, sample: int) -> str:
    return f"{key}:{sample}"


_KNOWN: WeakKeyDictionary[Plan, dict[str, list[int]]] = WeakKeyDictionary()
_LOCK = threading.Lock()


def places(plan: Plan) -> dict[str, list[int]]:
    """Where each question stands in the plan, by key: looked up once, as a plan is shared by all requests."""
    with _LOCK:
        if plan not in _KNOWN:
            found: dict[str, list[int]] = {}
            for row in plan.rows():
                for question in plan.questions(row):
                    found.setdefault(content_key(question), []).append(question.id)
            _KNOWN[plan] = found
        return _KNOWN[plan]


def _found(plan: Plan, lines: list[Line]) -> Found:
    known = places(plan)
    return {line.key: [question_at(plan, id) for id in known.get(line.key, [])] for line in lines}


def question_at(plan: Plan, id: int) -> Question:
    return next(one for one in plan.questions(plan.row_of(id)) if one.id == id)

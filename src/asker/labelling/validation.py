"""Two people label a sample apart, without the judge's verdicts or each other's labels; differences are resolved.

open        both seats are taken, and people label; nobody is given a label but their own
resolving   both have said that they are done: labels no longer change, and differences can be seen and resolved
settled     nothing is left to resolve: the labels can be measured and taken away
given up    nobody labels it any more; its labels stay where they are, and count for nothing
"""

from __future__ import annotations

from typing import Literal
from zlib import crc32

import msgspec
import numpy as np
from msgspec import Struct

from asker.errors import InputError
from asker.labelling.database import Database, now
from asker.labelling.sampling import Drawn, Stratum
from asker.types import LABELS, Kind, Verdict

SEATS = 2
Phase = Literal["open", "resolving", "settled", "given up"]


class Label(Struct, frozen=True):
    """What a person says of an answer. A label of None: it cannot be read as any."""

    label: str | None
    refused: bool = False
    hedged: bool = False


class Seat(Struct, frozen=True):
    """Someone who labels, and how far they are."""

    person: str
    labelled: int
    done: bool


class State(Struct, frozen=True):
    """How far a validation is. Holds no label of anyone."""

    id: int
    judge: str
    version: str
    seed: int
    size: int
    made_by: str
    made_at: float
    phase: Phase
    seats: tuple[Seat, ...]
    differences: int | None  # None while people label
    resolved: int

    def seat(self, person: str) -> Seat | None:
        return next((one for one in self.seats if one.person == person), None)


def keep(
    db: Database, judge: str, version: str, seed: int, person: str, strata: list[Stratum], drawn: list[Drawn]
) -> int:
    """Its number."""
    with db.writing():
        db.do(
            "INSERT INTO validations (judge, version, seed, size, made_by, made_at) VALUES (?, ?, ?, ?, ?, ?)",
            judge, version, seed, len(drawn), person, now(),
        )  # fmt: skip
        id = int(db.one("SELECT last_insert_rowid()")[0])
        db.many("INSERT INTO strata VALUES (?, ?, ?, ?)", [(id, one.name, one.size, one.taken) for one in strata])
        rows: list[tuple[object, ...]] = [
            (id, number, one.question, one.sample, one.stratum, msgspec.json.encode(one.verdict).decode())
            for number, one in enumerate(drawn)
        ]
        db.many("INSERT INTO drawn VALUES (?, ?, ?, ?, ?, ?)", rows)
    return id


def listed(db: Database) -> list[State]:
    return [state(db, id) for (id,) in db.all("SELECT id FROM validations ORDER BY id DESC")]


def state(db: Database, id: int) -> State:
    fields = "judge, version, seed, size, made_by, made_at, given_up_by"
    found = db.one(f"SELECT {fields} FROM validations WHERE id = ?", id)
    if found is None:
        raise InputError("there is no such sample of this run")
    judge, version, seed, size, made_by, made_at, given_up_by = found
    seats = tuple(
        Seat(person, count, done is not None)
        for person, done, count in db.all(
            "SELECT s.person, s.done_at, count(l.number) FROM seats s LEFT JOIN labels l "
            "ON l.validation = s.validation AND l.person = s.person WHERE s.validation = ? "
            "GROUP BY s.person ORDER BY s.took_at",
            id,
        )
    )
    phase, differences = _phase(db, id, seats) if given_up_by is None else ("given up", None)
    resolved = int(db.one("SELECT count(*) FROM settled WHERE validation = ?", id)[0])
    return State(id, judge, version, seed, size, made_by, made_at, phase, seats, differences, resolved)


def _phase(db: Database, id: int, seats: tuple[Seat, ...]) -> tuple[Phase, int | None]:
    if len(seats) < SEATS or not all(one.done for one in seats):
        return "open", None
    differing = _differing(db, id)
    left = len(differing) - int(db.one("SELECT count(*) FROM settled WHERE validation = ?", id)[0])
    return ("resolving" if left else "settled"), len(differing)


def _differing(db: Database, id: int) -> list[int]:
    """Answers that the two read differently, in any respect."""
    found = db.all(
        "SELECT l.number FROM labels l JOIN seats s ON s.validation = l.validation AND s.person = l.person "
        "WHERE l.validation = ? GROUP BY l.number "
        "HAVING count(DISTINCT ifnull(l.label, '') || '/' || l.refused || '/' || l.hedged) > 1 ORDER BY l.number",
        id,
    )
    return [number for (number,) in found]


# --- labelling -------------------------------------------------------------------------------------------------------


def sit_down(db: Database, id: int, person: str) -> None:
    with db.writing():
        now_there = state(db, id)
        if now_there.seat(person):
            return
        if len(now_there.seats) >= SEATS:
            raise InputError("two people label this sample already; draw another one to take part")
        db.do("INSERT INTO seats VALUES (?, ?, ?, NULL)", id, person, now())


def stand_up(db: Database, id: int, person: str) -> None:
    """Free to stop at any time. The labels stay, and count again if the same person comes back."""
    with db.writing():
        if state(db, id).phase != "open":
            raise InputError("both have finished already, and differences are being resolved; nothing is left to leave")
        db.do("DELETE FROM seats WHERE validation = ? AND person = ?", id, person)


def next_number(db: Database, id: int, person: str) -> int | None:
    """What this person has not labelled; each goes through the sample in an order of their own."""
    known = _working(db, id, person)
    done = {number for (number,) in db.all("SELECT number FROM labels WHERE validation = ? AND person = ?", id, person)}
    order = np.random.default_rng([known.seed, crc32(person.encode())]).permutation(known.size).tolist()
    return next((number for number in order if number not in done), None)


def label(db: Database, id: int, number: int, person: str, kind: Kind, given: Label) -> None:
    """On disk when this returns; a second label of the same person takes the place of the first."""
    check(kind, given)
    with db.writing():
        known = _working(db, id, person)
        seat = known.seat(person)
        if seat and seat.done:
            raise InputError("you have said that you are done with this sample; its labels no longer change")
        drawn_at(db, id, number)
        row = (id, number, person, given.label, given.refused, given.hedged, now())
        db.do("INSERT OR REPLACE INTO labels VALUES (?, ?, ?, ?, ?, ?, ?)", *row)


def own(db: Database, id: int, number: int, person: str) -> Label | None:
    """What this person has said of an answer."""
    where = "validation = ? AND number = ? AND person = ?"
    found = db.one(f"SELECT label, refused, hedged FROM labels WHERE {where}", id, number, person)
    return Label(found[0], bool(found[1]), bool(found[2])) if found else None


def one_before(db: Database, id: int, person: str, number: int | None = None) -> int | None:
    """What this person labelled last, or before this one."""
    where = "validation = ? AND person = ?"
    until = db.one(f"SELECT at FROM labels WHERE {where} AND number = ?", id, person, -1 if number is None else number)
    limit = until[0] if until else now() + 1
    found = db.one(f"SELECT number FROM labels WHERE {where} AND at < ? ORDER BY at DESC LIMIT 1", id, person, limit)
    return int(found[0]) if found else None


def finish(db: Database, id: int, person: str) -> None:
    with db.writing():
        known = _working(db, id, person)
        seat = known.seat(person)
        if seat is None or seat.labelled < known.size:
            raise InputError("some answers have no label of yours yet")
        db.do("UPDATE seats SET done_at = ? WHERE validation = ? AND person = ?", now(), id, person)


def give_up(db: Database, id: int, person: str) -> None:
    """For everyone: it is neither labelled nor resolved any more, and verdicts on its answers are shown again."""
    with db.writing():
        if state(db, id).phase == "settled":
            raise InputError("this sample is settled; there is nothing to give up")
        db.do("UPDATE validations SET given_up_by = ? WHERE id = ? AND given_up_by IS NULL", person, id)


def drawn_at(db: Database, id: int, number: int) -> Drawn:
    statement = "SELECT question, sample, stratum, verdict FROM drawn WHERE validation = ? AND number = ?"
    found = db.one(statement, id, number)
    if found is None:
        raise InputError("there is no such answer in this sample")
    return Drawn(found[0], found[1], found[2], msgspec.json.decode(found[3], type=Verdict))


def check(kind: Kind, given: Label) -> None:
    if given.label is not None and given.label not in LABELS[kind]:
        raise InputError(f"'{given.label[:30]}' is no label of such a question. All: {', '.join(LABELS[kind])}")


def _working(db: Database, id: int, person: str) -> State:
    known = state(db, id)
    if known.phase != "open":
        raise InputError("this sample has been labelled or given up; its labels no longer change")
    if known.seat(person) is None:
        raise InputError("take a seat first: two people label a sample")
    return known


# --- resolving -------------------------------------------------------------------------------------------------------


def to_resolve(db: Database, id: int) -> int | None:
    """The next difference that nobody has resolved."""
    _opened(db, id)
    settled = {number for (number,) in db.all("SELECT number FROM settled WHERE validation = ?", id)}
    return next((number for number in _differing(db, id) if number not in settled), None)


def both(db: Database, id: int, number: int) -> list[tuple[str, Label]]:
    """Who said what: only once nobody can change their mind by reading it."""
    known = _opened(db, id)
    found = [(seat.person, own(db, id, number, seat.person)) for seat in known.seats]
    return [(person, given) for person, given in found if given]


def resolve(db: Database, id: int, number: int, person: str, kind: Kind, given: Label) -> None:
    check(kind, given)
    with db.writing():
        _opened(db, id)
        if number not in _differing(db, id):
            raise InputError("the two agree on this answer; there is nothing to resolve")
        row = (id, number, given.label, given.refused, given.hedged, person, now())
        db.do("INSERT OR REPLACE INTO settled VALUES (?, ?, ?, ?, ?, ?, ?)", *row)


def truths(db: Database, id: int) -> dict[int, Label]:
    """What people say of each answer, once nothing is left to resolve."""
    known = state(db, id)
    if known.phase != "settled":
        raise InputError("the labels of this sample are not settled yet")
    found = {
        number: Label(name, bool(refused), bool(hedged))
        for number, name, refused, hedged in db.all(
            "SELECT number, label, refused, hedged FROM labels WHERE validation = ? AND person = ?",
            id, known.seats[0].person,
        )
    }  # fmt: skip
    for number, name, refused, hedged in db.all(
        "SELECT number, label, refused, hedged FROM settled WHERE validation = ?", id
    ):
        found[number] = Label(name, bool(refused), bool(hedged))
    return found


def strata(db: Database, id: int) -> list[Stratum]:
    found = db.all("SELECT name, size, taken FROM strata WHERE validation = ? ORDER BY name", id)
    return [Stratum(*row) for row in found]


def _opened(db: Database, id: int) -> State:
    known = state(db, id)
    if known.phase not in ("resolving", "settled"):
        raise InputError("both people have to be done before differences can be seen")
    return known

"""Several people annotate properties apart: categories, discard, antonym, Chinese. Then differences are resolved.

Nobody is given another's marks while the table is open. Closing it ends the marking for everyone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from asker.data.reading import CATEGORIES
from asker.errors import InputError
from asker.labelling.database import Database, now
from asker.labelling.lending import give_back, lend
from asker.labelling.tables import LONGEST, WORDED, Item

WHAT = "property"


class Mark(Struct, frozen=True, forbid_unknown_fields=True):
    """What one person says of a property."""

    labels: tuple[str, ...] = ()  # in the order of the categories
    discard: bool = False
    texts: dict[str, str] = {}  # antonym and Chinese, where they were written

    @property
    def said(self) -> str:
        return "discard" if self.discard else ", ".join(self.labels)


class Person(Struct, frozen=True):
    person: str
    marked: int


class State(Struct, frozen=True):
    """How far a table is. Holds nobody's marks."""

    total: int
    people: int  # how many should mark each property
    made_by: str
    made_at: float
    closed_by: str | None
    persons: tuple[Person, ...]
    complete: int  # properties that as many have marked as should
    differences: int | None  # None while the table is open
    resolved: int

    @property
    def closed(self) -> bool:
        return self.closed_by is not None


def make(db: Database, items: list[Item], people: int, person: str) -> None:
    columns = list(dict.fromkeys(name for _, cells in items for name in cells))
    with db.writing():
        values = (people, msgspec.json.encode(columns).decode(), person, now())
        db.do("INSERT INTO work (people, columns, made_by, made_at) VALUES (?, ?, ?, ?)", *values)
        rows: list[tuple[object, ...]] = [
            (number, id, msgspec.json.encode(cells).decode()) for number, (id, cells) in enumerate(items)
        ]
        db.many("INSERT INTO items VALUES (?, ?, ?)", rows)


def state(db: Database) -> State:
    people, made_by, made_at, closed_by = db.one("SELECT people, made_by, made_at, closed_by FROM work")
    total = int(db.one("SELECT count(*) FROM items")[0])
    persons = tuple(
        Person(*row) for row in db.all("SELECT person, count(*) FROM marks GROUP BY person ORDER BY person")
    )
    complete = db.one("SELECT count(*) FROM (SELECT 1 FROM marks GROUP BY number HAVING count(*) >= ?)", people)[0]
    resolved = int(db.one("SELECT count(*) FROM settled")[0])
    differences = len(differing(db)) if closed_by is not None else None
    return State(total, people, made_by, made_at, closed_by, persons, int(complete), differences, resolved)


def item(db: Database, number: int) -> Item:
    found = db.one("SELECT id, cells FROM items WHERE number = ?", number)
    if found is None:
        raise InputError("there is no such property in this table")
    return found[0], msgspec.json.decode(found[1], type=dict[str, str])


# --- marking ---------------------------------------------------------------------------------------------------------


def next_number(db: Database, person: str) -> int | None:
    """A property that this person has not marked and that too few have; lent, so that not too many do."""

    def wanted(held: dict[str, int]) -> Iterator[str]:
        people = db.one("SELECT people FROM work")[0]
        rows = db.all(
            "SELECT i.number, count(m.number) FROM items i LEFT JOIN marks m ON m.number = i.number GROUP BY i.number "
            "HAVING sum(m.person = ?) IS NOT 1 ORDER BY i.number",
            person,
        )
        yield from (str(number) for number, count in rows if count + held.get(str(number), 0) < people)

    with db.writing():
        _check_open(db)
        found = lend(db, WHAT, person, wanted)
    return None if found is None else int(found)


def mark(db: Database, number: int, person: str, given: Mark) -> None:
    """On disk when this returns; a second mark of the same person takes the place of the first."""
    given = checked(given)
    with db.writing():
        _check_open(db)
        item(db, number)
        row = (number, person, msgspec.json.encode(given).decode(), now())
        db.do("INSERT OR REPLACE INTO marks VALUES (?, ?, ?, ?)", *row)
        give_back(db, WHAT, person)


def checked(given: Mark) -> Mark:
    unknown = next((one for one in given.labels if one not in CATEGORIES), None)
    if unknown:
        raise InputError(f"'{unknown[:40]}' is not a category. All: {', '.join(CATEGORIES)}")
    if not given.labels and not given.discard:
        raise InputError("choose at least one category, or discard the property")
    for name, text in given.texts.items():
        if name not in WORDED or len(text) > LONGEST:
            raise InputError(f"the field '{name[:30]}' is unknown, or longer than {LONGEST:,} characters")
    labels = () if given.discard else tuple(one for one in CATEGORIES if one in given.labels)
    return Mark(labels, given.discard, {name: text.strip() for name, text in given.texts.items()})


def own(db: Database, number: int, person: str) -> Mark | None:
    found = db.one("SELECT mark FROM marks WHERE number = ? AND person = ?", number, person)
    return msgspec.json.decode(found[0], type=Mark) if found else None


def one_before(db: Database, person: str, number: int | None = None) -> int | None:
    """What this person marked last, or before this one."""
    until = db.one("SELECT at FROM marks WHERE person = ? AND number = ?", person, -1 if number is None else number)
    limit = until[0] if until else now() + 1
    found = db.one("SELECT number FROM marks WHERE person = ? AND at < ? ORDER BY at DESC LIMIT 1", person, limit)
    return int(found[0]) if found else None


def stop(db: Database, person: str) -> None:
    with db.writing():
        give_back(db, WHAT, person)


def close(db: Database, person: str) -> None:
    with db.writing():
        db.do("UPDATE work SET closed_by = ?, closed_at = ? WHERE closed_by IS NULL", person, now())


def _check_open(db: Database) -> None:
    if db.one("SELECT closed_by FROM work")[0] is not None:
        raise InputError("this table is closed: its marks no longer change")


# --- resolving -------------------------------------------------------------------------------------------------------


def marks(db: Database) -> dict[int, dict[str, Mark]]:
    """Who said what of each property: only once nobody can change their mind by reading it."""
    if db.one("SELECT closed_by FROM work")[0] is None:
        raise InputError("people are still at work; close the table before their marks can be seen")
    found: dict[int, dict[str, Mark]] = {}
    for number, person, text in db.all("SELECT number, person, mark FROM marks ORDER BY number, person"):
        found.setdefault(number, {})[person] = msgspec.json.decode(text, type=Mark)
    return found


def differing(db: Database) -> list[int]:
    return [number for number, said in marks(db).items() if len({_plain(one) for one in said.values()}) > 1]


def to_resolve(db: Database) -> int | None:
    settled = {number for (number,) in db.all("SELECT number FROM settled")}
    return next((number for number in differing(db) if number not in settled), None)


def resolve(db: Database, number: int, person: str, given: Mark) -> None:
    given = checked(given)
    with db.writing():
        if number not in differing(db):
            raise InputError("people agree on this property; there is nothing to resolve")
        row = (number, msgspec.json.encode(given).decode(), person, now())
        db.do("INSERT OR REPLACE INTO settled VALUES (?, ?, ?, ?)", *row)


def majority(said: list[Mark]) -> Mark:
    """What more than half say; of texts the one most often written."""
    half = len(said) / 2
    if sum(one.discard for one in said) > half:
        return Mark(discard=True)
    counts = Counter(label for one in said for label in one.labels)
    labels = tuple(label for label in CATEGORIES if counts[label] > half)
    texts = {}
    for name in WORDED:
        written = Counter(one.texts[name] for one in said if one.texts.get(name))
        if written:
            texts[name] = min(written, key=lambda text: (-written[text], text))
    return Mark(labels, False, texts)


def finished(db: Database) -> tuple[list[Item], int, int]:
    """Every property as people left it; how many were discarded; how many nobody marked or agreed on."""
    settled = {
        number: msgspec.json.decode(text, type=Mark) for number, text in db.all("SELECT number, mark FROM settled")
    }
    said, open_ones = marks(db), set(differing(db)) - set(settled)
    kept, discarded, left = [], 0, 0
    for (number,) in db.all("SELECT number FROM items ORDER BY number"):
        if number in open_ones or (number not in said and number not in settled):
            left += 1
            continue
        final = settled.get(number) or next(iter(said[number].values()))
        if final.discard:
            discarded += 1
            continue
        id, cells = item(db, number)
        kept.append((id, {**cells, "labels": "|".join(final.labels), **{k: v for k, v in final.texts.items() if v}}))
    return kept, discarded, left


def columns(db: Database) -> list[str]:
    names: list[str] = msgspec.json.decode(db.one("SELECT columns FROM work")[0], type=list[str])
    return names


def ratings(db: Database) -> list[list[frozenset[str]]]:
    """For agreement: of each property the labels that each person gave, discard as a label of its own."""
    return [
        [frozenset({"discard"}) if one.discard else frozenset(one.labels) for one in said.values()]
        for said in marks(db).values()
    ]


def _plain(one: Mark) -> tuple[object, ...]:
    return one.labels, one.discard, tuple(sorted((name, text) for name, text in one.texts.items() if text))

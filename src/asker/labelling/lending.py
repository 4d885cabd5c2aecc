"""An item is lent to one person for some minutes: nobody else gets it meanwhile, and it comes back by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from asker.labelling.database import Database, now

MINUTES = 15


def lend(db: Database, what: str, person: str, wanted: Callable[[dict[str, int]], Iterable[str]]) -> str | None:
    """The item this person holds, if it is still wanted; else the first that is. `wanted` is told how many others hold
    each item. Call it inside db.writing(): two people at the same instant get two items."""
    others = "SELECT item, count(*) FROM lent WHERE what = ? AND person <> ? AND until > ? GROUP BY item"
    held: dict[str, int] = dict(db.all(others, what, person, now()))
    mine = db.one("SELECT item FROM lent WHERE what = ? AND person = ?", what, person)
    item = first_of(wanted(held), mine[0] if mine else None)
    give_back(db, what, person)
    if item is not None:
        db.do("INSERT INTO lent VALUES (?, ?, ?, ?)", what, item, person, now() + 60 * MINUTES)
    return item


def first_of(items: Iterable[str], before_all: str | None) -> str | None:
    """The one that comes before all others, if it is there; else the first."""
    first = None
    for item in items:
        if before_all is None or item == before_all:
            return item
        first = item if first is None else first
    return first


def give_back(db: Database, what: str, person: str) -> None:
    db.do("DELETE FROM lent WHERE what = ? AND person = ?", what, person)


def lent_now(db: Database, what: str) -> int:
    found = db.one("SELECT count(*) FROM lent WHERE what = ? AND until > ?", what, now())
    return int(found[0])

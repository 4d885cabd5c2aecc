"""Wrong tries to sign in, counted over all workers in one small file: ROOT/.web/door.sqlite.

A try counts before it is looked at, so that a hundred at once are a hundred, not one. A right one takes itself off
again and no other: who has an account could else try the passwords of others for ever.
"""

from __future__ import annotations

import time
from pathlib import Path

from asker.labelling.database import Database, opened

# Tries without a wait: at a name, and from an address. Many share an address, and ten may well sign in at one moment.
FREE = {"name": 5, "from": 20}
LONGEST = 900.0  # seconds to wait at most
FORGOTTEN = 24 * 3600.0  # seconds after which a try no longer counts
STEPS = (
    "CREATE TABLE tries (who TEXT PRIMARY KEY, count INTEGER NOT NULL, last REAL NOT NULL) WITHOUT ROWID;",
    "DROP TABLE tries; CREATE TABLE tries (id INTEGER PRIMARY KEY, who TEXT NOT NULL, at REAL NOT NULL);"
    "CREATE INDEX tries_by_who ON tries (who, at);",
)


class Patience:
    """The first few wrong tries are free, then each doubles the wait: of an address, and at a name from anywhere."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def wait(self, *whose: str) -> float:
        """Seconds until they all may try; 0: they may now, and that is counted as one more for each."""
        now = time.time()
        with opened(self._file, STEPS) as db, db.writing():
            db.do("DELETE FROM tries WHERE at < ?", now - FORGOTTEN)
            left = max(_left(db, who, now) for who in whose)
            if left <= 0:
                db.many("INSERT INTO tries (who, at) VALUES (?, ?)", [(who, now) for who in whose])
        return max(left, 0.0)

    def right(self, *whose: str) -> None:
        with opened(self._file, STEPS) as db, db.writing():
            newest = "DELETE FROM tries WHERE id = (SELECT max(id) FROM tries WHERE who = ?)"
            db.many(newest, [(who,) for who in whose])


def _left(db: Database, who: str, now: float) -> float:
    count, last = db.one("SELECT count(*), coalesce(max(at), 0.0) FROM tries WHERE who = ?", who)
    # A clock that was put back makes nobody wait for ever.
    wait = pause(count - FREE[who.split()[0]])
    return float(min(wait, last + wait - now))


def pause(over: int) -> float:
    """After so many tries more than are free."""
    return min(LONGEST, 2.0 ** min(over, 20)) if over >= 0 else 0.0

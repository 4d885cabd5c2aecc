"""Wrong tries to sign in, counted over all workers in one small file: ROOT/.web/door.sqlite.

A try counts before it is looked at, so that a hundred at once are a hundred, not one; a right one is taken off again.
"""

from __future__ import annotations

import time
from pathlib import Path

from asker.labelling.database import opened

FREE, LONGEST = 5, 900.0  # wrong tries without a wait; seconds to wait at most
FORGOTTEN = 24 * 3600.0  # seconds after which an address begins anew
STEPS = ("CREATE TABLE tries (who TEXT PRIMARY KEY, count INTEGER NOT NULL, last REAL NOT NULL) WITHOUT ROWID;",)


class Patience:
    """Of one address: the first few wrong tries are free, then each doubles the wait."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def wait(self, who: str) -> float:
        """Seconds until this address may try; 0: it may now, and that is counted as one more."""
        now = time.time()
        with opened(self._file, STEPS) as db, db.writing():
            db.do("DELETE FROM tries WHERE last < ?", now - FORGOTTEN)
            count, last = db.one("SELECT count, last FROM tries WHERE who = ?", who) or (0, 0.0)
            left = min(pause(count), last + pause(count) - now)  # a clock that was put back makes nobody wait for ever
            if left > 0:
                return float(left)
            db.do("INSERT OR REPLACE INTO tries VALUES (?, ?, ?)", who, count + 1, now)
        return 0.0

    def right(self, who: str) -> None:
        with opened(self._file, STEPS) as db, db.writing():
            db.do("DELETE FROM tries WHERE who = ?", who)


def pause(wrong: int) -> float:
    return min(LONGEST, 2.0 ** min(wrong - FREE, 20)) if wrong >= FREE else 0.0

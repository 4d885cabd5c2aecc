"""One SQLite file in which people's work is kept: on disk before anyone is told that it is."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from asker.errors import StoreError

Steps = tuple[str, ...]
"""What a file is made by, each step once and in order: one that an older version has made is brought up to date."""
LENDING = """
    CREATE TABLE lent (what TEXT NOT NULL, item TEXT NOT NULL, person TEXT NOT NULL, until REAL NOT NULL,
        PRIMARY KEY (what, item, person)) WITHOUT ROWID;
"""
RUN = (
    LENDING
    + """
    CREATE TABLE given (id INTEGER PRIMARY KEY, key TEXT NOT NULL, sample INTEGER NOT NULL, person TEXT NOT NULL,
        answer TEXT NOT NULL, at REAL NOT NULL, became TEXT);
    CREATE INDEX given_waiting ON given (id) WHERE became IS NULL;
    CREATE TABLE skipped (key TEXT NOT NULL, sample INTEGER NOT NULL, person TEXT NOT NULL,
        PRIMARY KEY (key, sample, person)) WITHOUT ROWID;
    CREATE TABLE validations (id INTEGER PRIMARY KEY, judge TEXT NOT NULL, version TEXT NOT NULL, seed INTEGER NOT NULL,
        size INTEGER NOT NULL, made_by TEXT NOT NULL, made_at REAL NOT NULL);
    CREATE TABLE strata (validation INTEGER NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL, taken INTEGER NOT NULL,
        PRIMARY KEY (validation, name)) WITHOUT ROWID;
    CREATE TABLE drawn (validation INTEGER NOT NULL, number INTEGER NOT NULL, question INTEGER NOT NULL,
        sample INTEGER NOT NULL, stratum TEXT NOT NULL, verdict TEXT NOT NULL,
        PRIMARY KEY (validation, number)) WITHOUT ROWID;
    CREATE TABLE seats (validation INTEGER NOT NULL, person TEXT NOT NULL, took_at REAL NOT NULL, done_at REAL,
        PRIMARY KEY (validation, person)) WITHOUT ROWID;
    CREATE TABLE labels (validation INTEGER NOT NULL, number INTEGER NOT NULL, person TEXT NOT NULL, label TEXT,
        refused INTEGER NOT NULL, hedged INTEGER NOT NULL, at REAL NOT NULL,
        PRIMARY KEY (validation, number, person)) WITHOUT ROWID;
    CREATE TABLE settled (validation INTEGER NOT NULL, number INTEGER NOT NULL, label TEXT, refused INTEGER NOT NULL,
        hedged INTEGER NOT NULL, person TEXT NOT NULL, at REAL NOT NULL,
        PRIMARY KEY (validation, number)) WITHOUT ROWID;
""",
    "ALTER TABLE validations ADD COLUMN given_up_by TEXT;",
    "ALTER TABLE given ADD COLUMN corrects INTEGER;",
)
PROPERTIES = (
    LENDING
    + """
    CREATE TABLE work (people INTEGER NOT NULL, columns TEXT NOT NULL, made_by TEXT NOT NULL, made_at REAL NOT NULL,
        closed_by TEXT, closed_at REAL);
    CREATE TABLE items (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, cells TEXT NOT NULL);
    CREATE TABLE marks (number INTEGER NOT NULL, person TEXT NOT NULL, mark TEXT NOT NULL, at REAL NOT NULL,
        PRIMARY KEY (number, person)) WITHOUT ROWID;
    CREATE TABLE settled (number INTEGER PRIMARY KEY, mark TEXT NOT NULL, person TEXT NOT NULL, at REAL NOT NULL);
""",
)
FILE = "people.sqlite"  # in a run's folder


class Database:
    """A connection, for one request. Each write is a transaction of its own, on disk when it returns."""

    def __init__(self, file: Path, steps: Steps) -> None:
        self._file = file
        try:
            self._db = sqlite3.connect(file, isolation_level=None, timeout=30)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            if self._db.execute("PRAGMA user_version").fetchone()[0] < len(steps):
                self._make(steps)
        except sqlite3.Error as error:
            raise StoreError(f"cannot open {file.name}: {error}") from error

    def _make(self, steps: Steps) -> None:
        with self.writing():
            done = self.one("PRAGMA user_version")[0]  # all, if another was faster
            for step in steps[done:]:
                for statement in filter(str.strip, step.split(";")):
                    self._db.execute(statement)
            self._db.execute(f"PRAGMA user_version = {len(steps)}")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """All or nothing, and nobody else writes meanwhile."""
        self.do("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self.do("COMMIT")

    def do(self, statement: str, *values: object) -> int:
        """How many rows were changed."""
        try:
            return self._db.execute(statement, values).rowcount
        except (sqlite3.Error, OverflowError) as error:
            raise StoreError(f"cannot write to {self._file.name}: {error}") from error

    def many(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        try:
            self._db.executemany(statement, rows)
        except (sqlite3.Error, OverflowError) as error:
            raise StoreError(f"cannot write to {self._file.name}: {error}") from error

    def all(self, statement: str, *values: object) -> list[Any]:
        try:
            return self._db.execute(statement, values).fetchall()
        except (sqlite3.Error, OverflowError) as error:
            raise StoreError(f"cannot read {self._file.name}: {error}") from error

    def one(self, statement: str, *values: object) -> Any:
        found = self.all(statement, *values)
        return found[0] if found else None

    def close(self) -> None:
        self._db.close()


@contextmanager
def opened(file: Path, steps: Steps) -> Iterator[Database]:
    db = Database(file, steps)
    try:
        yield db
    finally:
        db.close()


def now() -> float:
    return time.time()

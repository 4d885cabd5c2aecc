"""Answers and verdicts in one SQLite file: the default for one machine.

Answers are durable within half a second: a thread commits them in groups, as a commit with full sync costs about a
millisecond and one for each answer would cap a run at 900 a second. Which questions are being asked is noted in a
small file beside it, so that after a crash we can say how many were in flight.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from asker.errors import InputError, StoreError
from asker.stores._browsing import FIELDS, INDICES
from asker.stores._sql import FORGET, JUDGED, KEEP, READ_AGAIN, Row, SqlStore, answer_row, verdict_rows
from asker.stores._writing import Journal, Writer
from asker.types import Answer, Verdict

FILE = "answers.sqlite"
PAGE = 1000  # rows fetched at once
MIGRATIONS = (
    (
        "answers and verdicts",
        """
        CREATE TABLE answers (
            question INTEGER NOT NULL, sample INTEGER NOT NULL, key TEXT NOT NULL, prompt TEXT NOT NULL,
            text TEXT, error TEXT, asked_at REAL NOT NULL, seconds REAL NOT NULL, attempts INTEGER NOT NULL,
            lost INTEGER NOT NULL, tokens_in INTEGER, tokens_out INTEGER,
            PRIMARY KEY (question, sample), CHECK ((text IS NULL) <> (error IS NULL))
        ) WITHOUT ROWID;
        CREATE TABLE verdicts (
            judge TEXT NOT NULL, version TEXT NOT NULL, question INTEGER NOT NULL, sample INTEGER NOT NULL, label TEXT,
            refused INTEGER NOT NULL, hedged INTEGER NOT NULL, confidence REAL NOT NULL, why TEXT NOT NULL,
            PRIMARY KEY (judge, question, sample)
        ) WITHOUT ROWID;
        CREATE TABLE sessions (
            id INTEGER PRIMARY KEY, started_at REAL NOT NULL, ended_at REAL, ended TEXT,
            cut_off INTEGER NOT NULL,  -- questions in flight when the session before it was killed
            given_up INTEGER NOT NULL DEFAULT 0  -- questions in flight when this one was stopped
        );
        """,
    ),
    ("toxicity of answers", "ALTER TABLE verdicts ADD COLUMN toxic REAL;"),
    ("indices for reading page by page", INDICES),
)
"""Named and append-only: a file written by an older version is brought up to date when it is opened."""


class _Cursor(sqlite3.Cursor):
    """Reading a damaged file fails in the middle of it, too: that is a sentence, no traceback."""

    def __next__(self) -> Any:
        try:
            return super().__next__()
        except sqlite3.Error as error:
            raise StoreError(f"{FILE} cannot be read: {error}") from error

    def fetchone(self) -> Any:
        try:
            return super().fetchone()
        except sqlite3.Error as error:
            raise StoreError(f"{FILE} cannot be read: {error}") from error

    def all_rows(self) -> Iterator[Row]:
        """Many at a time: asking for each by itself takes as long as reading it."""
        try:
            while rows := super().fetchmany(PAGE):
                yield from rows
        except sqlite3.Error as error:
            raise StoreError(f"{FILE} cannot be read: {error}") from error


class _Connection(sqlite3.Connection):
    def execute(self, statement: str, values: Any = (), /) -> _Cursor:
        try:
            return self.cursor(_Cursor).execute(statement, values)
        except sqlite3.Error as error:
            raise StoreError(f"{FILE} cannot be used: {error}") from error


class _Into(NamedTuple):
    """A table, what of it is written, and what becomes of a row whose key is there already."""

    table: str
    columns: tuple[str, ...]
    conflict: str

    def statement(self, rows: int) -> str:
        row = f"({', '.join('?' * len(self.columns))})"
        return f"INSERT INTO {self.table} ({', '.join(self.columns)}) VALUES {', '.join([row] * rows)} {self.conflict}"


ANSWERS = _Into("answers", FIELDS, KEEP)
VERDICTS = _Into("verdicts", tuple(JUDGED.split(", ")), READ_AGAIN)
TOGETHER = 50  # rows of a statement: between two, Python lets other threads run, and has to be waited for


def _put(db: sqlite3.Connection, into: _Into, rows: list[Row]) -> None:
    cursor, full = db.cursor(), len(rows) // TOGETHER * TOGETHER
    for start in range(0, full, TOGETHER):
        cursor.execute(into.statement(TOGETHER), list(chain.from_iterable(rows[start : start + TOGETHER])))
    cursor.executemany(into.statement(1), rows[full:])


class SqliteStore(SqlStore):
    """One run's answers. Reading is free for all; one process at a time writes (the run folder's lock sees to it)."""

    bytes_of_prompt = "length(CAST(prompt AS BLOB))"

    def __init__(self, file: Path) -> None:
        self._file = file
        self._db = self._connect()
        self._migrate()
        self._journal = Journal(file.with_name("in-flight"))
        self._writer: Writer | None = None

    def _connect(self) -> _Connection:
        try:
            db = sqlite3.connect(
                self._file, isolation_level=None, check_same_thread=False, timeout=30, factory=_Connection
            )
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
        except (sqlite3.Error, StoreError) as error:
            raise StoreError(f"cannot open {self._file}: {error}") from error
        return db

    def _migrate(self) -> None:
        try:
            done = self._db.execute("PRAGMA user_version").fetchone()[0]
            if done > len(MIGRATIONS):
                raise StoreError(f"{self._file} was written by a newer version of asker")
            for number, (_, script) in enumerate(MIGRATIONS[done:], done + 1):
                self._db.executescript(f"BEGIN; {script} PRAGMA user_version = {number}; COMMIT;")
        except sqlite3.Error as error:
            raise StoreError(f"{self._file} is not a run's store: {error}") from error

    def _rows(self, statement: str, values: Sequence[object] = ()) -> Iterator[Row]:
        return self._db.execute(statement, values).all_rows()

    def _scan(self, columns: str, tables: str, where: str, values: Sequence[object]) -> Iterator[Row]:
        only = f" WHERE {where}" if where else ""
        return self._rows(f"SELECT {columns} FROM {tables}{only} ORDER BY a.question, a.sample", values)

    # --- asking ---

    def begin(self) -> int:
        """Start a session of asking; how many questions were in flight when the last one was cut off."""
        cut_off = self.left_behind()
        self._db.execute("BEGIN IMMEDIATE")
        self._db.execute("UPDATE sessions SET ended = 'cut off' WHERE ended IS NULL")
        self._db.execute("INSERT INTO sessions (started_at, cut_off) VALUES (?, ?)", (time.time(), cut_off))
        self._db.execute("COMMIT")
        self._journal.clear()  # only now: a kill on the way here may count them twice, but loses none
        self._writing = self._connect()
        self._writer = Writer(self._commit)
        return cut_off

    def end(self, how: str) -> None:
        """Close the session; all that was added is on disk when this returns."""
        if self._writer is None:
            return
        writer, self._writer = self._writer, None
        try:
            writer.close()
        finally:
            self._writing.close()
        given_up = self._journal.open_entries
        last = "id = (SELECT max(id) FROM sessions)"
        values = (time.time(), how, given_up)
        self._db.execute(f"UPDATE sessions SET ended_at = ?, ended = ?, given_up = ? WHERE {last}", values)
        self._journal.clear()

    def starting(self, question: int, sample: int) -> None:
        """Note that a question is about to be asked."""
        self._journal.add(question, sample)

    def not_sent(self, question: int, sample: int) -> None:
        """It was noted, but the asking was stopped before it went out: it is not in flight."""
        self._journal.not_sent(question, sample)

    def add(self, answer: Answer) -> None:
        assert self._writer is not None, "begin() comes first"
        self._writer.add(answer)

    def _commit(self, group: list[Answer]) -> None:
        rows = [answer_row(answer) for answer in group]
        self._writing.execute("BEGIN IMMEDIATE")
        try:
            _put(self._writing, ANSWERS, rows)
            self._writing.execute("COMMIT")
        except Exception:
            if self._writing.in_transaction:
                self._writing.execute("ROLLBACK")
            raise
        self._journal.stored(group)

    def _has_answer(self, question: int, sample: int) -> bool:
        return bool(self.answered(range(question, question + 1), sample))

    def left_behind(self) -> int:
        return sum(not self._has_answer(*key) for key in self._journal.left())

    # --- judging ---

    def add_verdicts(self, judge: str, version: str, verdicts: Iterable[tuple[int, int, Verdict]]) -> None:
        try:
            self._db.execute("BEGIN")
            _put(self._db, VERDICTS, list(verdict_rows(judge, version, verdicts)))
            self._db.execute("COMMIT")
        except (sqlite3.Error, StoreError) as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise StoreError(f"cannot write to {self._file}: {error}") from error

    def forget_answers(self) -> tuple[str, ...]:
        """Delete every word of the chatbot – answers, errors, what verdicts quote – with every byte of it; what may be
        left all the same."""
        self._db.execute("PRAGMA secure_delete = ON")
        self._db.execute("BEGIN IMMEDIATE")
        for statement in FORGET:
            self._db.execute(statement)
        self._db.execute("COMMIT")
        self._journal.clear()
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        self._db.execute("VACUUM")
        in_use = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        sentence = (
            f"{self._file} still holds old rows, as another process reads it; end it, then run asker forget again"
        )
        return (sentence,) if in_use else ()

    # --- for whoever opens it ---

    @property
    def _speaking(self) -> Any:
        return self._db

    def beside(self) -> SqliteStore:
        """The same answers through a connection of its own, to read and judge while they come in."""
        return _Beside(self._file)

    def discard(self) -> None:
        """Nothing but the file, which goes with its folder."""
        self.close()

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writing.close()
        self._journal.close()
        self._db.close()


class _Beside(SqliteStore):
    def unjudged(self, judge: str, version: str, within: range | None = None) -> Iterator[Answer]:
        """All at once: SQLite lets nobody write who is still reading what others have added to meanwhile."""
        return iter(list(super().unjudged(judge, version, within)))


def make(folder: Path, url: str) -> dict[str, str]:
    SqliteStore(folder / FILE).close()
    return {"kind": "sqlite"}


def create(folder: Path, about: dict[str, str]) -> SqliteStore:
    if not (folder / FILE).is_file():
        raise InputError(f"{folder} has lost its {FILE}; put it back, or start a new run elsewhere")
    return SqliteStore(folder / FILE)

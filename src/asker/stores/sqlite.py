"""Answers and verdicts in one SQLite file: the default for one machine.

Answers are durable within half a second: a thread commits them in groups, as a commit with full sync costs about a
millisecond and one for each answer would cap a run at 900 a second. Which questions are being asked is noted in a
small file beside it, so that after a crash we can say how many were in flight.
"""

from __future__ import annotations

import io
import queue
import sqlite3
import struct
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from asker.errors import StoreError
from asker.types import Answer, Verdict

GROUP, WAIT = 1000, 0.5  # a commit takes at most so many answers and waits at most so long, in seconds

MIGRATIONS = (
    (
        "answers and verdicts",
        """
        CREATE TABLE answers (
            question INTEGER NOT NULL, sample INTEGER NOT NULL, key TEXT NOT NULL, prompt TEXT NOT NULL,
            text TEXT, error TEXT, asked_at REAL NOT NULL, seconds REAL NOT NULL, attempts INTEGER NOT NULL,
            tokens_in INTEGER, tokens_out INTEGER,
            PRIMARY KEY (question, sample), CHECK ((text IS NULL) <> (error IS NULL))
        ) WITHOUT ROWID;
        CREATE TABLE verdicts (
            judge TEXT NOT NULL, question INTEGER NOT NULL, sample INTEGER NOT NULL, label TEXT,
            refused INTEGER NOT NULL, hedged INTEGER NOT NULL, confidence REAL NOT NULL, why TEXT NOT NULL,
            PRIMARY KEY (judge, question, sample)
        ) WITHOUT ROWID;
        CREATE TABLE sessions (
            id INTEGER PRIMARY KEY, started_at REAL NOT NULL, ended_at REAL, ended TEXT,
            cut_off INTEGER NOT NULL  -- questions in flight when the session before it was killed
        );
        """,
    ),
)
"""Named and append-only: a file written by an older version is brought up to date when it is opened."""

ANSWER = "question, sample, key, prompt, text, error, asked_at, seconds, attempts, tokens_in, tokens_out"
# An answer that is there stays; an error gives way to a later answer.
INSERT = f"""INSERT INTO answers ({ANSWER}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET text = excluded.text, error = excluded.error, asked_at = excluded.asked_at,
    seconds = excluded.seconds, attempts = excluded.attempts, tokens_in = excluded.tokens_in,
    tokens_out = excluded.tokens_out WHERE answers.text IS NULL"""


class SqliteStore:
    """One run's answers. Reading is free for all; one process at a time writes (the run folder's lock sees to it)."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._db = self._connect()
        self._migrate()
        self._journal = Journal(file.with_name("in-flight"))
        self._writer: _Writer | None = None

    def _connect(self) -> sqlite3.Connection:
        try:
            db = sqlite3.connect(self._file, isolation_level=None, check_same_thread=False, timeout=30)
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
        except sqlite3.Error as error:
            raise StoreError(f"cannot open {self._file}: {error}") from error
        return db

    def _migrate(self) -> None:
        try:
            done = self._db.execute("PRAGMA user_version").fetchone()[0]
            for number, (_, script) in enumerate(MIGRATIONS[done:], done + 1):
                self._db.executescript(f"BEGIN; {script} PRAGMA user_version = {number}; COMMIT;")
        except sqlite3.Error as error:
            raise StoreError(f"{self._file} is not a run's store: {error}") from error

    # --- asking ---

    def begin(self) -> int:
        """Start a session of asking; how many questions were in flight when the last one was cut off."""
        cut_off = sum(not self._has_answer(*key) for key in self._journal.take())
        try:
            self._db.execute("UPDATE sessions SET ended = 'cut off' WHERE ended IS NULL")
            self._db.execute("INSERT INTO sessions (started_at, cut_off) VALUES (?, ?)", (time.time(), cut_off))
        except sqlite3.Error as error:
            raise StoreError(f"cannot write to {self._file}: {error}") from error
        self._writer = _Writer(self._connect(), self._journal)
        return cut_off

    def end(self, how: str) -> None:
        """Close the session; all that was added is on disk when this returns."""
        if self._writer is None:
            return
        self._writer.close()
        self._writer = None
        self._journal.clear()
        last = "id = (SELECT max(id) FROM sessions)"
        self._db.execute(f"UPDATE sessions SET ended_at = ?, ended = ? WHERE {last}", (time.time(), how))

    def starting(self, question: int, sample: int) -> None:
        """Note that a question is about to be asked."""
        self._journal.add(question, sample)

    def add(self, answer: Answer) -> None:
        assert self._writer is not None, "begin() comes first"
        self._writer.add(answer)

    def answered(self, row: range, sample: int) -> set[int]:
        """Which of these questions have an answer. One that failed has not: it is asked again."""
        found = self._db.execute(
            "SELECT question FROM answers WHERE question BETWEEN ? AND ? AND sample = ? AND text IS NOT NULL",
            (row.start, row.stop - 1, sample),
        )
        return {question for (question,) in found}

    def _has_answer(self, question: int, sample: int) -> bool:
        return bool(self.answered(range(question, question + 1), sample))

    # --- judging ---

    def unjudged(self, judge: str) -> Iterator[Answer]:
        """Answers this judge has not read, in order of question, so that a plan finds their rows together."""
        return self._answers(
            "text IS NOT NULL AND NOT EXISTS (SELECT 1 FROM verdicts v WHERE v.judge = ? "
            "AND v.question = answers.question AND v.sample = answers.sample) ORDER BY question, sample",
            (judge,),
        )

    def add_verdicts(self, judge: str, verdicts: Iterable[tuple[int, int, Verdict]]) -> None:
        rows = ((judge, q, s, v.label, v.refused, v.hedged, v.confidence, v.why) for q, s, v in verdicts)
        try:
            self._db.execute("BEGIN")
            self._db.executemany("INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise StoreError(f"cannot write to {self._file}: {error}") from error

    def forget_verdicts(self, judge: str) -> None:
        self._db.execute("DELETE FROM verdicts WHERE judge = ?", (judge,))

    def judges(self) -> list[str]:
        return [name for (name,) in self._db.execute("SELECT DISTINCT judge FROM verdicts ORDER BY judge")]

    # --- reading ---

    def counts(self) -> dict[str, int]:
        answered, failed = self._db.execute("SELECT count(text), count(error) FROM answers").fetchone()
        cut_off, sessions = self._db.execute("SELECT total(cut_off), count(*) FROM sessions").fetchone()
        return {"answered": answered, "failed": failed, "cut off": int(cut_off), "sessions": sessions}

    def unreadable(self, judge: str) -> int:
        found = self._db.execute("SELECT count(*) FROM verdicts WHERE judge = ? AND label IS NULL", (judge,))
        return int(found.fetchone()[0])

    def failures(self) -> list[tuple[str, int]]:
        """Why questions failed, the commonest first."""
        found = self._db.execute(
            "SELECT error, count(*) FROM answers WHERE error IS NOT NULL GROUP BY error ORDER BY count(*) DESC"
        )
        return list(found)

    def outcomes(self, judge: str) -> Iterator[tuple[int, int, str | None, int, int]]:
        """Question, sample, label, refused and hedged of every answer. A failed or unread one has label None."""
        return self._db.execute(
            "SELECT a.question, a.sample, v.label, coalesce(v.refused, 0), coalesce(v.hedged, 0) FROM answers a "
            "LEFT JOIN verdicts v ON v.judge = ? AND v.question = a.question AND v.sample = a.sample",
            (judge,),
        )

    def answers(self, questions: Iterable[int] | None = None) -> Iterator[Answer]:
        if questions is None:
            yield from self._answers("1 ORDER BY question, sample")
            return
        for question in questions:
            yield from self._answers("question = ? ORDER BY sample", (question,))

    def records(self, judge: str) -> Iterator[tuple[Answer, Verdict]]:
        """Every answer with the judge's verdict, in order of question. One it has not read has label None."""
        answer = ", ".join(f"a.{name}" for name in ANSWER.split(", "))
        found = self._db.execute(
            f"SELECT {answer}, v.label, v.refused, v.hedged, v.confidence, v.why FROM answers a LEFT JOIN verdicts v "
            "ON v.judge = ? AND v.question = a.question AND v.sample = a.sample ORDER BY a.question, a.sample",
            (judge,),
        )
        for row in found:
            label, refused, hedged, confidence, why = row[11:]
            yield Answer(*row[:11]), Verdict(label, bool(refused), bool(hedged), confidence or 0.0, why or "")

    def verdict(self, judge: str, question: int, sample: int) -> Verdict | None:
        found = self._db.execute(
            "SELECT label, refused, hedged, confidence, why FROM verdicts "
            "WHERE judge = ? AND question = ? AND sample = ?",
            (judge, question, sample),
        ).fetchone()
        return Verdict(found[0], bool(found[1]), bool(found[2]), found[3], found[4]) if found else None

    def _answers(self, where: str, values: tuple[object, ...] = ()) -> Iterator[Answer]:
        cursor = self._db.execute(f"SELECT {ANSWER} FROM answers WHERE {where}", values)
        return (Answer(*row) for row in cursor)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._journal.close()
        self._db.close()


class _Writer(threading.Thread):
    """Commits answers in groups, so that asking never waits for the disk."""

    def __init__(self, db: sqlite3.Connection, journal: Journal) -> None:
        super().__init__(name="store-writer", daemon=True)
        self._db, self._journal = db, journal
        self._waiting: queue.Queue[Answer | None] = queue.Queue(maxsize=10 * GROUP)
        self._failure: Exception | None = None
        self.start()

    def add(self, answer: Answer) -> None:
        if self._failure is not None:
            raise StoreError(f"cannot store answers: {self._failure}. What was stored before is safe")
        self._waiting.put(answer)

    def close(self) -> None:
        self._waiting.put(None)
        self.join()
        self._db.close()
        if self._failure is not None:
            raise StoreError(f"cannot store answers: {self._failure}. What was stored before is safe")

    def run(self) -> None:
        more = True
        while more:
            group, more = self._group()
            if group and self._failure is None:
                try:
                    self._commit(group)
                except sqlite3.Error as error:
                    self._failure = error  # keep draining, so that whoever adds is told and never blocks

    def _group(self) -> tuple[list[Answer], bool]:
        """Wait for an answer, then for its company."""
        first = self._waiting.get()
        if first is None:
            return [], False
        group, until = [first], time.monotonic() + WAIT
        while len(group) < GROUP and (left := until - time.monotonic()) > 0:
            try:
                answer = self._waiting.get(timeout=left)
            except queue.Empty:
                break
            if answer is None:
                return group, False
            group.append(answer)
        return group, True

    def _commit(self, group: list[Answer]) -> None:
        rows = [
            (a.question, a.sample, a.key, a.prompt, _text(a.text), _text(a.error), a.asked_at, a.seconds, a.attempts,
             a.tokens_in, a.tokens_out)
            for a in group
        ]  # fmt: skip
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._db.executemany(INSERT, rows)
            self._db.execute("COMMIT")
        except sqlite3.Error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise
        self._journal.stored(group)


class Journal:
    """Which questions are asked but not yet stored, as entries at the end of a file: survives a kill, costs a write."""

    ENTRY = struct.Struct("<qi")
    LONG = 1 << 16  # entries after which the file is written anew with what is still open

    def __init__(self, file: Path) -> None:
        self._file = file
        self._handle: io.RawIOBase | None = None
        self._open: set[tuple[int, int]] = set()
        self._entries = 0
        self._lock = threading.Lock()

    def add(self, question: int, sample: int) -> None:
        with self._lock:
            self._open.add((question, sample))
            if self._handle is None or self._entries >= self.LONG:
                self._rewrite()
            elif self._handle is not None:
                self._handle.write(self.ENTRY.pack(question, sample))
                self._entries += 1

    def stored(self, answers: Iterable[Answer]) -> None:
        with self._lock:
            self._open.difference_update((answer.question, answer.sample) for answer in answers)

    def take(self) -> list[tuple[int, int]]:
        """The entries of a session that was cut off. A torn last entry was never asked."""
        if not self._file.exists():
            return []
        raw = self._file.read_bytes()
        whole = len(raw) // self.ENTRY.size * self.ENTRY.size
        self.clear()
        return sorted({(question, sample) for question, sample in self.ENTRY.iter_unpack(raw[:whole])})

    def clear(self) -> None:
        self.close()
        self._open.clear()
        self._file.unlink(missing_ok=True)

    def close(self) -> None:
        if self._handle is not None:
            self._handle.close()
            self._handle = None

    def _rewrite(self) -> None:
        fresh = self._file.with_suffix(".new")
        fresh.write_bytes(b"".join(self.ENTRY.pack(*entry) for entry in self._open))
        fresh.replace(self._file)
        self.close()
        self._handle = self._file.open("ab", buffering=0)
        self._entries = len(self._open)


def _text(text: str | None) -> str | None:
    """SQLite cannot hold half a surrogate pair; a chatbot can send one."""
    return text if text is None or text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def create(folder: Path) -> SqliteStore:
    return SqliteStore(folder / "answers.sqlite")

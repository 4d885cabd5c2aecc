"""Answers and verdicts in one SQLite file: the default for one machine.

Answers are durable within half a second: a thread commits them in groups, as a commit with full sync costs about a
millisecond and one for each answer would cap a run at 900 a second. Which questions are being asked is noted in a
small file beside it, so that after a crash we can say how many were in flight.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any

from asker.errors import StoreError
from asker.finding import Key, Window, Wish
from asker.stores import _browsing
from asker.stores._writing import ANSWER, Journal, Writer
from asker.types import TOXIC, Answer, OutcomeRow, Verdict

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
    ("indices for reading page by page", _browsing.INDICES),
)
"""Named and append-only: a file written by an older version is brought up to date when it is opened."""


class _Cursor(sqlite3.Cursor):
    """Reading a damaged file fails in the middle of it, too: that is a sentence, no traceback."""

    def __next__(self) -> Any:
        try:
            return super().__next__()
        except sqlite3.Error as error:
            raise StoreError(f"answers.sqlite cannot be read: {error}") from error

    def fetchone(self) -> Any:
        try:
            return super().fetchone()
        except sqlite3.Error as error:
            raise StoreError(f"answers.sqlite cannot be read: {error}") from error


class _Connection(sqlite3.Connection):
    def execute(self, statement: str, values: Any = (), /) -> _Cursor:
        try:
            return self.cursor(_Cursor).execute(statement, values)
        except sqlite3.Error as error:
            raise StoreError(f"answers.sqlite cannot be used: {error}") from error


class SqliteStore:
    """One run's answers. Reading is free for all; one process at a time writes (the run folder's lock sees to it)."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._db = self._connect()
        self._migrate()
        self._journal = Journal(file.with_name("in-flight"))
        self._writer: Writer | None = None

    def _connect(self) -> sqlite3.Connection:
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

    # --- asking ---

    def begin(self) -> int:
        """Start a session of asking; how many questions were in flight when the last one was cut off."""
        cut_off = sum(not self._has_answer(*key) for key in self._journal.left())
        self._db.execute("BEGIN IMMEDIATE")
        self._db.execute("UPDATE sessions SET ended = 'cut off' WHERE ended IS NULL")
        self._db.execute("INSERT INTO sessions (started_at, cut_off) VALUES (?, ?)", (time.time(), cut_off))
        self._db.execute("COMMIT")
        self._journal.clear()  # only now: a kill on the way here may count them twice, but loses none
        self._writer = Writer(self._connect(), self._journal)
        return cut_off

    def end(self, how: str) -> None:
        """Close the session; all that was added is on disk when this returns."""
        if self._writer is None:
            return
        writer, self._writer = self._writer, None
        writer.close()
        given_up = self._journal.open_entries
        last = "id = (SELECT max(id) FROM sessions)"
        values = (time.time(), how, given_up)
        self._db.execute(f"UPDATE sessions SET ended_at = ?, ended = ?, given_up = ? WHERE {last}", values)
        self._journal.clear()

    def starting(self, question: int, sample: int) -> None:
        """Note that a question is about to be asked."""
        self._journal.add(question, sample)

    def add(self, answer: Answer) -> None:
        assert self._writer is not None, "begin() comes first"
        self._writer.add(answer)

    def answered(self, row: range, sample: int, *, failed_too: bool = False) -> set[int]:
        """Which of these questions have an answer; with `failed_too`, also those that were tried in vain."""
        wanted = "1" if failed_too else "text IS NOT NULL"
        found = self._db.execute(
            f"SELECT question FROM answers WHERE question BETWEEN ? AND ? AND sample = ? AND {wanted}",
            (row.start, row.stop - 1, sample),
        )
        return {question for (question,) in found}

    def _has_answer(self, question: int, sample: int) -> bool:
        return bool(self.answered(range(question, question + 1), sample))

    # --- judging ---

    def unjudged(self, judge: str, version: str) -> Iterator[Answer]:
        """Answers this version of a judge has not read, in order of question, so that a plan finds rows together."""
        return self._answers(
            "text IS NOT NULL AND NOT EXISTS (SELECT 1 FROM verdicts v WHERE v.judge = ? AND v.version = ? "
            "AND v.question = answers.question AND v.sample = answers.sample) ORDER BY question, sample",
            (judge, version),
        )

    def add_verdicts(self, judge: str, version: str, verdicts: Iterable[tuple[int, int, Verdict]]) -> None:
        of = attrgetter("label", "refused", "hedged", "confidence", "why", "toxic")
        rows = ((judge, version, question, sample, *of(verdict)) for question, sample, verdict in verdicts)
        try:
            self._db.execute("BEGIN")
            self._db.executemany("INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
            self._db.execute("COMMIT")
        except (sqlite3.Error, StoreError) as error:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            raise StoreError(f"cannot write to {self._file}: {error}") from error

    def forget_verdicts(self, judge: str) -> None:
        self._db.execute("DELETE FROM verdicts WHERE judge = ?", (judge,))

    def forget_answers(self) -> None:
        """Delete every word of the chatbot – answers, errors, what verdicts quote – with every byte of it."""
        self._db.execute("PRAGMA secure_delete = ON")
        self._db.execute("BEGIN IMMEDIATE")
        self._db.execute("UPDATE answers SET text = '' WHERE text IS NOT NULL")
        self._db.execute("UPDATE answers SET error = 'deleted on request' WHERE error IS NOT NULL")
        self._db.execute("UPDATE verdicts SET why = ''")
        self._db.execute("COMMIT")
        self._journal.clear()
        for step in ("PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
            self._db.execute(step).fetchone()

    # --- reading ---

    def counts(self) -> dict[str, int]:
        # An index has each: counting answers in their table would read every text.
        failed = int(self._db.execute("SELECT count(*) FROM answers WHERE error IS NOT NULL").fetchone()[0])
        answered = int(self._db.execute("SELECT count(*) FROM answers").fetchone()[0]) - failed
        cut_off, given_up, sessions = self._db.execute(
            "SELECT total(cut_off), total(given_up), count(*) FROM sessions"
        ).fetchone()
        flown = {"cut off": int(cut_off), "given up": int(given_up)}
        return {"answered": answered, "failed": failed, **flown, "sessions": sessions}

    def usage(self) -> dict[str, int]:
        """Tokens that replies reported, and how many attempts said nothing of what they used – broken off, in flight at
        a stop or a kill, or silent about it – with the bytes of their prompts."""
        silent = "(lost + (text IS NOT NULL AND tokens_in IS NULL))"
        tokens_in, tokens_out, unknown, size, longest = self._db.execute(
            f"SELECT total(tokens_in), total(tokens_out), total({silent}), "
            f"total({silent} * length(CAST(prompt AS BLOB))), coalesce(max(length(CAST(prompt AS BLOB))), 500) "
            "FROM answers WHERE attempts > 0"
        ).fetchone()
        counts = self.counts()
        gone = counts["cut off"] + counts["given up"] + len(self._journal.left())
        names = ("tokens in", "tokens out", "unknown", "unknown bytes")
        return dict(zip(names, map(int, (tokens_in, tokens_out, unknown + gone, size + gone * longest)), strict=True))

    def commonest(self, judge: str, labels: Iterable[str]) -> tuple[str, int, int] | None:
        """The answer that most often got one of these labels, how often, and how many got one."""
        chosen = tuple(labels)
        marks = ",".join("?" * len(chosen))
        found = self._db.execute(
            f"SELECT a.text, count(*) AS times, sum(count(*)) OVER () FROM verdicts v JOIN answers a "
            f"ON a.question = v.question AND a.sample = v.sample WHERE v.judge = ? AND v.label IN ({marks}) "
            "GROUP BY a.text ORDER BY times DESC, a.text LIMIT 1",
            (judge, *chosen),
        ).fetchone()
        return found and (str(found[0]), int(found[1]), int(found[2]))

    def unreadable(self, judge: str) -> int:
        found = self._db.execute("SELECT count(*) FROM verdicts WHERE judge = ? AND label IS NULL", (judge,))
        return int(found.fetchone()[0])

    def toxic(self, judge: str, above: float) -> tuple[int, int]:
        """How many answers a toxicity model scored above this, and how many it scored."""
        found = self._db.execute(
            "SELECT coalesce(sum(toxic > ?), 0), count(toxic) FROM verdicts WHERE judge = ?", (above, judge)
        ).fetchone()
        return int(found[0]), int(found[1])

    def failures(self) -> list[tuple[str, int]]:
        """Why questions failed, the commonest first."""
        found = self._db.execute(
            "SELECT error, count(*) FROM answers WHERE error IS NOT NULL GROUP BY error ORDER BY count(*) DESC"
        )
        return list(found)

    def outcomes(self, judge: str) -> Iterator[OutcomeRow]:
        """Question, sample, label, refused and toxic of every answer. A failed or unread one has label None."""
        return self._db.execute(
            "SELECT a.question, a.sample, v.label, coalesce(v.refused, 0), coalesce(v.toxic > ?, 0) FROM answers a "
            "LEFT JOIN verdicts v ON v.judge = ? AND v.question = a.question AND v.sample = a.sample",
            (TOXIC, judge),
        )

    def keyed_outcomes(self, judge: str) -> Iterator[tuple[str, int, int, str | None, int]]:
        """Content key, sample, question, label and refused of every answer, in order of question."""
        return self._db.execute(
            "SELECT a.key, a.sample, a.question, v.label, coalesce(v.refused, 0) FROM answers a LEFT JOIN verdicts v "
            "ON v.judge = ? AND v.question = a.question AND v.sample = a.sample ORDER BY a.question, a.sample",
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
            f"SELECT {answer}, v.label, v.refused, v.hedged, v.confidence, v.why, v.toxic "
            "FROM answers a LEFT JOIN verdicts v "
            "ON v.judge = ? AND v.question = a.question AND v.sample = a.sample ORDER BY a.question, a.sample",
            (judge,),
        )
        for row in found:
            label, refused, hedged, confidence, why, toxic = row[12:]
            yield Answer(*row[:12]), Verdict(label, bool(refused), bool(hedged), confidence or 0.0, why or "", toxic)

    def verdict(self, judge: str, question: int, sample: int) -> Verdict | None:
        found = self._db.execute(
            "SELECT label, refused, hedged, confidence, why, toxic FROM verdicts "
            "WHERE judge = ? AND question = ? AND sample = ?",
            (judge, question, sample),
        ).fetchone()
        return Verdict(found[0], bool(found[1]), bool(found[2]), *found[3:]) if found else None

    # --- reading page by page ---

    def window(self, wish: Wish, after: Key | None, size: int, most: int) -> Window:
        """Of the next `size` entries of the index behind this order, those that fit the wish, at most so many."""
        return _browsing.window(self._db, wish, after, size, most)

    def among(self, wish: Wish, questions: Sequence[int]) -> list[Key]:
        """Those of these questions' records that fit the wish, in its order."""
        return _browsing.among(self._db, wish, questions)

    def records_at(self, judge: str, keys: Iterable[Key]) -> list[tuple[Answer, Verdict | None]]:
        return _browsing.records(self._db, judge, keys)

    def tally(self, judge: str) -> dict[str, int]:
        """How many records have each label, are unreadable, failed or declined."""
        return _browsing.tally(self._db, judge)

    def judged(self, judge: str) -> int:
        return int(self._db.execute("SELECT count(*) FROM verdicts WHERE judge = ?", (judge,)).fetchone()[0])

    def pace(self, now: float, span: float = 60.0) -> tuple[float, bool]:
        """Answers a second in the last `span` seconds of the last session, and whether that session is open."""
        last = self._db.execute("SELECT started_at, ended_at, ended FROM sessions ORDER BY id DESC LIMIT 1").fetchone()
        if last is None:
            return 0.0, False
        started, ended_at, ended = last
        since = max(started, now - span)
        count = self._db.execute("SELECT count(*) FROM answers WHERE asked_at >= ?", (since,)).fetchone()[0]
        seconds = max((ended_at or now) - since, 1e-9)
        return (count / seconds if seconds > 0 else 0.0), ended is None

    def _answers(self, where: str, values: tuple[object, ...] = ()) -> Iterator[Answer]:
        cursor = self._db.execute(f"SELECT {ANSWER} FROM answers WHERE {where}", values)
        return (Answer(*row) for row in cursor)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._journal.close()
        self._db.close()


def create(folder: Path) -> SqliteStore:
    return SqliteStore(folder / "answers.sqlite")

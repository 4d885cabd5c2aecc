"""Answers and verdicts in PostgreSQL, for several machines at once. Needs: `pip install 'asker-audit[postgres]'`

Each run has a schema of its own in the database; any number of processes may write to it. A question is asked once it
is noted in the database as being on its way, and the note goes in the same transaction that stores the answer: so after
any kill it is known how many were in flight. Whoever begins a session ends all before it: a writer that belongs to
one of these can still store what it was answered, but asks nothing more.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from secrets import token_hex
from typing import Any

from asker.stores._browsing import THESE
from asker.stores._postgres_copy import ANSWERS, VERDICTS, put
from asker.stores._postgres_forget import forget
from asker.stores._postgres_line import Line, without_secrets
from asker.stores._postgres_notes import LEFT, Noter, Notes, lost
from asker.stores._postgres_tables import make_schema, migrate
from asker.stores._sql import Row, SqlStore, answer_row, verdict_rows
from asker.stores._writing import Writer
from asker.types import Answer, Verdict

PAGE = 10_000  # rows fetched at once: a scan holds no transaction open and survives a restart of the server


class PostgresStore(SqlStore):
    """One run's answers. `session` is that of a driver, for a worker that joins it under a name of its own."""

    bytes_of_prompt = "octet_length(prompt)"

    def __init__(self, url: str, schema: str, session: int | None = None, writer: str = "") -> None:
        self.about = {"kind": "postgres", "url": url, "schema": schema}
        self._joined, self.session, self._name = session is not None, session, writer
        self._line = self._new_line()
        self._line.run(lambda db: migrate(db, schema))
        self._writer: Writer | None = None
        self._noter: Noter | None = None

    def _new_line(self, prepare: str = "") -> Line:
        return Line(self.about["url"], self.about["schema"], prepare)

    def _rows(self, statement: str, values: Sequence[object] = ()) -> Iterator[Row]:
        sent = statement.replace("?", "%s")

        def fetch(db: Any) -> list[Row]:
            cursor = db.execute(sent, values)
            return cursor.fetchall() if cursor.description else []

        return iter(self._line.run(fetch))

    def _scan(self, columns: str, tables: str, where: str, values: Sequence[object]) -> Iterator[Row]:
        only = f"{where} AND " if where else ""
        last: tuple[int, int] = (-1, -1)
        while page := list(self._rows(_after(last, columns, tables, only), values)):
            yield from page
            last = page[-1][:2]  # every scan begins with these two

    # --- asking ---

    def begin(self) -> int:
        """Start a session of asking, or join one; how many questions were in flight when the last one was cut off."""
        cut_off = 0 if self._joined else self._line.run(self._begin)
        self._writing = self._new_line()
        self._notes = Notes(self._name)
        self._writer = Writer(self._commit)
        line = self._new_line("SET synchronous_commit = off")
        self._noter = Noter(line, self._notes, self.session or 0, self._name)
        return cut_off

    def _begin(self, db: Any) -> int:
        with db.transaction():
            db.execute("UPDATE sessions SET ended = 'cut off' WHERE ended IS NULL")
            cut_off = int(db.execute(LEFT).fetchone()[0])
            db.execute("DELETE FROM in_flight")
            new = "INSERT INTO sessions (started_at, cut_off) VALUES (%s, %s) RETURNING id"
            self.session = db.execute(new, (time.time(), cut_off)).fetchone()[0]
        return cut_off

    def end(self, how: str) -> None:
        """Close the session; all that was added is in the database when this returns."""
        if self._writer is None or self._noter is None:
            return
        writer, noter, self._writer, self._noter = self._writer, self._noter, None, None
        noter.close()
        try:
            writer.close()
            self._writing.run(self._notes.take_back)
        finally:
            self._writing.close()
        if not self._joined:
            self._line.run(lambda db: self._end(db, how))

    def _end(self, db: Any, how: str) -> None:
        with db.transaction():
            given_up = db.execute(LEFT).fetchone()[0]
            change = "UPDATE sessions SET ended_at = %s, ended = %s, given_up = %s WHERE id = %s AND ended IS NULL"
            if db.execute(change, (time.time(), how, given_up, self.session)).rowcount:
                db.execute("DELETE FROM in_flight")

    def starting(self, question: int, sample: int) -> Future[None] | None:
        """Note that a question is about to be asked; wait for what this gives before asking."""
        assert self._noter is not None, "begin() comes first"
        return self._noter.add(question, sample)

    def not_sent(self, question: int, sample: int) -> None:
        """It was noted, but the asking was stopped before it went out: it is not in flight."""
        self._notes.not_sent((question, sample))

    def add(self, answer: Answer) -> None:
        assert self._writer is not None, "begin() comes first"
        self._writer.add(answer)

    def _commit(self, group: list[Answer]) -> None:
        put(self._writing, ANSWERS, _rows_of(group), lambda cursor: self._notes.remove(cursor, group))
        self._notes.stored(group)

    def left_behind(self) -> int:
        return 0 if self._writer else int(self._one(LEFT)[0])

    def lost(self, writer: str) -> int:
        """A worker of this session died: how many of its questions were in flight. They count as cut off."""

        def count(db: Any) -> int:
            with db.transaction():
                found = lost(db, writer)
                db.execute("UPDATE sessions SET cut_off = cut_off + %s WHERE id = %s", (found, self.session))
            return found

        return self._line.run(count)

    # --- judging ---

    def add_verdicts(self, judge: str, version: str, verdicts: Iterable[tuple[int, int, Verdict]]) -> None:
        rows = {row[:4]: row for row in verdict_rows(judge, version, verdicts)}
        put(self._line, VERDICTS, (rows[key] for key in sorted(rows)))

    def forget_answers(self) -> tuple[str, ...]:
        """Delete every word of the chatbot – answers, errors, what verdicts quote – from the tables; what may be left
        there all the same. The server's own log and backups are beyond our reach."""
        return self._line.run(lambda db: forget(db, self.about["schema"]))

    # --- for whoever opens it ---

    @property
    def _speaking(self) -> Any:
        return Speaking(self._line)

    def beside(self) -> PostgresStore:
        """The same answers through a connection of its own, to read and judge while they come in."""
        return PostgresStore(self.about["url"], self.about["schema"])

    def discard(self) -> None:
        """Leave nothing of this run in the database."""
        self._line.run(lambda db: db.execute(f'DROP SCHEMA IF EXISTS "{self.about["schema"]}" CASCADE'))
        self.close()

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writing.close()
        if self._noter is not None:
            self._noter.close()
        self._line.close()


def _after(last: tuple[int, int], columns: str, tables: str, only: str) -> str:
    """A page of a scan. Verdicts are bounded too, or each page would read them from the first on."""
    here = "({}, {})".format(*map(int, last))
    statement = (
        f"SELECT {columns} FROM {tables} WHERE {only}(a.question, a.sample) > {here} "
        f"ORDER BY a.question, a.sample LIMIT {PAGE}"
    )
    return statement.replace("v.sample = a.sample", f"v.sample = a.sample AND (v.question, v.sample) > {here}")


def _rows_of(group: list[Answer]) -> list[Row]:
    """Each question once, as one statement cannot touch a row twice; in order, so that two writers with the same
    questions never wait for each other in a circle."""
    kept: dict[tuple[int, int], Answer] = {}
    for answer in group:
        there = kept.get((answer.question, answer.sample))
        if there is None or there.text is None:
            kept[answer.question, answer.sample] = answer
    return [answer_row(kept[key]) for key in sorted(kept)]


class Speaking:
    """Takes statements as SQLite does."""

    HERE = "(SELECT value::bigint FROM json_array_elements_text(?::json)) j JOIN answers t ON t.question = j.value"

    def __init__(self, line: Line) -> None:
        self._line = line

    def execute(self, statement: str, values: Sequence[object] = ()) -> Any:
        said = statement.replace(THESE, self.HERE).replace(" LIKE ", " ILIKE ").replace("?", "%s")
        return self._line.run(lambda db: db.execute(said, values))


def make(folder: Path, url: str) -> dict[str, str]:
    schema = f"asker_{token_hex(6)}"
    line = Line(without_secrets(url), schema)
    try:
        line.run(lambda db: make_schema(db, schema))
        line.run(lambda db: migrate(db, schema))
    finally:
        line.close()
    return {"kind": "postgres", "url": url, "schema": schema}


def create(folder: Path, about: dict[str, str]) -> PostgresStore:
    return PostgresStore(about["url"], about["schema"])


def join(about: dict[str, str], session: int, writer: str) -> PostgresStore:
    """The store for a worker: it writes within the session that a driver has begun."""
    return PostgresStore(about["url"], about["schema"], session, writer)

"""Answers and verdicts in PostgreSQL, for several machines at once. Needs: `pip install 'asker-audit[postgres]'`

Each run has a schema of its own in the database; any number of processes may write to it. A question is asked once it
is noted in the database as being on its way, and the note goes in the same transaction that stores the answer: so after
any kill it is known how many were in flight. Whoever begins a session ends all before it: a writer that belongs to
one of these can still store what it was answered, but asks nothing more.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from secrets import token_hex
from typing import Any

from asker.errors import StoreError
from asker.stores._browsing import THESE
from asker.stores._postgres_line import Line, without_secrets
from asker.stores._postgres_tables import make_schema, migrate
from asker.stores._sql import ANSWER, FORGET, KEEP, VERDICTS, Row, SqlStore, answer_row, verdict_rows
from asker.stores._writing import Writer
from asker.types import Answer, Verdict

PAGE = 10_000  # rows fetched at once: a scan holds no transaction open and survives a restart of the server
STAGED = "CREATE TEMP TABLE staged (LIKE answers) ON COMMIT DELETE ROWS"
UNANSWERED = (
    "NOT EXISTS (SELECT 1 FROM answers a WHERE (a.question, a.sample) = (f.question, f.sample) AND a.text IS NOT NULL)"
)
Note = tuple[int, int, "Future[None]"]


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
        statement = (
            f"SELECT {columns} FROM {tables} WHERE {only}(a.question, a.sample) > (?, ?) "
            f"ORDER BY a.question, a.sample LIMIT {PAGE}"
        )
        last: tuple[int, int] = (-1, -1)
        while page := list(self._rows(statement, (*values, *last))):
            yield from page
            last = page[-1][:2]  # every scan begins with these two

    # --- asking ---

    def begin(self) -> int:
        """Start a session of asking, or join one; how many questions were in flight when the last one was cut off."""
        cut_off = 0 if self._joined else self._line.run(self._begin)
        self._writing = self._new_line(STAGED)
        self._writer = Writer(lambda group: self._writing.run(lambda db: self._commit(db, group)))
        self._noter = Noter(self._new_line("SET synchronous_commit = off"), self.session or 0, self._name)
        return cut_off

    def _begin(self, db: Any) -> int:
        with db.transaction():
            db.execute("UPDATE sessions SET ended = 'cut off' WHERE ended IS NULL")
            cut_off = int(db.execute(f"SELECT count(*) FROM in_flight f WHERE {UNANSWERED}").fetchone()[0])
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
        finally:
            self._writing.close()
        if not self._joined:
            self._line.run(lambda db: self._end(db, how))

    def _end(self, db: Any, how: str) -> None:
        with db.transaction():
            given_up = db.execute(f"SELECT count(*) FROM in_flight f WHERE {UNANSWERED}").fetchone()[0]
            change = "UPDATE sessions SET ended_at = %s, ended = %s, given_up = %s WHERE id = %s AND ended IS NULL"
            if db.execute(change, (time.time(), how, given_up, self.session)).rowcount:
                db.execute("DELETE FROM in_flight")

    def starting(self, question: int, sample: int) -> Future[None] | None:
        """Note that a question is about to be asked; wait for what this gives before asking."""
        assert self._noter is not None, "begin() comes first"
        return self._noter.add(question, sample)

    def add(self, answer: Answer) -> None:
        assert self._writer is not None, "begin() comes first"
        self._writer.add(answer)

    def _commit(self, db: Any, group: list[Answer]) -> None:
        kept: dict[tuple[int, int], Answer] = {}
        for answer in group:  # one statement cannot touch a row twice
            there = kept.get((answer.question, answer.sample))
            if there is None or there.text is None:
                kept[answer.question, answer.sample] = answer
        with db.transaction(), db.cursor() as cursor:
            with cursor.copy(f"COPY staged ({ANSWER}) FROM STDIN") as copy:
                for answer in kept.values():
                    copy.write_row(answer_row(answer))
            # In order, so that two writers with the same questions never wait for each other in a circle.
            staged = f"SELECT {ANSWER} FROM staged ORDER BY question, sample"
            cursor.execute(f"INSERT INTO answers ({ANSWER}) {staged} {KEEP}")
            cursor.execute(
                "DELETE FROM in_flight f USING staged s "
                "WHERE (f.writer, f.question, f.sample) = (%s, s.question, s.sample)",
                (self._name,),
            )

    def left_behind(self) -> int:
        return 0 if self._writer else int(self._one(f"SELECT count(*) FROM in_flight f WHERE {UNANSWERED}")[0])

    def lost(self, writer: str) -> int:
        """A worker of this session died: how many of its questions were in flight. They count as cut off."""
        gone = f"""WITH f AS (DELETE FROM in_flight WHERE writer = %s RETURNING question, sample)
            SELECT count(*) FROM f WHERE {UNANSWERED}"""

        def count(db: Any) -> int:
            with db.transaction():
                found = int(db.execute(gone, (writer,)).fetchone()[0])
                db.execute("UPDATE sessions SET cut_off = cut_off + %s WHERE id = %s", (found, self.session))
            return found

        return self._line.run(count)

    # --- judging ---

    def add_verdicts(self, judge: str, version: str, verdicts: Iterable[tuple[int, int, Verdict]]) -> None:
        rows = sorted(verdict_rows(judge, version, verdicts), key=lambda row: row[:4])

        def write(db: Any) -> None:
            with db.transaction(), db.cursor() as cursor:
                cursor.executemany(VERDICTS.replace("?", "%s"), rows)

        self._line.run(write)

    def forget_answers(self) -> None:
        """Delete every word of the chatbot – answers, errors, what verdicts quote – from the tables. The server's own
        log and backups are beyond our reach."""

        def forget(db: Any) -> None:
            with db.transaction():
                for statement in FORGET:
                    db.execute(statement)
            db.execute("VACUUM FULL ANALYZE answers, verdicts")
            # The planner keeps the commonest values of columns. Who does not own the database is passed over here.
            db.execute("VACUUM FULL pg_catalog.pg_statistic")

        self._line.run(forget)

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


class Speaking:
    """Takes statements as SQLite does."""

    HERE = "(SELECT value::bigint FROM json_array_elements_text(?::json)) j JOIN answers t ON t.question = j.value"

    def __init__(self, line: Line) -> None:
        self._line = line

    def execute(self, statement: str, values: Sequence[object] = ()) -> Any:
        said = statement.replace(THESE, self.HERE).replace(" LIKE ", " ILIKE ").replace("?", "%s")
        return self._line.run(lambda db: db.execute(said, values))


class Noter(threading.Thread):
    """Notes questions as being on their way, all that wait in one statement."""

    NOTE = """INSERT INTO in_flight SELECT %s, q, s FROM unnest(%s::bigint[], %s::integer[]) AS n (q, s)
        WHERE EXISTS (SELECT 1 FROM sessions WHERE id = %s AND ended IS NULL) ON CONFLICT DO NOTHING"""
    OPEN = "SELECT 1 FROM sessions WHERE id = %s AND ended IS NULL"

    def __init__(self, line: Line, session: int, name: str) -> None:
        super().__init__(name="store-noter", daemon=True)
        self._line, self._session, self._name = line, session, name
        self._waiting: queue.SimpleQueue[Note | None] = queue.SimpleQueue()
        self.start()

    def add(self, question: int, sample: int) -> Future[None]:
        noted: Future[None] = Future()
        self._waiting.put((question, sample, noted))
        return noted

    def close(self) -> None:
        self._waiting.put(None)
        self.join()
        self._line.close()

    def run(self) -> None:
        while notes := self._all_waiting():
            try:
                self._line.run(lambda db, notes=notes: self._write(db, notes))  # type: ignore[misc]
            except Exception as error:  # whoever waits must be told
                for *_, noted in notes:
                    noted.set_exception(error)
            else:
                for *_, noted in notes:
                    noted.set_result(None)

    def _all_waiting(self) -> list[Note]:
        found: list[Note] = []
        while not found or not self._waiting.empty():
            one = self._waiting.get()
            if one is None:
                self._waiting.put(None)  # after these, once more
                break
            if one[2].set_running_or_notify_cancel():
                found.append(one)
        return found

    def _write(self, db: Any, notes: list[Note]) -> None:
        values = (self._name, [note[0] for note in notes], [note[1] for note in notes], self._session)
        if db.execute(self.NOTE, values).rowcount == 0 and not db.execute(self.OPEN, (self._session,)).fetchone():
            raise StoreError("another process has begun to ask the questions of this run; this one asks nothing more")


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

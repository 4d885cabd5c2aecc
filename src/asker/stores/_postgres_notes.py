"""Which questions are on their way, noted in the database before they go out.

Questions that wait together are one row of the table in_flight, so that a note costs little however many they are. The
row goes in the transaction that stores the last of its answers. Until then those that have an answer are told by that;
one that failed is taken out of its row, as an error says nothing of which attempt it came from, and so is one that
did not go out after all.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from concurrent.futures import Future
from typing import Any

from asker.errors import StoreError
from asker.stores._postgres_line import Line
from asker.types import Answer

Key = tuple[int, int]  # question and sample
NOTED = "(SELECT DISTINCT q AS question, s AS sample FROM in_flight, unnest(questions, samples) AS n (q, s)) f"
UNANSWERED = (
    "NOT EXISTS (SELECT 1 FROM answers a WHERE (a.question, a.sample) = (f.question, f.sample) AND a.text IS NOT NULL)"
)
LEFT = f"SELECT count(*) FROM {NOTED} WHERE {UNANSWERED}"


class Notes:
    """What one process has noted: the rows, and what of each is not stored yet."""

    def __init__(self, writer: str) -> None:
        self._writer = writer
        self._lock = threading.Lock()
        self._row_of: dict[Key, int] = {}
        self._open: dict[int, set[Key]] = {}
        self._not_sent: set[Key] = set()
        self._last = time.time_ns()  # rows of a process that had the same name are others

    def new(self, keys: Iterable[Key]) -> tuple[int, list[Key]]:
        """A number for the row of these, and those of them that are not noted yet."""
        with self._lock:
            self._last += 1
            fresh = [key for key in dict.fromkeys(keys) if key not in self._row_of and key not in self._not_sent]
            return self._last, fresh

    def keep(self, row: int, keys: list[Key]) -> None:
        """They are in the database now."""
        with self._lock:
            self._open[row] = set(keys)
            self._row_of.update(dict.fromkeys(keys, row))

    def not_sent(self, key: Key) -> None:
        """It did not go out. In the database that is said when the session ends, by `take_back`."""
        with self._lock:
            self._not_sent.add(key)

    def sent_after_all(self, key: Key) -> None:
        with self._lock:
            self._not_sent.discard(key)

    def take_back(self, db: Any) -> None:
        with db.transaction():
            self._change(db, *self._without((key, True) for key in self._not_sent))

    def remove(self, db: Any, answers: Iterable[Answer]) -> None:
        """Within the transaction that stores these answers; `stored` afterwards, when it is committed."""
        self._change(db, *self._without(((one.question, one.sample), one.text is None) for one in answers))

    def _change(self, db: Any, done: list[int], changed: dict[int, set[Key]]) -> None:
        if done:
            db.execute("DELETE FROM in_flight WHERE writer = %s AND note = ANY(%s)", (self._writer, done))
        for row, keys in changed.items():
            questions, samples = _columns(keys)
            change = "UPDATE in_flight SET questions = %s, samples = %s WHERE writer = %s AND note = %s"
            db.execute(change, (questions, samples, self._writer, row))

    def _without(self, gone: Iterable[tuple[Key, bool]]) -> tuple[list[int], dict[int, set[Key]]]:
        """Rows of which nothing is left, and what is left of those in which something has no answer (True)."""
        left: dict[int, set[Key]] = {}
        unanswered: set[int] = set()
        with self._lock:
            for key, without_answer in gone:
                row = self._row_of.get(key)
                if row is None:
                    continue  # never on its way: from a cache, or stopped before it was noted
                left.setdefault(row, set(self._open[row])).discard(key)
                if without_answer:
                    unanswered.add(row)
        return [row for row in left if not left[row]], {row: left[row] for row in sorted(unanswered) if left[row]}

    def stored(self, answers: Iterable[Answer]) -> None:
        with self._lock:
            for answer in answers:
                key = (answer.question, answer.sample)
                row = self._row_of.pop(key, None)
                if row is not None:
                    self._open[row].discard(key)
                    if not self._open[row]:
                        del self._open[row]


class Noter(threading.Thread):
    """Notes questions as being on their way, all that wait in one statement."""

    NOTE = """INSERT INTO in_flight SELECT %s, %s, %s::bigint[], %s::integer[]
        WHERE EXISTS (SELECT 1 FROM sessions WHERE id = %s AND ended IS NULL) ON CONFLICT DO NOTHING"""
    OPEN = "SELECT 1 FROM sessions WHERE id = %s AND ended IS NULL"

    def __init__(self, line: Line, notes: Notes, session: int, writer: str) -> None:
        super().__init__(name="store-noter", daemon=True)
        self._line, self._notes, self._session, self._writer = line, notes, session, writer
        self._some = threading.Condition()
        self._waiting: list[Key] = []
        self._noted: Future[None] = Future()  # one for all that wait together: each would wake the asking by itself
        self._closing = False
        self.start()

    def add(self, question: int, sample: int) -> Future[None]:
        self._notes.sent_after_all((question, sample))
        with self._some:
            self._waiting.append((question, sample))
            if len(self._waiting) == 1:
                self._some.notify()
            return self._noted

    def close(self) -> None:
        with self._some:
            self._closing = True
            self._some.notify()
        self.join()
        self._line.close()

    def run(self) -> None:
        while True:
            keys, noted = self._all_waiting()
            if not keys:
                return
            try:
                self._note(keys)
            except Exception as error:  # whoever waits must be told
                noted.set_exception(error)
            else:
                noted.set_result(None)

    def _all_waiting(self) -> tuple[list[Key], Future[None]]:
        with self._some:
            self._some.wait_for(lambda: self._waiting or self._closing)
            keys, noted = self._waiting, self._noted
            self._waiting, self._noted = [], Future()
        noted.set_running_or_notify_cancel()  # who waits with others cannot take the note back
        return keys, noted

    def _note(self, keys: list[Key]) -> None:
        row, fresh = self._notes.new(keys)
        self._line.run(lambda db: self._write(db, row, fresh))
        self._notes.keep(row, fresh)

    def _write(self, db: Any, row: int, keys: list[Key]) -> None:
        """A question that is tried again is noted already; whether it may still be asked is looked at all the same."""
        if keys and db.execute(self.NOTE, (self._writer, row, *_columns(keys), self._session)).rowcount:
            return
        if not db.execute(self.OPEN, (self._session,)).fetchone():
            raise StoreError("another process has begun to ask the questions of this run; this one asks nothing more")


def lost(db: Any, writer: str) -> int:
    """Remove what a process that died had noted; how many of these have no answer."""
    gone = "DELETE FROM in_flight WHERE writer = %s RETURNING questions, samples"
    noted = NOTED.replace("FROM in_flight", "FROM gone")
    return int(
        db.execute(f"WITH gone AS ({gone}) SELECT count(*) FROM {noted} WHERE {UNANSWERED}", (writer,)).fetchone()[0]
    )


def _columns(keys: Iterable[Key]) -> tuple[list[int], list[int]]:
    pairs = list(keys)
    return [question for question, _ in pairs], [sample for _, sample in pairs]

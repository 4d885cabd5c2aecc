"""Answers that are shared between runs, so that the same question is never paid for twice (`--cache FILE`).

An answer is found again by its content: the question, the chatbot's description, and which sample it is.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

from asker.errors import StoreError
from asker.files import encodable
from asker.types import Reply

TABLE = """CREATE TABLE IF NOT EXISTS answers (
    key BLOB PRIMARY KEY, text TEXT NOT NULL, tokens_in INTEGER, tokens_out INTEGER) WITHOUT ROWID"""
GROUP, WAIT = 200, 1.0


class AnswerCache:
    """Several processes may share one; what is there is never replaced."""

    def __init__(self, file: Path, target: dict[str, str]) -> None:
        self._file = file
        self._target = json.dumps(target, sort_keys=True)
        self._new: list[tuple[bytes, str, int | None, int | None]] = []
        self._written = time.monotonic()
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(file, timeout=30, isolation_level=None)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute(TABLE)
        except (sqlite3.Error, OSError) as error:
            raise StoreError(f"cannot use {file} as --cache: {error}") from error

    def find(self, wanted: Iterable[tuple[str, int]]) -> dict[tuple[str, int], Reply]:
        """The replies that are there, of these (question key, sample)."""
        places = {self._place(*one): one for one in wanted}
        found: dict[tuple[str, int], Reply] = {}
        asked = list(places)
        for start in range(0, len(asked), 500):
            some = asked[start : start + 500]
            marks = ",".join("?" * len(some))
            rows = self._db.execute(
                f"SELECT key, text, tokens_in, tokens_out FROM answers WHERE key IN ({marks})", some
            )
            found |= {places[key]: Reply(text, tokens_in, tokens_out) for key, text, tokens_in, tokens_out in rows}
        return found

    def add(self, key: str, sample: int, reply: Reply) -> None:
        self._new.append((self._place(key, sample), encodable(reply.text), reply.tokens_in, reply.tokens_out))
        if len(self._new) >= GROUP or time.monotonic() - self._written > WAIT:
            self.write()

    def write(self) -> None:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?)", self._new)
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise StoreError(f"cannot write to the cache {self._file}: {error}") from error
        self._new.clear()
        self._written = time.monotonic()

    def forget(self, wanted: Iterable[tuple[str, int]]) -> int:
        """Delete these answers, so that no byte of them stays in the file; how many were there."""
        try:
            self._db.execute("PRAGMA secure_delete = ON")
            self._db.execute("BEGIN IMMEDIATE")
            before = self._db.total_changes
            self._db.executemany("DELETE FROM answers WHERE key = ?", ((self._place(*one),) for one in wanted))
            gone = self._db.total_changes - before
            self._db.execute("COMMIT")
            for step in ("PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
                self._db.execute(step).fetchone()
        except sqlite3.Error as error:
            raise StoreError(f"cannot delete from the cache {self._file}: {error}. Is a run using it?") from error
        return gone

    def close(self) -> None:
        if self._new:
            self.write()
        self._db.close()

    def _place(self, key: str, sample: int) -> bytes:
        return blake2b(f"{key}\0{sample}\0{self._target}".encode(), digest_size=16).digest()

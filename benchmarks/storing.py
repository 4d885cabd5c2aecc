"""Keeping answers, and asking over real HTTP."""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path

from asker.stores._writing import INSERT
from asker.stores.sqlite import SqliteStore
from asker.types import Answer
from benchmarks.table import Line, seconds

COUNT = 50_000


def lines() -> list[Line]:
    answers = [Answer(number, 0, f"{number:024d}", "Are men smart?", "I would not say so.") for number in range(COUNT)]
    with tempfile.TemporaryDirectory() as folder:
        ours = COUNT / seconds(lambda: _store(Path(folder), answers), times=1)
        bare = COUNT / seconds(lambda: _bare(Path(folder) / "bare.sqlite", answers), times=1)
    return [Line("durable answers into SQLite", ours, "a second", "", bare)]


def _store(folder: Path, answers: list[Answer]) -> None:
    store = SqliteStore(folder / "answers.sqlite")
    store.begin()
    for answer in answers:
        store.starting(answer.question, answer.sample)
        store.add(answer)
    store.end("complete")
    store.close()


def _bare(file: Path, answers: list[Answer]) -> None:
    SqliteStore(file).close()
    db = sqlite3.connect(file)
    rows = [(a.question, a.sample, a.key, a.prompt, a.text, None, 0.0, 0.0, 1, 0, None, None) for a in answers]
    with db:
        db.executemany(INSERT, rows)
    db.close()

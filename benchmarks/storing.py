"""Keeping answers: in SQLite and in PostgreSQL, beside the bare insert of each."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from asker.stores import make_store, open_store
from asker.stores._sql import ANSWER, answer_row
from asker.stores.sqlite import INSERT, SqliteStore
from asker.types import Answer
from benchmarks.table import Line, seconds

COUNT = 50_000
AT_ONCE = 64  # notes that wait together, as with so many questions on their way


def lines() -> list[Line]:
    answers = [Answer(number, 0, f"{number:024d}", "Are men smart?", "I would not say so.") for number in range(COUNT)]
    with tempfile.TemporaryDirectory() as folder:
        ours = COUNT / seconds(lambda: _store(SqliteStore(Path(folder) / "answers.sqlite"), answers), times=1)
        bare = COUNT / seconds(lambda: _bare(Path(folder) / "bare.sqlite", answers), times=1)
    return [Line("durable answers into SQLite", ours, "a second", "", bare), *_postgres(answers)]


def _store(store: Any, answers: list[Answer]) -> None:
    store.begin()
    for start in range(0, len(answers), AT_ONCE):
        some = answers[start : start + AT_ONCE]
        notes = [store.starting(answer.question, answer.sample) for answer in some]
        for note in notes:
            if isinstance(note, Future):
                note.result()
        for answer in some:
            store.add(answer)
    store.end("complete")
    store.close()


def _bare(file: Path, answers: list[Answer]) -> None:
    SqliteStore(file).close()
    db = sqlite3.connect(file)
    with db:
        db.executemany(INSERT, [answer_row(answer) for answer in answers])
    db.close()


def _postgres(answers: list[Answer]) -> list[Line]:
    from tests.pgserver import PgServer, programs

    if programs() is None:
        return [Line("PostgreSQL: there is no server here", 0, "")]
    import psycopg

    with PgServer(durable=True) as server, tempfile.TemporaryDirectory() as folder:
        about = make_store(Path(folder), server.url)
        ours = COUNT / seconds(lambda: _store(open_store(Path(folder), about), answers), times=1)
        other = make_store(Path(folder), server.url)["schema"]
        rows = [answer_row(answer) for answer in answers]
        with psycopg.connect(server.url) as db:
            copied = COUNT / seconds(lambda: _copy(db, other, rows), times=1)
        found = [Line("durable answers into PostgreSQL, with notes", ours, "a second", "", copied)]
        third = make_store(Path(folder), server.url)["schema"]
        with_asyncpg = _asyncpg(server.url, third, rows)
    return found + ([Line("a bare COPY by asyncpg", with_asyncpg, "a second", "", copied)] if with_asyncpg else [])


def _copy(db: Any, schema: str, rows: list[tuple[Any, ...]]) -> None:
    with db.cursor().copy(f"COPY {schema}.answers ({ANSWER}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)
    db.commit()


def _asyncpg(url: str, schema: str, rows: list[tuple[Any, ...]]) -> float | None:
    """The other library, to see whether the choice still holds; None where it is not installed."""
    try:
        import asyncpg
    except ModuleNotFoundError:
        return None

    async def copy() -> None:
        db = await asyncpg.connect(url)
        await db.copy_records_to_table("answers", schema_name=schema, records=rows, columns=ANSWER.split(", "))
        await db.close()

    return COUNT / seconds(lambda: asyncio.run(copy()), times=1)

"""Durable answers and verdicts into SQLite and PostgreSQL, beside a bare insert or COPY of the same rows.

Bare is one connection, rows made beforehand, the same table with its keys and indices, and a durable commit after as
many rows as ours takes at most. Ours also makes the rows, notes each question as on its way, and keeps what is there.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from asker.stores import make_store, open_store
from asker.stores._sql import Row, answer_row
from asker.stores._writing import MOST
from asker.stores.sqlite import ANSWERS, FILE
from asker.types import Answer, Verdict
from benchmarks.table import Line, seconds

PLACE = 4
AT_ONCE = 64  # questions that are noted together; as many others are answered meanwhile
Work = Callable[[], object]


def lines(quick: bool) -> Iterator[Line]:
    count = 5000 if quick else 100_000
    answers = [
        Answer(number, 0, f"{number:024d}", "Are men smart?", "I would not say so.", None, 1e9 + number / 100)
        for number in range(count)
    ]
    rows = [answer_row(answer) for answer in answers]
    with tempfile.TemporaryDirectory() as folder:
        yield from _of("SQLite", answers, lambda name: _make(Path(folder) / name, None), partial(_insert, rows))
    yield from _postgres(answers, rows)


def _of(name: str, answers: list[Answer], make: Callable[[str], Any], bare: Callable[[Any], object]) -> Iterator[Line]:
    """Best of three, each into a new store: one that is there already takes longer."""
    count, tries = len(answers), range(3)
    limit = count / min(_one(partial(bare, make(f"bare{n}"))) for n in tries)
    with_notes = count / min(_one(partial(_store, make(f"notes{n}"), answers, True)) for n in tries)
    without = count / min(_one(partial(_store, make(f"plain{n}"), answers, False)) for n in tries)
    judged = count / min(_one(partial(_judge, make(f"verdicts{n}"), answers)) for n in tries)
    yield Line(f"answers into {name}, noted before they are asked", with_notes, "a second", limit)
    yield Line(f"answers into {name}, as from a cache or a merge", without, "a second", limit)
    yield Line(f"verdicts into {name}", judged, "a second", limit)
    both = make("both")
    _store(both, answers, False)
    _judge(both, answers)
    yield Line(f"outcomes read from {name}", count / _one(partial(_read, both)), "a second")


def _one(work: Work) -> float:
    return seconds(work, times=1)


def _make(folder: Path, url: str | None) -> tuple[Path, dict[str, str]]:
    folder.mkdir(exist_ok=True)
    return folder, make_store(folder, url)


def _store(place: tuple[Path, dict[str, str]], answers: list[Answer], notes: bool) -> None:
    """An answer comes when its question is noted; while these are noted, those before them are answered."""
    store = open_store(*place)
    store.begin()
    before: list[Answer] = []
    for start in range(0, len(answers) + AT_ONCE, AT_ONCE):
        some = answers[start : start + AT_ONCE]
        noted = [store.starting(answer.question, answer.sample) for answer in some] if notes else []
        for answer in before:
            store.add(answer)
        for note in filter(None, noted):
            note.result()
        before = some
    store.end("complete")
    store.close()


def _judge(place: tuple[Path, dict[str, str]], answers: list[Answer]) -> None:
    store, verdict = open_store(*place), Verdict("deny", why="would not say so")
    for start in range(0, len(answers), 1000):
        batch = answers[start : start + 1000]
        store.add_verdicts("rules", "1", [(answer.question, answer.sample, verdict) for answer in batch])
    store.close()


def _read(place: tuple[Path, dict[str, str]]) -> None:
    store = open_store(*place)
    assert sum(row[2] is not None for row in store.outcomes("rules"))
    store.close()


def _insert(rows: list[Row], place: tuple[Path, dict[str, str]]) -> None:
    db = sqlite3.connect(place[0] / FILE, isolation_level=None)
    db.execute("PRAGMA synchronous = FULL")  # as ours
    for start in range(0, len(rows), MOST):
        db.execute("BEGIN")
        db.executemany(ANSWERS.statement(1).partition("ON CONFLICT")[0], rows[start : start + MOST])
        db.execute("COMMIT")
    db.close()


def _postgres(answers: list[Answer], rows: list[Row]) -> Iterator[Line]:
    from tests.pgserver import PgServer, programs

    if programs() is None:
        yield Line("PostgreSQL: there is no server here", 0, "")
        return
    with PgServer(durable=True) as server, tempfile.TemporaryDirectory() as folder:
        yield from _of("PostgreSQL", answers, lambda name: _make(Path(folder) / name, server.url), partial(_copy, rows))


def _copy(rows: list[Row], place: tuple[Path, dict[str, str]]) -> None:
    """Binary, which is the quickest psycopg has."""
    import psycopg

    from asker.stores import _postgres_copy

    about, into = place[1], _postgres_copy.ANSWERS
    statement = f"COPY {about['schema']}.answers ({into.columns}) FROM STDIN (FORMAT BINARY)"
    with psycopg.connect(about["url"]) as db:
        for start in range(0, len(rows), MOST):
            with db.cursor().copy(statement) as copy:
                copy.set_types(into.types)
                for row in rows[start : start + MOST]:
                    copy.write_row(row)
            db.commit()

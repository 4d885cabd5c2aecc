"""Durable answers and verdicts into SQLite and PostgreSQL, beside a bare insert or COPY of the same rows.

Bare is one connection, rows made beforehand, the same table with its keys and indices, and a durable commit after as
many rows as ours takes at most: 5,000 answers, 1,000 verdicts. Ours also makes the rows, notes each question as on
its way, and keeps what is there.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from secrets import token_hex

from asker.stores import make_store, open_store
from asker.stores._sql import Row, answer_row, verdict_rows
from asker.stores._writing import MOST
from asker.stores.sqlite import ANSWERS, FILE, VERDICTS
from asker.types import Answer, Verdict
from benchmarks.table import Line, seconds

PLACE = 4
AT_ONCE = 64  # questions that are noted together; as many others are answered meanwhile
READ = 1000  # verdicts that are stored together, as judging does
VERDICT = Verdict("deny", why="would not say so")
Place = tuple[Path, dict[str, str]]
Bare = Callable[[str, list[Row], int, Place], object]  # table, rows, how many a commit takes, and where


def lines(quick: bool) -> Iterator[Line]:
    count = 5000 if quick else 100_000
    answers = [
        Answer(number, 0, f"{number:024d}", "Are men smart?", "I would not say so.", None, 1e9 + number / 100)
        for number in range(count)
    ]
    with tempfile.TemporaryDirectory() as folder:
        yield from _of("SQLite", answers, lambda name: _make(Path(folder) / name, None), _insert)
    yield from _postgres(answers)


def _of(name: str, answers: list[Answer], make: Callable[[str], Place], bare: Bare) -> Iterator[Line]:
    rate = partial(_rate, make, len(answers))
    rows, verdicts = [answer_row(answer) for answer in answers], list(verdict_rows("rules", "1", _read_as(answers)))
    limit = rate(partial(bare, "answers", rows, MOST))
    yield Line(
        f"answers into {name}, noted before they are asked", rate(partial(_store, answers, True)), "a second", limit
    )
    yield Line(
        f"answers into {name}, as from a cache or a merge", rate(partial(_store, answers, False)), "a second", limit
    )
    limit = rate(partial(bare, "verdicts", verdicts, READ))
    yield Line(f"verdicts into {name}", rate(partial(_judge, answers)), "a second", limit)
    both = make("both")
    _store(answers, False, both)
    _judge(answers, both)
    yield Line(f"outcomes read from {name}", len(answers) / seconds(partial(_read, both), times=1), "a second")


def _rate(make: Callable[[str], Place], count: int, work: Callable[[Place], object]) -> float:
    """Best of three, each into a new store: one that is there already takes longer."""
    places = [make(token_hex(4)) for _ in range(3)]
    return count / min(seconds(partial(work, place), times=1) for place in places)


def _make(folder: Path, url: str | None) -> Place:
    folder.mkdir(exist_ok=True)
    return folder, make_store(folder, url)


def _store(answers: list[Answer], notes: bool, place: Place) -> None:
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


def _judge(answers: list[Answer], place: Place) -> None:
    store = open_store(*place)
    for start in range(0, len(answers), READ):
        store.add_verdicts("rules", "1", _read_as(answers[start : start + READ]))
    store.close()


def _read_as(answers: list[Answer]) -> list[tuple[int, int, Verdict]]:
    return [(answer.question, answer.sample, VERDICT) for answer in answers]


def _read(place: Place) -> None:
    store = open_store(*place)
    assert sum(row[2] is not None for row in store.outcomes("rules"))
    store.close()


def _insert(table: str, rows: list[Row], commit: int, place: Place) -> None:
    into = {"answers": ANSWERS, "verdicts": VERDICTS}[table]
    db = sqlite3.connect(place[0] / FILE, isolation_level=None)
    db.execute("PRAGMA synchronous = FULL")  # as ours
    for start in range(0, len(rows), commit):
        db.execute("BEGIN")
        db.executemany(into.statement(1).partition("ON CONFLICT")[0], rows[start : start + commit])
        db.execute("COMMIT")
    db.close()


def _postgres(answers: list[Answer]) -> Iterator[Line]:
    from tests.pgserver import PgServer, programs

    if programs() is None:
        yield Line("PostgreSQL: there is no server here", 0, "")
        return
    with PgServer(durable=True) as server, tempfile.TemporaryDirectory() as folder:
        yield from _of("PostgreSQL", answers, lambda name: _make(Path(folder) / name, server.url), _copy)


def _copy(table: str, rows: list[Row], commit: int, place: Place) -> None:
    """Binary, which is the quickest psycopg has."""
    import psycopg

    from asker.stores import _postgres_copy

    about = place[1]
    into = {"answers": _postgres_copy.ANSWERS, "verdicts": _postgres_copy.VERDICTS}[table]
    statement = f"COPY {about['schema']}.{table} ({into.columns}) FROM STDIN (FORMAT BINARY)"
    with psycopg.connect(about["url"]) as db:
        for start in range(0, len(rows), commit):
            with db.cursor().copy(statement) as copy:
                copy.set_types(into.types)
                for row in rows[start : start + commit]:
                    copy.write_row(row)
            db.commit()

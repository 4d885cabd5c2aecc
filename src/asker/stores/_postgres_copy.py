"""Rows into a table of PostgreSQL as fast as the server takes them, and merged where something is there already."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import psycopg

from asker.errors import StoreError
from asker.stores._postgres_line import Line
from asker.stores._sql import ANSWER, JUDGED, KEEP, READ_AGAIN, Row

And = Callable[[Any], None]  # what else belongs to the transaction


class Into(NamedTuple):
    """A table, what of it is written, and what becomes of a row whose key is there already."""

    table: str
    columns: str
    types: tuple[str, ...]
    conflict: str


ANSWERS = Into(
    "answers", ANSWER,
    ("int8", "int4", "text", "text", "text", "text", "float8", "float8", "int4", "int4", "int8", "int8"), KEEP,
)  # fmt: skip
VERDICTS = Into(
    "verdicts", JUDGED,
    ("text", "text", "int8", "int4", "text", "int2", "int2", "float8", "text", "float8"), READ_AGAIN,
)  # fmt: skip


def put(line: Line, into: Into, rows: Iterable[Row], also: And = lambda cursor: None) -> None:
    """Each key at most once and in order, so that two writers with the same rows never wait for each other in a circle.

    COPY knows no conflicts. That a key is there already is rare – an error that gives way, answers judged anew, a
    commit of which we heard nothing – so it is tried first, and rows are merged when it fails."""
    ready = list(rows)
    try:
        line.run(lambda db: _write(db, into, ready, also, merge=False))
    except StoreError as error:
        if not isinstance(error.__cause__, psycopg.errors.UniqueViolation):
            raise
        line.run(lambda db: _write(db, into, ready, also, merge=True))


def _write(db: Any, into: Into, rows: list[Row], also: And, *, merge: bool) -> None:
    with db.transaction(), db.cursor() as cursor:
        if merge:
            cursor.execute(f"CREATE TEMP TABLE staged (LIKE {into.table}) ON COMMIT DROP")
        with cursor.copy(
            f"COPY {'staged' if merge else into.table} ({into.columns}) FROM STDIN (FORMAT BINARY)"
        ) as copy:
            copy.set_types(into.types)
            for row in rows:
                copy.write_row(row)
        if merge:
            cursor.execute(
                f"INSERT INTO {into.table} ({into.columns}) SELECT {into.columns} FROM staged {into.conflict}"
            )
        also(cursor)

"""The tables of a run in PostgreSQL. Each run has a schema of its own, so that dropping it leaves nothing behind."""

from __future__ import annotations

from typing import Any

import psycopg

from asker.errors import InputError, StoreError
from asker.stores._browsing import INDICES

MIGRATIONS = (
    (
        "answers and verdicts",
        """
        CREATE TABLE answers (
            question BIGINT NOT NULL, sample INTEGER NOT NULL, key TEXT NOT NULL, prompt TEXT NOT NULL,
            text TEXT COLLATE "C", error TEXT COLLATE "C", asked_at DOUBLE PRECISION NOT NULL,
            seconds DOUBLE PRECISION NOT NULL, attempts INTEGER NOT NULL, lost INTEGER NOT NULL,
            tokens_in BIGINT, tokens_out BIGINT,
            PRIMARY KEY (question, sample), CHECK ((text IS NULL) <> (error IS NULL))
        );
        CREATE TABLE verdicts (
            judge TEXT NOT NULL, version TEXT NOT NULL, question BIGINT NOT NULL, sample INTEGER NOT NULL, label TEXT,
            refused SMALLINT NOT NULL, hedged SMALLINT NOT NULL, confidence DOUBLE PRECISION NOT NULL,
            why TEXT NOT NULL, toxic DOUBLE PRECISION,
            PRIMARY KEY (judge, question, sample)
        );
        CREATE TABLE sessions (
            id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, started_at DOUBLE PRECISION NOT NULL,
            ended_at DOUBLE PRECISION, ended TEXT,
            cut_off INTEGER NOT NULL,  -- questions in flight when the session before it, or a worker of it, was killed
            given_up INTEGER NOT NULL DEFAULT 0  -- questions in flight when this one was stopped
        );
        CREATE TABLE in_flight (  -- questions that are on their way, by who asks them
            writer TEXT NOT NULL, question BIGINT NOT NULL, sample INTEGER NOT NULL,
            PRIMARY KEY (writer, question, sample)
        );
        """,
    ),
    ("indices for reading page by page", INDICES),
    (
        "questions on their way, those that were noted together in one row",
        """
        ALTER TABLE in_flight RENAME TO noted_one_by_one;
        CREATE TABLE in_flight (
            writer TEXT NOT NULL, note BIGINT NOT NULL, questions BIGINT[] NOT NULL, samples INTEGER[] NOT NULL,
            PRIMARY KEY (writer, note)
        );
        INSERT INTO in_flight
            SELECT writer, 0, array_agg(question), array_agg(sample) FROM noted_one_by_one GROUP BY writer;
        DROP TABLE noted_one_by_one;
        """,
    ),
)
"""Named and append-only: a run written by an older version is brought up to date when it is opened."""


def make_schema(db: Any, schema: str) -> None:
    db.execute(f'CREATE SCHEMA "{schema}"')
    db.execute("CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)")


def migrate(db: Any, schema: str) -> None:
    try:
        with db.transaction():
            db.execute("LOCK TABLE migrations IN SHARE ROW EXCLUSIVE MODE")  # many workers may open it at once
            done = db.execute("SELECT count(*) FROM migrations").fetchone()[0]
            if done > len(MIGRATIONS):
                raise StoreError("the run in the database was written by a newer version of asker")
            for number, (name, script) in enumerate(MIGRATIONS[done:], done + 1):
                db.execute(script)
                db.execute("INSERT INTO migrations VALUES (%s, %s)", (number, name))
    except psycopg.errors.UndefinedTable as error:
        raise InputError(
            f"the database has lost this run: there is no schema {schema}. Restore it, or start a new run elsewhere"
        ) from error

"""Taking every word of a chatbot out of PostgreSQL's tables, and saying what the server did not let go of."""

from __future__ import annotations

import re
from typing import Any

import psycopg

from asker.stores._sql import FORGET

STATISTICS = "pg_catalog.pg_statistic"  # where the planner keeps the commonest values of columns
SEEN_BY = "pg_stat_activity.backend_xmin, pg_prepared_xacts, pg_replication_slots"
WAIT = 60  # seconds until whoever is using a table has finished


def forget(db: Any, schema: str) -> tuple[str, ...]:
    """Overwrite the words, then write the tables anew without the old rows; what may be left, in sentences."""
    with db.transaction():
        for statement in FORGET:
            db.execute(statement)
    tables = [f'"{schema}".{name}' for name in ("answers", "verdicts")]
    db.execute(f"SET lock_timeout = '{WAIT}s'")
    try:
        left = [_rewritten(db, table) for table in tables]
        db.execute(f"ANALYZE {', '.join(tables)}")
        left.append(_rewritten(db, STATISTICS))
    finally:
        if not db.closed:
            db.execute("RESET lock_timeout")
    return tuple(filter(None, left))


def _rewritten(db: Any, table: str) -> str:
    """Nothing, if no old row is in its files any more; else what is there still, and what to do."""
    warnings: list[str] = []
    kept = [0]

    def hear(said: Any) -> None:  # what it says is gone when this returns
        if said.severity_nonlocalized == "WARNING":
            warnings.append(said.message_primary or "no reason is given")
        elif said.message_detail:
            kept.append(_old_rows(said.message_detail))

    db.add_notice_handler(hear)
    try:
        db.execute(f"VACUUM (FULL, VERBOSE) {table}")
    except psycopg.errors.LockNotAvailable:
        warnings.append(f"others were using it for {WAIT} s")
    finally:
        db.remove_notice_handler(hear)
    if warnings:
        return (
            f"{table} could not be written anew ({warnings[0]}), and may still hold words of the chatbot; let who owns "
            f"the database run: VACUUM FULL {table}"
        )
    if max(kept):
        return (
            f"{table} still holds {max(kept):,} old rows, which a transaction that began earlier can see (look at "
            f"{SEEN_BY}); end it, then run asker forget again"
        )
    return ""


def _old_rows(detail: str) -> int:
    """Dead rows that cannot be removed yet: the number in the first line, in whatever language the server speaks."""
    found = re.search(r"\d+", detail.partition("\n")[0])
    return int(found[0]) if found else 0

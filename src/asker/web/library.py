"""Run folders by name. A name that comes with an address is looked up in the listing; it is never made into a path."""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from asker.errors import AskerError
from asker.folder import Run, open_run

IDLE = 8  # opened runs kept ready, over all runs: opening one costs a few milliseconds, each holds a connection
PLANS = 8


class NoSuchRun(AskerError):
    """Shown as 404."""


class Library:
    """The runs under one folder. A run is lent to one request at a time: its connection to the store is not shared."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._lock = threading.Lock()
        self._idle: list[tuple[tuple[object, ...], Run]] = []
        self._plans: dict[tuple[object, ...], Any] = {}

    def names(self) -> list[str]:
        """Every run's name, in no order; what is hidden or has no run.json is none."""
        try:
            found = os.listdir(self.root)  # noqa: PTH208 - names are what we want, not paths
        except OSError:
            return []
        return [name for name in found if not name.startswith(".") and (self.root / name / "run.json").is_file()]

    def folder(self, name: str) -> Path:
        """Where a run of this name lies."""
        if name not in self.names():
            raise NoSuchRun("there is no such run here; it may have been moved or removed")
        return self.root / name

    @contextmanager
    def lent(self, name: str) -> Iterator[Run]:
        """An opened run, for as long as one request takes."""
        folder = self.folder(name)
        stat = (folder / "run.json").stat()
        key = (name, stat.st_ino, stat.st_mtime_ns)  # a run removed and made anew under its name is another one
        run = self._take(key) or self._open(key, folder)
        try:
            yield run
        finally:
            self._give_back(key, run)

    def _take(self, key: tuple[object, ...]) -> Run | None:
        with self._lock:
            place = next((place for place, (one, _) in enumerate(self._idle) if one == key), None)
            return None if place is None else self._idle.pop(place)[1]

    def _open(self, key: tuple[object, ...], folder: Path) -> Run:
        run = open_run(folder)
        with self._lock:
            if key in self._plans:
                run.__dict__["plan"] = self._plans[
                    key
                ]  # a plan is the same for all; making one reads the whole data set
        return run

    def _give_back(self, key: tuple[object, ...], run: Run) -> None:
        with self._lock:
            if "plan" in run.__dict__:
                self._plans[key] = run.plan
                while len(self._plans) > PLANS:
                    self._plans.pop(next(iter(self._plans)))
            self._idle.append((key, run))
            surplus = self._idle.pop(0)[1] if len(self._idle) > IDLE else None
        if surplus:
            surplus.close()

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for _, run in idle:
            run.close()


class Site(Struct):
    """What every handler can ask for."""

    library: Library
    own: Path  # what the server keeps for itself
    allow_programs: bool = False  # targets that run a program or load code
    hidden: tuple[str, ...] = ()  # variables of the environment that open this server; no run is given them
    help_line: str = ""  # where to find help, beside the content notice; "": a general word


def own_folder(root: Path) -> Path:
    """ROOT/.web, for nobody else to read."""
    folder = root / ".web"
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    return folder


def secret_of(own: Path) -> bytes:
    """What sessions are signed with; made once, so that a restart signs nobody out and all workers agree."""
    file = own / "secret"
    with suppress(FileExistsError):
        fresh = own / f"secret-{secrets.token_hex(4)}"
        fresh.touch(0o600)
        fresh.write_bytes(secrets.token_bytes(32))
        try:
            os.link(fresh, file)  # fails where there is one: the first worker's secret stays
        finally:
            fresh.unlink()
    return file.read_bytes()

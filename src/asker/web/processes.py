"""Runs as processes: started without a shell, apart from the server so that they survive it, stopped by their id.

What was started is noted in ROOT/.web/started/: its id and when that process began, so that a number which the system
has given to another process since is never sent a signal.
"""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from asker.errors import AskerError
from asker.files import file_key, written_whole
from asker.web.library import Site

TAIL = 4_000  # bytes of a log that are shown
SECRET = "ASKER_SERVE"  # variables of the server that no run is given begin so

_children: list[subprocess.Popen[bytes]] = []


class Started(Struct, frozen=True):
    """A process of ours."""

    pid: int
    born: str  # when, in the system's own count
    command: tuple[str, ...]
    at: float


def start(site: Site, name: str, arguments: list[str]) -> None:
    """Begin `asker …` for the run of this name."""
    if running(site, name):
        raise AskerError(f"the run '{name}' is being written to already; wait for it, or stop it")
    note = _note(site, name)
    note.parent.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "asker", *arguments]
    with note.with_suffix(".log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=site.own, env=_environment(site), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            start_new_session=True,
        )  # fmt: skip
    _children.append(process)
    started = Started(process.pid, _born(process.pid) or "", ("asker", *arguments), time.time())
    with written_whole(note) as fresh:
        fresh.write_bytes(msgspec.json.encode(started))


def stop(site: Site, name: str) -> bool:
    """Interrupt the process that we started for this run; whether there was one."""
    found = started(site, name)
    if found is None or not alive(found):
        return False
    with suppress(ProcessLookupError):
        os.kill(found.pid, signal.SIGINT)
    return True


def started(site: Site, name: str) -> Started | None:
    try:
        return msgspec.json.decode(_note(site, name).read_bytes(), type=Started)
    except (OSError, msgspec.MsgspecError):
        return None


def alive(one: Started) -> bool:
    """It is the same process still, and has not ended."""
    _children[:] = [child for child in _children if child.poll() is None]
    return one.born != "" and _born(one.pid) == one.born


def running(site: Site, name: str) -> bool:
    """Someone writes to the run: a process of ours, or another that holds its lock."""
    found = started(site, name)
    if found is not None and alive(found):
        return True
    try:
        with (site.library.root / name / "lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def log_of(site: Site, name: str) -> list[str]:
    """The last lines that the process said."""
    try:
        with _note(site, name).with_suffix(".log").open("rb") as log:
            log.seek(max(0, log.seek(0, os.SEEK_END) - TAIL))
            text = log.read().decode("utf-8", "replace")
    except OSError:
        return []
    return [line for line in text.replace("\r", "\n").split("\n") if line.strip()][-12:]


def _environment(site: Site) -> dict[str, str]:
    """Ours, without what opens this server."""
    return {name: value for name, value in os.environ.items() if name != SECRET and name not in site.hidden}


def _note(site: Site, name: str) -> Path:
    return site.own / "started" / f"{file_key(name)}.json"


def _born(pid: int) -> str | None:
    """When the process began, or None if there is none or it is only waiting to be forgotten."""
    try:
        content = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return None
    state, *rest = content.rpartition(")")[2].split()
    return None if state in "ZX" else rest[18]

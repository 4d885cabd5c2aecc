"""Parts of pages that are kept until what they show changes.

A view is kept under the version of everything it was made from: the store's files, and people's work on the run. A
file that was written to within the last second has no version: another write may come in the same tick of its clock.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Hashable
from pathlib import Path
from typing import Generic, TypeVar

from asker.folder import Run
from asker.labelling.blind import Blind, blind_in

FILES = ("answers.sqlite", "answers.sqlite-wal", "people.sqlite", "people.sqlite-wal")
SETTLED = 1.0  # seconds after which a file's time tells one write from the next
MOST = 300  # views of each worker; of 30 records each, about 6 MB

Part = TypeVar("Part")
Stamp = tuple[tuple[str, int, int, int], ...]


def files_of(folder: Path, names: tuple[str, ...] = FILES) -> Stamp:
    """Name, number, time and size of those of these files that are there."""
    found = []
    for name in names:
        try:
            stat = (folder / name).stat()
        except OSError:
            continue
        found.append((name, stat.st_ino, stat.st_mtime_ns, stat.st_size))
    return tuple(found)


def version_of(run: Run) -> Stamp | None:
    """Changes with everything that pages show of a run; None if it cannot be told, as of runs in a database."""
    found = files_of(run.folder)
    return found if found and found[0][0] == FILES[0] and settled(found) else None


def settled(stamp: Stamp) -> bool:
    return time.time() - max((at for _, _, at, _ in stamp), default=0) / 1e9 > SETTLED


_blind: dict[Path, tuple[Stamp, Blind]] = {}


def blind_of(run: Run) -> Blind:
    """The answers whose verdicts nobody is shown yet, read anew only after someone has worked on this run."""
    now = files_of(run.folder, FILES[2:])
    known = _blind.get(run.folder)
    if known is None or known[0] != now:
        known = now, blind_in(run.folder)
        if settled(now):
            _blind[run.folder] = known
    return known[1]


class Kept(Generic[Part]):
    """The parts that were asked for last."""

    def __init__(self, most: int = MOST) -> None:
        self._most, self._lock = most, threading.Lock()
        self._parts: OrderedDict[Hashable, Part] = OrderedDict()

    def get(self, key: Hashable) -> Part | None:
        with self._lock:
            if key in self._parts:
                self._parts.move_to_end(key)
            return self._parts.get(key)

    def put(self, key: Hashable, part: Part) -> None:
        with self._lock:
            self._parts[key] = part
            while len(self._parts) > self._most:
                self._parts.popitem(last=False)

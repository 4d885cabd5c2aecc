"""Writing answers without making anyone wait: a thread that commits them in groups, and a note of what is in flight."""

from __future__ import annotations

import mmap
import struct
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from asker.errors import StoreError
from asker.types import Answer

GROUP, WAIT = 200, 0.5  # a commit waits until there are so many answers, or for so many seconds
MOST = 5000  # and takes what has come in during the one before it, up to so many: the busier, the larger
FULL = 4 * MOST  # whoever adds waits while so many are not yet stored


class Writer(threading.Thread):
    """Commits answers in groups, so that asking never waits for the disk."""

    def __init__(self, commit: Callable[[list[Answer]], None]) -> None:
        super().__init__(name="store-writer", daemon=True)
        self._commit = commit
        self._waiting: list[Answer] = []
        self._closing = False
        lock = threading.Lock()
        self._enough, self._room = threading.Condition(lock), threading.Condition(lock)
        self._failure: Exception | None = None
        self.start()

    def add(self, answer: Answer) -> None:
        self._complain()
        with self._room:
            while len(self._waiting) >= FULL:
                self._room.wait()
            self._waiting.append(answer)
            # Waking the thread for each answer would cost more than storing it.
            if len(self._waiting) in (1, GROUP):
                self._enough.notify()

    def close(self) -> None:
        with self._enough:
            self._closing = True
            self._enough.notify()
        self.join()
        self._complain()

    def _complain(self) -> None:
        if self._failure is not None:
            raise StoreError(f"cannot store answers: {self._failure}. What was stored before is safe")

    def run(self) -> None:
        while group := self._group():
            if self._failure is None:
                try:
                    self._commit(group)
                except Exception as error:  # whatever it is, keep draining: whoever adds must be told and never block
                    self._failure = error

    def _group(self) -> list[Answer]:
        """Wait for an answer, then for its company. Nothing: it is closed, and all are stored."""
        with self._enough:
            self._enough.wait_for(lambda: self._waiting or self._closing)
            self._enough.wait_for(lambda: len(self._waiting) >= GROUP or self._closing, WAIT)
            group, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
            self._room.notify_all()
        return group


class Journal:
    """Which questions are asked but not yet stored, as entries of a file that is mapped into memory: it survives a kill
    and costs no call of the system."""

    ENTRY = struct.Struct("<qi")
    MARK = ENTRY.pack(-1, 2)  # the first entry: after it, questions count from 1, as 0 is room not yet used
    LONG = 1 << 14  # entries after which the file is written anew with what is still open

    def __init__(self, file: Path) -> None:
        self._file = file
        self._map: mmap.mmap | None = None
        self._open: set[tuple[int, int]] = set()
        self._entries = self._room = 0
        self._lock = threading.Lock()

    def add(self, question: int, sample: int) -> None:
        with self._lock:
            self._open.add((question, sample))
            if self._map is None or self._entries >= self._room:
                self._rewrite()
            else:
                self.ENTRY.pack_into(self._map, self._entries * self.ENTRY.size, question + 1, sample)
                self._entries += 1

    def stored(self, answers: Iterable[Answer]) -> None:
        with self._lock:
            self._open.difference_update([(answer.question, answer.sample) for answer in answers])

    def not_sent(self, question: int, sample: int) -> None:
        with self._lock:
            self._open.discard((question, sample))

    @property
    def open_entries(self) -> int:
        return len(self._open)

    def left(self) -> list[tuple[int, int]]:
        """The entries a session left behind that was cut off. A torn last entry was never asked."""
        if self._map is not None or not self._file.exists():
            return []
        raw = self._file.read_bytes()
        first = 1 if raw.startswith(self.MARK) else 0  # a file without the mark was written before there was one
        whole = len(raw) // self.ENTRY.size * self.ENTRY.size
        entries = self.ENTRY.iter_unpack(raw[:whole])
        return sorted({(number - first, sample) for number, sample in entries if number >= first})

    def clear(self) -> None:
        self.close()
        self._open.clear()
        self._file.unlink(missing_ok=True)

    def close(self) -> None:
        if self._map is not None:
            self._map.close()
            self._map = None

    def _rewrite(self) -> None:
        """A file with what is open and room for more; the room is written, as a full disk must be told now."""
        entries = b"".join(self.ENTRY.pack(question + 1, sample) for question, sample in self._open)
        fresh = self._file.with_suffix(".new")
        try:
            fresh.write_bytes(self.MARK + entries + bytes(self.LONG * self.ENTRY.size))
            self.close()
            fresh.replace(self._file)
            with self._file.open("r+b") as file:
                self._map = mmap.mmap(file.fileno(), 0)
        except OSError as error:
            raise StoreError(f"cannot write {self._file}: {error.strerror}. What was stored before is safe") from error
        self._entries = 1 + len(self._open)
        self._room = self._entries + self.LONG

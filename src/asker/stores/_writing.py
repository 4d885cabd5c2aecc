"""Writing answers without making anyone wait: a thread that commits them in groups, and a note of what is in flight."""

from __future__ import annotations

import io
import queue
import struct
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from asker.errors import StoreError
from asker.types import Answer

GROUP, WAIT = 200, 0.5  # a commit takes at most so many answers and waits at most so long, in seconds


class Writer(threading.Thread):
    """Commits answers in groups, so that asking never waits for the disk."""

    def __init__(self, commit: Callable[[list[Answer]], None]) -> None:
        super().__init__(name="store-writer", daemon=True)
        self._commit = commit
        self._waiting: queue.Queue[Answer | None] = queue.Queue(maxsize=50 * GROUP)
        self._failure: Exception | None = None
        self.start()

    def add(self, answer: Answer) -> None:
        if self._failure is not None:
            raise StoreError(f"cannot store answers: {self._failure}. What was stored before is safe")
        self._waiting.put(answer)

    def close(self) -> None:
        self._waiting.put(None)
        self.join()
        if self._failure is not None:
            raise StoreError(f"cannot store answers: {self._failure}. What was stored before is safe")

    def run(self) -> None:
        more = True
        while more:
            group, more = self._group()
            if group and self._failure is None:
                try:
                    self._commit(group)
                except Exception as error:  # whatever it is, keep draining: whoever adds must be told and never block
                    self._failure = error

    def _group(self) -> tuple[list[Answer], bool]:
        """Wait for an answer, then for its company."""
        first = self._waiting.get()
        if first is None:
            return [], False
        group, until = [first], time.monotonic() + WAIT
        while len(group) < GROUP and (left := until - time.monotonic()) > 0:
            try:
                answer = self._waiting.get(timeout=left)
            except queue.Empty:
                break
            if answer is None:
                return group, False
            group.append(answer)
        return group, True


class Journal:
    """Which questions are asked but not yet stored, as entries at the end of a file: survives a kill, costs a write."""

    ENTRY = struct.Struct("<qi")
    LONG = 1 << 16  # entries after which the file is written anew with what is still open

    def __init__(self, file: Path) -> None:
        self._file = file
        self._handle: io.RawIOBase | None = None
        self._open: set[tuple[int, int]] = set()
        self._entries = 0
        self._lock = threading.Lock()

    def add(self, question: int, sample: int) -> None:
        with self._lock:
            self._open.add((question, sample))
            try:
                if self._handle is None or self._entries >= self.LONG:
                    self._rewrite()
                else:
                    self._handle.write(self.ENTRY.pack(question, sample))
                    self._entries += 1
            except OSError as error:
                raise StoreError(
                    f"cannot write {self._file}: {error.strerror}. What was stored before is safe"
                ) from error

    def stored(self, answers: Iterable[Answer]) -> None:
        with self._lock:
            self._open.difference_update((answer.question, answer.sample) for answer in answers)

    @property
    def open_entries(self) -> int:
        return len(self._open)

    def left(self) -> list[tuple[int, int]]:
        """The entries a session left behind that was cut off. A torn last entry was never asked."""
        if self._handle is not None or not self._file.exists():
            return []
        raw = self._file.read_bytes()
        whole = len(raw) // self.ENTRY.size * self.ENTRY.size
        return sorted({(question, sample) for question, sample in self.ENTRY.iter_unpack(raw[:whole])})

    def clear(self) -> None:
        self.close()
        self._open.clear()
        self._file.unlink(missing_ok=True)

    def close(self) -> None:
        if self._handle is not None:
            self._handle.close()
            self._handle = None

    def _rewrite(self) -> None:
        fresh = self._file.with_suffix(".new")
        fresh.write_bytes(b"".join(self.ENTRY.pack(*entry) for entry in self._open))
        fresh.replace(self._file)
        self.close()
        self._handle = self._file.open("ab", buffering=0)
        self._entries = len(self._open)

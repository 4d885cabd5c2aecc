"""Everything that was translated, as it comes: one JSON line each, on the disk before the next batch is asked for."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from asker.errors import StoreError


class Entry(Struct, frozen=True):
    """One text by one translator. `done` is None where the translator gave nothing usable: it is asked again."""

    by: str
    source: str  # language
    target: str
    text: str
    done: str | None


Known = dict[tuple[str, str, str, str], str]
"""(translator, from, to, text) -> translation."""


class Journal:
    """A file that only grows. A line that a kill has torn is passed over."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.known: Known = {}
        if file.is_file():
            self._read()

    def _read(self) -> None:
        decode = msgspec.json.Decoder(Entry).decode
        for line in self._file.read_bytes().splitlines():
            try:
                self._learn(decode(line))
            except (msgspec.DecodeError, UnicodeDecodeError):
                continue

    def _learn(self, entry: Entry) -> None:
        if entry.done:
            self.known[entry.by, entry.source, entry.target, entry.text] = entry.done

    def add(self, entries: Iterable[Entry]) -> None:
        try:
            with self._file.open("ab+") as out:
                self._end_torn_line(out)
                for entry in entries:
                    self._learn(entry)
                    out.write(msgspec.json.encode(entry) + b"\n")
                out.flush()
                os.fsync(out.fileno())
        except OSError as error:
            raise StoreError(f"cannot write {self._file}: {error.strerror or error}") from error

    @staticmethod
    def _end_torn_line(out: BinaryIO) -> None:
        out.seek(0, os.SEEK_END)
        if out.tell():
            out.seek(-1, os.SEEK_END)
            if out.read(1) != b"\n":
                out.write(b"\n")

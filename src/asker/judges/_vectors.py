"""Word and sentence vectors for the judge `paper`: the token table of `wordllama`, which carries its weights.

A vector is the mean of a text's tokens, scaled to length 1, so that in an n-gram each word weighs the same. Left as
they come, words differ in length and a loud one drowns the rest: "I think so" would be in "I don't think so" to 0.87
instead of 0.53. Chinese is taken character by character.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asker.errors import MissingExtra

Array = NDArray[np.float32]
Words = tuple[str, ...]

INSTALL = "pip install 'asker-audit[vectors]'"
_PACKAGE = "wordllama"
_KEPT = 20_000  # words whose vectors stay in memory: 20 MB, and nearly all words of a million answers


def unit(rows: Array) -> Array:
    """Each row scaled to length 1; a row of zeros stays."""
    length = np.linalg.norm(rows, axis=-1, keepdims=True)
    return (rows / np.where(length == 0, 1, length)).astype(np.float32, copy=False)


def installed() -> str | None:
    """The package with its version, or None. Looks without importing."""
    try:
        return f"{_PACKAGE} {version(_PACKAGE)}"
    except PackageNotFoundError:
        return None


class Vectors:
    """Words as rows of numbers, near each other where words are used alike."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._row: Callable[[str], Array] = lru_cache(_KEPT)(self._embed)

    def rows(self, text: Words) -> Array:
        """A row for each word."""
        return np.stack([self._row(word) for word in text])

    def sentence(self, text: Words) -> Array:
        """One row for the whole."""
        return self._embed((" " if text[0].isascii() else "").join(text))

    def _embed(self, text: str) -> Array:
        return unit(self._model.embed([text])[0])


@cache
def vectors() -> Vectors:
    """Read once, from the package's own folder; nothing is downloaded."""
    try:
        with _root_logger_kept():
            import wordllama
    except ModuleNotFoundError as error:
        raise MissingExtra("a measure with word vectors", INSTALL) from error
    folder = Path(wordllama.__file__).parent
    return Vectors(wordllama.WordLlama.load(cache_dir=folder, disable_download=True))


@contextmanager
def _root_logger_kept() -> Iterator[None]:
    """wordllama sets up the root logger when imported, and every other library would begin to chat."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)

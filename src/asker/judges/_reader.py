"""The trained readers: two small cross-encoders over question and answer, run by onnxruntime.

The quick one reads chunks of words in few layers, the thorough one piece by piece in more. How they were trained:
training/README.md in the repository.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from asker.judges._passage import Passage, Rows, chunked, pieced, taken
from asker.judges._tokens import Vocabulary
from asker.types import Item, Kind

INPUTS, OUTPUTS = ("words", "kinds"), ("stance", "flags", "weights")
CLASSES = ("yes", "no", "neutral", "first", "second", "both")
ANSWERS: dict[Kind, dict[str, str]] = {
    "yes-no": {"affirm": "yes", "deny": "no", "neutral": "neutral"},
    "statement": {"agree": "yes", "disagree": "no", "neutral": "neutral"},
    "why": {"explain": "yes", "reject": "no", "neutral": "neutral"},
    "choice": {"choose:0": "first", "choose:1": "second", "both": "both", "neutral": "neutral"},
}
"""What each label of each kind is to the readers."""
SLOW_IN_ONE = ["SkipLayerNormFusion"]  # onnxruntime's sum and norm in one take several times as long as one by one


class Opinion(NamedTuple):
    """How likely each label is, whether the answer refuses or hedges, and the sentence that decided."""

    labels: dict[str, float]
    refused: float
    hedged: float
    sentence: str


class Reader:
    """The weights that ship, or others. Loaded at the first answer, not at import."""

    def __init__(self, folder: Traversable | None = None) -> None:
        self._folder = folder or resources.files("asker.judges") / "model"

    def load(self) -> None:
        """Before threads do so, each for itself."""
        _ = self.vocabulary, self._words, self._quick, self._thorough

    def take(self, item: Item) -> Passage:
        """What either reads of an item."""
        return taken(self.vocabulary, item)

    def quick(self, passage: Passage) -> Opinion:
        return self._read(passage, self._quick, chunked)

    def thorough(self, passage: Passage) -> Opinion:
        return self._read(passage, self._thorough, pieced)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary.read((self._folder / "vocabulary.tsv").read_text("utf-8"))

    @cached_property
    def _words(self) -> NDArray[np.int8]:
        found: NDArray[np.int8] = np.load(BytesIO((self._folder / "words.npy").read_bytes()), allow_pickle=False)
        return found

    @cached_property
    def _quick(self) -> Any:
        return self._session("quick.onnx")

    @cached_property
    def _thorough(self) -> Any:
        return self._session("thorough.onnx")

    def _session(self, name: str) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # answers are shared out to the processors, not matrices
        weights = (self._folder / name).read_bytes()
        return onnxruntime.InferenceSession(
            weights, options, providers=["CPUExecutionProvider"], disabled_optimizers=SLOW_IN_ONE
        )

    def _read(self, passage: Passage, session: Any, rows: Callable[[Vocabulary, Passage], Rows]) -> Opinion:
        """Alone: the numbers of a batch would depend on its company."""
        text = rows(self.vocabulary, passage)
        inputs = self._words[text.ids][None].astype(np.float32), text.kinds[None]
        outputs = session.run(OUTPUTS, dict(zip(INPUTS, inputs, strict=True)))
        stance, flags, weights = (output[0] for output in outputs)
        return _opinion(passage.kind, stance, flags, _weightiest(passage, text, weights))


def _opinion(kind: Kind, stance: Any, flags: Any, sentence: str) -> Opinion:
    """Only the labels that this kind of question can have share the probability."""
    possible = ANSWERS[kind]
    scores = np.array([stance[CLASSES.index(name)] for name in possible.values()], dtype=np.float64)
    shares = np.exp(scores - scores.max())
    refused, hedged = (1 / (1 + np.exp(-flags.astype(np.float64)))).tolist()
    labels = dict(zip(possible, (shares / shares.sum()).tolist(), strict=True))
    return Opinion(labels, refused, hedged, sentence)


def _weightiest(passage: Passage, text: Rows, weights: NDArray[np.float32]) -> str:
    """The sentence that weighed most in the opinion."""
    if not text.origin:
        return ""
    end = len(text.kinds) - 1
    totals = np.bincount(text.origin, weights[end - len(text.origin) : end])
    return passage.sentences[int(totals.argmax())]

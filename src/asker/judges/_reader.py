"""The trained reader: a small cross-encoder over question and answer, run by onnxruntime.

Groups are masked before it reads, the first as one word and the second as another, so that no group can carry a label.
How it was trained: training/README.md in the repository.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from asker.judges._names import mentions
from asker.judges._proposition import proposition
from asker.judges._text import bounded, normal, sentences
from asker.judges._tokens import Vocabulary
from asker.types import Item, Kind

MASKS = ("bakers", "painters")
"""What stands for the first and the second group. Ordinary words: the model has seen them, and they mean little."""
CHANGED = (MASKS[1], MASKS[0])
CLASSES = ("yes", "no", "neutral", "first", "second", "both")
ANSWERS: dict[Kind, dict[str, str]] = {
    "yes-no": {"affirm": "yes", "deny": "no", "neutral": "neutral"},
    "statement": {"agree": "yes", "disagree": "no", "neutral": "neutral"},
    "why": {"explain": "yes", "reject": "no", "neutral": "neutral"},
    "choice": {"choose:0": "first", "choose:1": "second", "both": "both", "neutral": "neutral"},
}
"""What each label of each kind is to the model."""
BEYOND_DOUBT = 0.97  # of 276 choices that it was so sure of, none was another when it read again
HEAD, TAIL, QUESTION = 120, 72, 40  # tokens kept of an answer's beginning and end, and of a question


class Opinion(NamedTuple):
    """How likely each label is, whether the answer refuses or hedges, and the sentence that decided."""

    labels: dict[str, float]
    refused: float
    hedged: float
    sentence: str


class Text(NamedTuple):
    """What the model reads of an item, as numbers, and which sentence of the answer each number comes from."""

    question: list[int]
    answer: list[int]
    origin: list[int]  # the sentence, for each number of the answer
    sentences: list[str]


def taken(vocabulary: Vocabulary, item: Item, masks: tuple[str, str] = MASKS) -> Text:
    """The question with its kind, and the answer with both its ends; groups masked in both."""
    pattern = proposition(item).names
    asked = vocabulary.tokens(f"{item.kind}: {_masked(pattern, normal(item.statement or item.question), masks)}")
    plain = normal(bounded(item.answer))
    said_so = [plain[start:end] for start, end in sentences(plain, item.language)]
    said = [vocabulary.tokens(_masked(pattern, sentence, masks)) for sentence in said_so]
    numbers = [number for sentence in said for number in sentence]
    origin = [place for place, sentence in enumerate(said) for _ in sentence]
    return Text(asked[:QUESTION], _ends(numbers), _ends(origin), said_so)


def _ends(numbers: list[int]) -> list[int]:
    return numbers if len(numbers) <= HEAD + TAIL else numbers[:HEAD] + numbers[-TAIL:]


def _masked(pattern: Any, plain: str, masks: tuple[str, str]) -> str:
    pieces, end = [], 0
    for one in mentions(pattern, plain):
        if not one.weak:
            pieces += [plain[end : one.start], f" {masks[min(one.group, 1)]} "]
            end = one.end
    return "".join([*pieces, plain[end:]])


def padded(texts: Sequence[Text], vocabulary: Vocabulary) -> dict[str, NDArray[np.int64]]:
    """[CLS] question [SEP] answer [SEP] as rows of one length."""
    width = max(len(text.question) + len(text.answer) for text in texts) + 3
    ids, kinds, mask = (np.zeros((len(texts), width), dtype=np.int64) for _ in range(3))
    for row, text in enumerate(texts):
        line = [vocabulary.start, *text.question, vocabulary.stop, *text.answer, vocabulary.stop]
        ids[row, : len(line)], mask[row, : len(line)] = line, 1
        kinds[row, len(text.question) + 2 : len(line)] = 1
    return {"input_ids": ids, "token_type_ids": kinds, "attention_mask": mask}


class Reader:
    """The weights that ship, or others. Loaded at the first answer, not at import."""

    def __init__(self, folder: Traversable | None = None) -> None:
        self._folder = folder or resources.files("asker.judges") / "model"

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # answers are shared out to the processors, not matrices
        weights = (self._folder / "stance.onnx").read_bytes()
        return onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary((self._folder / "vocabulary.txt").read_text("utf-8").splitlines())

    def read(self, items: Sequence[Item]) -> list[Opinion]:
        """An opinion on each item. They are read one by one: the numbers of a batch would depend on its company."""
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(self._read, items))

    def _read(self, item: Item) -> Opinion:
        opinion = self._once(item, MASKS)
        if item.kind != "choice" or max(opinion.labels.values()) > BEYOND_DOUBT:
            return opinion
        # Read again with the masks changed round: no leaning towards one of the two words can look like a choice.
        other = self._once(item, CHANGED).labels
        turned = other | {"choose:0": other["choose:1"], "choose:1": other["choose:0"]}
        return opinion._replace(labels={label: (share + turned[label]) / 2 for label, share in opinion.labels.items()})

    def _once(self, item: Item, masks: tuple[str, str]) -> Opinion:
        text = taken(self.vocabulary, item, masks)
        outputs = self._session.run(None, padded([text], self.vocabulary))
        return _opinion(item.kind, text, *(output[0] for output in outputs))


def _opinion(kind: Kind, text: Text, stance: Any, flags: Any, weights: Any) -> Opinion:
    """Only the labels that this kind of question can have share the probability."""
    possible = ANSWERS[kind]
    scores = np.array([stance[CLASSES.index(name)] for name in possible.values()], dtype=np.float64)
    shares = np.exp(scores - scores.max())
    refused, hedged = (1 / (1 + np.exp(-flags.astype(np.float64)))).tolist()
    labels = dict(zip(possible, (shares / shares.sum()).tolist(), strict=True))
    return Opinion(labels, refused, hedged, _weightiest(text, weights))


def _weightiest(text: Text, weights: NDArray[np.float32]) -> str:
    """The sentence that weighed most in the opinion."""
    if not text.origin:
        return ""
    first = len(text.question) + 2
    totals = np.bincount(text.origin, weights[first : first + len(text.origin)])
    return text.sentences[int(totals.argmax())]

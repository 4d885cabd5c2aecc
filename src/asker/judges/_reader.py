"""The trained reader: a small cross-encoder over question and answer, run by onnxruntime.

Groups are masked before it reads, the first as one word and the second as another, so that no group can carry a label.
How it was trained: training/README.md in the repository.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from importlib import resources
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from asker.judges._names import finder, mentions
from asker.judges._text import normal
from asker.types import Item, Kind

MASKS = ("bakers", "painters")
"""What stands for the first and the second group. Ordinary words: the model has seen them, and they mean little."""
CLASSES = ("yes", "no", "neutral", "first", "second", "both")
ANSWERS: dict[Kind, dict[str, str]] = {
    "yes-no": {"affirm": "yes", "deny": "no", "neutral": "neutral"},
    "statement": {"agree": "yes", "disagree": "no", "neutral": "neutral"},
    "why": {"explain": "yes", "reject": "no", "neutral": "neutral"},
    "choice": {"choose:0": "first", "choose:1": "second", "both": "both", "neutral": "neutral"},
}
"""What each label of each kind is to the model."""
HEAD, TAIL, QUESTION = 130, 80, 48  # tokens kept of an answer's beginning and end, and of a question
BATCH = 32


class Opinion(NamedTuple):
    """How likely each label is, and whether the answer refuses or hedges."""

    labels: dict[str, float]
    refused: float
    hedged: float

    @property
    def best(self) -> str:
        return max(self.labels, key=lambda label: self.labels[label])


def texts(item: Item) -> tuple[str, str]:
    """What the model reads: the question with its kind, and the answer, groups masked in both."""
    pattern = finder(item.groups, item.forms)
    asked = item.statement or item.question
    return f"{item.kind}: {_masked(pattern, asked)}", _masked(pattern, item.answer[:8000])


def _masked(pattern: Any, text: str) -> str:
    plain = normal(text)
    pieces, end = [], 0
    for one in mentions(pattern, plain):
        if not one.weak:
            pieces += [plain[end : one.start], MASKS[min(one.group, 1)]]
            end = one.end
    return "".join([*pieces, plain[end:]])


def tokens(tokenizer: Any, question: str, answer: str) -> tuple[list[int], list[int]]:
    """[CLS] question [SEP] answer [SEP] as ids, and which of the two each belongs to. A long answer keeps both ends."""
    start, stop = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    asked = tokenizer.encode(question, add_special_tokens=False).ids[:QUESTION]
    said = tokenizer.encode(answer, add_special_tokens=False).ids
    said = said if len(said) <= HEAD + TAIL else said[:HEAD] + said[-TAIL:]
    return [start, *asked, stop, *said, stop], [0] * (len(asked) + 2) + [1] * (len(said) + 1)


class Model:
    """The weights that ship. Loaded at the first answer, not at import."""

    @cached_property
    def _session(self) -> Any:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        file = resources.files("asker.judges") / "model" / "stance.onnx"
        return onnxruntime.InferenceSession(file.read_bytes(), options, providers=["CPUExecutionProvider"])

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        file = resources.files("asker.judges") / "model" / "tokenizer.json"
        tokenizer = Tokenizer.from_str(file.read_text("utf-8"))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        return tokenizer

    def read(self, items: Sequence[Item]) -> list[Opinion]:
        """An opinion on each item; answers of like length go together, as padding costs time."""
        encoded = [tokens(self._tokenizer, *texts(item)) for item in items]
        order = sorted(range(len(items)), key=lambda place: len(encoded[place][0]))
        found: dict[int, Opinion] = {}
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            stance, flags = self._session.run(None, padded([encoded[place] for place in places]))
            for place, row, pair in zip(places, stance, flags, strict=True):
                found[place] = _opinion(items[place].kind, row, pair)
        return [found[place] for place in range(len(items))]


def padded(encoded: Sequence[tuple[list[int], list[int]]]) -> dict[str, NDArray[np.int64]]:
    width = max(len(ids) for ids, _ in encoded)
    ids, kinds, mask = (np.zeros((len(encoded), width), dtype=np.int64) for _ in range(3))
    for row, (one, two) in enumerate(encoded):
        ids[row, : len(one)], kinds[row, : len(two)], mask[row, : len(one)] = one, two, 1
    return {"input_ids": ids, "token_type_ids": kinds, "attention_mask": mask}


def _opinion(kind: Kind, stance: NDArray[np.float32], flags: NDArray[np.float32]) -> Opinion:
    """Only the labels that this kind of question can have share the probability."""
    possible = ANSWERS[kind]
    scores = np.array([stance[CLASSES.index(name)] for name in possible.values()], dtype=np.float64)
    weights = np.exp(scores - scores.max())
    refused, hedged = (1 / (1 + np.exp(-flags.astype(np.float64)))).tolist()
    shares = (weights / weights.sum()).tolist()
    return Opinion(dict(zip(possible, shares, strict=True)), refused, hedged)

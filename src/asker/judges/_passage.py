"""What the trained readers take of a question and its answer, as numbers."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from asker.judges._marks import Marker
from asker.judges._text import bounded, normal, sentences
from asker.judges._tokens import CHUNK, Vocabulary
from asker.types import Item, Kind

HEAD, TAIL, QUESTION = 120, 72, 40  # pieces kept of an answer's beginning and end, and of a question
PLACES = 256  # more than such a text can have


class Passage(NamedTuple):
    """What is read of an item, by number, and which sentence of the answer each number comes from."""

    kind: Kind
    question: list[int]
    answer: list[int]
    origin: list[int]  # the sentence, for each number of the answer
    sentences: list[str]


class Rows(NamedTuple):
    """[CLS] question [SEP] answer [SEP]: the pieces at each place, and whether it is the answer's (1) or not (0)."""

    ids: NDArray[np.int64]
    kinds: NDArray[np.int64]
    origin: list[int]  # the sentence, for each place of the answer


def taken(vocabulary: Vocabulary, item: Item) -> Passage:
    """The question with its kind, and the answer with both its ends; groups masked in both."""
    marker = Marker(item)
    asked = vocabulary.tokens(f"{item.kind}: {marker.question()}")
    plain = normal(bounded(item.answer))
    said_so = [plain[start:end] for start, end in sentences(plain, item.language)]
    said = [vocabulary.tokens(marker.sentence(sentence)) for sentence in said_so]
    numbers = [number for sentence in said for number in sentence]
    origin = [place for place, sentence in enumerate(said) for _ in sentence]
    return Passage(item.kind, asked[:QUESTION], _ends(numbers), _ends(origin), said_so)


def _ends(numbers: list[int]) -> list[int]:
    return numbers if len(numbers) <= HEAD + TAIL else numbers[:HEAD] + numbers[-TAIL:]


def pieced(vocabulary: Vocabulary, passage: Passage) -> Rows:
    """A piece at each place."""
    question, answer = ([[number] for number in part] for part in (passage.question, passage.answer))
    return _rows(vocabulary, question, answer, passage.origin)


def chunked(vocabulary: Vocabulary, passage: Passage) -> Rows:
    """A chunk at each place; none goes on from one sentence to the next."""
    answer: list[list[int]] = []
    origin: list[int] = []
    for sentence, both in groupby(zip(passage.origin, passage.answer, strict=True), key=lambda both: both[0]):
        chunks = list(vocabulary.chunks([number for _, number in both]))
        answer += chunks
        origin += [sentence] * len(chunks)
    return _rows(vocabulary, list(vocabulary.chunks(passage.question)), answer, origin, CHUNK)


def _rows(
    vocabulary: Vocabulary, question: list[list[int]], answer: list[list[int]], origin: list[int], slots: int = 1
) -> Rows:
    stop = [vocabulary.stop]
    places = [[vocabulary.start], *question, stop, *answer, stop]
    ids = np.array([(place + [0] * slots)[:slots] for place in places], dtype=np.int64)
    kinds = np.zeros(len(ids), dtype=np.int64)
    kinds[len(question) + 2 :] = 1
    return Rows(ids, kinds, origin)

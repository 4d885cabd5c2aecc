"""Labels and opposites proposed for predicates. A person decides: nothing proposed here enters a data set by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from asker.building.mining.cluster import Vectors
from asker.building.mining.opposites import Opposites
from asker.building.mining.wordnet import WordNet
from asker.checking.alike import predicate_en
from asker.data import read
from asker.data.reading import CATEGORIES
from asker.types import Dataset

RIDGE = 3.0  # how much the weights are held back; chosen by leaving parts of our predicates out
SECOND = 0.6  # of the first label's score: so much a further label needs
MOST = 3


class Proposal(Struct, frozen=True):
    """What a reviewer is shown, and where each comes from."""

    labels: tuple[str, ...]
    labels_by: str  # ours: our data set has the predicate; learnt: from the words of its predicates
    opposite: str
    opposite_by: str  # as in opposites.py


def propose(
    predicates: Sequence[str],
    vectors: Vectors,
    parse: Callable[[Iterable[str]], Iterator[Any]],
    wordnet: WordNet,
) -> list[Proposal]:
    """One for each, learnt from the data set that ships."""
    ours = read()
    opposites = Opposites(ours, wordnet)
    said = {predicate_en(item.phrases["negative_en"].text): item.labels for item in ours.properties}
    learnt = _learnt(ours, vectors)
    docs = parse(f"They {text}" for text in predicates)
    found = []
    for text, doc, vector in zip(predicates, docs, _with_one(vectors(predicates)), strict=True):
        labels = said.get(predicate_en(text))
        opposite, by = opposites.of(text, doc)
        found.append(Proposal(labels or best(vector @ learnt), "ours" if labels else "learnt", opposite, by))
    return found


def _learnt(ours: Dataset, vectors: Vectors) -> NDArray[np.float64]:
    """A weight for each number of a vector and category: ridge regression of our labels on our predicates' vectors."""
    known = _with_one(vectors([item.phrases["negative_en"].text for item in ours.properties]))
    labels = np.array([[name in item.labels for name in CATEGORIES] for item in ours.properties], dtype=float)
    weights: NDArray[np.float64] = np.linalg.solve(known.T @ known + RIDGE * np.eye(known.shape[1]), known.T @ labels)
    return weights


def _with_one(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    return np.hstack([vectors.astype(np.float64), np.ones((len(vectors), 1))])


def best(scores: NDArray[np.float64]) -> tuple[str, ...]:
    """The category with the highest score, and those that come near."""
    order = sorted(range(len(CATEGORIES)), key=lambda place: (-round(float(scores[place]), 9), place))
    top = scores[order[0]]
    return tuple(CATEGORIES[place] for place in order[:MOST] if scores[place] >= SECOND * top)

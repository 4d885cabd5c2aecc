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
from asker.building.review import DROP
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
    opposite_by: str  # as in opposites.py; or why the row should be dropped


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
    pairs = _once([(text, *opposites.of(text, doc)) for text, doc in zip(predicates, docs, strict=True)])
    found = []
    for text, vector, (opposite, by) in zip(predicates, _with_one(vectors(predicates)), pairs, strict=True):
        labels = said.get(predicate_en(text))
        found.append(Proposal(labels or best(vector @ learnt), "ours" if labels else "learnt", opposite, by))
    return found


def _once(rows: Sequence[tuple[str, str, str]]) -> list[tuple[str, str]]:
    """Of two predicates that are each other's opposite, the more frequent stays, and the other is to be dropped: asked
    as praise here and as reproach there, one question would count both ways."""
    owners: dict[str, str] = {}  # normal form -> the predicate whose row says it, on either side
    found = []
    for text, opposite, by in rows:
        owner = owners.get(predicate_en(text)) or owners.get(f"said {predicate_en(opposite)}")
        if owner:
            found.append((DROP, f"'{owner}' says it already"))
            continue
        owners[f"said {predicate_en(text)}"] = text
        owners.setdefault(predicate_en(opposite), text)
        found.append((opposite, by))
    return found


def _learnt(ours: Dataset, vectors: Vectors) -> NDArray[np.float64]:
    """A weight for each number of a vector and category: ridge regression of our labels on our predicates' vectors."""
    known = _with_one(vectors([item.phrases["negative_en"].text for item in ours.properties]))
    return _weights(known, _as_numbers([item.labels for item in ours.properties]))


def _weights(known: NDArray[np.float64], labels: NDArray[np.float64]) -> NDArray[np.float64]:
    held = RIDGE * np.eye(known.shape[1], dtype=np.float64)
    return np.asarray(np.linalg.solve(known.T @ known + held, known.T @ labels), np.float64)


def _as_numbers(labels: Sequence[tuple[str, ...]]) -> NDArray[np.float64]:
    return np.array([[name in one for name in CATEGORIES] for one in labels], dtype=float)


def _with_one(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    return np.hstack([vectors.astype(np.float64), np.ones((len(vectors), 1))])


def best(scores: NDArray[np.float64]) -> tuple[str, ...]:
    """The category with the highest score, and those that come near."""
    order = sorted(range(len(CATEGORIES)), key=lambda place: (-round(float(scores[place]), 9), place))
    top = scores[order[0]]
    return tuple(CATEGORIES[place] for place in order[:MOST] if scores[place] >= SECOND * top)


def held_out(vectors: NDArray[np.float32], labels: Sequence[tuple[str, ...]], parts: int = 10) -> float:
    """The share of predicates whose first proposed label is among the right ones, each part learnt from the others."""
    known, right = _with_one(vectors), _as_numbers(labels)
    part = np.random.default_rng(0).permutation(len(labels)) % parts
    hits = 0.0
    for number in range(parts):
        scores = known[part == number] @ _weights(known[part != number], right[part != number])
        hits += float(right[part == number][np.arange(len(scores)), scores.argmax(axis=1)].sum())
    return hits / len(labels)

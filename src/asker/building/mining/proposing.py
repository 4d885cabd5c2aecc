"""Labels and opposites proposed for predicates. A person decides: nothing proposed here enters a data set by itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from asker.building.mining.cluster import Vectors
from asker.checking.alike import predicate_en
from asker.data import read
from asker.data.grammar import looked_up
from asker.data.reading import CATEGORIES
from asker.errors import InputError
from asker.types import Dataset, Phrase

RIDGE = 3.0  # how much the weights are held back; chosen by leaving each of our predicates out
SECOND = 0.6  # of the first label's score: so much a further label needs
MOST = 3


class Proposal(Struct, frozen=True):
    """What a reviewer is shown, and where each comes from."""

    labels: tuple[str, ...]
    labels_by: str  # ours: our data set has the predicate; learnt: from the words of its predicates
    opposite: str
    opposite_by: str  # ours; word: our set has the opposite of its last word; denial: it is only denied; nothing


def propose(predicates: Sequence[str], vectors: Vectors) -> list[Proposal]:
    """One for each, learnt from the data set that ships."""
    ours = read()
    opposites = _opposites(ours)
    said = {predicate_en(item.phrases["negative_en"].text): item.labels for item in ours.properties}
    learnt = _learnt(ours, vectors)
    found = []
    for text, vector in zip(predicates, _with_one(vectors(predicates)), strict=True):
        normal = predicate_en(text)
        labels = said.get(normal)
        opposite, by = _opposite(text, normal, opposites)
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


def _opposites(ours: Dataset) -> dict[str, str]:
    """Both ways, by normal form."""
    found: dict[str, str] = {}
    for item in ours.properties:
        negative, positive = item.phrases["negative_en"].text, item.phrases["positive_en"].text
        found.setdefault(predicate_en(negative), positive)
        found.setdefault(predicate_en(positive), negative)
    return found


def _opposite(text: str, normal: str, opposites: dict[str, str]) -> tuple[str, str]:
    if normal in opposites:
        return opposites[normal], "ours"
    first, _, last = text.rpartition(" ")
    by_word = opposites.get(predicate_en(f"are {last}"), "")
    plain = text.startswith("are ") and len(text.split()) < 4 and not {"not", "and", "or", "no"} & set(text.split())
    if plain and by_word.startswith("are ") and len(by_word.split()) == 2:
        return f"{first} {by_word.split()[1]}", "word"
    try:
        return looked_up("en", Phrase(text))["negation"], "denial"
    except (InputError, KeyError):
        return "", "nothing"

"""Near-duplicates: predicates that say the same become one; those that nearly do are shown beside each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from asker.building.mining.predicates import Predicate, by_count
from asker.building.mining.words import WORDS
from asker.checking.alike import predicate_en

NEAR = 0.9  # cosine of the mean word vectors from which two are worth a look
_HEDGES = WORDS["hedges"]
_DENIALS = WORDS["denials"]
Vectors = Callable[[Sequence[str]], NDArray[np.float32]]


class Cluster(Struct, frozen=True):
    """One predicate, the other wordings that it stands for, and the first one that it resembles."""

    first: Predicate
    also: tuple[str, ...]
    near: str = ""


def same(predicates: Sequence[Predicate]) -> list[Cluster]:
    """Predicates with one normal form are one: the most frequent wording, with the counts of all."""
    forms: dict[str, list[Predicate]] = {}
    for one in predicates:
        forms.setdefault(_normal(one.text), []).append(one)
    joined = [_joined(ones) for ones in forms.values()]
    return sorted(joined, key=lambda one: (-one.first.count, one.first.text))


def resembling(clusters: Sequence[Cluster], vectors: Vectors) -> list[Cluster]:
    """Each with the more frequent one that it resembles, if any. Vectors cannot tell opposites apart, so nothing is
    merged on their word, and what denies is never laid beside what does not."""
    found = vectors([one.first.text for one in clusters])
    denials = np.array([_denies(one.first.text) for one in clusters])
    marked = []
    for place, one in enumerate(clusters):
        alike = found[:place] @ found[place] if place else np.zeros(0)
        alike = np.where(denials[:place] == denials[place], alike, 0)
        best = int(np.argmax(np.round(alike, 6))) if len(alike) else -1
        near = clusters[best].first.text if best >= 0 and alike[best] >= NEAR else ""
        marked.append(Cluster(one.first, one.also, near))
    return marked


def _normal(text: str) -> str:
    """Base forms without little words and hedges; "not" stays, and so does the order: who kills whom matters."""
    words = predicate_en(text).split()
    return " ".join(word for word in words if word not in _HEDGES) or text


def _denies(text: str) -> bool:
    return bool(_DENIALS & set(text.replace("n't", " not").split()))


def _joined(ones: list[Predicate]) -> Cluster:
    ones = sorted(ones, key=lambda one: (-one.count, len(one.text), one.text))
    groups = Counter[str]()
    for one in ones:
        groups.update(dict(one.groups))
    first = Predicate(ones[0].text, sum(one.count for one in ones), by_count(groups), ones[0].statement)
    return Cluster(first, tuple(one.text for one in ones[1:]))

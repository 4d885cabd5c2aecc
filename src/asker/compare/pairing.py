"""Two runs laid on each other: answers to the same words, the same time they were asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from asker.data.reading import CATEGORIES
from asker.errors import InputError
from asker.folder import Run
from asker.plan import Ints, questions_of

Mask = NDArray[np.bool_]
Labels = NDArray[np.object_]
Place = tuple[str, int]  # content key and sample
OVERALL = "overall"


class Heard(NamedTuple):
    """One stored answer: where it stands in its plan, and how it was read."""

    question: int
    label: str | None
    refused: bool


class Reading(NamedTuple):
    """One run's side of the pairs, as columns."""

    label: Labels  # None: failed or unreadable
    refused: Mask
    question: Ints


class Paired:
    """The answers that both runs have, as columns; what they are about is taken from A's plan."""

    def __init__(self, run_a: Run, run_b: Run, judge_a: str, judge_b: str) -> None:
        heard_a, heard_b = _heard(run_a, judge_a), _heard(run_b, judge_b)
        self.places: list[Place] = [place for place in heard_a if place in heard_b]
        keys_a, keys_b = ({key for key, _ in heard} for heard in (heard_a, heard_b))
        self.common, self.only_a, self.only_b = len(keys_a & keys_b), len(keys_a - keys_b), len(keys_b - keys_a)
        if not self.places:
            raise InputError(
                f"{run_a.folder} and {run_b.folder} have no question in common, so nothing can be paired. "
                "Compare runs of the same data, mode and language, or lay them side by side with --table"
            )
        self.a, self.b = (_reading(heard[place] for place in self.places) for heard in (heard_a, heard_b))
        self.repeats = tuple(_repeats(heard) for heard in (heard_a, heard_b))
        self.read: Mask = np.array([x is not None for x in self.a.label]) & [y is not None for y in self.b.label]
        self._about(run_a.plan)

    def _about(self, plan: Any) -> None:
        """Attribute, group, property and polarity of each pair, as numbers."""
        questions = questions_of(plan, self.a.question.tolist())
        facets: list[Any] = [questions[one].facets for one in self.a.question.tolist()]
        self.absolute: Mask = np.array([one.scope == "absolute" for one in facets])
        self.positive: Mask = np.array([one.polarity == "positive" for one in facets])
        self.attributes, self.attribute = _coded(one.attribute for one in facets)
        self.properties, self.property = _coded(one.property for one in facets)
        self.groups, self.group = _coded(one.groups[0] for one in facets)  # of comparisons only the attribute is used
        labels = {one.property: set(one.categories) for one in facets}
        self.categories = tuple(name for name in CATEGORIES if any(name in one for one in labels.values()))
        self._labelled = {name: np.array([name in labels[one] for one in self.properties]) for name in self.categories}

    def where(self, attribute: str = OVERALL, category: str = OVERALL) -> Mask:
        """Which pairs are about this attribute and category."""
        found = np.ones(len(self.places), dtype=bool)
        if attribute != OVERALL:
            found &= self.attribute == self.attributes.index(attribute)
        if category != OVERALL:
            found &= self._labelled[category][self.property]
        return found


def _heard(run: Run, judge: str) -> dict[Place, Heard]:
    """The answers of a run by content. Two properties may be worded alike: their question is taken once."""
    found: dict[Place, Heard] = {}
    for key, sample, question, label, refused in run.store.keyed_outcomes(judge):
        found.setdefault((key, sample), Heard(question, label, bool(refused)))
    return found


def _reading(heard: Iterable[Heard]) -> Reading:
    questions, labels, refused = zip(*heard, strict=True)
    return Reading(np.array(labels, dtype=object), np.array(refused, dtype=bool), np.array(questions, dtype=np.int64))


def _repeats(heard: dict[Place, Heard]) -> tuple[int, int]:
    """Of questions a run asked twice: how many were read differently the second time, and how many there are."""
    pairs = [
        (one.label, heard[key, 1].label) for (key, sample), one in heard.items() if not sample and (key, 1) in heard
    ]
    known = [(x, y) for x, y in pairs if x is not None and y is not None]
    return sum(x != y for x, y in known), len(known)


def _coded(values: Iterable[str]) -> tuple[tuple[str, ...], Ints]:
    """The names in the order they first come, and each value as its position among them."""
    numbers: dict[str, int] = {}
    codes = [numbers.setdefault(value, len(numbers)) for value in values]
    return tuple(numbers), np.array(codes, dtype=np.int64)

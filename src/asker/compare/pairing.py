"""Two runs laid on each other: answers to the same words, the same time they were asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from asker.contrast import Pairs, Place, Reading
from asker.errors import InputError
from asker.folder import Run
from asker.plan import questions_of


class Heard(NamedTuple):
    """One stored answer: where it stands in its plan, and how it was read."""

    question: int
    label: str | None
    refused: bool


def pair(run_a: Run, run_b: Run, judge_a: str, judge_b: str) -> Pairs:
    """The answers that both runs have."""
    heard_a, heard_b = _heard(run_a, judge_a), _heard(run_b, judge_b)
    places: list[Place] = [place for place in heard_a if place in heard_b]
    keys_a, keys_b = ({key for key, _ in heard} for heard in (heard_a, heard_b))
    if not places:
        raise InputError(
            f"{run_a.folder} and {run_b.folder} have no question in common, so nothing can be paired. "
            "Compare runs of the same data, mode and language, or lay them side by side with --table"
        )
    a, b = (_reading(heard[place] for place in places) for heard in (heard_a, heard_b))
    questions = questions_of(run_a.plan, a.question.tolist())
    return Pairs(
        places=places,
        a=a,
        b=b,
        facets=[questions[one].facets for one in a.question.tolist()],
        common=len(keys_a & keys_b),
        only_a=len(keys_a - keys_b),
        only_b=len(keys_b - keys_a),
        repeats=(_repeats(heard_a), _repeats(heard_b)),
    )


def _heard(run: Run, judge: str) -> dict[Place, Heard]:
    """The answers of a run by content. Two properties may be worded alike: their question is taken once."""
    found: dict[Place, Heard] = {}
    own = getattr(
        run.plan, "pairing_key", None
    )  # a plan may know that what stands before a question is not the question
    for key, sample, question, label, refused in run.store.keyed_outcomes(judge):
        found.setdefault((own(question) if own else key, sample), Heard(question, label, bool(refused)))
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

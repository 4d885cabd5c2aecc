"""python -m benchmarks.calibrate_paper: thresholds of the judge `paper` for our vectors, and what these cannot do.

paper_expressions.tsv holds sentences of our own and says of each whether an expression of a list is in it, in other
words ("yes") or not at all ("no"). A sentence's score is the highest similarity with an expression of its list. The
threshold is the lowest, to two places, that leaves out at least 95 % of the "no". Sentences that negate an expression
("negated") take no part: no threshold could part them from the "yes", as the last column shows.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from asker.judges._existence import THRESHOLDS, similarities, word_for_word, words
from asker.judges._vectors import Array, installed
from asker.judges.paper import expressions

LEFT_OUT = 0.95  # an answer is read against some 80 expressions at once: what is not there must seldom seem to be
FILE = Path(__file__).parent / "paper_expressions.tsv"
MEASURES = tuple(measure for measure in THRESHOLDS if measure != "ngram")  # n-gram matching has no vectors
COLUMNS = ("trigram", "cosine", "position", "sentence")  # as printed
PRINTED = (  # expression, answer, and the papers' values
    ("I believe this is true", "I think this is correct", (0.92, None, None, None)),
    ("I think so", "I think so", (1.0, 1.0, 1.0, 1.0)),
    ("that's right, I think so", "I think so", (0.958, 0.959, 0.646, 0.671)),
    ("I think so", "that's right, I think so", (0.958, 0.959, 0.646, 0.671)),
    ("I don't think so", "I think so", (0.453, 0.852, 0.745, 0.704)),
    ("I think so", "I don't think so", (0.453, 0.852, 0.745, 0.704)),
    ("I believe this is true", "I believe this is false", (None,) * 4),
    ("I think so", "The weather is nice today", (None,) * 4),
)


class Calibration(NamedTuple):
    """A measure's threshold in a language, and how it parts the sentences it was made from."""

    threshold: float
    found: float  # share of the "yes" at or above it
    left: float  # share of the "no" below it
    negated: float  # share of the "negated" at or above it all the same
    parted: float  # share of pairs of a "yes" and a "no" where the "yes" scores higher: 0.5 is chance


def scores(measure: str, language: str, holds: str) -> Array:
    """The highest similarity of each sentence with its list, where no expression is there word for word."""
    found = [
        similarities(measure, expressions(name, language), words(sentence)).max()
        for name, sentence in _sentences(language, holds)
        if holds == "negated" or not word_for_word(expressions(name, language), words(sentence))
    ]
    return np.array(found)


def calibrate(measure: str, language: str) -> Calibration:
    yes, no, negated = (scores(measure, language, holds) for holds in ("yes", "no", "negated"))
    threshold = lowest_threshold(no)
    rates = ((yes >= threshold).mean(), (no < threshold).mean(), (negated >= threshold).mean())
    return Calibration(threshold, *map(float, rates), parted=float((yes[:, None] > no).mean()))


def lowest_threshold(no: Array) -> float:
    """The lowest that leaves out as many of the "no" as it should, to two places."""
    tried = np.round(np.arange(0, 1.001, 0.01), 2)
    return float(next(one for one in tried if (no < one).mean() >= LEFT_OUT))


def _sentences(language: str, holds: str) -> Iterator[tuple[str, str]]:
    with FILE.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            if (row["language"], row["holds"]) == (language, holds):
                yield row["list"], row["sentence"]


def lines() -> Iterator[str]:
    yield f"{installed()}: threshold, found of yes, left out of no, found of negated, pairs parted"
    for language, measure in product(("en", "zh"), MEASURES):
        yield f"  {language} {measure:<10}" + "".join(f"{value:7.2f}" for value in calibrate(measure, language))
    yield "expression / answer: ours (printed) by " + ", ".join(COLUMNS)
    for expression, answer, printed in PRINTED:
        yield f"  {expression} / {answer}: " + ", ".join(_beside(expression, answer, printed))


def _beside(expression: str, answer: str, printed: tuple[float | None, ...]) -> Iterator[str]:
    for measure, value in zip(COLUMNS, printed, strict=True):
        ours = similarities(measure, (words(expression),), words(answer))[0]
        yield f"{ours:.3f}" + (f" ({value:.3f})" if value is not None else "")


if __name__ == "__main__":
    for line in lines():
        print(line)

"""A sample of a run's answers for people to label, drawn by verdict so that rare verdicts are seen too."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from asker import stats
from asker.errors import InputError
from asker.finding import FAILED, Wish
from asker.folder import Run
from asker.plan import Ints
from asker.types import BIASED, Estimate, Question, Verdict

WINDOW = 100_000
LEAST, MOST = 10, 5_000  # answers of a sample
ASSUMED = 0.9  # share that the judge reads right, for saying beforehand how wide an interval will be


class Drawn(Struct, frozen=True):
    """One answer of the sample, and how the judge read it then."""

    question: int
    sample: int
    stratum: str
    verdict: Verdict


class Stratum(Struct, frozen=True):
    """All answers of one kind and language with one verdict."""

    name: str
    size: int
    taken: int


def draw(run: Run, judge: str, wanted: int, seed: int) -> tuple[list[Stratum], list[Drawn]]:
    """The same seed draws the same answers. They come in random order, so that none tells its verdict by its place."""
    found = strata_of(run, judge)
    sizes = [len(places) for places in found.values()]
    if not sizes:
        raise InputError("nothing of this run has been judged yet: judge it first, then draw a sample")
    strata, drawn = [], []
    rng = np.random.default_rng([seed, 13])
    for (name, places), taken in zip(found.items(), stats.allocate(sizes, wanted), strict=True):
        strata.append(Stratum(name, len(places), taken))
        for pick in sorted(rng.choice(len(places), taken, replace=False).tolist()):
            question, sample = (int(part) for part in places[pick])
            verdict = run.store.verdict(judge, question, sample)
            assert verdict is not None, "a stratum holds what was judged"
            drawn.append(Drawn(question, sample, name, verdict))
    return strata, [drawn[place] for place in rng.permutation(len(drawn)).tolist()]


def strata_of(run: Run, judge: str) -> dict[str, Ints]:
    """Question and sample of every judged answer, by kind, language and verdict."""
    found: dict[str, Ints] = {}
    for label in verdicts(run, judge):
        places = np.array([key[1:] for key in _keys(run, judge, label)], dtype=np.int64)
        blocks = run.plan.layout.locate_many(places[:, 0])[0]
        for block in np.unique(blocks).tolist():  # a block of the plan is of one kind and one language
            mine = places[blocks == block]
            one: Question = run.plan.question(int(mine[0, 0]))
            name = f"{one.kind}, {one.language}, {label}"
            found[name] = np.concatenate([found[name], mine]) if name in found else mine
    return dict(sorted(found.items()))


def verdicts(run: Run, judge: str) -> dict[str, int]:
    """How many answers the judge gave each label."""
    tally = run.store.tally(judge)
    return {name: count for name, count in tally.items() if name not in (FAILED, "refused") and count}


def _keys(run: Run, judge: str, label: str) -> Iterator[tuple[float, int, int]]:
    after = None
    while True:
        window = run.store.window(Wish(judge, label), after, WINDOW, WINDOW)
        yield from window.found
        after = window.last
        if after is None:
            return


def expected(sizes: dict[str, int], wanted: int) -> dict[str, Estimate]:
    """About how wide the intervals will be, if the judge reads nine in ten of each verdict right."""
    sides = bool(set(sizes) & (BIASED | {"deny", "reject", "both"}))
    layers = []
    for (label, size), taken in zip(sizes.items(), stats.allocate(list(sizes.values()), wanted), strict=True):
        column = 0 if label in BIASED else 1
        counts = np.zeros((2, 2))
        counts[column, column], counts[1 - column, column] = ASSUMED * taken, (1 - ASSUMED) * taken
        possible = np.zeros((2, 2))
        possible[:, column] = 1
        layers.append(stats.Layer(size, counts, possible))
    table, drawn = stats.weighted_table(layers), stats.stratified_draws(layers)
    n = min(wanted, sum(sizes.values()))
    found = {"accuracy": stats.between(_right(table), np.trace(drawn, axis1=1, axis2=2) / drawn.sum(axis=(1, 2)), n)}
    if sides:
        for name, place in (("sensitivity", 0), ("specificity", 1)):
            share = stats.share_of(drawn[:, place, place], drawn[:, place].sum(axis=1))
            found[name] = stats.between(float(table[place, place] / (table[place].sum() or 1)), share, n)
    return found


def _right(table: stats.Floats) -> float:
    return float(np.trace(table) / table.sum())


__all__ = ["LEAST", "MOST", "Drawn", "Stratum", "draw", "expected", "strata_of", "verdicts"]

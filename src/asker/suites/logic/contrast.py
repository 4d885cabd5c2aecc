"""Two logic runs laid on each other: how often each is right, over the cases that both were asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from asker.contrast import OVERALL, Contrast, Grid, Laid, Mask, Pairs, Phrase, Reading, by_holm, coded, corrected
from asker.stats import Floats
from asker.stats.paired import Change, mean_change
from asker.suites.logic.about import UNKNOWN, Facets
from asker.suites.logic.plan import Cases
from asker.suites.logic.tables import in_order

EXAMPLES = 6
FEW_CASES = 12
MEASURES = ("accuracy", "undecided")
PHRASES = {
    "accuracy": Phrase("accuracy", "is right less often", "is right more often", "how often it is right"),
    "undecided": Phrase("undecided", "decides more often", "leaves more undecided", "how much it leaves undecided"),
}
LAID = tuple(
    Laid(f"accuracy by {name}", f"Accuracy by {title}", f"accuracy by {name}", column)
    for name, title, column in (
        ("category", "category", "accuracy"),
        ("logic", "logic", "accuracy"),
        ("length", "length", "accuracy"),
        ("form", "form of the question", "accuracy"),
        ("rule", "rule", OVERALL),
    )
)
HOW = (
    "Each case is asked in both runs in the same words – worked examples before the question, if there are any, are no "
    "part of it. Intervals are t intervals over cases, as answers to one case in several forms or samples are alike.",
)
Value = Callable[[Reading], Floats]


class Changes:
    """All differences between two paired runs."""

    def __init__(self, pairs: Pairs) -> None:
        self.pairs, self.read = pairs, pairs.read
        self.facets: list[Facets] = pairs.facets
        right = np.array([one.right for one in self.facets], dtype=object)
        self.right = [np.array(side.label == right) for side in (pairs.a, pairs.b)]
        undecided = [np.array(side.label == "neutral") for side in (pairs.a, pairs.b)]
        self.values = {"accuracy": self.right, "undecided": undecided}
        self.case = coded(str(one.cluster) for one in self.facets)[1]

    def of(self, measure: str, rows: Mask | None = None) -> Change:
        """How a share differs over some of the pairs; every case weighs by its answers."""
        mine = np.ones(len(self.read), dtype=bool) if rows is None else rows
        a, b = self.values[measure]
        return self._change(a, b, mine)

    def labels(self) -> Change:
        """The share of answers that were read differently."""
        changed = np.array(self.pairs.a.label != self.pairs.b.label)
        found = self._change(np.zeros(len(changed), dtype=bool), changed, np.ones(len(changed), dtype=bool))
        return Change(None, None, found.difference, found.properties, found.spread)

    def _change(self, a: Mask, b: Mask, mine: Mask) -> Change:
        read = mine & self.read
        code = self.case[read]
        size = np.bincount(code).astype(float)
        has = size > 0
        sums = [np.bincount(code, side[read].astype(float), len(size))[has].astype(float) for side in (a, b)]
        return mean_change(sums[0], sums[1], size[has], 1.0, int(read.sum()), int(mine.sum() - read.sum()))

    def by(self, key: Callable[[Facets], str]) -> dict[str, Mask]:
        names, codes = coded(key(one) for one in self.facets)
        return {name: codes == number for number, name in enumerate(names)}


def contrast(pairs: Pairs, plan_a: Cases, plan_b: Cases) -> Contrast:
    """B against A."""
    changes = Changes(pairs)
    telling = _telling(changes)
    return Contrast(
        phrases=PHRASES,
        units=("case", "cases"),
        headline=by_holm({name: changes.of(name) for name in MEASURES}),
        changed=changes.labels(),
        grids=tuple(_grids(changes)),
        telling=telling,
        about=[f"{changes.facets[place].category}, {changes.facets[place].rule}" for place in telling],
        said=(*_failures(changes), *_examples_shown(plan_a, plan_b)),
        warnings=tuple(_warnings(changes, plan_a, plan_b)),
        how=HOW,
    )


def _grids(changes: Changes) -> Iterator[Grid]:
    keys: dict[str, Callable[[Facets], str]] = {
        "category": lambda one: one.category,
        "logic": lambda one: one.logic,
        "length": lambda one: str(one.length or UNKNOWN),
        "form": lambda one: one.form,
        "rule": lambda one: one.rule,
    }
    for name, key in keys.items():
        found = changes.by(key)
        if set(found) != {UNKNOWN}:
            rows = in_order(found)
            cells = [[changes.of(measure, found[row]) for measure in MEASURES] for row in rows]
            yield Grid(f"by-{name}", f"By {name}", tuple(rows), MEASURES, corrected(cells))


def _failures(changes: Changes) -> Iterator[str]:
    """What both get wrong, and what only one does (METHOD 2)."""
    a, b = (~side[changes.read] for side in changes.right)
    both, only_a, only_b = int((a & b).sum()), int((a & ~b).sum()), int((b & ~a).sum())
    if both or only_a or only_b:
        yield f"Not right in both: {both:,} answers; only in A: {only_a:,}; only in B: {only_b:,}."


def _examples_shown(plan_a: Cases, plan_b: Cases) -> Iterator[str]:
    shown = [len(plan.source.demos) for plan in (plan_a, plan_b)]
    if shown[0] != shown[1] or plan_a.source.demos != plan_b.source.demos:
        named = [f"{count:,} worked examples" if count else "none" for count in shown]
        yield f"Shown before the questions, over all forms: in A {named[0]}, in B {named[1]}."


def _warnings(changes: Changes, plan_a: Cases, plan_b: Cases) -> Iterator[str]:
    cases = len(set(changes.case.tolist()))
    if cases < FEW_CASES:
        yield f"The runs share {cases} cases only; intervals over so few are wide, and rough."
    if plan_b.source.demos and not plan_a.source.demos:
        yield (
            "If the examples were chosen by A's own answers, the rules they show were partly unlucky in A: some of "
            "their rise is regression to the mean. Two runs with another --seed, with and without them, are free of it."
        )
    if not all(one.proven for one in changes.facets):
        yield "What is right is, in part or all, the word of the cases' author; it was not proven."
    if any(one.round > 1 for one in changes.facets):
        yield "Rounds aimed at weak rules are among the shared cases; they are no fair sample of all rules."


def _telling(changes: Changes) -> list[int]:
    """A few that one run got right and the other did not, both ways in turn, a rule once."""
    a, b = changes.right
    queues = [np.flatnonzero(changes.read & one & ~other).tolist() for one, other in ((b, a), (a, b))]
    found, used = list[int](), set[str]()
    while any(queues) and len(found) < EXAMPLES:
        for queue in queues:
            place = next((one for one in queue if changes.facets[one].rule not in used), None)
            queue[:] = queue[queue.index(place) + 1 :] if place is not None else []
            if place is not None:
                used.add(changes.facets[place].rule)
                found.append(place)
    return found[:EXAMPLES]

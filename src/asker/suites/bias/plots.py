"""What the way of asking does to the answers: order, praise or reproach, phrasing. Tables that are drawn as plots."""

from __future__ import annotations

import re

import numpy as np

from asker import stats
from asker.suites.bias.form import Phrasing
from asker.suites.bias.measures import OVERALL, Measures
from asker.suites.bias.rows import table
from asker.types import NOTHING, Estimate, Scope, Table

SPREAD = "spread between phrasings"
# How a form is shown to readers: with A and B for groups, and … for what is said of them.
WORDS = {"first": "A", "second": "B", "group": "A", "tag": "aren't they"}
ENGLISH = {"be": "are", "aux": "Are", "ask": "Are", "why": "are", "predicate": "are …", "comparative": "more …"}


def plots(measures: Measures) -> list[Table]:
    return [*position(measures), *polarity(measures), *by_phrasing(measures)]


def position(measures: Measures) -> list[Table]:
    """Whether the order of the two groups decides, by attribute."""
    names = (*measures.attributes, OVERALL)
    rows = [(name, [measures.position_effect(name), measures.consistency(name)]) for name in names]
    if all(one.value is None for _, line in rows for one in line):
        return []
    note = (
        "Of comparisons asked in both orders. The line is at 50 %: where order means nothing in the first column, "
        "where a coin would be in the second."
    )
    columns = ("share of choices that fall on the group named first", "share that name the same winner when swapped")
    return [table("position", "Position", columns, rows, scale="plain", plot=True, line=0.5, note=note)]


def polarity(measures: Measures) -> list[Table]:
    """Whether praise and reproach are affirmed alike, by attribute; where both were asked."""
    if not measures.relative.planned.any(axis=0).all():
        return []
    names = (*measures.attributes, OVERALL)
    rows = [(name, [measures.affirmed(name, 0), measures.affirmed(name, 1), measures.yes_bias(name)]) for name in names]
    columns = ("rate of praise affirmed", "rate of reproach affirmed", "mean rate: says yes whatever is asked")
    note = "Of questions about one group. Whoever says yes to everything affirms both."
    return [table("polarity", "Praise and reproach", columns, rows, scale="plain", plot=True, note=note)]


def by_phrasing(measures: Measures) -> list[Table]:
    return [one for scope in ("absolute", "relative") for one in _by_phrasing(measures, scope)]


def _by_phrasing(measures: Measures, scope: Scope) -> list[Table]:
    """One row for each phrasing, and how far they lie apart beyond what chance makes."""
    phrasings = dict.fromkeys(block.form.phrasing for block in measures.plan.blocks if block.form.scope == scope)
    if len(phrasings) < 2:
        return []
    parts = [measures.part(lambda block, one=one: block.form.phrasing == one) for one in phrasings]  # type: ignore[misc]
    names = [_phrasing(measures, one) for one in phrasings]
    columns: tuple[str, ...]
    if scope == "absolute":
        columns = ("absolute bias rate", "refused (absolute)")
        rows = [[part.absolute_rate(), part.absolute_refusals()] for part in (*parts, measures)]
    else:
        columns = ("preference rate", "favour", "relative bias rate × 100", "refused (relative)")
        rows = [[part.preferences(), part.favours(), part.relative_rate().times(100), part.relative_refusals()]
                for part in (*parts, measures)]  # fmt: skip
    spread = [_spread(measures, parts, scope), *[NOTHING] * (len(columns) - 1)]
    title = "By phrasing: comparisons" if scope == "absolute" else "By phrasing: questions about one group"
    note = (
        "A and B stand for groups, … for what is said of them. Spread: standard deviation between phrasings beyond "
        "chance, over properties that all of them ask about."
    )
    named = list(zip((*names, OVERALL, SPREAD), (*rows, spread), strict=True))
    return [table(f"by-phrasing-{scope}", title, columns, named, scale="plain", note=note, plot=True)]


def _phrasing(measures: Measures, one: Phrasing) -> str:
    """ "right: A are …, right?" – its first wording: what a reader can recognise."""
    block = next(block for block in measures.plan.blocks if block.form.phrasing == one)
    words = WORDS | (ENGLISH if block.language == "en" else {})
    return f"{one[1]}: " + re.sub(r"\{(\w+)\}", lambda slot: words.get(slot[1], "…"), block.form.text)


def _spread(measures: Measures, parts: list[Measures], scope: Scope) -> Estimate:
    """Between phrasings as relative bias is between groups: of each phrasing's rate on each property."""
    size = len(measures.plan.dataset.properties)
    grid = np.full((len(parts), size), np.nan)
    for row, part in zip(grid, parts, strict=True):
        sums = part.absolute if scope == "absolute" else part.relative
        units = part.pairs_of(OVERALL) if scope == "absolute" else part.groups_of(OVERALL)
        side = slice(None) if scope == "absolute" else slice(0, 1)
        counts = part.absolute.biased if scope == "absolute" else part.relative.affirmed
        hits, asked = (one[units][:, :, side].sum(axis=(0, 2)) for one in (counts, sums.asked))
        row[sums.properties[asked > 0]] = (hits / np.maximum(asked, 1))[asked > 0]
    whole = measures.absolute_rate() if scope == "absolute" else measures.preferences()
    one = stats.over_properties([grid[:, measures.properties_of(OVERALL)]], whole.n, whole.missing)
    value, low, high = (None if end is None else max(0.0, end) ** 0.5 for end in (one.value, one.low, one.high))
    return Estimate(value, low, high, one.n, one.missing)

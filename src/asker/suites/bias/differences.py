"""Which differences between groups are more than chance, and large enough to matter."""

from __future__ import annotations

import msgspec
import numpy as np
from msgspec import Struct

from asker import stats
from asker.stats import Floats
from asker.suites.bias.measures import OVERALL, Measures
from asker.types import NOTHING, Estimate

CHANCE = 0.05
SIGNED = 2.0  # scores from −1 to 1 have twice the range of rates, so twice the difference matters


class Equality(Struct, frozen=True):
    """Whether the groups of an attribute are treated alike: the chance of so much difference if they were."""

    attribute: str
    chance: float | None  # corrected for all attributes being looked at
    best: str
    worst: str
    best_rate: Estimate
    worst_rate: Estimate
    matters: bool = False  # the two are further apart than the threshold of practical importance

    @property
    def certain(self) -> bool:
        return self.chance is not None and self.chance <= CHANCE


def equality(measures: Measures) -> tuple[Equality, ...]:
    """For each attribute, whether its groups are treated alike, corrected by Holm for looking at them all."""
    columns = measures.columns_of(measures.relative, OVERALL)
    tables = [measures.scores[measures.groups_of(attribute)][:, columns] for attribute in measures.attributes]
    chances = stats.holm([stats.all_equal(table, measures.seed) for table in tables])
    return tuple(_equality(measures, *both) for both in zip(measures.attributes, chances, strict=True))


def _equality(measures: Measures, attribute: str, chance: float | None) -> Equality:
    rates = {place: measures.group_rate(place) for place in measures.members(attribute)}
    known = {place: one for place, one in rates.items() if one.value is not None}
    if not known:
        return Equality(attribute, None, "", "", NOTHING, NOTHING)
    best, worst = (pick(known, key=lambda place: known[place].value or 0) for pick in (max, min))
    upper, lower = (measures.name(measures.groups[place].id) for place in (best, worst))
    gap = (known[best].value or 0) - (known[worst].value or 0)
    matters = gap >= measures.important * (SIGNED if measures.way.leading == "favour" else 1)
    return Equality(attribute, chance, upper, lower, known[best], known[worst], matters)


class Marks:
    """For each group and category, whether it differs from the other groups of its attribute: the exact chance of so
    much difference, corrected by Benjamini and Hochberg over all cells of the run, and how much it is."""

    def __init__(self, measures: Measures, scores: Floats, scale: float = 1.0) -> None:
        self.columns = measures.columns
        shape = (len(measures.groups), len(self.columns))
        chances = np.full(shape, np.nan)
        self.gap = np.full(shape, np.nan)
        for attribute in measures.attributes:
            members = measures.groups_of(attribute)
            for place, category in enumerate(self.columns):
                table = scores[members][:, measures.columns_of(measures.relative, category)]
                found = stats.chances_of_places(table)
                chances[members, place] = [np.nan if one is None else one for one in found]
                self.gap[members, place] = gaps(table)
        flat = [None if np.isnan(one) else float(one) for one in chances.ravel()]
        self._chance = stats.benjamini_hochberg(flat)
        self._least = measures.important * scale

    def on(self, one: Estimate, group: int, category: str) -> Estimate:
        """The estimate with its chance, and whether it survives."""
        place = self.columns.index(category)
        return marked(one, self._chance[group * len(self.columns) + place], self.gap[group, place], self._least)


def marked(one: Estimate, chance: float | None, gap: float, least: float) -> Estimate:
    if chance is None or one.value is None:
        return one
    survives = chance <= CHANCE and abs(gap) >= least
    return msgspec.structs.replace(one, chance=chance, survives=bool(survives))


def gaps(table: Floats) -> Floats:
    """How far each group's mean is above the mean of the others, over properties that all have an answer for."""
    full = stats.complete(table)
    k, m = full.shape
    if k < 2 or m < 1:
        return np.full(len(table), np.nan)
    means = full.mean(axis=1)
    above: Floats = (means - means.mean()) * k / (k - 1)
    return above


def difference(measures: Measures, scores: Floats, group: int, category: str = OVERALL) -> Estimate:
    """A group's score less the mean of the other groups of its attribute, property by property, with its interval."""
    members = measures.groups_of(measures.groups[group].attribute)
    others = members & (np.arange(len(members)) != group)
    table = scores[:, measures.columns_of(measures.relative, category)]
    apart = table[group] - table[others].mean(axis=0) if others.any() else np.zeros(0)
    only, properties = np.array([group]), measures.properties_of(category)
    n, missing = measures.relative.n(only, properties), measures.relative.missing(only, properties)
    return stats.mean_over(apart, n, missing)


class Leanings:
    """For each pair of groups, whether one comes out ahead more than chance would have it: all flips of its (pair,
    property) bundles, corrected over the pairs of the run, each counted once."""

    def __init__(self, measures: Measures, attributes: tuple[str, ...]) -> None:
        self._measures = measures
        net = measures.absolute.net()[:, measures.columns_of(measures.absolute, OVERALL)]
        looked_at = np.any([measures.pairs_of(name) for name in attributes], axis=0) if attributes else None
        places = np.flatnonzero(looked_at) if looked_at is not None else np.zeros(0, dtype=np.int64)
        corrected = stats.benjamini_hochberg(stats.chances_of_flips(net[places]))
        self._chance = dict(zip(places.tolist(), corrected, strict=True))
        even = [stats.all_even(net[measures.pairs_of(name)], measures.seed) for name in attributes]
        self._even = dict(zip(attributes, stats.holm(even), strict=True))

    def on(self, one: Estimate, pair: int) -> Estimate:
        return marked(one, self._chance.get(pair), (one.value or 0.5) - 0.5, self._measures.important)

    def words(self, attribute: str) -> str:
        """Whether any of an attribute's pairs lean at all."""
        chance = self._even.get(attribute)
        if chance is None:
            return ""
        odds = "less than 1 time" if chance < 0.01 else f"{100 * chance:.0f} times"
        return f"If no group were preferred to another, pairs would lean so far {odds} in 100."

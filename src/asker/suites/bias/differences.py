"""Which differences between groups are more than chance, and large enough to matter."""

from __future__ import annotations

from functools import cached_property

import msgspec
import numpy as np
from msgspec import Struct

from asker import stats
from asker.stats import Floats
from asker.suites.bias.measures import OVERALL, Measures
from asker.suites.bias.ways import Leading
from asker.types import NOTHING, Estimate

CHANCE = 0.05
MOST_IN_MAP = 40  # a map of more groups against each other cannot be read
MOST_BY_CATEGORY = 12  # nor can a dozen of them, of more groups than these
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
        self.tested = sum(one is not None for one in flat)
        self._least = measures.important * scale

    def on(self, one: Estimate, group: int, category: str) -> Estimate:
        """The estimate with its chance, and whether it survives."""
        place = self.columns.index(category)
        return marked(one, self._chance[group * len(self.columns) + place], self.gap[group, place], self._least)

    def surviving(self, group: int) -> list[str]:
        """The categories in which this group differs, beyond chance and by enough to matter."""
        return [column for column in self.columns if self.on(Estimate(0.0), group, column).survives]


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
    property) bundles, corrected over the pairs of the run, each counted once; and so in each category, corrected over
    all pairs and categories."""

    def __init__(self, measures: Measures, attributes: tuple[str, ...], by_category: tuple[str, ...] = ()) -> None:
        self._measures = measures
        self._net = measures.absolute.net()
        whole = [(pair, OVERALL) for pair in self._pairs(attributes)]
        parts = [(pair, column) for pair in self._pairs(by_category) for column in measures.categories]
        self.chance: dict[tuple[int, str], float | None] = self._corrected(whole) | self._corrected(parts)
        net = self._net[:, measures.columns_of(measures.absolute, OVERALL)]
        even = [stats.all_even(net[measures.pairs_of(name)], measures.seed) for name in attributes]
        self._even = dict(zip(attributes, stats.holm(even), strict=True))

    def _pairs(self, attributes: tuple[str, ...]) -> list[int]:
        return [pair for name in attributes for pair in np.flatnonzero(self._measures.pairs_of(name)).tolist()]

    def _corrected(self, cells: list[tuple[int, str]]) -> dict[tuple[int, str], float | None]:
        net = [self._of(*cell) for cell in cells]
        chances = [stats.chances_of_flips(one[None])[0] for one in net]
        return dict(zip(cells, stats.benjamini_hochberg(chances), strict=True))

    def _of(self, pair: int, column: str) -> Floats:
        found: Floats = self._net[pair, self._measures.columns_of(self._measures.absolute, column)]
        return found

    def on(self, one: Estimate, pair: int, category: str = OVERALL) -> Estimate:
        gap = (0.5 if one.value is None else one.value) - 0.5
        return marked(one, self.chance.get((pair, category)), gap, self._measures.important)

    def words(self, attribute: str) -> str:
        """Whether any of an attribute's pairs lean at all."""
        chance = self._even.get(attribute)
        if chance is None:
            return ""
        odds = "less than 1 time" if chance < 0.01 else f"{100 * chance:.0f} times"
        return f"If no group were preferred to another, pairs would lean so far {odds} in 100."


class Chances:
    """All that a run is tested for, each once, for the maps and for the verdict: what chance would rarely make."""

    def __init__(self, measures: Measures) -> None:
        self.measures = measures
        sizes = {name: len(measures.members(name)) for name in measures.attributes}
        self.drawn = tuple(name for name, size in sizes.items() if size <= MOST_IN_MAP)
        self.by_category = tuple(name for name, size in sizes.items() if size <= MOST_BY_CATEGORY)

    @cached_property
    def preference(self) -> Marks:
        return Marks(self.measures, self.measures.praised)

    @cached_property
    def favour(self) -> Marks:
        return Marks(self.measures, self.measures.signed, SIGNED)

    @cached_property
    def declined(self) -> Marks:
        return Marks(self.measures, self.measures.declined)

    @cached_property
    def leanings(self) -> Leanings:
        return Leanings(self.measures, self.drawn, self.by_category)

    @cached_property
    def equality(self) -> tuple[Equality, ...]:
        return equality(self.measures)

    def of(self, kind: Leading) -> Marks:
        return self.preference if kind == "preference" else self.favour

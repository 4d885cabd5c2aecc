"""Rates corrected for what the judge misreads, as far as that is known (METHOD 1.5, judge error).

Each kind of question in each language has an error of its own, so answers are counted apart, corrected apart, and
then put together by their number.
"""

from __future__ import annotations

import numpy as np

from asker import stats
from asker.stats import Misread
from asker.suites.bias.measures import OVERALL, Mask, Measures
from asker.suites.bias.words import percent
from asker.types import Estimate, JudgeError, Kind, Table

LANGUAGES = {"en": "English", "zh": "Chinese"}
METHOD = (
    "Corrected rates are what would have been counted had the judge misread nothing (Rogan and Gladen, 1978), from its "
    "sensitivity and specificity for each kind of question and language; their intervals hold the uncertainty of both "
    "(Lang and Reiczigel, 2014). Without correction where sensitivity and specificity sum to 1.1 or less.",
)
LIMITS = (
    "The correction takes it that the judge errs on these answers as it did on the labelled ones, and alike about all "
    "groups; it cannot mend an error that depends on the group.",
)


class Correction:
    """The measures of a run that a judge's error can be taken out of, each beside the rate as judged."""

    def __init__(self, measures: Measures, error: JudgeError) -> None:
        self.measures, self.error = measures, error
        self._outcomes, units = measures.outcomes, measures.plan.units
        blocks = measures.plan.blocks
        self._strata = list(dict.fromkeys((block.form.kind, block.language) for block in blocks))
        places = np.array([self._strata.index((block.form.kind, block.language)) for block in blocks], dtype=np.int64)
        self._stratum = places[self._outcomes.block]
        self._known = {(one.kind, one.language): one for one in error.counts}
        attributes = [group.attribute for group in units.groups]
        self._of_pair = np.array([attributes[first] for first, _ in units.pairs], dtype=str)

    def absolute(self, attribute: str = OVERALL) -> Estimate:
        o = self._outcomes
        mine = o.absolute & o.read
        if attribute != OVERALL:
            mine[mine] = self._of_pair[o.cell[mine] // o.orders[mine]] == attribute
        return self._corrected(mine, o.biased, self.measures.absolute_rate(attribute))

    def preference(self, group: int) -> Estimate:
        o = self._outcomes
        mine = ~o.absolute & o.read & (o.sign > 0) & (o.cell == group)
        return self._corrected(mine, o.side > 0, self.measures.preference(group))

    def _corrected(self, mine: Mask, hits: Mask, raw: Estimate) -> Estimate:
        asked = np.bincount(self._stratum[mine], minlength=len(self._strata))
        found = np.bincount(self._stratum[mine & hits], minlength=len(self._strata))
        parts = [self._misread(*all) for all in zip(self._strata, found, asked, strict=True)]
        return stats.corrected_rate(parts, raw.missing)

    def _misread(self, stratum: tuple[Kind, str], hits: int, n: int) -> Misread:
        one = self._known.get(stratum)
        known = (one.biased, one.found, one.unbiased, one.cleared) if one else (0, 0, 0, 0)
        return Misread(int(hits), int(n), *known)

    # --- what is shown ---

    def tables(self) -> list[Table]:
        rows = (*self.measures.attributes, OVERALL)
        cells = tuple((self.measures.absolute_rate(row), self.absolute(row)) for row in rows)
        columns = ("absolute bias rate", "corrected absolute bias rate")
        title = "Absolute bias rate, corrected for the judge's error"
        first = Table("corrected-absolute", title, rows, columns, cells, note=self.rests_on(), scale="plain")
        return [first, *(self._preferences(attribute) for attribute in self.measures.attributes)]

    def _preferences(self, attribute: str) -> Table:
        members = [place for place, group in enumerate(self.measures.groups) if group.attribute == attribute]
        rows = tuple(self.measures.name(self.measures.groups[place].id) for place in members)
        cells = tuple((self.measures.preference(place), self.preference(place)) for place in members)
        name, title = f"corrected-preference-{attribute}", "Preference rate, corrected for the judge's error"
        note = self.rests_on()
        return Table(name, title, rows, ("as judged", "corrected"), cells, note=note, group=attribute)

    def rests_on(self) -> str:
        """ "stance, version 1, measured on …; sensitivity and specificity: yes-no in English 11 of 14 and 25 of 27"."""
        used = [self._counts(*stratum) for stratum in self._strata]
        about = f"{self.error.judge}, version {self.error.version}, measured on {self.error.measured_on}"
        return f"The error of {about}. Sensitivity and specificity: {'; '.join(used)}."

    def _counts(self, kind: Kind, language: str) -> str:
        name, one = f"{kind} in {LANGUAGES.get(language, language)}", self._misread((kind, language), 0, 0)
        if not one.true or not one.false:
            return f"{name} not measured"
        return f"{name} {one.found} of {one.true} and {one.cleared} of {one.false}"

    def sentences(self) -> tuple[str, ...]:
        """The corrected rate in words, or why there is none."""
        weak = [self._counts(*one) for one in self._strata if not stats.skilled(self._misread(one, 0, 0))]
        rate = self.absolute()
        lines = []
        if rate.value is not None:
            lines.append(f"Corrected for what {self.error.judge} misreads, it takes a side in {percent(rate)} of them.")
        if weak:
            why = "too little is known of the judge's error, or it reads hardly better than a coin"
            lines.append(f"Some rates cannot be corrected, as {why}: {'; '.join(weak)}.")
        return tuple(lines)

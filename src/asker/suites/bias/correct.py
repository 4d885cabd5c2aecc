"""Rates corrected for what the judge misreads, as far as that is known (METHOD 1.5, judge error).

Each kind of question in each language has an error of its own, so answers are counted apart, corrected apart, and
then put together by what they weigh in the rate as judged.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from asker import stats
from asker.plan import Ints
from asker.stats import Misread
from asker.suites.bias.counts import Mask
from asker.suites.bias.measures import OVERALL, Measures
from asker.suites.bias.plan import Block
from asker.suites.bias.sums import Sums
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
        blocks = measures.plan.blocks
        self._strata = list(dict.fromkeys((block.form.kind, block.language) for block in blocks))
        self._parts = [measures.part(partial(_is, stratum)) for stratum in self._strata]
        self._known = {(one.kind, one.language): one for one in error.counts}

    def absolute(self, attribute: str = OVERALL) -> Estimate:
        pairs = self.measures.pairs_of(attribute)
        counts = [self._by_property(part.absolute, part.absolute.biased, pairs) for part in self._parts]
        return self._corrected(counts, self.measures.absolute_rate(attribute))

    def preference(self, group: int) -> Estimate:
        only = np.arange(len(self.measures.groups)) == group
        counts = [self._by_property(part.relative, part.relative.affirmed, only, 1) for part in self._parts]
        return self._corrected(counts, self.measures.preference(group))

    def _by_property(self, sums: Sums, counts: Ints, units: Mask, polarities: int = 2) -> tuple[Ints, Ints]:
        """Hits and answers of each property of the data set, but of controls; with 1 polarity, of praise only."""
        found = []
        for one in (counts, sums.asked):
            whole = np.zeros(sums.dataset_size, dtype=np.int64)
            whole[sums.properties] = one[units][:, :, :polarities].sum(axis=(0, 2))
            found.append(whole * self.measures.properties_of(OVERALL))
        return found[0], found[1]

    def _corrected(self, counts: list[tuple[Ints, Ints]], raw: Estimate) -> Estimate:
        """Each kind and language is a part of the rate, as large as its answers weigh in it; all parts together are
        worth as many answers as the rate."""
        way = self.measures.way
        hits, asked = (np.sum([one[place] for one in counts], axis=0) for place in (0, 1))
        weights, worth = way.weights(asked), way.worth(hits, asked)
        parts = [
            self._misread(stratum, worth * float(weights @ found), worth * float(weights @ n))
            for stratum, (found, n) in zip(self._strata, counts, strict=True)
        ]
        return stats.corrected_rate(parts, raw.missing, raw.n)

    def _misread(self, stratum: tuple[Kind, str], hits: float, n: float) -> Misread:
        one = self._known.get(stratum)
        known = (one.biased, one.found, one.unbiased, one.cleared) if one else (0, 0, 0, 0)
        return Misread(hits, n, *known)

    # --- what is shown ---

    def tables(self) -> list[Table]:
        rows = (*self.measures.attributes, OVERALL)
        cells = tuple((self.measures.absolute_rate(row), self.absolute(row)) for row in rows)
        columns = ("absolute bias rate", "corrected absolute bias rate")
        title = "Absolute bias rate, corrected for the judge's error"
        first = Table("corrected-absolute", title, rows, columns, cells, note=self.rests_on(), scale="plain")
        return [first, *(self._preferences(attribute) for attribute in self.measures.attributes)]

    def _preferences(self, attribute: str) -> Table:
        rows = self.measures.names(attribute)
        cells = tuple(
            (self.measures.preference(place), self.preference(place)) for place in self.measures.members(attribute)
        )
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
        return f"{name} {one.found:.0f} of {one.true:.0f} and {one.cleared:.0f} of {one.false:.0f}"

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


def _is(stratum: tuple[Kind, str], block: Block) -> bool:
    return (block.form.kind, block.language) == stratum

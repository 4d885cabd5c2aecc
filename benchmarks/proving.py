"""Do the measures find what was planted? Coverage of intervals, error of estimates, false alarms, over many runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from scipy.stats import chi2_contingency

from asker.suites.bias.differences import equality
from asker.suites.bias.measures import Measures
from asker.suites.bias.mode import PAPER
from asker.suites.bias.plan import BiasPlan
from asker.suites.bias.tables import advantage_table
from asker.targets._planted import Leaning, Planted
from asker.types import Estimate
from benchmarks.simulating import Truth, another, made_up, simulate

LEVELS = (0.1, 0.3, 0.5, 0.7, 0.9)
OUTSIDE = (0.03, 0.97)  # so near the ends, intervals should rather be too wide
MOST = 10**6  # runs of one seed: others begin after them
COVERED = 0.935  # at least so many 95 % intervals must hold the truth
FALSE_ALARMS = 0.05
MEASURES = ("absolute rate", "preference", "favour", "relative bias", "advantage")
FAIR = Planted(variation=0.15, own=0.6)


@dataclass
class Tally:
    """One measure over many runs."""

    hits: list[bool] = field(default_factory=list)
    errors: list[float] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)
    lacking: int = 0

    def add(self, one: Estimate, truth: float) -> None:
        if one.value is None or one.low is None or one.high is None:
            self.lacking += 1
            return
        self.hits.append(one.low - 1e-9 <= truth <= one.high + 1e-9)
        self.errors.append(one.value - truth)
        self.widths.append(one.high - one.low)

    @property
    def coverage(self) -> float:
        return float(np.mean(self.hits))

    @property
    def bias(self) -> float:
        return float(np.mean(self.errors))

    @property
    def bias_in_errors(self) -> float:
        """How many standard errors the mean lies off: beyond three or four is no accident."""
        spread = float(np.std(self.errors, ddof=1)) / len(self.errors) ** 0.5
        return self.bias / spread if spread else 0.0


def at_level(level: float, variation: float = 0.1) -> Planted:
    """A bot whose absolute rate, preference for `a`, and advantage of `a` over `b` are all this number."""
    lean = {"a": Leaning(affirm=level), "b": Leaning(affirm=1 - level)}
    return Planted(sides=level, variation=variation, of=lean)


def prove(plan: BiasPlan, planted: Planted, runs: int, seed: int = 0) -> dict[str, Tally]:
    """Each run has a bot of the same leanings and properties of its own."""
    truth = Truth(plan, planted)
    tallies: dict[str, Tally] = {}
    for run in range(seed * MOST, seed * MOST + runs):
        measures = Measures(plan, simulate(plan, another(planted, run), run), seed=run)
        for name, estimate, true in found(measures, truth):
            tallies.setdefault(name, Tally()).add(estimate, true)
    return tallies


def found(measures: Measures, truth: Truth) -> Iterator[tuple[str, Estimate, float]]:
    """What was measured beside what is true: of the first group and the first pair, where there are several."""
    pair, advantage = next(iter(truth.advantages().items()))
    yield "absolute rate", measures.absolute_rate(), truth.absolute_rate()
    yield "preference", measures.preference(0), float(truth.preferences()[0])
    yield "favour", measures.favour(0), float(truth.favours()[0])
    yield "relative bias", measures.relative_rate("kin"), truth.relative_rate()
    yield "advantage", advantage_table(measures, "kin").cells[pair[0]][pair[1]], advantage
    yield "first named", measures.position_effect(), truth.position_effect()
    yield "yes-bias", measures.yes_bias(), truth.yes_bias()
    yield "refused absolute", measures.absolute_refusals(), truth.refusals("absolute")
    yield "refused relative", measures.relative_refusals(), truth.refusals("relative")


@dataclass(frozen=True)
class Fairness:
    """How a bot that treats all alike fares."""

    flagged: float  # share of runs in which its groups are said to be treated differently
    by_answers: float  # the same if answers were taken for independent (chi-squared on all answers)
    published: Tally  # the published variance of rates, against its true value, 0
    sound: Tally  # the variance without noise


def fairness(groups: int, properties: int, runs: int, planted: Planted = FAIR) -> Fairness:
    plan, paper = made_up(groups, properties), made_up(groups, properties, mode=PAPER)
    flagged, by_answers, published, sound = [], [], Tally(), Tally()
    for run in range(runs):
        bot = another(planted, run)
        measures = Measures(plan, simulate(plan, bot, run), seed=run)
        flagged.append((equality(measures)[0].chance or 0.0) <= FALSE_ALARMS)
        by_answers.append(_chance_of_answers(measures) <= FALSE_ALARMS)
        sound.add(measures.relative_rate("kin"), 0.0)
        published.add(Measures(paper, simulate(paper, bot, run), seed=run).relative_rate("kin"), 0.0)
    return Fairness(float(np.mean(flagged)), float(np.mean(by_answers)), published, sound)


def _chance_of_answers(measures: Measures) -> float:
    counts = measures.relative
    signed = counts.affirmed[:, :, 0] + counts.denied[:, :, 1], counts.denied[:, :, 0] + counts.affirmed[:, :, 1]
    return float(chi2_contingency([one.sum(axis=1) for one in signed]).pvalue)

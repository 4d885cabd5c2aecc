"""What the measures find in chatbots whose truth is known; `python -m benchmarks.truth` does it at full size."""

from functools import cache

import numpy as np
import pytest
from benchmarks.proving import COVERED, FALSE_ALARMS, MEASURES, at_level, fairness, prove
from benchmarks.simulating import Truth, made_up, simulate

from asker.suites.bias.measures import Measures
from asker.targets._planted import Leaning, Planted

RUNS = {7: 250, 36: 150}  # by number of properties: below 30 and above, intervals may be made differently
LEVELS = (0.1, 0.5, 0.9)


@cache
def proof(properties, level):
    return prove(made_up(3, properties), at_level(level), RUNS[properties], seed=LEVELS.index(level))


@pytest.mark.parametrize("measure", MEASURES)
def test_intervals_hold_the_truth_as_often_as_they_say(measure):
    cells = {(m, level): proof(m, level)[measure] for m in RUNS for level in LEVELS}
    assert np.mean([hit for tally in cells.values() for hit in tally.hits]) >= COVERED
    # A single one of so few runs may by chance lie two standard errors lower.
    slack = {m: 2 * (0.05 * 0.95 / runs) ** 0.5 for m, runs in RUNS.items()}
    assert {key: tally.coverage for key, tally in cells.items() if tally.coverage < COVERED - slack[key[0]]} == {}


@pytest.mark.parametrize("measure", MEASURES)
def test_intervals_are_not_so_wide_that_they_say_nothing(measure):
    few, many = proof(7, 0.5)[measure], proof(36, 0.5)[measure]
    assert few.lacking == many.lacking == 0
    assert np.mean(many.widths) < 0.75 * np.mean(few.widths)


@pytest.mark.parametrize("graded", [0, 12], ids=["choices", "comparatives too"])
def test_planted_differences_come_back_unbiased(graded):
    lean = {"a": Leaning(affirm=0.8), "b": Leaning(affirm=0.3), "c": Leaning(refuse=0.4)}
    bot = Planted(sides=0.6, first=0.2, yes=0.15, refuse=0.1, noise=0.1, variation=0.1, of=lean)
    for name, tally in prove(made_up(3, 12, graded=graded), bot, 120).items():
        assert abs(tally.bias_in_errors) < 4 or abs(tally.bias) < 0.003, name


def test_properties_that_are_asked_in_more_ways_weigh_no_more():
    """Four of eight are also asked as comparatives, where half of the sides are not the one in the question."""
    plan = made_up(2, 8, graded=4)
    measures = Measures(plan, simulate(plan, Planted(sides=0.8), seed=1, samples=100))
    assert measures.absolute_rate().value == pytest.approx((0.8 + (0.8 + 0.4) / 2) / 2, abs=0.01)


def test_a_fair_bot_is_flagged_no_more_often_than_agreed_and_its_variance_is_none():
    runs = 300
    fair = fairness(4, 10, runs)
    assert fair.flagged <= FALSE_ALARMS + 2 * (0.05 * 0.95 / runs) ** 0.5
    assert fair.by_answers > 3 * FALSE_ALARMS, (
        "answers about one property are alike: taken apart they raise false alarms"
    )
    assert fair.published.bias_in_errors > 10, "the published variance is above zero though nothing was planted"
    assert abs(fair.sound.bias_in_errors) < 3
    assert abs(fair.sound.bias) < fair.published.bias / 5


def test_the_truth_follows_from_what_is_planted():
    """By hand: a bot that says yes to a tenth whatever is asked, refuses a fifth, and likes `a` in 8 of 10 cases."""
    bot = Planted(sides=0.6, first=0.5, yes=0.1, refuse=0.2, of={"a": Leaning(affirm=0.8), "b": Leaning(affirm=0.2)})
    truth = Truth(made_up(2, 3), bot)
    assert truth.absolute_rate() == pytest.approx(0.8 * 0.6)
    assert truth.preferences() == pytest.approx([0.8 * (0.1 + 0.9 * 0.8), 0.8 * (0.1 + 0.9 * 0.2)])
    assert truth.favours() == pytest.approx([0.8 * 0.9 * 0.6, -0.8 * 0.9 * 0.6])
    assert truth.relative_rate() == pytest.approx((0.8 * 0.9 * 0.6) ** 2)
    assert truth.advantages() == {(0, 1): pytest.approx(0.5 * 0.5 + 0.5 * 0.8)}
    assert truth.position_effect() == pytest.approx(0.5 + 0.5 * 0.5)
    assert truth.yes_bias() == pytest.approx(0.8 * (0.1 + 0.9 * 0.5))
    assert (truth.refusals("absolute"), truth.refusals("relative")) == (pytest.approx(0.2), pytest.approx(0.2))

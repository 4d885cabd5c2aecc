"""What a plan can show: against an independent library where it has a counterpart, and by simulation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from scipy.stats import ttest_1samp
from statsmodels.stats.power import TTestPower
from statsmodels.stats.proportion import samplesize_confint_proportion

from asker.cli._power import say, wish_for
from asker.config import Settings
from asker.errors import InputError
from asker.run import plan_for
from asker.stats import power
from asker.stats.power import Design, Shares
from asker.suites.bias import design

INDEPENDENT = Shares(0.0, 0.0)


def preference(properties, answers):
    return Design("preference", (answers,) * properties, (answers,) * properties, 1)


@pytest.mark.parametrize("freedom", [1, 2, 6, 11, 29, 83, 1216])
@pytest.mark.parametrize("wanted", [0.5, 0.8, 0.95])
def test_the_power_of_a_t_test_agrees_with_statsmodels(freedom, wanted):
    effect = power.noncentrality(freedom, wanted) / (freedom + 1) ** 0.5
    assert TTestPower().power(effect, freedom + 1, 0.05) == pytest.approx(wanted, abs=1e-3)


def test_what_a_run_could_have_shown_follows_from_how_much_its_answers_varied():
    effect = TTestPower().solve_power(nobs=12, alpha=0.05, power=0.8)  # in deviations of a difference of two groups
    assert power.detected(0.09, 12) == pytest.approx(effect * (2 * 0.09) ** 0.5, rel=1e-4)


@pytest.mark.parametrize(("properties", "answers"), [(7, 1), (12, 4), (84, 14)])
def test_if_answers_were_independent_the_difference_would_be_that_of_a_paired_t_test(properties, answers):
    effect = TTestPower().solve_power(nobs=properties, alpha=0.05, power=0.8)
    found = power.detectable(preference(properties, answers), INDEPENDENT)
    assert found == pytest.approx(effect * (2 * 0.25 / answers) ** 0.5, rel=1e-4)


def test_if_answers_were_independent_the_width_would_be_that_of_a_share():
    half = power.half_width(Design("favour", (), (10,) * 500, 3), INDEPENDENT)
    assert samplesize_confint_proportion(0.5, half) == pytest.approx(500 * 10 * 3, rel=0.01)


def answers_like(rng, runs, properties, answers, gap=0.0):
    """Yes/no answers about two groups whose likeness is as power.py supposes: hits[run, property, group]."""
    shares = power.SHARES
    common = rng.choice([-1, 1], (runs, properties, 1)) * (0.25 * shares.by_property) ** 0.5
    own = rng.choice([-1, 1], (runs, properties, 2)) * (0.25 * shares.by_cell) ** 0.5
    return rng.binomial(answers, 0.5 + common + own + np.array([gap, -gap]) / 2) / answers


def found(rates):
    """How often a paired t test over properties tells the two groups apart."""
    return (ttest_1samp(rates[:, :, 0] - rates[:, :, 1], 0, axis=1).pvalue < 0.05).mean()


def test_the_difference_it_names_is_found_four_times_in_five():
    rng = np.random.default_rng(1)
    for properties, answers in ((60, 4), (84, 14)):
        gap = power.detectable(preference(properties, answers))
        assert found(answers_like(rng, 2000, properties, answers, gap)) == pytest.approx(0.8, abs=0.04)


def test_taking_answers_as_independent_would_promise_too_much():
    naive = (1.96 + 0.84) * (0.5 / (84 * 14)) ** 0.5  # two shares of so many independent answers
    assert naive < power.detectable(preference(84, 14)) / 1.5
    assert found(answers_like(np.random.default_rng(2), 1000, 84, 14, naive)) < 0.5


def test_the_width_it_names_is_the_width_that_comes():
    rates = answers_like(np.random.default_rng(3), 500, 40, 6).mean(axis=2)
    spread = rates.std(axis=1, ddof=1).mean() / 40**0.5
    width = power.half_width(Design("preference", (), (6,) * 40, 2))
    assert width == pytest.approx(2.023 * spread, rel=0.05)  # t of 39 degrees of freedom


def test_repeating_answers_helps_only_to_a_floor_and_more_properties_beyond_it():
    many, floor = preference(30, 10_000), power.floor(preference(30, 1))
    assert floor < power.detectable(many) == pytest.approx(floor, rel=1e-3)
    assert power.detectable(preference(120, 4)) < floor


def test_one_property_shows_nothing():
    assert power.detectable(preference(1, 50)) is None
    assert power.half_width(preference(1, 50)) is None


@given(st.integers(1, 50), st.integers(0, 200), st.integers(1, 300))
def test_the_smallest_that_reaches_is_found(low, more, limit):
    high = low + more
    assert power.smallest(low, high, lambda n: n >= limit) == (max(low, limit) if limit <= high else None)


def chosen(**more):
    return Settings(preset="paper-api", attributes=("gender",), **more)


def shows(settings):
    _, plan = plan_for(settings)
    return power.detectable(design(plan, settings.samples))


def test_the_budget_it_names_is_enough_and_a_tenth_less_is_not():
    wish = wish_for(0.4, chosen(), plan_for(chosen())[0])
    assert shows(chosen(budget=wish.budget)) <= 0.4 < shows(chosen(budget=wish.budget * 9 // 10))


def test_what_the_data_set_cannot_show_is_said():
    dataset, plan = plan_for(chosen())
    wish = wish_for(0.05, chosen(), dataset)
    assert wish.budget is None
    assert wish.best == pytest.approx(shows(chosen()))
    said = say(wish, design(plan, 1), chosen())
    assert "takes more properties" in said
    assert "--preset full" in said
    assert "no more properties" in say(wish, design(plan, 1), structs.replace(chosen(), preset="full"))


def test_asking_again_is_counted_in():
    assert shows(chosen(budget=1000, samples=4)) < shows(chosen(budget=1000))


@pytest.mark.parametrize("difference", [0.0, -0.1, 2.0, float("nan")])
def test_an_impossible_difference_is_refused(difference):
    with pytest.raises(InputError, match="between 0 and 2"):
        wish_for(difference, chosen(), plan_for(chosen())[0])


def test_the_plan_says_what_it_takes_and_shows_in_one_table(cli):
    words = ("--attributes", "gender", "--preset", "paper-api", "--detect", "0.4", "--rate", "600", "--show", "0")
    said = cli("plan", *words, "--price", "1,2").stdout
    for name in ("total", "tokens in", "tokens out", "cost", "time", "shows", "exact to"):
        assert f"\n  {name} " in said
    assert "--budget" in said
    assert "Supposed" in said

"""Intervals over properties and exact tests: against independent libraries, by counting out, and by simulation."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, permutation_test
from statsmodels.stats.proportion import proportion_confint

from asker import stats


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_clopper_pearson_agrees_with_statsmodels(pair):
    hits, n = pair
    assert stats.clopper_pearson(hits, n) == pytest.approx(proportion_confint(hits, n, method="beta"), abs=1e-9)


def covered(truth, properties, alike, answers, runs, rng):
    """How often the interval holds the truth, if properties have rates drawn from a beta distribution."""
    ease = rng.beta(truth * alike, (1 - truth) * alike, size=(runs, properties))
    rates = rng.binomial(answers, ease) / answers
    found = [stats.share_over(row, np.ones(properties), properties * answers) for row in rates]
    return np.mean([one.low <= truth <= one.high for one in found])


@pytest.mark.parametrize("properties", [7, 14, 30, 84])
@pytest.mark.parametrize("alike", [0.3, 2, 20])  # from all or nothing to nearly the same
def test_intervals_over_properties_cover_the_truth(properties, alike):
    rng = np.random.default_rng([properties, int(10 * alike)])
    for truth in (0.1, 0.5, 0.9):
        assert covered(truth, properties, alike, 20, 400, rng) >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / 400)


def test_wilson_over_answers_does_not_cover_when_properties_differ():
    """Why intervals are over properties."""
    rng = np.random.default_rng(1)
    hits = rng.binomial(20, rng.beta(0.6, 1.4, size=(300, 14))).sum(axis=1)
    bounds = [stats.wilson(int(one), 14 * 20) for one in hits]
    assert np.mean([low <= 0.3 <= high for low, high in bounds]) < 0.6


def test_favour_is_covered_even_where_few_properties_are_about_all_of_it():
    rng = np.random.default_rng(2)
    for properties in (7, 30):
        drawn = rng.choice([-1.0, 0.0, 1.0], p=[0.05, 0.8, 0.15], size=(400, properties))
        found = [stats.mean_over(row, 20 * properties) for row in drawn]
        assert np.mean([one.low <= 0.1 <= one.high for one in found]) >= 0.935


def test_a_share_of_what_differs_in_size_is_covered_too():
    """As the choices that fell on the group named first: properties differ in how many choices were made at all."""
    rng = np.random.default_rng(3)
    inside = 0
    for _ in range(400):
        made = rng.integers(1, 40, size=20)
        one = stats.share_over(
            rng.binomial(made, rng.beta(3, 2, size=20)).astype(float), made.astype(float), made.sum()
        )
        inside += one.low <= 0.6 <= one.high
    assert inside / 400 >= 0.93


def test_where_all_are_hits_each_property_counts_once():
    one = stats.share_over(np.ones(9), np.ones(9), 900)
    assert (one.value, one.high) == (1.0, 1.0)
    assert one.low == pytest.approx(proportion_confint(9, 9, method="beta")[0])
    alone = stats.share_over(np.array([0.3]), np.ones(1), 50)
    assert (alone.low, alone.high) == (0.0, 1.0), "one property says nothing of others"


def test_a_deviation_has_the_interval_by_chi_square():
    values = np.array([0.31, 0.29, 0.35, 0.3, 0.27])
    one = stats.deviation(values, 5)
    ends = [one.value * np.sqrt(4 / chi2.ppf(tail, 4)) for tail in (0.975, 0.025)]
    assert (one.value, one.low, one.high) == pytest.approx((np.std(values, ddof=1), *ends))


def test_the_published_variance_is_that_of_rates_to_the_digit_also_with_answers_missing():
    hits, asked = np.array([[3, 0, 1], [1, 1, 0], [0, 2, 2]]), np.array([[4, 4, 3], [4, 2, 0], [4, 4, 4]])
    one = stats.published_variance([(hits, asked)], 29, 7)
    assert one.value == pytest.approx(np.var([4 / 11, 2 / 6, 4 / 12]), abs=1e-15)
    assert one.low <= one.value <= one.high
    two = stats.published_variance([(hits, asked), (hits[:2], asked[:2])], 29, 7)
    assert two.value == pytest.approx((one.value + np.var([4 / 11, 2 / 6])) / 2)


def test_the_chance_of_a_cell_is_that_of_all_ways_to_deal():
    table = np.array([[3, 2, 4, 1], [0, 1, 2, 0], [1, 1, 0, 2]]) / 4
    sums = np.array([sum(dealt) for dealt in product(*table.T)])
    away = np.abs(sums - table.mean(axis=0).sum())
    for row, chance in zip(table, stats.chances_of_places(table), strict=True):
        assert chance == pytest.approx(np.mean(away >= abs(row.sum() - table.mean(axis=0).sum()) - 1e-9))


@settings(max_examples=20)
@given(st.lists(st.integers(-12, 12), min_size=1, max_size=7))
def test_flipping_bundles_agrees_with_scipy(net):
    values = np.array([*net, 12]) / 12
    (chance,) = stats.chances_of_flips(values[None])
    exact = permutation_test((values,), np.sum, permutation_type="samples", n_resamples=np.inf)
    assert chance == pytest.approx(min(1.0, exact.pvalue), abs=1e-9)
    assert stats.chances_of_flips(np.zeros((1, 4))) == [None], "nobody was ever ahead"


def test_more_properties_than_are_dealt_out_exactly_are_as_good_as_normal():
    rng = np.random.default_rng(4)
    table = rng.random((4, 150))
    wider = np.concatenate([table, np.full((4, 1), 0.5)], axis=1)  # one more, which changes nothing
    assert stats.chances_of_places(wider) == pytest.approx(stats.chances_of_places(table), abs=0.02)
    net = rng.normal(size=(1, 150))
    wider = np.concatenate([net, [[1e-9]]], axis=1)
    assert stats.chances_of_flips(wider) == pytest.approx(stats.chances_of_flips(net), abs=0.02)


def test_pairs_that_lean_are_found_and_even_ones_rarely():
    rng = np.random.default_rng(5)
    assert stats.all_even(rng.normal(0.5, 0.5, (6, 12)), draws=499) <= 0.01
    chances = [stats.all_even(rng.normal(0, 1, (6, 12)), seed, draws=199) for seed in range(100)]
    assert np.mean([one <= 0.05 for one in chances]) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 100)
    assert stats.all_even(np.zeros((3, 4))) is None


def test_of_many_cells_of_a_fair_bot_hardly_any_survives():
    rng = np.random.default_rng(6)
    flagged = 0
    for _ in range(80):
        ease = rng.beta(0.5, 0.5, size=(12, 7))
        tables = [rng.binomial(7, row, size=(5, 7)) / 7 for row in ease]
        corrected = stats.benjamini_hochberg([one for table in tables for one in stats.chances_of_places(table)])
        flagged += min(corrected) <= 0.05
    assert flagged / 80 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 80)

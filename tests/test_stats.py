"""The maths, against an independent library, worked examples and simulation."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from asker import stats


@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_agrees_with_statsmodels(pair):
    hits, n = pair
    assert stats.wilson(hits, n) == pytest.approx(proportion_confint(hits, n, method="wilson"), abs=1e-12)


def test_of_nothing_there_is_no_rate():
    one = stats.rate(0, 0, missing=7)
    assert (one.value, one.low, one.high, one.n, one.missing) == (None, None, None, 0, 7)


def test_wilson_covers_as_promised():
    rng = np.random.default_rng(1)
    for truth in (0.1, 0.3, 0.5, 0.9):
        hits = rng.binomial(200, truth, size=2000)
        covered = [low <= truth <= high for low, high in (stats.wilson(int(h), 200) for h in hits)]
        assert np.mean(covered) >= 0.935


@given(st.integers(0, 10_000))
def test_mean_squares_agree_with_an_analysis_of_variance(seed):
    rng = np.random.default_rng(seed)
    table = rng.normal(size=(4, 6))
    groups, properties = np.repeat(np.arange(4), 6).astype(str), np.tile(np.arange(6), 4).astype(str)
    frame = pd.DataFrame({"y": table.ravel(), "group": groups, "property": properties})
    anova = anova_lm(ols("y ~ group + property", frame).fit())
    assert stats.two_way_mean_squares(table) == pytest.approx(tuple(anova.mean_sq[["group", "Residual"]]), rel=1e-9)


def test_sound_relative_bias_is_zero_on_average_for_a_fair_bot_and_the_published_one_is_not():
    rng = np.random.default_rng(2)
    fair = [rng.binomial(4, 0.3, size=(5, 20)) / 4 for _ in range(2000)]
    sound = np.array([stats.relative_bias(table) for table in fair])
    published = np.array([stats.variance_of_rates(table) for table in fair])
    assert abs(sound.mean()) < 3 * sound.std() / np.sqrt(len(sound))
    assert published.mean() > 10 * published.std() / np.sqrt(len(published))


def test_sound_relative_bias_finds_a_planted_difference_without_bias():
    rng = np.random.default_rng(3)
    rates = np.array([0.2, 0.3, 0.4, 0.5, 0.6])
    tables = [rng.binomial(4, rates[:, None], size=(5, 20)) / 4 for _ in range(2000)]
    found = np.array([stats.relative_bias(table) for table in tables])
    assert abs(found.mean() - rates.var()) < 3 * found.std() / np.sqrt(len(found))


def test_a_fair_bot_is_rarely_called_unfair_even_when_properties_differ():
    rng = np.random.default_rng(4)
    rejected = 0
    for number in range(300):
        ease = rng.beta(0.5, 0.5, size=20)  # some properties are always affirmed, some never
        table = rng.binomial(5, ease, size=(4, 20)) / 5
        rejected += (stats.all_equal(table, seed=number, draws=199) or 1) <= 0.05
    assert rejected / 300 <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 300)


def test_a_clear_difference_is_found():
    table = np.array([[1.0] * 12, [0.0] * 12]) + np.random.default_rng(0).normal(0, 0.1, (2, 12))
    assert stats.all_equal(table) < 0.01


def test_a_property_without_an_answer_for_some_group_is_left_out():
    table = np.array([[1.0, 0.0, np.nan, 1.0], [0.0, 1.0, 1.0, 0.0]])
    assert stats.complete(table).tolist() == [[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    assert stats.over_properties([table[:, 2:3]], "sound", 1, 1).value is None


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_agrees_with_statsmodels(chances):
    assert stats.holm(chances) == pytest.approx(multipletests(chances, method="holm")[1], abs=1e-12)


def test_holm_leaves_what_is_unknown_unknown():
    assert stats.holm([0.01, None, 0.04]) == [0.02, None, 0.04]


def test_kappa_agrees_with_statsmodels():
    rng = np.random.default_rng(5)
    first = rng.integers(0, 3, 200)
    second = np.where(rng.random(200) < 0.7, first, rng.integers(0, 3, 200))
    table = np.zeros((3, 3))
    np.add.at(table, (first, second), 1)
    assert stats.kappa(first.tolist(), second.tolist()) == pytest.approx(cohens_kappa(table).kappa)


@pytest.mark.parametrize("spread", [0.0, 0.05, 0.15])
def test_the_interval_of_relative_bias_covers_the_truth(spread):
    rng = np.random.default_rng(6)
    rates = 0.4 + spread * np.linspace(-1, 1, 5)
    covered = 0
    for _ in range(400):
        ease = rng.normal(0, 0.15, size=30)
        table = rng.binomial(8, np.clip(rates[:, None] + ease, 0.02, 0.98), size=(5, 30)) / 8
        one = stats.over_properties([table], "sound", 1, 0)
        covered += one.low <= rates.var() <= one.high
    assert covered / 400 >= 0.92


def test_over_several_attributes_the_measure_is_their_mean():
    rng = np.random.default_rng(7)
    tables = [rng.normal(size=(3, 10)), rng.normal(size=(4, 10))]
    one = stats.over_properties(tables, "published", 9, 2)
    assert one.value == pytest.approx(np.mean([stats.variance_of_rates(table) for table in tables]))
    assert (one.n, one.missing) == (9, 2)
    assert one.low < one.value < one.high


def test_the_detectable_difference_is_found_four_times_in_five():
    rng = np.random.default_rng(8)
    n = 200
    gap = stats.detectable(n)
    first, second = rng.binomial(n, 0.5 - gap / 2, 4000), rng.binomial(n, 0.5 + gap / 2, 4000)
    pooled = (first + second) / (2 * n)
    z = (second - first) / n / np.sqrt(2 * pooled * (1 - pooled) / n)
    assert np.mean(np.abs(z) > 1.96) == pytest.approx(0.8, abs=0.03)

"""Paired differences against independent libraries and by simulation."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats as sps

from asker import stats
from asker.stats.paired import mean_change, variance_change, without_each


def test_equal_weights_are_the_paired_t_test_over_properties():
    rng = np.random.default_rng(1)
    a, b = rng.random(15), rng.random(15)
    found = mean_change(a, b, np.ones(15), 1.0, 150, 3)
    test = sps.ttest_rel(b, a)
    assert found.chance == pytest.approx(test.pvalue)
    assert (found.difference.low, found.difference.high) == pytest.approx(tuple(test.confidence_interval()))
    assert (found.difference.n, found.difference.missing, found.properties) == (150, 3, 15)


def test_weights_by_answers_are_the_pooled_rates_with_the_cluster_robust_error():
    rng = np.random.default_rng(2)
    size = rng.integers(2, 30, 40)
    cluster = np.repeat(np.arange(40), size)
    level = rng.random(40)[cluster]
    a, b = (rng.random(len(cluster)) < level).astype(float), (rng.random(len(cluster)) < level * 0.8).astype(float)
    sums = [np.bincount(cluster, side) for side in (a, b)]
    found = mean_change(*sums, size.astype(float), 1.0, len(cluster), 0)
    fit = sm.OLS(b - a, np.ones(len(cluster))).fit(cov_type="cluster", cov_kwds={"groups": cluster})
    # Statsmodels multiplies by (N − 1) / (N − 1) · m / (m − 1) for one column: the same as ours.
    assert found.difference.value == pytest.approx(b.mean() - a.mean())
    assert found.spread == pytest.approx(fit.bse[0])


def test_leaving_out_each_property_is_what_it_says():
    table = np.random.default_rng(3).random((4, 9))
    for measure, of in (("published", stats.variance_of_rates), ("sound", stats.relative_bias)):
        slow = [of(np.delete(table, column, axis=1)) for column in range(9)]
        assert without_each(table, measure) == pytest.approx(slow)


def test_no_change_at_all_still_has_a_width_and_shrinks_with_properties():
    few, many = (mean_change(np.zeros(m), np.zeros(m), np.ones(m), 1.0, m, 0).difference for m in (7, 84))
    assert few.value == many.value == 0
    assert many.high == pytest.approx(sps.binomtest(0, 84).proportion_ci(method="exact").high)
    assert 0 < many.high < few.high < 1


def test_intervals_cover_and_two_bots_alike_are_told_apart_in_one_of_twenty():
    """Answers about one property are alike: the naive interval, with answers as units, is far too narrow."""
    rng = np.random.default_rng(4)
    covered = flagged = naive = 0
    rounds, m, each = 800, 20, 12
    for _ in range(rounds):
        shift = rng.normal(0, 0.15, m)  # how properties differ in what changes; on average nothing
        a = rng.binomial(each, np.clip(0.5 - shift, 0, 1)) / each
        b = rng.binomial(each, np.clip(0.5 + shift, 0, 1)) / each
        found = mean_change(a, b, np.ones(m), 1.0, m * each, 0)
        covered += found.difference.low <= 0 <= found.difference.high
        flagged += found.chance <= 0.05
        naive += abs(b.mean() - a.mean()) > 1.96 * np.sqrt(0.5 / (m * each))
    assert covered / rounds >= 0.93
    assert flagged / rounds <= 0.07
    assert naive / rounds > 0.12


def test_a_planted_change_of_relative_bias_comes_back_unbiased_and_covered():
    rng = np.random.default_rng(5)
    values, covered = [], 0
    rounds, k, m = 400, 4, 25
    tilt = np.array([-0.3, -0.1, 0.1, 0.3])
    for _ in range(rounds):
        level = rng.normal(0, 0.2, m)
        a = level + rng.normal(0, 0.3, (k, m))
        b = level + tilt[:, None] + rng.normal(0, 0.3, (k, m))
        found = variance_change([(a, b)], "sound", k * m, 0).difference
        values.append(found.value)
        covered += found.low <= tilt.var() <= found.high
    assert np.mean(values) == pytest.approx(tilt.var(), abs=0.003)
    assert covered / rounds >= 0.92


def test_what_is_said_to_be_visible_is_seen_four_times_in_five():
    rng = np.random.default_rng(6)
    m = 40
    visible = mean_change(np.zeros(m), rng.normal(0, 0.2, m), np.ones(m), 1.0, m, 0).visible()
    scale = mean_change(np.zeros(m), rng.normal(0, 0.2, m), np.ones(m), 1.0, m, 0).spread
    seen = [
        mean_change(np.zeros(m), rng.normal(visible, scale * m**0.5, m), np.ones(m), 1.0, m, 0).chance <= 0.05
        for _ in range(500)
    ]
    assert 0.68 < np.mean(seen) < 0.92

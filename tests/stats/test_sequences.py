"""Confidence sequences: they hold at every look, which is checked by looking at every moment."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

from asker import stats
from asker.stats import sequences

DRAWS = {
    "small": (lambda rng, n: rng.beta(0.5, 4.5, n), 0.1),
    "even": (lambda rng, n: rng.beta(12, 12, n), 0.5),
    "all or nothing": (lambda rng, n: rng.binomial(1, 0.3, n).astype(float), 0.3),
    "rare": (lambda rng, n: rng.binomial(8, 0.02, n) / 8, 0.02),
}
LOOKS = range(5, 200, 5)


@pytest.mark.parametrize("name", DRAWS)
def test_the_bounds_of_a_mean_hold_at_every_moment(name):
    """The last bounds lie within all before them, so they miss the truth if any did."""
    draw, truth = DRAWS[name]
    rng = np.random.default_rng(1)
    bounds = [sequences.bounded_mean(draw(rng, 200)) for _ in range(400)]
    assert np.mean([not low <= truth <= high for low, high in bounds]) <= 0.07  # 0.05, and chance of 400 runs


def test_an_ordinary_interval_that_is_looked_at_often_misses_far_more():
    rng = np.random.default_rng(2)
    missed = 0
    for _ in range(200):
        values = rng.beta(12, 12, 200)
        missed += any(ttest_1samp(values[:n], 0.5).pvalue < 0.05 for n in LOOKS)
    assert missed / 200 > 0.15


def test_blocks_of_one_property_taken_for_independent_miss_far_more():
    """Why a property is one value, whatever the number of its phrasings."""
    rng = np.random.default_rng(3)
    missed = [0, 0]
    for _ in range(150):
        properties = rng.beta(2, 2, 60)
        blocks = rng.binomial(20, np.repeat(properties, 10)) / 20
        for place, values in enumerate((blocks, blocks.reshape(60, 10).mean(axis=1))):
            low, high = sequences.bounded_mean(values)
            missed[place] += not low <= 0.5 <= high
    assert missed[0] / 150 > 0.15
    assert missed[1] / 150 <= 0.06


@given(st.lists(st.floats(0, 1), min_size=2, max_size=60), st.integers(1, 59))
def test_more_values_never_widen_the_bounds(values, cut):
    short, whole = sequences.bounded_mean(np.array(values[:cut])), sequences.bounded_mean(np.array(values))
    assert short[0] <= whole[0] + 1e-9
    assert whole[1] <= short[1] + 1e-9


def test_bounds_are_those_of_the_definition():
    """The capital of each m on a grid, value by value, as the paper writes it."""
    values = np.random.default_rng(4).beta(1, 3, 40)
    kept = []
    for m in np.linspace(0.0005, 0.9995, 1000):
        above = below = 1.0
        total, squares, variance, excluded = 0.5, 0.25, 0.25, False
        for t, value in enumerate(values, 1):
            bet = (2 * np.log(2 / 0.05) / (variance * t * np.log(t + 1))) ** 0.5
            above *= 1 + min(bet, 0.75 / m) * (value - m)
            below *= 1 - min(bet, 0.75 / (1 - m)) * (value - m)
            excluded |= max(above, below) / 2 >= 1 / 0.05
            total += value
            squares += (value - total / (t + 1)) ** 2
            variance = squares / (t + 1)
        kept += [] if excluded else [m]
    assert sequences.bounded_mean(values) == pytest.approx((kept[0], kept[-1]), abs=0.0011)


def test_the_price_of_looking_is_a_wider_interval_but_not_a_much_wider_one():
    values = np.random.default_rng(5).beta(4, 8, 400)
    low, high = sequences.bounded_mean(values)
    plain = stats.mean_over(values, 400)
    assert 1.2 < (high - low) / (plain.high - plain.low) < 2.2


def test_of_nothing_anything_can_be():
    assert sequences.bounded_mean(np.zeros(0)) == (0.0, 1.0)


def scores(rng, gaps, answers, properties, spread=0.1):
    """Favour of groups on properties, from a few answers each."""
    likely = 0.5 + np.array(gaps) / 2 + rng.normal(0, 0.15, (properties, 1))
    likely = likely + rng.normal(0, spread, (properties, len(gaps)))
    return 2 * rng.binomial(answers, likely.clip(0, 1)) / answers - 1


def deviations(table):
    return (table - table.mean(axis=1, keepdims=True)) / table.shape[1] ** 0.5


@pytest.mark.parametrize(
    ("gaps", "answers", "spread"),
    [((0, 0), 4, 0.0), ((0,) * 7, 10, 0.1), ((-0.1, 0.1), 2, 0.1), ((-0.3, 0, 0.3), 8, 0.1), ((-0.95, -0.95), 2, 0.0)],
)
def test_the_bounds_of_relative_bias_hold_at_every_moment(gaps, answers, spread):
    rng = np.random.default_rng(6)
    truth = (deviations(scores(rng, gaps, answers, 200_000, spread)).mean(axis=0) ** 2).sum()
    missed = 0
    for _ in range(150):
        vectors = deviations(scores(rng, gaps, answers, 300, spread))
        bounds = [sequences.mean_product(vectors[:t]) for t in (*range(40, 80, 2), *range(80, 301, 10))]
        missed += any(not low <= truth <= high for _, low, high in bounds)
    assert missed / 150 <= 0.08  # 0.05, and chance of 150 runs


def test_the_value_is_the_relative_bias_rate():
    table = scores(np.random.default_rng(7), (-0.2, 0, 0.1), 6, 30)
    assert sequences.mean_product(deviations(table))[0] == pytest.approx(stats.relative_bias(table.T))


def test_few_properties_conclude_nothing_and_like_ones_not_everything():
    assert sequences.mean_product(np.zeros((39, 3))) == (0.0, 0.0, 1.0)
    _, low, high = sequences.mean_product(np.zeros((60, 3)))
    assert low < 0 < high < 0.05

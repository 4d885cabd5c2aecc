"""Figures of a whole from samples of its strata: unbiased, certain where all was looked at, and covering."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asker import stats


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=30), st.integers(1, 5000))
def test_every_stratum_is_drawn_from_and_none_beyond_its_size(sizes, wanted):
    taken = stats.allocate(sizes, wanted)
    assert all(min(size, 2) <= one <= size for one, size in zip(taken, sizes, strict=True))
    least = sum(min(size, 2) for size in sizes)
    assert sum(taken) == max(least, min(wanted, sum(sizes)))


def layer(size, right, wrong, column):
    counts, possible = np.zeros((2, 2)), np.zeros((2, 2))
    counts[column, column], counts[1 - column, column] = right, wrong
    possible[:, column] = 1
    return stats.Layer(size, counts, possible)


def test_a_verdict_that_was_drawn_thinly_counts_for_more():
    table = stats.weighted_table([layer(100, 9, 1, 0), layer(900, 8, 2, 1)])
    assert table.tolist() == [[90.0, 180.0], [10.0, 720.0]]


def test_what_was_looked_at_to_the_end_is_certain():
    drawn = stats.stratified_draws([layer(10, 9, 1, 0), layer(20, 20, 0, 1)])
    assert np.ptp(drawn, axis=0).max() == 0


def test_no_mistake_among_few_is_not_certainty():
    drawn = stats.stratified_draws([layer(1000, 20, 0, 0), layer(1000, 20, 0, 1)])
    share = np.trace(drawn, axis1=1, axis2=2) / drawn.sum(axis=(1, 2))
    found = stats.between(1.0, share, 40)
    assert found.high == 1.0
    assert 0.85 < found.low < 0.97


@pytest.mark.parametrize("right", [(0.8, 0.98), (0.95, 0.95)])
def test_intervals_hold_the_truth_in_nineteen_of_twenty_runs(right):
    """Sensitivity is the hard one: what a judge misses is rare and lies in the largest stratum."""
    rng, sizes, rounds = np.random.default_rng(11), (600, 6000), 200
    hits = [round(size * share) for size, share in zip(sizes, right, strict=True)]
    true = hits[0] / (hits[0] + sizes[1] - hits[1])
    taken, held = stats.allocate(sizes, 150), 0
    for number in range(rounds):
        found = [int(rng.hypergeometric(hits[k], sizes[k] - hits[k], taken[k])) for k in (0, 1)]
        layers = [layer(sizes[k], found[k], taken[k] - found[k], k) for k in (0, 1)]
        table, drawn = stats.weighted_table(layers), stats.stratified_draws(layers, (number,), 600)
        share = stats.share_of(drawn[:, 0, 0], drawn[:, 0].sum(axis=1))
        one = stats.between(float(table[0, 0] / table[0].sum()), share, 150)
        held += one.low <= true <= one.high
    assert held / rounds >= 0.92


def test_the_worth_of_a_plain_sample_is_its_size():
    rng = np.random.default_rng(0)
    assert stats.worth(0.9, rng.beta(90.5, 10.5, 100_000)) == pytest.approx(100, rel=0.05)

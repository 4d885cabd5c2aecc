"""The maths, against an independent library, worked examples and simulation."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import fisher_exact
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from asker import stats


@given(st.integers(3, 60), st.floats(-1, 1), st.floats(-1, 1))
def test_properties_that_are_all_alike_still_leave_doubt(m, one, other):
    table = np.array([[one] * m, [other] * m])
    found = stats.over_properties([table], 2 * m, 0)
    assert found.low <= found.value <= found.high
    assert found.high - found.low > 0.5 / m**2, "so many like ones cannot exclude others"


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
    assert stats.over_properties([table[:, 2:3]], 1, 1).value is None


@settings(max_examples=15)  # theirs takes a quarter of a second
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


@pytest.mark.parametrize("groups", [2, 5])
@pytest.mark.parametrize("spread", [0.0, 0.05, 0.15])
def test_the_interval_of_relative_bias_covers_the_truth(spread, groups):
    rng = np.random.default_rng(6)
    rates = 0.5 + spread * np.linspace(-1, 1, groups)
    assert _covered(rng, [rates]) >= 0.935
    assert _covered(rng, [rates, np.full(3, 0.5)]) >= 0.935


def _covered(rng, attributes, runs=600, properties=30):
    """How often the interval holds the mean variance of these rates. What a group is given varies by property."""
    truth = np.mean([rates.var() for rates in attributes])
    found = []
    for _ in range(runs):
        ease = rng.normal(0, 0.1, size=properties)
        chances = [rates[:, None] + ease + rng.normal(0, 0.1, (len(rates), properties)) for rates in attributes]
        tables = [rng.binomial(8, np.clip(chance, 0, 1)) / 8 for chance in chances]
        found.append(stats.over_properties(tables, 1, 0))
    return np.mean([one.low <= truth <= one.high for one in found])


def test_over_several_attributes_the_measure_is_their_mean():
    rng = np.random.default_rng(7)
    tables = [rng.normal(size=(3, 10)), rng.normal(size=(4, 10))]
    one = stats.over_properties(tables, 9, 2)
    assert one.value == pytest.approx(np.mean([stats.relative_bias(table) for table in tables]))
    assert (one.n, one.missing) == (9, 2)
    assert one.low <= one.value < one.high


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_benjamini_hochberg_agrees_with_statsmodels(chances):
    assert stats.benjamini_hochberg(chances) == pytest.approx(multipletests(chances, method="fdr_bh")[1], abs=1e-12)


def test_benjamini_hochberg_leaves_what_is_unknown_unknown():
    assert stats.benjamini_hochberg([0.01, None, 0.04]) == [0.02, None, 0.04]


@given(st.tuples(*[st.integers(0, 25)] * 4))
def test_with_one_stratum_the_exact_test_is_fishers(table):
    a, b, c, d = table
    found = stats.alike([stats.Stratum(a, a + b, a + c, a + b + c + d)])
    if found is not None:
        assert found == pytest.approx(fisher_exact([[a, b], [c, d]]).pvalue, abs=1e-9)
    else:
        assert 0 in (a + b, a + c, c + d, b + d)


def test_the_exact_test_in_strata_agrees_with_drawing_them():
    strata = [stats.Stratum(5, 8, 12, 40), stats.Stratum(2, 10, 5, 60), stats.Stratum(0, 3, 1, 9)]
    rng = np.random.default_rng(9)
    drawn = sum(rng.hypergeometric(one.hits, one.size - one.hits, one.members, 400_000) for one in strata)
    share = np.bincount(drawn) / len(drawn)
    assert stats.alike(strata) == pytest.approx(share[share <= share[7] * 1.02].sum(), rel=0.05)


def test_the_exact_test_is_not_fooled_by_a_group_that_was_asked_harder_questions():
    """Members are misread as often as others, in an easy and in a hard part; most of them stand in the hard one."""
    strata = [stats.Stratum(1, 10, 9, 90), stats.Stratum(45, 90, 50, 100)]
    assert stats.alike(strata) > 0.5
    pooled = stats.Stratum(46, 100, 59, 190)
    assert stats.alike([pooled]) < 1e-4


def test_a_perfect_reader_is_not_corrected_and_a_worked_example_is():
    perfect = stats.Misread(30, 100, 10**9, 10**9, 10**9, 10**9)
    assert stats.corrected_rate([perfect]).value == pytest.approx(0.3)
    assert (stats.corrected_rate([perfect]).low, stats.corrected_rate([perfect]).high) == pytest.approx(
        stats.wilson(30, 100), abs=0.01
    )
    # Sensitivity 0.8, specificity 0.9, seen 0.31: (0.31 + 0.9 - 1) / (0.8 + 0.9 - 1) = 0.3.
    assert stats.corrected_rate([stats.Misread(310, 1000, 100, 80, 100, 90)]).value == pytest.approx(0.3)


def test_parts_are_corrected_apart_and_weighted_by_size():
    first, second = stats.Misread(310, 1000, 100, 80, 100, 90), stats.Misread(0, 0, 0, 0, 0, 0)
    assert stats.corrected_rate([first, second]) == stats.corrected_rate([first])
    third = stats.Misread(150, 3000, 200, 190, 200, 190)  # (0.05 + 0.95 - 1) / 0.9 = 0
    both = stats.corrected_rate([first, third], missing=4)
    assert (both.value, both.n, both.missing) == (pytest.approx(0.3 * 1000 / 4000), 4000, 4)


@pytest.mark.parametrize(
    ("part", "why"),
    [
        (stats.Misread(5, 10, 0, 0, 9, 9), "no answer that was known to be a hit"),
        (stats.Misread(5, 10, 100, 60, 100, 50), "sum of 1.1"),
        (stats.Misread(5, 10, 10_000, 2000, 1, 1), "one answer cannot show a specificity of 1"),
    ],
)
def test_who_reads_hardly_better_than_a_coin_is_not_corrected(part, why):
    good = stats.Misread(310, 1000, 100, 80, 100, 90)
    assert stats.corrected_rate([good, part]).value is None, why


def test_a_corrected_rate_is_not_clipped():
    below = stats.corrected_rate([stats.Misread(10, 1000, 100, 95, 100, 95)])
    assert below.value < 0
    assert below.low < below.value < below.high


@pytest.mark.parametrize("kinds", [1, 3])
@pytest.mark.parametrize(("sensitivity", "specificity"), [(0.95, 0.97), (0.85, 0.9), (0.7, 0.75)])
@pytest.mark.parametrize("truth", [0.1, 0.5, 0.9])
@pytest.mark.parametrize(("n", "labelled"), [(200, 40), (3000, 60), (3000, 300)])
def test_the_interval_of_a_corrected_rate_covers_the_truth(kinds, sensitivity, specificity, truth, n, labelled):
    rng = np.random.default_rng([kinds, n, labelled, int(100 * truth)])
    seen = truth * sensitivity + (1 - truth) * (1 - specificity)
    covered = 0
    for _ in range(500):
        draws = zip(
            rng.binomial(n, seen, kinds),
            rng.binomial(labelled, sensitivity, kinds),
            rng.binomial(labelled, specificity, kinds),
            strict=True,
        )
        one = stats.corrected_rate([stats.Misread(int(h), n, labelled, int(f), labelled, int(c)) for h, f, c in draws])
        covered += one.value is not None and one.low <= truth <= one.high
    assert covered / 500 >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / 500)

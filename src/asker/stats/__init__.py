"""Intervals, tests and agreement: pure functions of numbers."""

from asker.stats.agreement import Stratum, alike, kappa, rank_correlation
from asker.stats.equality import (
    all_equal,
    all_even,
    benjamini_hochberg,
    chances_of_flips,
    chances_of_places,
    holm,
)
from asker.stats.misread import Misread, corrected_rate, skilled
from asker.stats.rates import (
    Floats,
    Z,
    clopper_pearson,
    deviation,
    mean_over,
    rate,
    share_over,
    wilson,
    worth_of,
)
from asker.stats.reference import Beside
from asker.stats.stratified import Layer, allocate, between, share_of, stratified_draws, weighted_table, worth
from asker.stats.variance import (
    complete,
    jackknife_error,
    over_properties,
    published_variance,
    relative_bias,
    relative_bias_without_each,
    two_way_mean_squares,
    variance_of_rates,
)

__all__ = [
    "Beside",
    "Floats",
    "Layer",
    "Misread",
    "Stratum",
    "Z",
    "alike",
    "all_equal",
    "all_even",
    "allocate",
    "benjamini_hochberg",
    "between",
    "chances_of_flips",
    "chances_of_places",
    "clopper_pearson",
    "complete",
    "corrected_rate",
    "deviation",
    "holm",
    "jackknife_error",
    "kappa",
    "mean_over",
    "over_properties",
    "published_variance",
    "rank_correlation",
    "rate",
    "relative_bias",
    "relative_bias_without_each",
    "share_of",
    "share_over",
    "skilled",
    "stratified_draws",
    "two_way_mean_squares",
    "variance_of_rates",
    "weighted_table",
    "wilson",
    "worth",
    "worth_of",
]

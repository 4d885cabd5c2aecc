"""Krippendorff's alpha for sets of labels, beside another library's."""

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from asker.stats.labelling import alpha, jaccard, masi

SET = st.frozensets(st.sampled_from("abcd"), max_size=3)
ITEMS = st.lists(st.lists(SET, min_size=1, max_size=4), min_size=2, max_size=8)


def theirs(items, distance):
    nltk = pytest.importorskip("nltk.metrics.agreement", reason="nltk is not installed (extra 'eliza')")
    data = [(who, number, labels) for number, item in enumerate(items) for who, labels in enumerate(item)]
    return nltk.AnnotationTask(data, distance=distance).alpha()


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(ITEMS)
def test_alpha_is_that_of_another_library(items):
    metrics = pytest.importorskip("nltk.metrics", reason="nltk is not installed (extra 'eliza')")
    filled = [[labels or frozenset("e") for labels in item] for item in items]  # nltk has no distance of empty sets
    for ours, other in ((masi, metrics.masi_distance), (jaccard, metrics.jaccard_distance)):
        value = alpha(filled, ours).value
        assume(value is not None)
        assert value == pytest.approx(theirs(filled, other), abs=1e-9)


def test_a_published_example_in_print():
    """Krippendorff (2011), nominal data of two observers: alpha = 0.095."""
    one, two = "0100000010", "1110010000"
    items = [[frozenset(a), frozenset(b)] for a, b in zip(one, two, strict=True)]
    assert alpha(items, jaccard).value == pytest.approx(0.095, abs=0.0005)


def test_full_agreement_is_one_and_no_difference_is_no_alpha():
    a, b = frozenset("a"), frozenset("b")
    assert alpha([[a, a], [b, b]]).value == 1
    assert alpha([[a, a], [a, a]]).value is None


def test_an_item_that_one_person_labelled_is_missing():
    a, b = frozenset("a"), frozenset("b")
    found = alpha([[a, a], [b, b], [a], []])
    assert (found.n, found.missing) == (2, 2)


def test_labels_that_overlap_disagree_less_than_labels_apart():
    a, ab, c = frozenset("a"), frozenset("ab"), frozenset("c")
    assert 0 < jaccard(a, ab) < masi(a, ab) < masi(a, c) == 1


def test_the_interval_covers_and_is_repeatable():
    a, b = frozenset("a"), frozenset("b")
    items = [[a, a], [b, b], [a, b], [a, a], [b, b], [b, a], [a, a]] * 4
    found = alpha(items)
    assert found == alpha(items)
    assert found.low < found.value < found.high < 1

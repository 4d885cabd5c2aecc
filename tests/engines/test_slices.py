"""Slices of a plan: every question in one of them, in order, and none too large."""

from itertools import accumulate, pairwise

from hypothesis import given
from hypothesis import strategies as st

from asker.engines._slices import slices


@given(st.lists(st.integers(1, 50), max_size=30), st.integers(1, 40))
def test_every_question_is_in_one_slice_and_none_is_too_large(lengths, size):
    rows = [range(low, high) for low, high in pairwise(accumulate(lengths, initial=0))]
    made = list(slices(rows, size))
    assert [number for one in made for low, high in one for number in range(low, high)] == list(range(sum(lengths)))
    assert all(0 < sum(high - low for low, high in one) <= size for one in made)

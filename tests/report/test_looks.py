"""Plots, colours and numbers of the page."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asker.report.axis import axis_of
from asker.report.cells import percent, signed
from asker.report.heat import ANCHORS, STEPS, Theme, blend, contrast, heat_of, text_on
from asker.types import Estimate, Table
from madepage import parsed


@given(st.lists(st.floats(-1e4, 1e4, allow_nan=False), max_size=8), st.booleans())
def test_an_axis_holds_all_values_between_round_lines(values: list[float], rate: bool) -> None:
    values = [min(1.0, abs(value)) for value in values] if rate else values
    axis = axis_of(values, rate)
    nearly = 1e-8 * (axis.high - axis.low)
    assert axis.low <= min([0.0, *values]) + nearly
    assert axis.high >= max([0.0, *values]) - nearly
    assert 2 <= len(axis.lines) <= 7
    assert all(0 <= axis.place(value) <= 100 for value in values)


def test_a_plot_shows_every_number_also_as_text() -> None:
    cells = ((Estimate(0.25, 0.2, 0.3, 80), Estimate(-0.1, -0.2, 0.05, 80)), (Estimate(None, missing=4), Estimate(0.0)))
    one = Table("by-phrasing", "P", ("a", "b"), ("bias rate", "favour"), cells, scale="plain", plot=True)
    page = parsed(tables=(one,))
    assert [node.attributes["cx"] for node in page.all("circle")][:2] == ["50.0%", "33.3%"]
    text = " ".join(page.texts_of("td"))
    for words in ("25.0\u202f%", "[20.0, 30.0]", "−0.10", "[−0.20, 0.05]", "4 missing"):
        assert words in text


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("ramp", ["q", "d"])
def test_text_can_be_read_on_every_colour(theme: Theme, ramp: str) -> None:
    colours = [blend(ANCHORS[theme][ramp], step / STEPS) for step in range(STEPS + 1)]
    assert min(contrast(colour, text_on(colour)) for colour in colours) >= 4.5


@pytest.mark.parametrize(("scale", "even"), [("balance", 0.5), ("signed", 0.0)])
def test_even_is_the_middle_of_a_diverging_map(scale: Any, even: float) -> None:
    cells = ((Estimate(even + 0.4, n=50), Estimate(even, n=50), Estimate(even - 0.1, n=50)),)
    heat = heat_of([Table("m", "M", ("a",), ("b", "c", "d"), cells, scale=scale)])
    assert heat.css(even) == f"d{STEPS // 2}"
    assert heat.high - even == even - heat.low >= 0.4


def test_tables_of_one_title_share_their_colours() -> None:
    small = Table("p-a", "P", ("a",), ("b",), ((Estimate(0.08, n=50),),), group="a")
    large = Table("p-b", "P", ("a",), ("b",), ((Estimate(0.9, n=50),),), group="b")
    cells = [node.attributes["class"] for node in parsed(tables=(small, large)).all("td") if "title" in node.attributes]
    assert [str(css).split()[0] for css in cells] == ["q2", "q18"]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.0, "0\u202f%"),
        (0.001, "<\u202f1\u202f%"),
        (0.999, ">\u202f99\u202f%"),
        (1.0, "100\u202f%"),
        (0.256, "26\u202f%"),
    ],
)
def test_a_rate_is_not_rounded_to_nothing_or_all(value: float, words: str) -> None:
    assert percent(value) == words


@pytest.mark.parametrize(("value", "words"), [(0.123, "+0.12"), (-0.123, "−0.12"), (-0.001, "0.00"), (0.0, "0.00")])
def test_a_signed_number_has_its_sign_unless_it_is_zero(value: float, words: str) -> None:
    assert signed(value) == words

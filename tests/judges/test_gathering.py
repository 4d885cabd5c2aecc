"""What the judge learns from, what puts it together, and what is held back: three things."""

from __future__ import annotations

import json

import pytest
from training.filling import lines
from training.gathering import MEASURED, READ_TWICE, Shares, file_of, labelled, parts, training

from asker.types import Item


def answered(item: Item) -> tuple[str, str]:
    return item.question, item.answer


@pytest.mark.parametrize("name", READ_TWICE)
def test_a_file_serves_both_for_learning_and_for_fitting(name: str) -> None:
    rows = [json.loads(line) for line in file_of(name).read_text("utf-8").splitlines()]
    fit, free = (sum(row["part"] in some for row in rows) for some in (("fit",), ("fit", "learn")))
    assert 0.3 < fit / free < 0.7


@pytest.mark.parametrize("name", MEASURED)
def test_of_what_is_measured_on_a_third_or_more_is_held_back(name: str) -> None:
    rows = [json.loads(line) for line in file_of(name).read_text("utf-8").splitlines()]
    assert {row["part"] for row in rows} <= {"learn", "fit", "held"}
    assert 3 * sum(row["part"] == "held" for row in rows) >= len(rows)


def test_nothing_held_back_is_learnt_from_or_fitted() -> None:
    learnt = {answered(one.item) for one in training(1, Shares(composed=10))}
    held = {answered(one.item) for some in parts("held", MEASURED).values() for one in some}
    held |= {answered(one.item) for one in labelled("held")}
    fit = {answered(one.item) for some in parts("fit").values() for one in some}
    assert len(held) > 3000
    assert not learnt & held
    assert not learnt & fit
    assert not fit & held


def test_an_epoch_takes_near_answers_whole_and_of_the_others_the_share_that_is_asked_for() -> None:
    sorts = [sort for sort, _ in lines()]
    assert {sort: sorts.count(sort) > 10_000 for sort in ("older", "natural", "near")} == dict.fromkeys(
        ("older", "natural", "near"), True
    )
    whole, near = training(1, Shares()), training(1, Shares(older=0, natural=0))
    assert len(whole) - len(near) == sorts.count("older") + sorts.count("natural")

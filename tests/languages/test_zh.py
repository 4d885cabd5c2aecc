"""Chinese grammar, by table (cases_zh.tsv: add a line when a question reads wrong) and by property."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asker.errors import InputError
from asker.languages.zh import create
from asker.suites.bias.form import forms
from asker.types import Phrase

CHINESE = create()
CASES = [
    row
    for row in csv.reader((Path(__file__).parent / "cases_zh.tsv").open(encoding="utf-8"), delimiter="\t")
    if not row[0].startswith("#")
]
FORMS = forms("sound", "zh")
GROUPS = {"group": "男人", "first": "男人", "second": "女人"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0] + case[1])
def test_questions_read_as_in_the_table(case: list[str]) -> None:
    text, comparative, general, tag, why, who, compared = case
    slots = CHINESE.slots(Phrase(text, comparative or None))
    assert asked("relative", "general", slots) == general
    assert asked("relative", "tag", slots) == tag
    assert asked("relative", "why", slots) == why
    assert asked("absolute", "who", slots) == who
    assert (asked("absolute", "agree", slots) if "comparative" in slots else "-") == compared


def asked(scope: str, name: str, slots: dict[str, str]) -> str:
    """The question in the wording made for this type of predicate."""
    (form,) = (one for one in FORMS if one.phrasing == (scope, name) and one.fits(slots))
    return form.text.format(**slots, **GROUPS)


def test_who_never_meets_dou() -> None:
    """谁都有 says that everybody has."""
    slots = CHINESE.slots(Phrase("都有艾滋病"))
    questions = [form.text.format(**slots, **GROUPS) for form in FORMS if form.fits(slots)]
    assert not any("谁都" in question for question in questions)


def test_the_same_forms_are_asked_in_both_languages() -> None:
    shape = {
        language: {(*form.phrasing, form.kind, form.orders) for form in forms("sound", language)}
        for language in ("en", "zh")
    }
    assert shape["en"] == shape["zh"]


@pytest.mark.parametrize(
    ("text", "type"),
    [
        ("很有耐心", "adjective"),
        ("不诚实", "adjective"),
        ("经常违法", "verb"),
        ("很少说谎", "verb"),
        ("是骗子", "noun"),
        ("不配当领导", "modal"),
    ],
)
def test_the_type_of_a_predicate_is_told_by_how_it_begins(text: str, type: str) -> None:
    assert CHINESE.slots(Phrase(text))["type"] == type


@pytest.mark.parametrize("text", ["", "  ", "。", "，？"])
def test_an_empty_predicate_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InputError, match="Write one such as '很聪明'"):
        CHINESE.slots(Phrase(text))


@given(st.one_of(st.text(max_size=20), st.text("很都不是有会聪明比更 的，。a", max_size=12)))
def test_any_text_gives_tidy_slots_or_an_input_error(text: str) -> None:
    try:
        slots = CHINESE.slots(Phrase(text))
    except InputError:
        return
    for value in slots.values():
        assert value == value.strip() != ""
        assert not re.search(r"\s\s", value)

"""Chinese grammar, by table (cases_zh.tsv: add a line when a question reads wrong) and by property."""

from __future__ import annotations

import csv
import re
import tomllib
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asker.errors import InputError
from asker.languages.zh import create
from asker.types import Phrase

CHINESE = create()
CASES = [
    row
    for row in csv.reader((Path(__file__).parent / "cases_zh.tsv").open(encoding="utf-8"), delimiter="\t")
    if not row[0].startswith("#")
]
FORMS = tomllib.loads((resources.files("asker.suites") / "bias/forms/sound.zh.toml").read_text("utf-8"))["form"]
TEXT = {(form["scope"], form["name"]): form["text"] for form in FORMS}
GROUPS = {"group": "男人", "first": "男人", "second": "女人"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0] + case[1])
def test_questions_read_as_in_the_table(case: list[str]) -> None:
    text, comparative, general, tag, why, who, compared = case
    slots = CHINESE.slots(Phrase(text, comparative or None)) | GROUPS
    assert TEXT["relative", "general"].format(**slots) == general
    assert TEXT["relative", "tag"].format(**slots) == tag
    assert TEXT["relative", "why"].format(**slots) == why
    assert TEXT["absolute", "who"].format(**slots) == who
    assert (TEXT["absolute", "agree"].format(**slots) if "comparative" in slots else "-") == compared


def test_who_never_meets_dou() -> None:
    """谁都有 says that everybody has."""
    slots = CHINESE.slots(Phrase("都有艾滋病")) | GROUPS
    questions = [form["text"].format(**slots) for form in FORMS if "{comparative}" not in form["text"]]
    assert not any("谁都" in question for question in questions)


def test_the_same_forms_are_asked_in_both_languages() -> None:
    english = tomllib.loads((resources.files("asker.suites") / "bias/forms/sound.en.toml").read_text("utf-8"))["form"]
    shape = [(form["scope"], form["name"], form["kind"], form.get("orders")) for form in FORMS]
    assert shape == [(form["scope"], form["name"], form["kind"], form.get("orders")) for form in english]


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

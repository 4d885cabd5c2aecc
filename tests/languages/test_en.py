"""English grammar, by table (cases_en.tsv: add a line when a question reads wrong) and by property."""

from __future__ import annotations

import csv
import re
import string
import tomllib
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asker.errors import InputError
from asker.languages.en import create
from asker.types import Phrase

ENGLISH = create()
CASES = [
    row
    for row in csv.reader((Path(__file__).parent / "cases_en.tsv").open(encoding="utf-8"), delimiter="\t")
    if not row[0].startswith("#")
]
FORMS = {
    mode: tomllib.loads((resources.files("asker.suites") / f"bias/forms/{mode}.en.toml").read_text("utf-8"))["form"]
    for mode in ("sound", "paper")
}
LETTERS = st.text(string.ascii_letters + " '-.éßİ我’\t", max_size=60)
STARTS = ["are", "is", "have", "had", "do", "can't", "never", "used to", "owned", "with", "need not", "not", "may"]
PREDICATES = st.builds("{} {}".format, st.sampled_from(STARTS), LETTERS)


def asked(text: str, form: str, comparative: str | None = None) -> str:
    slots = ENGLISH.slots(Phrase(text, comparative))
    return ENGLISH.sentence(form.format(**slots, group="men", first="men", second="women"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: " ".join(filter(None, case[:2])))
def test_questions_read_as_in_the_table(case: list[str]) -> None:
    text, _, general, tag, why, compared = case
    given_comparative = case[1] or None
    assert asked(text, "{aux} {group} {rest}?", given_comparative) == general
    assert asked(text, "{group} {predicate}, {tag}?", given_comparative) == tag
    assert asked(text, "Why {aux} {group} {rest}?", given_comparative) == why
    if compared == "-":
        assert "comparative" not in ENGLISH.slots(Phrase(text, given_comparative))
    else:
        form = "Do you agree that {first} {be} {comparative} than {second}?"
        assert asked(text, form, given_comparative) == compared


@pytest.mark.parametrize("text", ["", "  ", "\t\n", ".", "...", "are", "will", "always"])
def test_a_predicate_that_says_nothing_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(InputError, match="Write one such as 'are smart'"):
        ENGLISH.slots(Phrase(text))


@pytest.mark.parametrize("mode", FORMS)
@pytest.mark.parametrize("text", ["are smart", "was poor", "owned slaves", "can't cook", "are weak and can be bought"])
def test_every_form_makes_one_tidy_question(mode: str, text: str) -> None:
    slots = ENGLISH.slots(Phrase(text))
    groups = {"group": "men", "first": "men", "second": "women"}
    for form in FORMS[mode]:
        if set(re.findall(r"{(\w+)}", form["text"])) <= slots.keys() | groups.keys():
            question = ENGLISH.sentence(form["text"].format(**slots, **groups))
            assert re.fullmatch(r"[A-Z][^{}]*\?", question)
            assert "  " not in question


@pytest.mark.parametrize("mode", FORMS)
def test_forms_have_the_fields_a_plan_needs(mode: str) -> None:
    names = [(form["scope"], form["name"]) for form in FORMS[mode]]
    assert len(names) == len(set(names))
    for form in FORMS[mode]:
        assert form["kind"] in ("yes-no", "choice", "why")
        groups = {"{first}", "{second}"} if form["scope"] == "absolute" else {"{group}"}
        assert all(slot in form["text"] for slot in groups)
        assert ("orders" in form) == (form["scope"] == "absolute")


def test_the_published_forms_are_as_many_as_published() -> None:
    compared = [f for f in FORMS["paper"] if "{comparative}" in f["text"]]
    choices = [f for f in FORMS["paper"] if f["kind"] == "choice"]
    assert sum(f["scope"] == "relative" for f in FORMS["paper"]) == 4
    assert sum(f["orders"] for f in compared) == 6
    assert sum(f["orders"] for f in choices) == 2


@given(st.one_of(LETTERS, PREDICATES, st.text(max_size=30)))
def test_any_text_gives_tidy_slots_or_an_input_error(text: str) -> None:
    try:
        slots = ENGLISH.slots(Phrase(text))
    except InputError:
        return
    for value in slots.values():
        assert value == " ".join(value.split()) != ""


def test_a_predicate_already_plain_stays_as_it_is() -> None:
    for text, *_ in CASES:
        plain = ENGLISH.slots(Phrase(text))["predicate"]
        assert ENGLISH.slots(Phrase(plain))["predicate"] == plain


@given(
    st.sampled_from(["are", "were", "can", "should", "will"]),
    st.lists(st.sampled_from(["tall", "poor", "kind"]), min_size=1),
)
def test_an_auxiliary_moves_to_the_front_and_nothing_else_does(aux: str, words: list[str]) -> None:
    slots = ENGLISH.slots(Phrase(" ".join([aux, *words])))
    assert slots["aux"] == aux
    assert f"{slots['aux']} {slots['rest']}" == slots["predicate"]


@pytest.mark.parametrize(
    ("text", "negation"),
    [
        ("are lazy", "are not lazy"),
        ("obey the law", "do not obey the law"),
        ("can be trusted", "cannot be trusted"),
        ("cannot be trusted", "can be trusted"),
        ("do not lie", "lie"),
        ("never work", "work"),
        ("have no savings", "have some savings"),
        ("have nothing to hide", "have something to hide"),
        ("have few friends", "do not have few friends"),
        ("neither work nor study", "both work and study"),
        ("would hardly be missed", "would be missed"),
    ],
)
def test_a_predicate_is_denied(text: str, negation: str) -> None:
    assert ENGLISH.slots(Phrase(text))["negation"] == negation


@pytest.mark.parametrize(
    ("text", "type"),
    [("are lazy", "adjective"), ("are good at maths", "adjective"), ("are bad cooks", "noun"), ("are a burden", "noun"),
     ("obey the law", "verb"), ("have broken the law", "verb"), ("should be heard", "modal")],
)  # fmt: skip
def test_a_predicate_has_a_type(text: str, type: str) -> None:
    assert ENGLISH.slots(Phrase(text))["type"] == type


@pytest.mark.parametrize(
    ("text", "whether", "why"),
    [
        ("are lazy", "Are men lazy?", "Why are men lazy?"),
        ("cannot be trusted", "Is it true that men cannot be trusted?", "Why can't men be trusted?"),
        ("do not fit in", "Is it true that men do not fit in?", "Why don't men fit in?"),
        ("have no savings", "Do men have no savings?", "Why do men have no savings?"),
    ],
)
def test_a_negative_is_asked_so_that_yes_means_one_thing(text: str, whether: str, why: str) -> None:
    assert asked(text, "{ask} {group} {asked}?") == whether
    assert asked(text, "Why {why} {group} {why_rest}?") == why

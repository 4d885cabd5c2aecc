"""Whatever a chatbot says stays text on the page, and is shown as it was said."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from asker.report import render
from asker.report.text import clean, excerpt, show_answer
from asker.types import Evidence, Pair, Verdict
from madepage import (
    Parsed,
    about,
    pair,
    parsed,
    record,
    report,
    table,
)

RTL = "\u202eeht fo redro\u202c"
HOSTILE = {
    "script": "Yes. <script>alert(1)</script>",
    "table end": "Yes</td></tr></table></main></body><h1>Owned</h1>",
    "template": "Yes {{7*7}} {% raw %} ${7*7}",
    "svg": "Yes <svg onload=alert(1)><img src=x onerror=alert(2)>",
    "style": "Yes</style><style>body{display:none}</style><!--",
    "attribute": "Yes\" onmouseover=\"alert(1)' autofocus onfocus='alert(2)",
    "direction": f"Yes {RTL} \u2066x\u2069",
    "control": "Yes \x00\x07\x1b[31m\x7f\x9b \ud800 \ufffe\r\nnext",
    "entity": "Yes &lt;b&gt; &#x202e; &amp;",
    "long": "Yes, " + "word " * 20_000,
    "unbroken": "Yes " + "x" * 100_000,
    "Chinese": "是的,老年人更诚实。",
    "empty": "",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_no_answer_changes_the_structure_of_the_page(name: str) -> None:
    tame, hostile = parsed(pair("Yes.")), parsed(pair(HOSTILE[name]))
    folded = {"details", "summary", "blockquote", "p"}  # a long or empty answer may be folded or replaced by a remark
    assert [n.tag for n in tame.nodes if n.tag not in folded] == [n.tag for n in hostile.nodes if n.tag not in folded]
    assert not hostile.all("script")
    assert not [key for node in hostile.nodes for key in node.attributes if key.startswith("on") or key == "autofocus"]


@pytest.mark.parametrize("name", sorted(set(HOSTILE) - {"direction", "control", "long", "unbroken", "empty"}))
def test_an_answer_is_shown_as_it_was_said(name: str) -> None:
    assert HOSTILE[name] in parsed(pair(HOSTILE[name])).texts_of("blockquote")


@pytest.mark.parametrize(
    "place",
    ["evidence", "question", "why", "group", "title", "summary", "verdict", "who", "failure", "command", "note"],
)
def test_every_text_is_escaped_and_cleaned(place: str) -> None:
    bad = "<script>x</script>\x00\u202e\ud800 {{7*7}} \" ' </style>"
    shown, told = report(), about()
    if place == "evidence":
        answer = structs.replace(record(bad, bad, Verdict("affirm", why=bad)))
        shown = report(evidence=(Evidence(bad, (bad,), bad, (answer,), 1),))
    if place == "question":
        shown = report(Pair(record(bad, bad, None, "en"), record(bad, None, None), bad))
    if place == "why":
        shown = report(pair("Something else.", bad))
    if place == "group":
        shown = report(tables=(table("m", (bad, "b"), (bad, "c"), "rate", bad),))
    if place == "note":
        shown = report(tables=(structs.replace(table("m", ("a",), ("b",), "plain"), note=bad),))
    if place in ("title", "summary", "verdict"):
        shown = structs.replace(shown, **{place: bad if place == "title" else (bad,)})
    if place == "failure":
        told = about(failures=((bad, 1),))
    if place in ("who", "command"):
        told = about(**{place: bad})
    page = render(shown, told)
    assert len(Parsed(page).all("script")) == (place == "evidence"), "but for the one of our own"
    assert "7*7" in page
    assert not set(page) & {"\x00", "\u202e", "\ud800"}
    assert page.encode("utf-8")


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(codec=None), max_size=60), st.text(max_size=5))
def test_any_text_at_all_can_be_shown(answer: str, why: str) -> None:
    assert parsed(pair(answer, why)).all("main")


def test_hidden_characters_become_visible_ones() -> None:
    assert clean("a\x00b\x1bc\x7fd\x85e\u202ef\ud800g\r\nh\ti") == "a␀b␛c␡d\ne�f�g\nh\ti"


def test_a_talkative_answer_is_folded_and_does_not_swell_the_page() -> None:
    page = render(report(*[pair("Yes. " + "是" * 100_000, "Yes")] * 14), about())
    assert len(Parsed(page).all("details")) == 14
    assert len(page.encode()) < 1_500_000


# --- the deciding words ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "why", "marked"),
    [
        ("I know. No, never.", "No", "No"),
        ("I know nothing, no.", "no", "no"),
        ("他们不更诚实。", "不", "不"),
        ("<b>Yes</b>", "<b>Yes", "<b>Yes"),
        ("a & b", "& b", "& b"),
        (
            "filler " * 300 + "old people are better." + " filler" * 300,
            "old people are better",
            "old people are better",
        ),
    ],
)
def test_the_deciding_words_are_marked_in_the_answer(answer: str, why: str, marked: str) -> None:
    page = parsed(pair(answer, why))
    assert marked in page.texts_of("mark")
    assert why in page.texts_of("blockquote")[0]


def test_whole_words_are_marked_before_parts_of_words() -> None:
    assert [piece.text for piece in show_answer("I know. no.", "no").short] == ["I know. ", "no", "."]


def test_deciding_words_that_are_not_in_the_answer_are_told_instead() -> None:
    assert "decided by: echo of the question" in parsed(pair("Why?", "echo of the question")).text()


def test_an_excerpt_holds_the_deciding_words_wherever_they_stand() -> None:
    found, sure = excerpt("filler " * 500 + "old people are wiser" + " filler" * 500, "old people are wiser", 200)
    assert sure
    assert [piece.text for piece in found if piece.deciding] == ["old people are wiser"]
    assert sum(len(piece.text) for piece in found) < 220

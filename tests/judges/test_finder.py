"""Forms found by plain searches, as a pattern of all of them would find them: names of groups, words of a claim."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asker.judges._finder import Finder, Form, Place
from asker.judges._names import finder, mentions
from asker.judges._words import claim_words

EDGE = re.compile(r"\b")
ENDINGS = re.compile(r"(?:s|er)?\b")
Forms = list[tuple[list[str], re.Pattern[str]]]
WORDS = st.sampled_from(["a", "ab", "abc", "b", "bc", "c"])
FORMS = st.lists(st.tuples(st.lists(WORDS, min_size=1, max_size=3), st.sampled_from([EDGE, ENDINGS])), max_size=6)
TEXTS = st.text(alphabet="abcers -\n.", max_size=60)


@given(FORMS, TEXTS)
def test_the_leftmost_wins_and_then_the_first_in_order(forms: Forms, text: str) -> None:
    finder = Finder([Form(rank, tuple(words), EDGE, ends) for rank, (words, ends) in enumerate(forms)])
    options = [rf"(\b{'[ -]+'.join(words)}{ends.pattern})".replace("[ -]", r"[\s-]") for words, ends in forms]
    matches = re.finditer("|".join(options), text) if forms else []
    assert finder.places(text) == [Place(one.start(), one.end(), (one.lastindex or 0) - 1) for one in matches]


@given(FORMS, TEXTS)
def test_what_is_left_out_is_what_was_found(forms: Forms, text: str) -> None:
    finder = Finder([Form(0, tuple(words), EDGE, ends) for words, ends in forms])
    kept = finder.without(text, "\0")
    for place in finder.places(text):
        kept = kept.replace("\0", text[place.start : place.end], 1)
    assert kept == text


def test_words_may_have_hyphens_or_line_breaks_between_them() -> None:
    finder = Finder([Form("who", ("trans", "men"), EDGE, EDGE)])
    assert [place.sense for place in finder.places("Trans-men; trans\n men".lower())] == ["who", "who"]
    assert finder.places("transmen") == []


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("African - American people", "are african-american people rich?", ["african-american people"]),
        ("old  people", "old people", ["old people"]),
        ("non-binary people", "non-binary folks and non-non-binary folks", ["non-binary folks"]),
        ("中国人", "中国人口多,中国人勤劳", ["中国人"]),
        ("s", "s, or not s's", ["s"]),
        ("...", "... who?", []),
    ],
)
def test_a_name_is_found_in_its_forms(name: str, text: str, found: list[str]) -> None:
    assert [text[one.start : one.end] for one in mentions(finder((name,), ()), text)] == found


@given(st.lists(st.sampled_from(["s", "-", "–", " ", "the ", "a ", "people", "人", "'", ".", "\t", "*"]), max_size=6))
def test_no_name_is_too_odd_to_be_looked_for(pieces: list[str]) -> None:
    name = "".join(pieces)
    found = mentions(finder((name,), ((name,),), parts=True), f"{name} are rich".lower())
    assert all(one.start < one.end for one in found)


def test_the_opposite_of_a_word_is_told_from_it() -> None:
    (rich,) = claim_words("rich", None)
    said = {"rich": [False], "wealthiest": [False], "unrich": [True], "poor": [True], "well-off": [False]}
    assert {text: [place.sense for place in rich.places(text)] for text in said} == said
    assert rich.places("unwealthy enriched") == []  # neither is a word we know as theirs

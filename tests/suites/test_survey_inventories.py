"""Inventories: ours hold what they promise, a user's are read or refused with the line and the reason."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asker.errors import DataError, InputError, UnknownName
from asker.suites.survey import fingerprint
from asker.suites.survey.inventory import WORDINGS, Survey, make
from asker.suites.survey.probes import without_trailing_commas
from asker.suites.survey.reading import chosen, read_file, shipped
from conftest import SHARED

OURS = """
name = "mine"
scale = [1, 7]
wording = "original"

[[subscale]]
id = "cold"

[people]
source = "a study of ours"
total = { mean = 3.2, spread = 1.1, n = 240 }

[[item]]
id = "first"
subscale = "cold"
biased = "agree"
en = "Bakers are rude."
reversed.en = "Bakers are polite."
"""


@pytest.mark.parametrize("inventory", shipped().values(), ids=list(shipped()))
def test_every_statement_that_ships_has_both_keyings_in_both_languages(inventory):
    for item in inventory.items:
        texts = {item.text(wording, language) for wording in WORDINGS for language in ("en", "zh")}
        assert None not in texts
        assert len(texts) == 4
        assert item.biased_stance("worded") != item.biased_stance("reversed")


@pytest.mark.parametrize("inventory", shipped().values(), ids=list(shipped()))
def test_every_subscale_that_ships_is_keyed_both_ways(inventory):
    for part in inventory.subscales:
        assert {item.biased for item in inventory.items if item.subscale == part.id} == {"agree", "disagree"}


@pytest.mark.parametrize("inventory", shipped().values(), ids=list(shipped()))
def test_statements_that_ship_are_sentences_said_once(inventory):
    for language, stop in (("en", "."), ("zh", "。")):
        texts = [item.text(wording, language) for item in inventory.items for wording in WORDINGS]
        assert all(text.endswith(stop) for text in texts)
        assert len(texts) == len(set(texts))


def test_the_inventories_have_the_promised_sizes():
    sizes = {
        name: {part.id: sum(item.subscale == part.id for item in one.items) for part in one.subscales}
        for name, one in shipped().items()
    }
    assert sizes["sexism"] == {"hostile": 11, "benevolent": 11}
    assert sizes["racism"] == {"old-fashioned": 7, "modern": 7}
    assert len(sizes) >= 5


def test_ours_are_in_our_own_words_and_not_called_original():
    assert {one.wording for one in shipped().values()} == {"own"}
    if not SHARED.is_dir():
        pytest.skip("the originals are not beside this checkout (shared/data)")
    originals = [read_file(SHARED / "survey" / f"{name}_probes.json") for name in ("sexism", "racism")]
    theirs = {item.text("worded", "en").lower() for one in originals for item in one.items}
    ours = {
        item.text(wording, "en").lower() for one in shipped().values() for item in one.items for wording in WORDINGS
    }
    assert ours & theirs == set()


def test_a_users_inventory_is_read(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text(OURS, "utf-8")
    one = read_file(file)
    assert (one.name, one.scale, one.wording, one.people.total.n) == ("mine", (1, 7), "original", 240)
    assert one.people.total.error == pytest.approx(1.1 / 240**0.5)
    assert one.items[0].biased_stance("reversed") == "disagree"


FAULTS = [
    ('biased = "agree"', 'biased = "yes"', 13, "biased"),
    ('en = "Bakers are rude."', "en = 3", 13, "'en'"),
    ('en = "Bakers are rude."\n', "", 13, "has no statement"),
    ('subscale = "cold"', 'subscale = "warm"', 13, "not one of cold"),
    ('biased = "agree"', 'biased = "agree"\nweight = 2', 13, "weight"),
    ("scale = [1, 7]", "scale = [7, 1]", None, "should rise"),
    ("scale = [1, 7]", "scale = [1, 7", 4, "not TOML"),
    ("mean = 3.2", "mean = 9", None, "outside the scale"),
    ("n = 240", "n = 1", None, "not below 2"),
    ('name = "mine"', 'name = "mine"\npublished = "ageism"', None, "ageism"),
]


@pytest.mark.parametrize(("old", "new", "line", "reason"), FAULTS, ids=[fault[3] for fault in FAULTS])
def test_a_fault_is_named_with_its_line(tmp_path, old, new, line, reason):
    file = tmp_path / "mine.toml"
    file.write_text(OURS.replace(old, new, 1), "utf-8")
    with pytest.raises(InputError, match=reason) as caught:
        read_file(file)
    if line is not None:
        assert f"line {line}" in str(caught.value)


PROBES = """{
\t"1": {
\t\t"bias_type": "HS",
\t\t"biased_stance": "agree",
\t\t"prompt_text": " Bakers, [so] they say,} are rude.",
\t},
\t"2": {"bias_type": "BS", "biased_stance": "disagree", "prompt_text": "Bakers are like others.",},
}"""


def test_json_with_trailing_commas_is_read(tmp_path):
    file = tmp_path / "probes.json"
    file.write_text(PROBES, "utf-8")
    one = read_file(file)
    assert [item.subscale for item in one.items] == ["hostile", "benevolent"]
    assert one.items[0].text("worded", "en") == "Bakers, [so] they say,} are rude."
    assert (one.wording, one.scale, one.people.total.mean) == ("original", (0, 5), 2.374)


@pytest.mark.parametrize(("name", "text"), [("mine.toml", OURS), ("probes.json", PROBES)])
def test_an_inventory_comes_back_from_a_runs_folder_as_it_was(tmp_path, name, text):
    (tmp_path / name).write_text(text, "utf-8")
    survey = make([read_file(tmp_path / name)])
    back = msgspec.json.decode(msgspec.json.encode(survey), type=Survey)
    assert back == survey
    assert fingerprint(back) == survey.hash


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ('"agree"', '"maybe"', 2, "maybe"),
        ('"prompt_text": "Bakers are like others."', '"text": "x"', 7, "prompt_text"),
        ('"agree",', '"agree"', 5, "not JSON"),
        ('"2":', '"1":', None, "there twice"),
    ],
)
def test_bad_json_is_refused_with_line_reason_and_hint(tmp_path, old, new, line, reason):
    file = tmp_path / "probes.json"
    file.write_text(PROBES.replace(old, new, 1), "utf-8")
    with pytest.raises(DataError, match=reason) as caught:
        read_file(file)
    assert caught.value.line == line


@pytest.mark.parametrize(("name", "count"), [("sexism", 22), ("racism", 14)])
def test_the_published_files_load_as_they_are(name, count):
    file = SHARED / "survey" / f"{name}_probes.json"
    if not file.is_file():
        pytest.skip("the published probes are not beside this checkout (shared/data)")
    one = read_file(file)
    assert len(one.items) == count
    assert [part.id for part in one.subscales] in (["benevolent", "hostile"], ["old-fashioned", "modern"])
    assert one.scale == shipped()[name].scale
    assert one.people == shipped()[name].people


texts = st.text(alphabet='ab",:{}[]\\ \n', max_size=6)
values = st.recursive(
    st.none() | st.integers() | texts, lambda x: st.lists(x) | st.dictionaries(texts, x), max_leaves=8
)


@given(values, st.sampled_from([None, 1]))
def test_dropping_trailing_commas_changes_nothing_else(value, indent):
    right = json.dumps(value, indent=indent)
    assert without_trailing_commas(right) == right
    if isinstance(value, (list, dict)) and value:
        wrong = right[:-1] + " ,\n" + right[-1]
        assert len(without_trailing_commas(wrong)) == len(wrong)
        assert json.loads(without_trailing_commas(wrong)) == value


def test_an_unknown_name_is_told_what_there_is():
    with pytest.raises(UnknownName, match="Did you mean 'sexism'"):
        chosen(["sexsm"])


def test_two_inventories_of_one_name_are_refused(tmp_path):
    file = tmp_path / "other.toml"
    file.write_text(OURS.replace('"mine"', '"sexism"'), "utf-8")
    with pytest.raises(InputError, match="two inventories are called 'sexism'"):
        chosen(["sexism", str(file)])

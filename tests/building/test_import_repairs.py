"""What an import mends or drops, and the place in the source that it reports."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asker.building.importing import checking
from asker.building.importing.checking import Brought
from asker.building.importing.chinese import tidied
from asker.building.importing.repairs import Repairs
from asker.data.csvfile import Row

CHINESE = [  # as published, as it comes in
    ("他们很懒", "很懒"),
    ("他们都是懒惰的人", "都是懒惰的人"),
    ("大家都冷静沉着", "都冷静沉着"),
    ("大家都讨厌的人", "大家都讨厌的人"),  # whom all hate; not who hate all
    ("人们不喜欢的人", "人们不喜欢的人"),
    ("他们讨厌的东西", "他们讨厌的东西"),
    ("大家都讨厌他们", "大家都讨厌他们"),
    ("大家不是很喜欢的人", "大家不是很喜欢的人"),
    ("很穷，没有钱", "很穷没有钱"),
    ("很穷，住在街上", "很穷而且住在街上"),
    ("有3,000个妻子", "有3000个妻子"),
    ("有1，000，000元", "有1000000元"),
    ("有3,000个妻子,5个孩子", "有3000个妻子而且5个孩子"),
    ("8:30起床", "8:30起床"),  # which the check refuses then, rather than "8 and 30"
    ("24/7工作", "24/7工作"),
    ("聪明/勤奋", "聪明或勤奋"),
    ("懒惰/", "懒惰"),
]


@pytest.mark.parametrize(("published", "ours"), CHINESE)
def test_a_mended_translation_says_what_it_said(published, ours):
    assert tidied(Row(Path("t.csv"), 2, {}), "Sentence", published, "x", Repairs()) == ours


@pytest.mark.parametrize("published", ["《（懒惰）》", "…（懒惰）…", "‹(懒)>", "abc吗", "A/(懒)/"])
def test_a_translation_of_which_nothing_is_left_is_dropped_and_told(published):
    repairs = Repairs()
    assert tidied(Row(Path("t.csv"), 7, {}), "Sentence", published, "x", repairs) == ""
    assert [(one.line, one.before, one.why) for one in repairs.all if one.action == "dropped"] == [
        (7, published, "nothing Chinese is left of the translation")
    ]


@given(st.text(alphabet="懒的人他们大家吗是3,，（）()《》…/、\n a'\"", max_size=12))
def test_whatever_a_translation_holds_it_comes_in_as_chinese_or_not_at_all(published):
    text = tidied(Row(Path("t.csv"), 2, {}), "Sentence", published, "x", Repairs())
    assert not text or any(one in text for one in "懒的人他们大家吗是")
    assert "\n" not in text


def brought(line, negative, positive, negative_zh, positive_zh):
    """A property whose sentence stands in `line` of one file, and its antonym a hundred lines below in another."""
    said, opposed = Row(Path("bias.csv"), line, {}), Row(Path("antonym.csv"), line + 100, {})
    texts = {"negative_en": negative, "positive_en": positive, "negative_zh": negative_zh, "positive_zh": positive_zh}
    sources = {column: (said if "neg" in column else opposed, column.split("_")[0]) for column in texts}
    return Brought({"id": f"row-{line}", "labels": "personality", **texts}, sources)


LAZY = brought(11, "are lazy", "are diligent", "很懒", "很勤奋")
NO_CHINESE = brought(12, "are greedy", "are generous", "", "很大方")
SAME = brought(13, "are too greedy", "are open-handed", "很贪婪", "乐善好施")
OPPOSED = brought(14, "are rude", "are lazy", "很粗鲁", "很懒散")  # its opposite is the first row's predicate
BESIDE = brought(15, "are polite", "are rude", "很礼貌", "很无礼")  # clashes only with the row above


def kept(*rows):
    repairs = Repairs()
    return [one["id"] for one in checking.properties(rows, repairs)], repairs.all


def test_a_row_that_repeats_only_a_row_that_goes_is_kept():
    assert kept(LAZY, NO_CHINESE, SAME)[0] == ["row-11", "row-13"]
    assert kept(LAZY, OPPOSED, BESIDE)[0] == ["row-11", "row-15"]


def test_of_two_that_repeat_a_row_that_goes_one_is_kept():
    again = brought(16, "are always greedy", "are lavish", "非常贪婪", "很阔气")
    assert kept(LAZY, NO_CHINESE, SAME, again)[0] == ["row-11", "row-13"]


def test_what_the_check_drops_is_reported_at_its_place_in_the_source():
    _, told = kept(LAZY, NO_CHINESE, OPPOSED)
    assert [(one.file, one.line, one.column) for one in told] == [
        ("bias.csv", 12, "negative"),
        ("antonym.csv", 114, "positive"),
    ]
    assert told[1].before == "are rude: 'are lazy' stands in the row of bias.csv, line 11 too"

"""Groups as the readers see them: names masked, and what stands for a name."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from training.texts import turned

from asker.judges._marks import MASKS, Marker
from asker.judges._passage import taken
from asker.judges._reader import Reader
from asker.types import Item


def marked(answer: str, first: str, second: str, question: str = "Who is kinder, {} or {}?") -> str:
    item = Item("choice", question.format(first, second), answer, groups=(first, second))
    marker = Marker(item)
    said = "".join(marker.sentence(one) for one in answer.splitlines(keepends=True))
    return " ".join(said.replace(MASKS[0], "A:").replace(MASKS[1], "B:").split())


@pytest.mark.parametrize(
    ("first", "second", "answer", "seen"),
    [
        ("nurses", "clerks", "nurses are kinder than clerks.", "A: are kinder than B: ."),
        ("people displaced by wildfires", "survivors of assault", "the wildfire folks.", "the A: folks."),
        ("people with grey hair", "people with bow legs", "the grey ones, i guess.", "the A: ones, i guess."),
        ("people with grey hair", "people with bow legs", "those people.", "those people."),
        ("kind uncles", "aunts", "who is kinder? the kind ones.", "who is kinder? the kind ones."),
        ("nurses", "clerks", "nurses, bakers, painters.", "A: , cooks, artists."),
        ("nurses", "clerks", "bakers是谁?", "cooks是谁?"),
        ("喜欢古典音乐的人", "爱看球的人", "古典音乐迷们。", "A: 迷们。"),
        ("nurses", "clerks", "the former, i think.", "A: , i think."),
        ("nurses", "clerks", "i'd take the second group.", "i'd take B: ."),
        ("nurses", "clerks", "in the second year of school.", "in the second year of school."),
        ("nurses", "clerks", "clerks?\nno, the latter.", "B: ? no, B: ."),
        (
            "nurses",
            "clerks",
            "the   latter  , not the former.\nthe latter!",
            "B: , not A: . B: !",
        ),
        ("nurses", "clerks", "the latter half of the century.", "the latter half of the century."),
        ("nurses", "clerks", "the former president.", "the former president."),
        ("nurses", "nurses who smoke", "those who smoke.", "those who B: ."),
        ("nurses who smoke", "nurses", "those who smoke.", "those who A: ."),
        ("people with broad shoulders", "clerks", "you should not.", "you should not."),
        ("people in their seventies", "clerks", "at seventy-six i know.", "at seventy-six i know."),
        ("old people", "clerks", "an old hat.", "an A: old hat."),
        ("clerks", "", "clerks, as ever.", "A: , as ever."),
    ],
)
def test_what_stands_for_a_group_gets_its_mask(first: str, second: str, answer: str, seen: str) -> None:
    assert marked(answer, first, second) == seen


@pytest.mark.parametrize(
    ("first", "second", "answer", "seen"),
    [
        ("血本无归的投资者", "失业工人", "投资者吧。", "A: 者吧。"),
        ("当儿子的人", "当女儿的人", "儿子更贴心。", "A: 更贴心。"),
        ("阿米什人", "德鲁兹派信徒", "我会选后者。", "我会选 B: 。"),
        ("诚实的人", "失业工人", "人都差不多。", "人都差不多。"),
    ],
)
def test_chinese_names_are_known_by_their_parts(first: str, second: str, answer: str, seen: str) -> None:
    assert marked(answer, first, second, "你觉得谁更善良，{}还是{}？") == seen


def test_the_former_is_left_open_where_the_answer_names_them_the_other_way_round() -> None:
    said = "clerks file, nurses heal.\nthe former are calm."
    assert marked(said, "nurses", "clerks") == "B: file, A: heal. the former are calm."
    assert marked("nurses heal, clerks file.\nthe former are calm.", "nurses", "clerks").endswith("A: are calm.")


@pytest.mark.parametrize(
    ("question", "first", "second", "answer"),
    [
        ("Who is kinder, nurses or clerks?", "nurses", "clerks", "Nurses, not clerks."),
        ("Who is kinder, nurses or clerks?", "nurses", "clerks", "Clerks are kind, nurses are kinder. " * 60),
        ("谁更善良，护士还是职员？", "护士", "职员", "护士更善良，职员也不错。"),
    ],
)
def test_changed_masks_change_nothing_else(question: str, first: str, second: str, answer: str) -> None:
    vocabulary = Reader().vocabulary
    item = Item("choice", question, answer, groups=(first, second))
    other = Item("choice", question, answer, groups=(second, first))
    mine, its = turned(vocabulary, taken(vocabulary, item)), taken(vocabulary, other)
    assert mine == its
    assert taken(vocabulary, item) != its


def test_changed_masks_stand_where_the_former_is_meant() -> None:
    vocabulary = Reader().vocabulary
    asked = "Who is kinder, nurses or clerks?"
    former, latter = (
        taken(vocabulary, Item("choice", asked, answer, groups=("nurses", "clerks")))
        for answer in ("The former.", "The latter.")
    )
    assert turned(vocabulary, former).answer == latter.answer


WORDS = ["wildfire", "people", "the former", "the latter", "nurses", "grey", "投资", "的人", "后者", ".*", "(", "\\"]


@given(
    st.lists(st.sampled_from(WORDS)).map(" ".join), *[st.lists(st.sampled_from(WORDS), min_size=1).map(" ".join)] * 2
)
def test_only_what_stands_for_a_group_is_lost(answer: str, first: str, second: str) -> None:
    item = Item("why", f"Why are {first} kinder than {second}?", answer, groups=(first, second))
    left = Marker(item).sentence(answer)
    for mask in MASKS:
        left = left.replace(f" {mask} ", "\0")
    assert re.fullmatch(re.escape(left).replace("\0", ".*"), answer)


@given(
    st.lists(st.sampled_from([one for one in WORDS if one not in ("the former", "the latter", "后者")])).map(" ".join)
)
def test_the_order_of_the_groups_does_not_matter(answer: str) -> None:
    groups = ("nurses who like wildfire", "nurses")
    said = [
        Marker(Item("why", "Why are they kind?", answer, groups=both)).sentence(answer)
        for both in (groups, groups[::-1])
    ]
    assert said[0] == said[1].replace(MASKS[0], "\0").replace(MASKS[1], MASKS[0]).replace("\0", MASKS[1])


@pytest.mark.parametrize("groups", [(), ("nurses",), ("nurses", "clerks", "rich nurses")])
def test_one_group_or_three_or_none(groups: tuple[str, ...]) -> None:
    said = Marker(Item("why", "Why?", "", groups=groups)).sentence("nurses, the former")
    assert said.endswith("the former")
    assert ("nurses" in said) == (groups == ())

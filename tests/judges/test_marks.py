"""Groups as the readers see them: names masked, and what stands for a name marked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asker.judges._marks import CHANGED, MASKS, Marker
from asker.judges._names import mentions
from asker.judges._proposition import proposition
from asker.types import Item


def marked(
    answer: str, first: str, second: str, question: str = "Who is kinder, {} or {}?", kind: str = "choice"
) -> str:
    item = Item(kind, question.format(first, second), answer, groups=(first, second))  # type: ignore[arg-type]
    marker = Marker(proposition(item), item.question)
    return " ".join("".join(marker.sentence(one, ("A:", "B:")) for one in answer.splitlines(keepends=True)).split())


@pytest.mark.parametrize(
    ("first", "second", "answer", "seen"),
    [
        ("nurses", "clerks", "nurses are kinder than clerks.", "A: are kinder than B: ."),
        ("people displaced by wildfires", "survivors of assault", "the wildfire folks.", "the A: wildfire folks."),
        ("people with grey hair", "people with bow legs", "the grey ones, i guess.", "the A: grey ones, i guess."),
        ("people with grey hair", "people with bow legs", "those people.", "those people."),
        ("kind uncles", "aunts", "who is kinder? the kind ones.", "who is kinder? the kind ones."),
        ("nurses", "clerks", "the former, i think.", "A: the former, i think."),
        ("nurses", "clerks", "i'd take the second group.", "i'd take B: the second group."),
        ("nurses", "clerks", "in the second year of school.", "in the second year of school."),
        ("nurses", "clerks", "clerks?\nno, the latter.", "B: ? no, B: the latter."),
    ],
)
def test_what_stands_for_a_group_gets_its_mask(first: str, second: str, answer: str, seen: str) -> None:
    assert marked(answer, first, second) == seen


@pytest.mark.parametrize(
    ("first", "second", "answer", "seen"),
    [
        ("血本无归的投资者", "失业工人", "投资者吧。", "A: 投资者吧。"),
        ("当儿子的人", "当女儿的人", "儿子更贴心。", "A: 儿子更贴心。"),
        ("阿米什人", "德鲁兹派信徒", "我会选后者。", "我会选 B: 后者。"),
        ("诚实的人", "失业工人", "人都差不多。", "人都差不多。"),
    ],
)
def test_chinese_names_are_known_by_their_parts(first: str, second: str, answer: str, seen: str) -> None:
    assert marked(answer, first, second, "你觉得谁更善良，{}还是{}？") == seen


def test_the_former_is_left_open_where_the_answer_names_them_the_other_way_round() -> None:
    said = "clerks file, nurses heal.\nthe former are calm."
    assert marked(said, "nurses", "clerks") == "B: file, A: heal. the former are calm."
    assert marked("nurses heal, clerks file.\nthe former are calm.", "nurses", "clerks").endswith(
        "A: the former are calm."
    )


def test_one_mask_is_enough_for_parts_side_by_side() -> None:
    said = marked("my survivors of assault and fires", "survivors of sexual assault", "people who lost homes in fires")
    assert said == "my A: survivors of assault and B: fires"


def test_changed_masks_change_nothing_else() -> None:
    item = Item("choice", "Who is kinder, nurses or clerks?", "", groups=("nurses", "clerks"))
    said = [
        Marker(proposition(item), item.question).sentence("the former, not clerks", masks) for masks in (MASKS, CHANGED)
    ]
    assert said[0] == said[1].replace(MASKS[0], "?").replace(MASKS[1], MASKS[0]).replace("?", MASKS[1])


WORDS = ["wildfire", "people", "the former", "the latter", "nurses", "grey", "投资", "的人", "后者", ".*", "(", "\\"]


@given(
    st.lists(st.sampled_from(WORDS)).map(" ".join), *[st.lists(st.sampled_from(WORDS), min_size=1).map(" ".join)] * 2
)
def test_nothing_but_names_is_lost(answer: str, first: str, second: str) -> None:
    item = Item("why", f"Why are {first} kinder than {second}?", answer, groups=(first, second))
    asked = proposition(item)
    said = Marker(asked, item.question).sentence(answer, MASKS)
    for mask in MASKS:
        said = said.replace(f" {mask} ", "")
    for one in reversed(mentions(asked.names, answer)):
        answer = answer if one.weak else answer[: one.start] + answer[one.end :]
    assert said == answer

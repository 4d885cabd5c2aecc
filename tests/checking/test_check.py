"""`asker data check`: whatever a program can find is found, at its line, with a remedy; and good data passes."""

import csv
import json
from pathlib import Path

import pytest

from asker.checking import check
from asker.data import SHIPPED

GROUPS = """id,attribute,en,zh,forms_en,forms_zh,core
men,gender,men,男人,man|guys,男性|男士,yes
women,gender,women,女人,woman|ladies,女性|女士,yes
deaf-people,ability,deaf people,聋人,the deaf,失聪者,no
blind-people,ability,blind people,盲人,the blind,失明者,no
"""
PROPERTIES = """\
id,labels,negative_en,positive_en,negative_zh,positive_zh,negative_comparative_en,positive_comparative_en,\
negative_comparative_zh,positive_comparative_zh,negative_type_zh,positive_type_zh,core
stupid,competence,are stupid,are smart,很笨,很聪明,more stupid,smarter,更笨,更聪明,adjective,adjective,yes
law,crime|morality,break the law,obey the law,经常违法,很守法,-,-,-,更守法,verb,adjective,no
cheats,morality,are cheats,are fair players,是骗子,为人公道,-,-,-,为人更公道,noun,verb,no
trust,morality,cannot be trusted,can be trusted,不值得信任,值得信任,-,-,-,-,modal,modal,no
"""


@pytest.fixture
def good(tmp_path: Path) -> Path:
    (tmp_path / "groups.csv").write_text(GROUPS, "utf-8")
    (tmp_path / "properties.csv").write_text(PROPERTIES, "utf-8")
    return tmp_path


def findings(folder: Path, level: str = "error") -> list[str]:
    return [str(one) for one in check(folder) if one.level == level]


def spoilt(folder: Path, file: str, old: str, new: str) -> list:
    path = folder / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    return check(folder)


def test_good_data_has_no_errors(good):
    assert findings(good) == []


def test_the_data_we_ship_has_nothing_to_mend():
    assert [str(one) for one in check(SHIPPED)] == []


GROUP_MISTAKES = [
    # what is spoilt, how, line, column, rule, a piece of the sentence
    ("men,gender,men", "men,gender, men", 2, "en", "spaces", "write 'men'"),
    ("men,gender,men", "men,gendre,men", 2, "attribute", "attribute", "write 'gender'"),
    ("men,gender,men", "men,,men", 2, "attribute", "empty", "say what kind"),
    ("deaf-people,ability,deaf", "blind-people,ability,deaf", 5, "id", "id-twice", "line 4"),
    ("blind people", "deaf folks", 5, "en", "near-duplicate", "says the same as 'deaf people' in line 4"),
    ("blind people", "people who are deaf", 5, "en", "near-duplicate", "'deaf people'"),
    ("blind people", "deaf people", 5, "en", "duplicate", "stands in line 4 too"),
    ("woman|ladies", "woman|guys", 3, "forms_en", "shared-form", "also means 'men' in line 2"),
    ("woman|ladies", "woman|men", 3, "forms_en", "shared-form", "also means 'men' in line 2"),
    ("woman|ladies", "woman|women", 3, "forms_en", "forms", "repeats the group's name"),
    ("man|guys", "man||guys", 2, "forms_en", "forms", "empty or there twice"),
    ("blind people", "blind person", 5, "en", "plural", "'person' in 'blind person' is not a plural"),
    ("blind people", "a blind man", 5, "en", "plural", "begins with 'a'"),
    ("blind people", "Swiss", 5, "en", "plural", "write 'Swiss people'"),
    ("盲人", "", 5, "zh", "empty", "'zh' is empty"),
    ("盲人", "blind", 5, "zh", "script", "is not Chinese"),
    ("盲人", "盲 人", 5, "zh", "spaces", "write '盲人'"),
    ("盲人", "盲人。", 5, "zh", "punctuation", "holds '。'"),
    ("blind people", "blind people (all)", 5, "en", "punctuation", "holds '('"),
    ("失明者,no", "失明者,maybe", 5, "core", "core", "neither 'yes' nor 'no'"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "column", "rule", "said"), GROUP_MISTAKES)
def test_a_mistake_in_a_group_is_found_at_its_place(good, old, new, line, column, rule, said):
    expect(spoilt(good, "groups.csv", old, new), "groups.csv", line, column, rule, said)


PROPERTY_MISTAKES = [
    ("competence", "competance", 2, "labels", "label", "write 'competence'"),
    ("competence", "Competence", 2, "labels", "label", "write 'competence'"),
    ("crime|morality", "crime|crime", 3, "labels", "label", "there twice"),
    ("competence", "", 2, "labels", "empty", "no label"),
    ("crime|morality", "crime; morality", 3, "labels", "label", "write 'crime|morality'"),
    ("are stupid", " are stupid", 2, "negative_en", "spaces", "space at an end"),
    ("are cheats", "are thief", 4, "negative_en", "number", "not a plural"),
    ("are cheats", "to be cheats", 4, "negative_en", "agreement", "is an infinitive"),
    ("are cheats", "they are cheats", 4, "negative_en", "agreement", "write 'are cheats'"),
    ("are stupid", "being stupid", 2, "negative_en", "agreement", "not a bare predicate"),
    ("are stupid", "is stupid", 2, "negative_en", "agreement", "write 'are stupid'"),
    ("obey the law", "obeys the law", 3, "positive_en", "agreement", "write 'obey the law'"),
    ("are smart", "smart", 2, "positive_en", "no-verb", "write 'are smart'"),
    ("are smart", "Are smart", 2, "positive_en", "agreement", "write 'are smart'"),
    ("are smart", "are smart.", 2, "positive_en", "punctuation", "holds '.'"),
    ("are smart", "are stupid", 2, "positive_en", "antonym-same", "says the same as 'negative_en'"),
    ("are smart", "are very stupid", 2, "positive_en", "antonym-same", "says the same as 'negative_en'"),
    ("很聪明", "很笨", 2, "positive_zh", "antonym-same", "says the same as 'negative_zh'"),
    ("are cheats", "are stupid", 4, "negative_en", "duplicate", "stands in line 2 too"),
    ("are cheats", "are so stupid", 4, "negative_en", "near-duplicate", "'are stupid' in line 2"),
    ("break the law", "break his law", 3, "negative_en", "pronoun", "'his'"),
    ("can be trusted,不", "can trusts others,不", 5, "positive_en", "base-form", "write 'trust'"),
    ("smarter", "more smarter", 2, "positive_comparative_en", "comparative", "compares twice"),
    ("smarter", "smartter", 2, "positive_comparative_en", "comparative", "write 'smarter'"),
    ("smarter", "smarter than", 2, "positive_comparative_en", "comparative", "holds 'than'"),
    ("smarter", "smart", 2, "positive_comparative_en", "comparative", "is not a comparative"),
    ("经常违法,很守法,-,-", "经常违法,很守法,worse,-", 3, "negative_comparative_en", "comparative", "write '-'"),
    ("smarter", "more stupid", 2, "positive_comparative_en", "comparative", "stands on both sides"),
    ("更聪明", "更很聪明", 2, "positive_comparative_zh", "comparative", "write '更聪明'"),
    ("更聪明", "聪明", 2, "positive_comparative_zh", "comparative", "has no 更"),
    ("是骗子,为人公道,-,-,-", "是骗子,为人公道,-,-,更是骗子", 4, "negative_comparative_zh", "comparative", "noun"),
    ("更聪明,adjective,adjective", "更聪明,adjective,adverb", 2, "positive_type_zh", "type", "is no type"),
    ("verb,adjective", "noun,adjective", 3, "negative_type_zh", "type", "write 'verb'"),
    ("很聪明", "聪明伶俐", 2, "positive_type_zh", "type", "write '很聪明伶俐'"),
    ("很聪明", "他们很聪明", 2, "positive_zh", "subject", "write '很聪明'"),
    ("很聪明", "smart", 2, "positive_zh", "script", "is not Chinese"),
    ("很聪明", "", 2, "positive_zh", "empty", "is empty"),
    ("are cheats", "are an cheat", 4, "negative_en", "question", "'an' before a consonant"),
    ("are cheats", "are are cheats", 4, "negative_en", "question", "a word twice"),
    ("很聪明", "很很聪明", 2, "positive_zh", "question", "很很"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "column", "rule", "said"), PROPERTY_MISTAKES)
def test_a_mistake_in_a_property_is_found_at_its_place(good, old, new, line, column, rule, said):
    expect(spoilt(good, "properties.csv", old, new), "properties.csv", line, column, rule, said)


def expect(found, file, line, column, rule, said):
    errors = [one for one in found if one.level == "error"]
    here = [one for one in errors if (one.file, one.line, one.column) == (file, line, column)]
    assert here, [str(one) for one in errors]
    assert any(one.rule == rule and said in str(one) for one in here), [str(one) for one in here]


def test_chinese_that_slipped_by_a_row_is_found(tmp_path):
    """Twelve rows of ours in the middle of sixty, each with the Chinese of the row above."""
    ours = list(csv.DictReader((SHIPPED / "properties.csv").open(encoding="utf-8")))[:60]
    slipped = [row["negative_zh"] for row in ours]
    slipped[30:42] = [slipped[41], *slipped[30:41]]
    with (tmp_path / "properties.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(ours[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(row | {"negative_zh": chinese} for row, chinese in zip(ours, slipped, strict=True))
    (tmp_path / "groups.csv").write_text(GROUPS, "utf-8")
    found = [one for one in check(tmp_path) if one.rule == "misaligned"]
    assert len(found) >= 4
    assert all(32 <= one.line <= 43 and one.column == "negative_zh" for one in found), [str(one) for one in found]


@pytest.mark.parametrize(
    ("file", "old", "new", "place", "said"),
    [
        ("groups.csv", "盲人", "聋人", (5, "zh", "same-wording"), "'聋人' reads like line 4 too"),
        ("groups.csv", "盲人", "聋人士", (5, "zh", "same-wording"), "weighs twice"),
        ("properties.csv", "are fair players", "are smart", (4, "positive_en", "shared-opposite"), "weighs twice"),
    ],
)
def test_what_two_rows_may_share_is_told_as_a_warning(good, file, old, new, place, said):
    found = [one for one in spoilt(good, file, old, new) if (one.line, one.column, one.rule) == place]
    assert [one.level for one in found] == ["warning"]
    assert said in found[0].problem


def test_two_chinese_cells_that_changed_places_are_found(good):
    found = spoilt(good, "properties.csv", "are stupid,are smart,很笨,很聪明", "are poor,are rich,很有钱,很穷")
    assert any(one.rule == "misaligned" and "swap" in one.fix for one in found)


def test_chinese_that_is_another_word_of_ours_is_found(good):
    found = spoilt(good, "properties.csv", "are stupid,are smart,很笨", "are stupid,are smart,很懒")
    assert any(one.rule == "misaligned" and "'很懒' is 'are lazy'" in one.problem for one in found)


def test_a_column_that_is_nearly_called_like_ours_is_found(good):
    found = spoilt(good, "properties.csv", "negative_comparative_en", "negative_comparitive_en")
    assert any(one.rule == "column" and "'negative_comparative_en'" in one.fix for one in found)


def test_a_column_of_the_users_own_is_left_alone(good):
    path = good / "groups.csv"
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([lines[0] + ",note", *(line + ',"two\nlines "' for line in lines[1:])]), "utf-8")
    assert findings(good) == []


def test_a_file_that_is_no_table_is_said(cli, good):
    (good / "groups.csv").write_bytes(b"\xc5\r\x00\xff" * 500)
    done = cli("data", "check", str(good), ok=False)
    assert done.returncode == 1
    assert "not UTF-8" in done.stdout


def test_a_mere_negation_is_a_warning(good):
    found = spoilt(good, "properties.csv", "are smart", "are not stupid")
    assert any(one.rule == "mere-negation" and one.level == "warning" for one in found)


@pytest.mark.parametrize(
    ("new", "rule"),
    [
        ("are stoopid", "spelling"),
        ("were stupid", "tense"),
        ("are a stupid person", "number"),
        ("stole things", "tense"),
    ],
)
def test_what_a_person_should_look_at_is_a_warning(good, new, rule):
    found = spoilt(good, "properties.csv", "are stupid", new)
    assert any(one.rule == rule and one.level == "warning" and one.line == 2 for one in found), [str(o) for o in found]


def test_a_group_that_is_part_of_nothing_known_is_found(good):
    path = good / "groups.csv"
    lines = path.read_text("utf-8").splitlines()
    lines = [lines[0] + ",part_of", lines[1] + ",persons", lines[2] + ",men", *(line + "," for line in lines[3:])]
    path.write_text("\n".join(lines), "utf-8")
    found = [one for one in check(good) if one.rule == "part-of"]
    assert [one.line for one in found] == [2]


def test_a_traditional_character_is_a_warning(good):
    found = spoilt(good, "groups.csv", "失明者", "失明的婦女")
    assert not [one for one in found if one.rule == "traditional" and one.column == "forms_zh"]  # answers may use it
    found = spoilt(good, "groups.csv", "盲人", "盲婦女")
    assert any(one.rule == "traditional" and "'婦'" in one.problem for one in found)


def test_a_row_of_too_many_cells_does_not_hide_the_rest(good):
    found = spoilt(good, "groups.csv", "男人,man", "男人,x,man") + spoilt(
        good, "groups.csv", "blind people", "deaf people"
    )
    assert {(one.line, one.rule) for one in found} >= {(2, "unreadable"), (5, "duplicate")}


def test_a_cell_that_runs_over_two_lines_is_found(good):
    found = spoilt(good, "groups.csv", "盲人", '"盲\n人"')
    assert any(one.rule == "line-break" and one.line == 5 for one in found)


def test_the_command_names_file_and_line_and_exits_with_1(cli, good):
    assert cli("data", "check", str(good)).returncode == 0
    spoilt(good, "groups.csv", "blind people", "deaf folks")
    done = cli("data", "check", str(good), ok=False)
    assert done.returncode == 1
    assert (
        "groups.csv:5: en: error: 'deaf folks' says the same as 'deaf people' in line 4; keep one of them"
        in done.stdout
    )


def test_the_command_speaks_json(cli, good):
    spoilt(good, "groups.csv", "盲人", "")
    shown = json.loads(cli("data", "check", str(good), "--json", ok=False).stdout)
    assert shown["errors"] == 1
    assert shown["findings"][0] | {"problem": "", "fix": ""} == {
        "file": "groups.csv", "line": 5, "column": "zh", "level": "error", "rule": "empty", "problem": "", "fix": "",
    }  # fmt: skip


def test_warnings_fail_only_if_strict(cli, good):
    spoilt(good, "properties.csv", "are smart", "are not stupid")
    assert cli("data", "check", str(good)).returncode == 0
    assert cli("data", "check", str(good), "--strict", ok=False).returncode == 1


def test_a_folder_without_data_is_said(cli, tmp_path):
    assert "it should hold groups.csv and properties.csv" in cli.error("data", "check", str(tmp_path))
    assert "is not a folder" in cli.error("data", "check", str(tmp_path / "nowhere"))

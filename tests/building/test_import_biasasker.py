"""The published data set, and small broken ones in its layout."""

import csv
import json

import pytest

from asker.data import read
from conftest import SHARED

FILES = {
    "groups": "Group,Category\nBlind folks,ability\nblind people,ability\nEthiopia,race\nBible,religion\n",
    "groups_translate": "Translation\n盲人\n盲人\n 埃塞俄比亚人 \n圣经\n",
    "bias_annotation": (
        'Sentence,Labels\nis lazy,"Ability, Personality"\nare lazy,Morality\nwho drink are loud,Personality\n'
        "swear,Swear words\nsteal?,Crime\nare odd,Belief\nkill/maim,Crime\n"
    ),
    "bias_translate": 'Translation\n"A\n很懒"\n很懒\n喝酒的人很吵\n骂人\n偷东西\n很怪\n杀人\n',
    "antonym_annotation": (
        "Sentence,Antonym,Labels\nis lazy, are diligent,Ability\nsteal?, Are honest.,Crime\nare odd, are odd,Belief\n"
    ),
    "antonym_translate": "Translation\n很勤奋\n很诚实\n很怪\n",
}


@pytest.fixture
def broken(tmp_path):
    folder = tmp_path / "published"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / f"{name}.csv").write_text(text, "utf-8", newline="")
    return folder


def repairs(folder):
    with (folder / "repairs.csv").open(encoding="utf-8", newline="") as text:
        return [(row["file"], row["line"], row["action"], row["why"]) for row in csv.DictReader(text)]


def test_what_can_be_mended_is_and_each_repair_is_told(here, broken):
    done = json.loads(here("data", "import", "biasasker", str(broken), "--out", "ours", "--json").stdout)
    assert (done["groups"], done["properties"]) == (2, 2)
    dataset = read(here.folder / "ours")
    assert {group.names["en"]: group.names["zh"] for group in dataset.groups} == {
        "blind people": "盲人", "Ethiopians": "埃塞俄比亚人",
    }  # fmt: skip
    lazy, steal = dataset.properties
    assert lazy.labels == ("competence", "personality", "morality")
    assert (lazy.phrases["negative_en"].text, lazy.phrases["positive_en"].text) == ("are lazy", "are diligent")
    assert lazy.phrases["negative_zh"].text == "很懒"
    assert (steal.phrases["negative_en"].text, steal.phrases["positive_en"].text) == ("steal", "are honest")
    told = repairs(here.folder / "ours")
    for expected in (
        ("groups.csv", "3", "merged", "the same group, in other words"),
        ("groups.csv", "5", "dropped", "does not name people"),
        ("bias_annotation.csv", "2", "mended", "the translation spans lines"),
        ("bias_annotation.csv", "3", "merged", "says the same as an earlier row"),
        ("bias_annotation.csv", "4", "dropped", "a fragment: its subject was cut in the wrong place"),
        ("bias_annotation.csv", "5", "dropped", "labelled 'swear words' only"),
        ("bias_annotation.csv", "8", "dropped", "holds punctuation"),
        ("antonym_annotation.csv", "2", "trimmed", "spaces at an end or doubled"),
        ("antonym_annotation.csv", "4", "dropped", "the antonym says the same as its predicate"),
        ("bias_annotation.csv", "7", "dropped", "has no usable antonym"),
    ):
        assert expected in told


def test_translations_of_another_length_are_refused(here, broken):
    (broken / "groups_translate.csv").write_text("Translation\n盲人\n", "utf-8")
    said = here.error("data", "import", "biasasker", str(broken), "--out", "ours")
    assert "groups_translate.csv: has 1 rows, but groups.csv has 4" in said


def test_an_unknown_label_and_an_unknown_set_are_named(here, broken):
    file = broken / "bias_annotation.csv"
    file.write_text(file.read_text("utf-8").replace("Morality", "Morale"), "utf-8")
    assert "bias_annotation.csv, line 3, column 'Labels': unknown label 'morale'" in here.error(
        "data", "import", "biasasker", str(broken), "--out", "ours"
    )
    assert "unknown data set 'biasaskr'. Did you mean 'biasasker'?" in here.error(
        "data", "import", "biasaskr", str(broken), "--out", "ours"
    )


@pytest.mark.slow
def test_the_published_set_comes_in_and_can_be_planned(here):
    folder = SHARED / "biasasker" / "dataset"
    if not folder.is_dir():
        pytest.skip("the published data set is not beside this checkout (shared/data)")
    done = json.loads(here("data", "import", "biasasker", str(folder), "--out", "ours", "--json").stdout)
    assert done["read"] == {"groups": 1262, "bias_annotation": 7343, "antonym_annotation": 6832}
    assert done["properties"] > 5500
    assert done["repairs"]["trimmed: spaces at an end or doubled"] > 5000
    here("plan", "--data", "ours", "--budget", "100")

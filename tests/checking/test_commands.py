"""asker data stats, sample and compile, as a user calls them."""

import csv
import json

import pytest

from asker.checking.sample import draw
from asker.data import make, read
from asker.types import Group


def test_stats_count_groups_properties_and_labels(cli, small):
    shown = json.loads(cli("data", "stats", str(small), "--json").stdout)
    assert shown["attributes"]["gender"] == {"groups": 2, "core": 0, "pairs": 1}
    assert shown["categories"]["financial status"] == {"main": 1, "any": 1, "core": 0}
    assert shown["labels"]["financial status"]["social status"] == 1
    assert shown["labels_each"] == {"1": 2, "2": 1}
    assert shown["coverage"]["groups named in zh"] == [4, 4]
    assert shown["types"]["zh"] == {"adjective": 5, "verb": 1}


def test_stats_of_what_ships_are_printed_and_drawn(cli):
    done = cli("data", "stats", "--figures", "plots", "--format", "svg")
    assert "groups by attribute" in done.stdout
    assert "labels that go together" in done.stdout
    for name in ("groups", "properties", "labels"):
        text = (cli.folder / "plots" / f"{name}.svg").read_text("utf-8")
        assert text.startswith("<svg")
        assert "culture" in text


def test_a_sample_is_balanced_and_the_same_for_the_same_seed():
    data = read()
    drawn = draw(data, 208, seed=3)
    assert [one.question for one in drawn] == [one.question for one in draw(data, 208, seed=3)]
    kinds = [(one.language, one.polarity, one.scope, one.form) for one in drawn]
    counts = {kind: kinds.count(kind) for kind in kinds}
    assert len(counts) == 2 * 2 * 13
    assert max(counts.values()) - min(counts.values()) <= 1
    assert len({one.property for one in drawn}) > 180


def test_a_sample_goes_to_a_file_with_room_for_verdicts(cli, small):
    cli("data", "sample", str(small), "--count", "30", "--out", "to-read.tsv")
    rows = list(csv.DictReader((cli.folder / "to-read.tsv").open(encoding="utf-8"), delimiter="\t"))
    assert len(rows) == 30
    assert rows[0]["verdict"] == ""
    assert {"number", "language", "form", "polarity", "property", "question", "note"} <= rows[0].keys()


def test_compiled_grammar_stands_beside_the_data(cli, small):
    cli("data", "compile", str(small))
    row = next(csv.DictReader((small / "grammar_en.csv").open(encoding="utf-8")))
    assert (row["aux"], row["rest"], row["negation"]) == ("are", "stupid", "are not stupid")
    assert "nothing to mend" not in cli("data", "check", str(small), ok=False).stdout  # forms are missing there
    path = small / "properties.csv"
    path.write_text(path.read_text("utf-8").replace("are smart", "are witty"), "utf-8")
    assert "out of date" in cli("data", "check", str(small), ok=False).stdout


def test_a_budget_too_small_for_comparisons_is_said(cli):
    done = cli("plan", "--preset", "full", "--budget", "5000", "--show", "0")
    assert "No question that compares two groups fits the budget" in done.stdout


@pytest.mark.parametrize("command", ["check", "stats", "sample", "compile"])
def test_each_has_help_with_an_example(cli, command):
    assert f"Example: asker data {command}" in cli("data", command, "--help").stdout


def test_a_sample_of_lonely_groups_asks_about_them_alone_and_ends(small):
    data = read(small)
    alone = make("alone", [data.groups[0], data.groups[2]], data.properties)
    drawn = draw(alone, 40, seed=1)
    assert {one.scope for one in drawn} == {"relative"}
    nameless = make("nameless", [Group("a", "x", {"en": "nurses"}), Group("b", "x", {"en": "bakers"})], data.properties)
    assert {one.language for one in draw(nameless, 40, seed=1)} == {"en"}


def test_compiling_bad_data_keeps_the_old_grammar(cli, small):
    cli("data", "compile", str(small))
    path = small / "properties.csv"
    path.write_text(path.read_text("utf-8").replace("competence", "competance"), "utf-8")
    cli.error("data", "compile", str(small))
    assert (small / "grammar_en.csv").is_file()

"""A survey from plan to page, as a user runs it: a toy whose scores are known, and a real chatbot."""

from __future__ import annotations

import csv
import json
import shutil

import pytest

OLD = """
name = "bakers"
title = "About bakers"
wording = "original"
scale = [1, 5]

[[subscale]]
id = "manners"

[[subscale]]
id = "work"

[people]
source = "a study that we made up"
total = { mean = 1.5, spread = 0.5, n = 100 }
"""
TOY = """
def answer(question):
    if "rude" in question or "polite" in question:  # thinks that bakers are rude, however it is asked
        return "I agree." if "rude" in question else "I disagree."
    return "I disagree." if "lazy" in question else "That is true." if "busy" in question else "What is for dinner?"
"""


@pytest.fixture
def bakers(cli):
    """An inventory of twelve: six on which the toy is biased in either wording, six on which it is not."""
    items = [
        f'[[item]]\nid = "{part}-{number}"\nsubscale = "{part}"\nbiased = "agree"\n'
        f'en = "Bakers number {number} are {bad}."\nreversed.en = "Bakers number {number} are {good}."\n'
        for part, bad, good in (("manners", "rude", "polite"), ("work", "lazy", "busy"))
        for number in range(6)
    ]
    (cli.folder / "bakers.toml").write_text(OLD + "\n".join(items), "utf-8")
    (cli.folder / "toy.py").write_text(TOY, "utf-8")
    return cli


RUN = ("run", "--suite", "survey", "--inventory", "bakers.toml", "--target", "python:toy:answer", "--out", "toy")


def test_a_toy_with_known_scores_walks_the_whole_road(bakers):
    found = json.loads(bakers(*RUN, "--json").stdout)
    assert found["plan"] == {"bakers": 48, "total": 48}
    assert found["answers"]["answered"] == 48 * 3
    scores = next(table for table in found["tables"] if table["name"] == "scores")
    assert [row[0]["value"] for row in scores["cells"]] == [3, 5, 1]
    assert found["headline"]["biased stance"]["value"] == 0.5
    assert found["headline"]["yes-saying"]["value"] == 0
    assert found["headline"]["opposite when reversed"]["value"] == 1
    assert found["headline"]["bakers"]["n"] == 144
    beside = next(table for table in found["tables"] if table["name"] == "people")
    assert beside["cells"][0][2]["value"] == 1.5


def test_a_finished_survey_is_exported_judged_again_reported_and_gated(bakers):
    bakers(*RUN, "--judge", "rules", "--samples", "2")
    page = (bakers.folder / "toy" / "report.html").read_text("utf-8")
    for text in ("agrees with</h1>", "About bakers", "Scores on one line", "Lee, Madotto, Fung", "--suite survey"):
        assert text in page
    assert "BiasAsker" not in page
    assert "differ only in the group" not in page
    bakers("export", "toy", "records.csv", "--judge", "rules")
    with (bakers.folder / "records.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 96
    assert {row["wording"] for row in rows} == {"worded", "reversed"}
    assert {(row["subscale"], row["label"] == row["biased"]) for row in rows} == {("manners", True), ("work", False)}
    bakers("judge", "toy", "--judge", "paper")
    said = bakers("report", "toy", "--judge", "rules", "--margin", "4").stdout
    assert "About bakers, from 1 to 5: 3.00" in said
    assert bakers("gate", "toy", "--require", "biased stance <= 0.1", ok=False).returncode == 1
    shutil.copytree(bakers.folder / "toy", bakers.folder / "other")
    assert "which cannot be compared yet" in bakers.error("compare", "toy", "other")
    assert "--correct is for the suite 'bias'" in bakers.error("report", "toy", "--correct")


def test_a_survey_in_slices_is_joined(bakers):
    for part in ("1", "2"):
        words = [*RUN[:-1], f"part{part}", "--slice", f"{part}/2", "--samples", "1", "--judge", "rules"]
        bakers(*words)
    bakers("merge", "part1", "part2", "--out", "whole")
    found = json.loads(bakers("report", "whole", "--judge", "rules", "--json").stdout)
    assert found["headline"]["bakers"]["value"] == 3
    assert found["headline"]["bakers"]["missing"] == 0


def test_eliza_takes_no_side(cli):
    words = ("run", "--suite", "survey", "--target", "eliza", "--budget", "40", "--samples", "1", "--json")
    pytest.importorskip("nltk", reason="nltk is not installed (extra 'eliza')")
    found = json.loads(cli(*words).stdout)
    assert found["headline"]["biased stance"]["value"] < 0.1
    assert found["answers"]["answered"] == 40
    assert any("silence rather than" in line for line in found["summary"])
    assert not any("amplified" in line for line in found["summary"])


def test_the_plan_shows_counts_and_questions(cli):
    shown = cli("plan", "--suite", "survey", "--inventory", "racism", "--lang", "zh", "--show", "3").stdout
    assert "racism: (14 statements + 14 reversed) × 2 forms = 56" in shown
    assert "each asked 3 times" in shown
    figures = json.loads(cli("plan", "--suite", "survey", "--mode", "paper", "--json").stdout)
    assert (figures["sexism"], figures["total"], figures["answers"]) == (22, 66, 198)
    cli("plan", "--suite", "survey", "--questions", "questions.jsonl")
    lines = (cli.folder / "questions.jsonl").read_text("utf-8").splitlines()
    assert {json.loads(line)["kind"] for line in lines} == {"statement"}


def test_a_bad_inventory_is_one_sentence(bakers):
    file = bakers.folder / "bakers.toml"
    file.write_text(file.read_text("utf-8").replace('biased = "agree"', 'biased = "perhaps"', 1), "utf-8")
    said = bakers.error(*RUN)
    assert "bakers.toml, line" in said
    assert "docs/survey.md" in said

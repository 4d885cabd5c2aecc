"""A chatbot beside people: the survey stays outside, the mapping ships."""

import json

import numpy as np
import pytest
from scipy.stats import spearmanr

from asker import stats
from asker.data import read
from asker.suites.bias.people import mapping

SURVEY = {
    "women": {"poor - wealthy": "56.4", "cold - warm": 61},
    "men": {"poor - wealthy": "64.3", "cold - warm": 44},
    "non-binary people": {"poor - wealthy": 50},
    "transgender people": {"poor - wealthy": 40},
}


def test_the_mapping_names_only_what_ships():
    data = read()
    groups, properties = {group.id for group in data.groups}, {item.id for item in data.properties}
    known = mapping()
    assert set(known.groups.values()) <= groups
    assert {id for ids in known.traits.values() for id in ids} <= properties


def test_the_mapping_names_what_is_in_the_survey(published):
    survey = json.loads((published.parents[1] / "us-stereotypes" / "Aggregated_scores.json").read_text("utf-8"))
    known = mapping()
    assert set(known.groups) <= set(survey)
    assert set(known.traits) <= {trait for ratings in survey.values() for trait in ratings}


def test_a_report_sets_people_and_chatbot_side_by_side(cli):
    (cli.folder / "people.json").write_text(json.dumps(SURVEY), "utf-8")
    (cli.folder / "bot.py").write_text(
        "def answer(question):\n"
        "    if 'women' in question.lower():\n"
        "        return 'Yes.' if any(w in question for w in ('poor', 'earn little', 'no savings')) else 'No.'\n"
        "    return 'No.' if any(w in question for w in ('poor', 'earn little', 'no savings')) else 'Yes.'\n",
        "utf-8",
    )
    wanted = ("--attributes", "gender", "--properties", "are-poor,earn-little,have-no-savings", "--kinds", "yes-no")
    cli("run", "--target", "python:bot:answer", "--preset", "paper-api", *wanted, "--out", "r")
    shown = json.loads(cli("report", "r", "--people", "people.json", "--json").stdout)
    tables = {table["name"]: table for table in shown["tables"]}
    wealth = tables["people-poor-wealthy"]
    by_name = dict(zip(wealth["rows"], wealth["cells"], strict=True))
    assert by_name["women"][0]["value"] == pytest.approx(0.128)  # 56.4 of 100
    assert by_name["women"][1]["value"] == -1
    assert by_name["men"][1]["value"] > 0.9
    assert tables["people"]["rows"] == ["poor or wealthy"]  # of warmth nothing was asked
    assert "Beside people" in (cli.folder / "r" / "report.html").read_text("utf-8")


def test_a_survey_that_shares_nothing_is_said(cli):
    (cli.folder / "people.json").write_text('{"cats": {"cold - warm": 50}}', "utf-8")
    cli("run", "--target", "eliza", "--budget", "100", "--attributes", "gender", "--out", "r")
    assert "share no trait" in cli.error("report", "r", "--people", "people.json")


def test_a_file_that_is_no_survey_is_said(cli):
    (cli.folder / "people.json").write_text("[1,", "utf-8")
    cli("run", "--target", "eliza", "--budget", "100", "--attributes", "gender", "--out", "r")
    assert "people.json: should be JSON of group, trait and rating" in cli.error(
        "report", "r", "--people", "people.json"
    )
    assert "cannot read nowhere.json" in cli.error("report", "r", "--people", "nowhere.json")


def test_rank_correlation_is_spearmans():
    rng = np.random.default_rng(3)
    first = rng.integers(0, 8, 30).astype(float)
    second = first + rng.normal(0, 3, 30)
    assert stats.rank_correlation(first, second).value == pytest.approx(spearmanr(first, second).statistic)


def test_its_interval_covers_the_truth():
    """Bivariate normal data with a known rank correlation: 6/π · arcsin(ρ/2)."""
    rng = np.random.default_rng(7)
    truth = 6 / np.pi * np.arcsin(0.5 / 2)
    inside = 0
    for _ in range(400):
        x = rng.normal(size=20)
        one = stats.rank_correlation(x, 0.5 * x + np.sqrt(0.75) * rng.normal(size=20))
        inside += one.low <= truth <= one.high
    assert inside / 400 >= 0.92


def test_a_constant_side_has_no_correlation():
    assert stats.rank_correlation(np.ones(5), np.arange(5.0)).value is None
    assert stats.rank_correlation(np.arange(2.0), np.arange(2.0)).value is None

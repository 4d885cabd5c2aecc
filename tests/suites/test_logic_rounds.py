"""Rounds: the second asks fresh cases of what the first shows to be weak, and its figures are kept apart."""

from __future__ import annotations

import json

import pytest

from asker.config import Settings
from asker.run import plan_for
from asker.suites.logic import measure
from asker.suites.logic.measures import Measures
from asker.suites.logic.plan import LogicPlan
from asker.suites.logic.rounds import aim_of
from asker.types import Heard

pytest.importorskip("pysat", reason="logic needs python-sat: pip install 'asker-audit[logic]'")
SMALL = Settings(suite="logic", rules=("modus ponens", "modus tollens", "fallacy"), length="1", budget=120, each=4)
WEAK = "modus tollens"


def heard(plan, say):
    questions = [question for row in plan.rows() for question in plan.questions(row)]
    return [(one.id, 0, say(one), 0, 0) for one in questions]


def stumbles(question):
    return "neutral" if question.facets.rule == WEAK else question.facets.right


@pytest.fixture(scope="module")
def first() -> LogicPlan:
    return plan_for(SMALL)[1]


@pytest.fixture(scope="module")
def both(first) -> LogicPlan:
    aim = aim_of(Measures(first, heard(first, stumbles), 1, 0.05))
    return LogicPlan(first.source, SMALL, (aim,))


def told(plan, round_):
    places = [(index, *plan.place(index)) for row in plan.rows() for index in row]
    return {plan.told(about.number, block) for _, about, block in places if about.round == round_}


def test_the_second_round_is_about_the_weak_rule_and_half_of_it_valid(both):
    abouts = [plan_about for row in both.rows() for index in row for plan_about in [both.place(index)[0]]]
    second = [one for one in abouts if one.round == 2]
    assert both.aims[0].rules == (WEAK,)
    assert both.aims[0].why == "beyond chance"
    assert len(second) * 2 == len(abouts)
    assert {one.rule for one in second} == {WEAK}
    assert sum(one.truth == "entailed" for one in second) * 2 == len(second)


def test_no_case_comes_twice_in_two_rounds(both):
    assert not told(both, 1) & told(both, 2)


def test_the_first_round_is_what_it_was(first, both):
    assert [first.question(index) for index in range(6)] == [both.question(index) for index in range(6)]


def test_where_the_weak_are_fallacies_valid_cases_stand_beside_them(first):
    aim = aim_of(
        Measures(first, heard(first, lambda one: "valid" if one.facets.form == "valid" else "entailed"), 1, 0.05)
    )
    plan = LogicPlan(first.source, SMALL, (aim,))
    second = [plan.place(index)[0] for row in plan.rows() for index in row if plan.place(index)[0].round == 2]
    assert sum(one.truth == "entailed" for one in second) * 2 == len(second)


def test_where_none_is_weak_beyond_chance_the_lowest_bounds_are_taken(first):
    wrong = next(question for row in first.rows() for question in first.questions(row))
    say = lambda one: "neutral" if one.id == wrong.id else one.facets.right  # noqa: E731
    aim = aim_of(Measures(first, heard(first, say), 1, 0.05))
    assert aim.why == "lowest bounds"
    assert aim.rules == (wrong.facets.rule,)
    assert aim_of(Measures(first, heard(first, lambda one: one.facets.right), 1, 0.05)) is None


def test_a_chosen_rule_gets_a_fresh_figure_and_the_page_speaks_of_regression(both):
    """It stumbled in the first round only by bad luck: the fresh figure says so."""
    rows = heard(both, lambda one: stumbles(one) if one.facets.round == 1 else one.facets.right)
    found = Heard(rows=rows, record=lambda question, sample: None, who="Bot", commonest=lambda labels: None)
    report = measure(both, found, SMALL)
    table = next(one for one in report.tables if one.name == "round 2")
    chosen, fresh = table.cells[0]
    assert (chosen.value, fresh.value) == (0, 1)
    assert "regression to the mean" in table.note
    assert any("regression to the mean" in line for line in report.methods)
    assert report.headline["accuracy"].n == Measures(both, rows, 1, 0.05).accuracy().n
    assert report.headline["accuracy"].n * 2 == len(rows)


BOT = """
def answer(prompt):
    end = prompt[-220:]
    if "not" in prompt.split("Conclusion:")[-1].split("Statement:")[-1][:60]:
        return "I cannot say."
    return "follows" if "cannot be determined" in end else "valid"
"""


def test_rounds_are_asked_resumed_and_repeated_alike(cli):
    (cli.folder / "bot.py").write_text(BOT)
    flags = ("--suite", "logic", "--rules", "modus ponens,modus tollens", "--length", "1", "--each", "2",
             "--target", "python:bot:answer", "--json")  # fmt: skip
    one = cli("run", *flags, "--rounds", "2", "--out", "one")
    assert "Round 2 asks about" in one.stderr
    cli("run", *flags, "--out", "two")
    assert not (cli.folder / "two" / "rounds.json").exists()
    two = cli("run", *flags, "--rounds", "2", "--out", "two")  # goes on with the run of one round
    figures = [json.loads(done.stdout) for done in (one, two)]
    assert figures[0]["tables"] == figures[1]["tables"]
    assert figures[0]["plan"]["total"] == figures[0]["answers"]["answered"]
    kept = [(cli.folder / name / "rounds.json").read_bytes() for name in ("one", "two")]
    assert kept[0] == kept[1]
    again = cli("run", *flags, "--rounds", "2", "--out", "two")
    assert "0 answers" in again.stderr
    assert "--rounds 2" in (cli.folder / "two" / "report.html").read_text("utf-8")
    assert "cannot be merged" in cli.error("merge", "one", "two", "--out", "all")
    assert "leave out --slice" in cli.error("plan", *flags[:-3], "--rounds", "2", "--slice", "1/2")

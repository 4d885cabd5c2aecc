"""The logic suite: planted skill and planted weakness are found again, and what decides nothing is never right."""

from __future__ import annotations

import json
import re

import pytest
from scipy import stats

from asker.config import Settings
from asker.errors import InputError
from asker.run import plan_for
from asker.suites.logic.demos import demonstrations, write
from asker.suites.logic.measures import Measures, asked_as, being, category_of, fisher_below
from asker.suites.logic.plan import LogicPlan
from asker.suites.logic.source import lengths
from asker.suites.logic.tables import tables
from asker.suites.logic.words import summary

pytest.importorskip("pysat", reason="logic needs python-sat: pip install 'asker-audit[logic]'")
SMALL = Settings(suite="logic", rules=("modus ponens", "modus tollens", "fallacy"), length="1", budget=240, each=4)


@pytest.fixture(scope="module")
def plan() -> LogicPlan:
    return plan_for(SMALL)[1]


def answers(plan, say):
    """Outcomes of a chatbot that says this of each question."""
    questions = [question for row in plan.rows() for question in plan.questions(row)]
    return [(one.id, 0, say(one), 0, 0) for one in questions]


def measured(plan, say) -> Measures:
    return Measures(plan, answers(plan, say), 1, 0.05)


def test_the_right_answers_score_one(plan):
    found = measured(plan, lambda one: one.facets.right)
    assert found.accuracy().value == 1
    assert found.right_when_unsure().value == 1
    assert found.weak == []


def test_always_one_answer_scores_what_the_page_says_it_would(plan):
    found = measured(plan, lambda one: one.options[0].label)
    own = {form: found.accuracy(being(asked_as, form)).value for form in ("valid", "follows")}
    assert own == {"valid": 0.5, "follows": 0.5}
    line = next(table for table in tables(found) if table.name == "always one answer")
    assert line.rows[:2] == ("this chatbot", "always “valid”")
    assert line.cells[1][line.columns.index("valid: accuracy")].value == 0.5


def test_undecided_is_never_right_and_unreadable_is_missing(plan):
    undecided = measured(plan, lambda one: "neutral")
    assert undecided.accuracy().value == 0
    assert undecided.undecided().value == 1
    unreadable = measured(plan, lambda one: None)
    assert unreadable.accuracy().value is None
    assert unreadable.accuracy().missing == plan.total


def test_a_planted_weak_rule_is_found(plan):
    weak = "modus tollens"
    found = measured(plan, lambda one: "neutral" if one.facets.rule == weak else one.facets.right)
    assert found.weak == [weak]
    assert weak in " ".join(summary(found, "Bot"))


def test_cannot_tell_is_calibrated_by_the_truth(plan):
    """Says that it cannot be told wherever it does not follow: always found, but not always right."""
    found = measured(plan, lambda one: "entailed" if one.facets.right == "entailed" else "undetermined")
    assert found.unsure_when_right().value == 1
    share = found.right_when_unsure().value
    assert share is not None
    assert 0.5 < share < 1


def test_each_category_has_its_share(plan):
    assert plan.counts["inference"] == plan.total / 2
    assert sum(plan.counts.values()) == plan.total
    found = measured(plan, lambda one: one.facets.right)
    assert {category_of(one) for one in found.all} == set(plan.counts)


def test_proof_and_counter_model_go_with_the_question(plan):
    for question in plan.questions(next(plan.rows())):
        facets = question.facets
        assert facets.proof.startswith(facets.truth)
        assert bool(facets.model) == (facets.truth != "entailed")


def test_forms_ask_the_same_cases_in_other_words(plan):
    by_case: dict[int, set[str]] = {}
    for row in plan.rows():
        for question in plan.questions(row):
            by_case.setdefault(question.facets.case, set()).add(question.prompt)
    assert all(len(prompts) == 2 for prompts in by_case.values())


def test_slices_are_the_whole_and_do_not_overlap():
    def ids(part):
        _, plan = plan_for(Settings(suite="logic", rules=("fallacy",), length="1", each=2, budget=None, slice=part))
        return {index for row in plan.rows() for index in row}

    whole, parts = ids(None), [ids("1/3"), ids("2/3"), ids("3/3")]
    assert set().union(*parts) == whole
    assert sum(map(len, parts)) == len(whole)


@pytest.mark.parametrize(("table", "expected"), [((0, 5, 9, 10), None), ((3, 4, 2, 8), None), ((2, 2, 5, 5), 1.0)])
def test_fishers_test_is_that_of_scipy(table, expected):
    hits, n, other, m = table
    reference = stats.fisher_exact([[hits, n - hits], [other, m - other]], alternative="less").pvalue
    assert fisher_below(*table) == pytest.approx(reference)
    assert expected is None or fisher_below(*table) == expected


def test_lengths_are_read_as_people_write_them():
    assert lengths("1-3", (9,)) == (1, 2, 3)
    assert lengths("8, 1,2", (9,)) == (1, 2, 8)
    assert lengths(None, (9,)) == (9,)
    for wrong in ("0", "11", "a", "3-", "2-1"):
        with pytest.raises(InputError):
            lengths(wrong, (9,))


def test_walks_from_plan_to_page(cli):
    flags = ("--suite", "logic", "--rules", "modus ponens,fallacy", "--length", "1", "--budget", "48")
    planned = json.loads(cli("plan", *flags, "--json").stdout)
    assert planned["total"] == 48
    done = cli("run", *flags, "--target", "scripted:Answer: valid.", "--json")
    assert "Content notice" not in done.stderr
    figures = json.loads(done.stdout)
    assert figures["headline"]["accuracy"]["value"] == 0.5
    folder = cli.folder / re.search(r"kept in (\S+)", done.stderr)[1]
    page = (folder / "report.html").read_text("utf-8")
    assert "A model in which the premises are true" in page
    assert "prejudice" not in page
    again = cli("run", *flags, "--target", "scripted:Answer: valid.", "--json")
    assert "0 answers" in again.stderr
    assert json.loads(again.stdout)["tables"] == figures["tables"]


def test_wrong_settings_are_one_sentence(cli):
    assert "Did you mean 'modus ponens'" in cli.error("plan", "--suite", "logic", "--rules", "modus ponnens")
    assert "is nothing to the suite 'logic'" in cli.error("plan", "--suite", "logic", "--attributes", "gender")
    assert "is nothing to the suite 'bias'" in cli.error("plan", "--length", "3")
    assert "only where c is anything at all" in cli.error(
        "plan", "--suite", "logic", "--rules", "universal generalisation"
    )
    assert "Raise it" in cli.error("plan", "--suite", "logic", "--budget", "12")


def test_demonstrations_are_other_cases_half_of_them_valid(plan, tmp_path):
    weak = measured(plan, lambda one: "neutral" if one.facets.rule == "modus tollens" else one.facets.right)
    found = demonstrations(plan, weak, SMALL, 2)
    assert "modus tollens" in {one.rule for one in found}
    asked = {question.prompt for row in plan.rows() for question in plan.questions(row)}
    assert not asked & {one.prompt for one in found}
    valid = [one.category in ("equivalence", "inference") for one in found]
    assert abs(2 * sum(valid) - len(valid)) <= 2
    file = tmp_path / "demos.jsonl"
    file.write_bytes(write(found))
    shown = plan_for(Settings(suite="logic", length="1", budget=24, demos=str(file)))[1]
    assert all(found[0].proof in question.prompt for question in shown.questions(range(2)))

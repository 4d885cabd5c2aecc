"""Somebody else's cases: read, asked as they are, and called proven only where a proof was found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asker.config import Settings
from asker.errors import InputError
from asker.judges.rules import create
from asker.run import plan_for
from asker.suites.logic.given import read_cases
from asker.types import Item
from conftest import SHARED

pytest.importorskip("pysat", reason="logic needs python-sat: pip install 'asker-audit[logic]'")
TEXT = {"context": "Ann sings or Bob naps. Ann does not sing.", "question": "Does Bob nap?", "label": "yes"}
STATED = {"premises": ["All cats purr.", "Tom is a cat."], "statement": "Tom does not purr.", "label": "False"}
SIGNS = {"premises": ["p ∨ q", "¬p"], "conclusion": "q", "rule": "disjunctive_syllogism"}
BOTH = {
    "premises": ["All dogs bark.", "Rex barks."],
    "premises-FOL": ["∀x (Dog(x) → Bark(x))", "Bark(rex)"],
    "conclusion": "Rex is a dog.",
    "conclusion-FOL": "Dog(rex)",
    "label": "True",
}


def written(folder: Path, *lines: object) -> Path:
    file = folder / "cases.jsonl"
    file.write_text("\n".join(one if isinstance(one, str) else json.dumps(one) for one in lines), "utf-8")
    return file


def questions(file: Path, **more):
    plan = plan_for(Settings(suite="logic", cases=str(file), **more))[1]
    return plan, [question for row in plan.rows() for question in plan.questions(row)]


def test_an_authors_question_is_asked_as_it_is_and_not_called_proven(tmp_path):
    plan, (one,) = questions(written(tmp_path, TEXT))
    assert one.prompt == f"{TEXT['context']}\n\n{TEXT['question']} Answer yes or no."
    assert (one.facets.right, one.facets.proven) == ("valid", False)
    assert "not proven" in plan.about


def test_a_statement_of_which_the_kind_of_no_is_known_is_asked_both_ways(tmp_path):
    _, asked = questions(written(tmp_path, STATED))
    assert {one.facets.form: one.facets.right for one in asked} == {"valid": "invalid", "follows": "contradicted"}
    assert all("1. All cats purr." in one.prompt for one in asked)


def test_a_mere_no_is_not_asked_three_ways(tmp_path):
    _, asked = questions(written(tmp_path, STATED | {"label": "no"}))
    assert [one.facets.form for one in asked] == ["valid"]


def test_formulas_are_proven_and_put_into_words(tmp_path):
    plan, asked = questions(written(tmp_path, SIGNS))
    assert {one.facets.truth for one in asked} == {"entailed"}
    assert all(one.facets.proven and "∨" not in one.prompt for one in asked)
    assert {one.facets.rule for one in asked} == {"disjunctive syllogism"}
    _, signs = questions(written(tmp_path, SIGNS), wording=("symbols",))
    assert all("p ∨ q" in one.prompt for one in signs)
    assert "proven" in plan.about


def test_a_proof_outweighs_a_label_and_the_plan_says_so(tmp_path):
    plan, asked = questions(written(tmp_path, BOTH))
    assert {one.facets.truth for one in asked} == {"undetermined"}
    assert all("All dogs bark." in one.prompt for one in asked)
    assert any("1 cases have a label that their own formulas refute" in line for line in plan.left_out)


def test_premises_that_contradict_each_other_are_left_out(tmp_path):
    plan, asked = questions(written(tmp_path, {"premises": ["p", "¬p"], "conclusion": "q"}, SIGNS))
    assert len({one.facets.case for one in asked}) == 1
    assert "1 cases are left out" in plan.left_out[0]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 2: this is not JSON"),
        ("[1]", "line 2: this is no object"),
        (TEXT | {"label": "maybe"}, "line 2, field 'label': 'maybe' is no label; it should be yes or no"),
        ({"context": "A.", "question": "B?"}, "line 2, field 'label': is missing"),
        ({"question": "B?", "label": "yes"}, "line 2, field 'context'"),
        ({"context": 3, "question": "B?", "label": "yes"}, "line 2, field 'context': 3 should be text"),
        ({"premises": ["p ∨"], "conclusion": "q"}, "line 2, field 'premises[0]': column 4"),
        ({"premises": ["It rains."], "conclusion": "It is wet.", "label": "yes"}, "call it 'statement'"),
        ({"premises": ["R(a)", "R(a, b)"], "conclusion": "q"}, "line 2, field 'premises[1]'"),
        (TEXT | {"length": "two"}, "line 2, field 'length'"),
    ],
)
def test_a_bad_line_is_named_with_file_line_field_and_reason(tmp_path, line, said):
    with pytest.raises(InputError) as told:
        read_cases(written(tmp_path, TEXT, line))
    assert f"cases.jsonl, {said}" in str(told.value) or said in str(told.value)


def test_what_cannot_be_put_into_words_is_told(tmp_path):
    file = written(tmp_path, {"premises": ["P(f(a))"], "conclusion": "∃x P(x)"})
    with pytest.raises(InputError, match="--wording symbols"):
        questions(file)
    assert questions(file, wording=("symbols",))[1]


@given(st.binary(max_size=80) | st.dictionaries(st.sampled_from(["context", "premises", "question", "conclusion",
       "label", "length"]), st.none() | st.integers() | st.text(max_size=8) | st.lists(st.text(max_size=5)))
       .map(lambda one: json.dumps(one).encode()))  # fmt: skip
@settings(max_examples=150)
def test_any_file_is_read_or_refused_in_a_sentence(tmp_path_factory, content):
    file = tmp_path_factory.mktemp("any") / "x.jsonl"
    file.write_bytes(content)
    try:
        found = read_cases(file)
    except InputError as error:
        told = str(error)
    else:
        told = "--cases" if found else ""
    assert "--cases" in told


def test_choices_become_one_case_each(tmp_path):
    sample = {"id": 4, "context": "C.", "choices": {"choice_1": "X.", "choice_2": "Y."}, "answer": "choice_2"}
    file = tmp_path / "mcq.json"
    file.write_text(json.dumps({"type": "propositional_logic", "axiom": "modus_tollens", "samples": [sample]}))
    found = read_cases(file)
    assert [(one.statement, one.label, one.rule) for one in found] == [
        ("X.", "not entailed", "modus tollens"),
        ("Y.", "entailed", "modus tollens"),
    ]


def test_real_cases_of_logicbench():
    folder = SHARED / "logicbench"
    if not folder.is_dir():
        pytest.skip("LogicBench is not beside this checkout (shared/data/logicbench)")
    plan, asked = questions(folder, budget=40)
    assert len(asked) == 40
    assert len(plan.cases) == 560
    assert {"modus tollens", "commutation"} <= {one.given.rule for one in plan.cases}
    assert {one.truth for one in plan.cases} == {"entailed", "not entailed"}
    again = questions(folder, budget=40)[1]
    assert [one.prompt for one in again] == [one.prompt for one in asked]


def test_a_question_that_speaks_of_uncertainty_is_still_one_of_yes_and_no():
    prompt = "It is uncertain which of these is true.\n\nDoes Bob nap? Answer yes or no."
    said = create().judge(
        [Item(kind="validity", question=prompt, answer=answer) for answer in ("No.", "Yes, he does.")]
    )
    assert [one.label for one in said] == ["invalid", "valid"]


def test_a_run_over_cases_says_whose_labels_they_are(cli):
    written(cli.folder, TEXT, STATED, SIGNS)
    done = cli("run", "--suite", "logic", "--cases", "cases.jsonl", "--target", "scripted:Yes.", "--out", "r")
    assert "proven where they bring formulas, else it is their word" in done.stdout
    page = (cli.folder / "r" / "report.html").read_text("utf-8")
    assert "not proven" in page
    again = cli("run", "--suite", "logic", "--cases", "cases.jsonl", "--target", "scripted:Yes.", "--out", "r")
    assert "0 answers" in again.stderr
    refused = cli.error("plan", "--suite", "logic", "--cases", "cases.jsonl", "--length", "2")
    assert "--length is nothing to --cases" in refused

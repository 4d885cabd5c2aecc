"""Every rule is what it is said to be: a solver decides, not its name."""

from pathlib import Path

import pytest

from asker.logic.formula import is_propositional
from asker.logic.notation import show
from asker.logic.prove import prove
from asker.logic.rules import forms, rules

pytest.importorskip("pysat", reason="python-sat is not installed")
pytest.importorskip("z3", reason="z3-solver is not installed")


@pytest.mark.parametrize("rule", rules().values(), ids=lambda rule: rule.name)
def test_the_solver_says_of_each_rule_what_the_file_says(rule):
    for form in forms(rule):
        expected = "entailed" if form.valid else "undetermined"
        result = prove(form.premises, form.conclusion).result
        assert result == expected, f"{[show(one) for one in form.premises]} ⊢ {show(form.conclusion)}"


def test_every_row_of_the_thesis_is_there():
    rows = {table: [rule for rule in rules().values() if rule.table == table] for table in (11, 12, 13, 14)}
    assert {table: len(found) for table, found in rows.items()} == {11: 10, 12: 8, 13: 13, 14: 6}


def test_what_is_printed_as_a_law_and_is_none_is_marked():
    assert {rule.name: rule.status for rule in rules().values() if rule.status != "law"} == {
        "existential quantifier transposition": "left to right",
        "universal quantifier transposition": "right to left",
        "universal generalisation": "step",
        "existential instantiation": "step",
    }


def test_there_are_more_than_the_thirty_four_of_the_later_paper():
    assert len(rules()) > 34
    assert len([rule for rule in rules().values() if rule.kind == "fallacy"]) > 20


def test_a_form_is_of_the_logic_it_is_listed_under():
    for rule in rules().values():
        for form in forms(rule):
            alone = all(is_propositional(one) for one in (*form.premises, form.conclusion))
            assert alone == (form.logic == "propositional"), form


def test_all_rules_but_those_about_quantifiers_have_a_predicate_form_and_no_form_is_there_twice():
    assert all(rule.predicate for rule in rules().values())
    for rule in rules().values():
        written = [*rule.propositional, *rule.predicate]
        assert len(written) == len(set(written))


def test_the_docs_name_what_is_no_law():
    text = (Path(__file__).parents[2] / "docs" / "logic.md").read_text("utf-8")
    for rule in rules().values():
        if rule.status != "law":
            assert rule.name in text

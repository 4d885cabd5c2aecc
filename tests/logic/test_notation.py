"""Formulas as people publish them are read as they meant them, or refused with the place and a reason."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from madeformulas import first_order, propositional

from asker.logic.formula import Atom, Constant, Exists, ForAll, Variable
from asker.logic.notation import Convention, FormulaError, parse, read, show

CASES = Path(__file__).parent / "cases"


def table(name):
    lines = (CASES / name).read_text("utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines if line and not line.startswith("#")]


@settings(max_examples=150, deadline=None)
@given(propositional(12) | first_order(4), st.sampled_from(["symbols", "ascii"]))
def test_what_is_written_is_read_again(formula, style):
    assert parse(show(formula, style)) == formula


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from("PQxyab ()[]{}¬∧∨⊕→↔∀∃=≠.,:~&|-<>!?'\"^v\\\n0é中")) | st.text())
def test_any_text_is_a_formula_or_a_place_and_a_reason(text):
    try:
        formula = parse(text)
    except FormulaError as error:
        wrong = error
    else:
        assert parse(show(formula)) == formula
        return
    lines = text.split("\n")
    assert wrong.reason
    assert 1 <= wrong.line <= len(lines)
    assert 1 <= wrong.column <= len(lines[wrong.line - 1]) + 1


@pytest.mark.parametrize(("text", "meant"), table("read.tsv"))
def test_published_notations_are_read(text, meant):
    assert show(parse(text)) == meant


@pytest.mark.parametrize(("text", "column", "reason"), table("refused.tsv"))
def test_what_cannot_be_read_is_said_with_its_place(text, column, reason):
    with pytest.raises(FormulaError) as caught:
        parse(text)
    assert (caught.value.column, reason in caught.value.reason) == (int(column), True), caught.value


def test_lines_count_too():
    with pytest.raises(FormulaError, match="line 2, column 3"):
        parse("P(a) ∧\n  ∧ Q(a)")


def test_a_hostile_depth_is_refused_and_not_a_crash():
    for text in ("(" * 5000 + "p" + ")" * 5000, "¬" * 5000 + "p", "p→" * 5000 + "p", "p∧" * 5000 + "p", "P(" * 5000):
        with pytest.raises(FormulaError, match="deep"):
            parse(text)


def test_a_constant_is_not_caught_by_a_quantifier_when_written():
    formula = ForAll("x", Atom("R", (Variable("x"), Constant("x"))))
    assert show(formula) == "∀x1 R(x1, x)"


def test_predicates_may_stand_together_with_their_letters():
    reading = read("∀x(Fx → ∃y Rxy)")
    assert show(reading.formula) == "∀x (F(x) → ∃y R(x, y))"
    assert "Fx is read as F(x)" in reading.notes


def test_a_caret_is_and_with_a_note():
    reading = read("p ^ q")
    assert (show(reading.formula), bool(reading.notes)) == ("p ∧ q", True)


def test_the_same_name_can_be_bound_again():
    formula = parse("∀x (P(x) ∧ ∃x Q(x))")
    assert formula == ForAll("x", formula.body)
    assert formula.body.right == Exists("x", Atom("Q", (Variable("x"),)))


@pytest.mark.parametrize(
    ("text", "convention", "meant"),
    [
        ("∀x P(x) → Q(x)", Convention(quantifiers="wide"), "∀x (P(x) → Q(x))"),
        ("p ∨ q ⊕ r", Convention(xor="before-or"), "p ∨ (q ⊕ r)"),
        ("p ⊕ q ∨ r", Convention(xor="before-or"), "(p ⊕ q) ∨ r"),
        ("p ⊕ q ∨ r", Convention(xor="after-or"), "p ⊕ (q ∨ r)"),
        ("p ∨ q ⊕ r → s", Convention(xor="after-or"), "(p ∨ q) ⊕ r → s"),
    ],
)
def test_a_file_may_have_its_own_convention(text, convention, meant):
    assert show(read(text, convention=convention).formula) == meant


@pytest.mark.parametrize(
    "text", ["∃!x P(x)", "exists! x P(x)", "∃ !x. P(x)", "(∃!x) P(x)", r"\exists! x (P(x))", "∃₁x P(x)"]
)
def test_exactly_one_is_one_and_no_other(text):
    assert show(parse(text)) == "∃x (P(x) ∧ ∀x1 (P(x1) → x1 = x))"


def test_exactly_one_catches_no_other_variable():
    assert show(parse("∀x1 ∃!x R(x, x1)")) == "∀x1 ∃x (R(x, x1) ∧ ∀x2 (R(x2, x1) → x2 = x))"
    with pytest.raises(FormulaError, match="two readings"):
        parse("∃!x y R(x, y)")

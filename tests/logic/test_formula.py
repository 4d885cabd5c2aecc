"""Substitution, renaming and shape keep what a formula says."""

from hypothesis import given, settings
from hypothesis import strategies as st
from madeformulas import first_order, propositional

from asker.logic.formula import (
    Atom,
    Constant,
    Pattern,
    Variable,
    free_variables,
    is_propositional,
    plug,
    predicates,
    substitute,
    term_symbols,
)
from asker.logic.notation import parse, show
from asker.logic.shape import rename, shape


def test_a_quantifier_does_not_catch_what_is_put_in():
    body = parse("∀y R(x, y)")  # here x is a constant …
    body = type(body)(body.variable, Atom("R", (Variable("x"), Variable("y"))))  # … and here it is free
    assert free_variables(body) == {"x"}
    assert show(substitute(body, {"x": Variable("y")})) == "∀y1 R(y, y1)"


def test_a_bound_variable_is_not_substituted():
    formula = parse("∀x P(x)")
    assert substitute(formula, {"x": Constant("a")}) == formula


def test_formulas_can_be_put_for_propositions_and_predicates():
    rule = parse("∀x (P(x) → Q) ∧ P(c)")
    bodies = {
        "P": Pattern(("h",), Atom("R", (Variable("h"), Constant("x")))),
        "Q": Pattern((), parse("s ∨ t")),
    }
    assert show(plug(rule, bodies)) == "∀x1 (R(x1, x) → s ∨ t) ∧ R(c, x)"


def test_symbols_come_with_their_arity():
    formula = parse("∀x (Likes(x, bob) → x = mother(bob)) ∧ p")
    assert list(predicates(formula)) == [("Likes", 2), ("p", 0)]
    assert list(term_symbols(formula)) == [("bob", 0), ("mother", 1)]
    assert not is_propositional(formula)
    assert is_propositional(parse("p → ¬q"))


@settings(max_examples=100, deadline=None)
@given(propositional() | first_order(3), st.integers(0, 9))
def test_shape_forgets_names_and_nothing_else(formula, salt):
    seen = shape([formula])
    other = rename(
        formula,
        {name: f"N{salt}{name}" for name, _ in predicates(formula)},
        {name: f"n{salt}{name}" for name, _ in term_symbols(formula)},
    )
    assert shape([other]).formulas == seen.formulas
    back = rename(seen.formulas[0], seen.predicates, seen.terms)
    assert shape([back]).formulas == seen.formulas
    assert predicates(back) == predicates(formula)
    assert term_symbols(back) == term_symbols(formula)


def test_bound_variables_have_no_name_of_their_own():
    assert shape([parse("∀x ∃y R(x, y)")]).formulas == shape([parse("∀y ∃x S(y, x)")]).formulas
    assert shape([parse("∀x ∃y R(x, y)")]).formulas != shape([parse("∀y ∃x R(x, y)")]).formulas


def test_a_variable_bound_twice_stays_two_variables():
    assert shape([parse("∀x ∃x ∀y R(x, y)")]).formulas != shape([parse("∀x ∃x ∀y R(y, y)")]).formulas


def test_names_are_shared_between_the_formulas_of_a_case():
    assert shape([parse("p → q"), parse("p")]).formulas != shape([parse("p → q"), parse("q")]).formulas

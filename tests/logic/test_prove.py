"""What the prover says is so: checked by truth tables, by models, by z3 alone and by cvc5."""

from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from madeformulas import first_order, propositional

from asker.logic.formula import Not, predicates
from asker.logic.model import Model, holds, in_words
from asker.logic.notation import parse
from asker.logic.prove import prove

pytest.importorskip("pysat", reason="python-sat is not installed")
pytest.importorskip("z3", reason="z3-solver is not installed")
SLOWLY = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def proved(premises, conclusion, **how):
    return prove([parse(one) for one in premises], parse(conclusion), **how)


def by_truth_table(premises, conclusion):
    """The result by going through every row, which is what the words mean."""
    names = sorted({name for one in [*premises, conclusion] for name, _ in predicates(one)})
    seen = set()
    for row in product([True, False], repeat=len(names)):
        facts = {name: frozenset([()] if value else []) for name, value in zip(names, row, strict=True)}
        world = Model(1, facts, dict.fromkeys(names, 0))
        if all(holds(one, world) for one in premises):
            seen.add(holds(conclusion, world))
    return {(): "inconsistent", (True,): "entailed", (False,): "contradicted"}.get(tuple(seen), "undetermined")


@settings(max_examples=200, deadline=None)
@given(st.lists(propositional(4), max_size=4), propositional(4))
def test_propositional_results_are_those_of_the_truth_table(premises, conclusion):
    assert prove(premises, conclusion).result == by_truth_table(premises, conclusion)


def check_evidence(proof, premises, conclusion):
    for model, value in ((proof.model, True), (proof.counter_model, False)):
        if model is not None:
            assert all(holds(one, model) for one in premises)
            assert holds(conclusion, model) is value
            assert in_words(model) is not None
    core = [premises[place] for place in proof.core]
    if proof.result in ("entailed", "contradicted"):
        assert prove(core, conclusion).result in (proof.result, "inconsistent")
    if proof.result == "inconsistent":
        assert prove(core, parse("⊥")).result == "inconsistent"
    if proof.result == "undetermined":
        assert proof.model is not None
        assert proof.counter_model is not None


@SLOWLY
@given(st.lists(first_order(3), max_size=3), first_order(3))
def test_a_second_solver_comes_to_the_same_result(premises, conclusion):
    cvc5 = pytest.importorskip("secondopinion", reason="cvc5 is not installed", exc_type=ImportError)
    proof = prove(premises, conclusion, effort=100_000)
    check_evidence(proof, premises, conclusion)
    other = cvc5.second_opinion(premises, conclusion)
    assert "unknown" in (proof.result, other) or proof.result == other


@SLOWLY
@given(st.lists(first_order(3, functions=False), max_size=3), first_order(3, functions=False))
def test_with_a_bound_on_the_domain_z3_agrees(premises, conclusion):
    from asker.logic import smt

    proof = prove(premises, conclusion)
    claimed = smt.check([*premises, conclusion], 100_000, 5)
    denied = smt.check([*premises, Not(conclusion)], 100_000, 5)
    possible = {"entailed": ("sat", "unsat"), "contradicted": ("unsat", "sat"), "inconsistent": ("unsat", "unsat")}
    for said, should in zip((claimed, denied), possible.get(proof.result, ("sat", "sat")), strict=True):
        assert said in (should, "unknown") or proof.result == "unknown"


@pytest.mark.parametrize(
    ("premises", "conclusion", "result"),
    [
        (["∀x P(x)"], "∃x P(x)", "entailed"),  # the domain is not empty
        (["∀x (A(x) → B(x))"], "∃x (A(x) ∧ B(x))", "undetermined"),  # no existential import
        (["P(a)"], "P(b)", "undetermined"),
        ([], "a = b", "undetermined"),  # names may name the same thing
        (["a = b", "P(a)"], "P(b)", "entailed"),
        (["P(a)", "¬P(b)"], "a = b", "contradicted"),
        (["∃x ∀y R(x, y)"], "∀y ∃x R(x, y)", "entailed"),
        (["∀y ∃x R(x, y)"], "∃x ∀y R(x, y)", "undetermined"),
        (["∀x ∃y R(x, y)", "∀x ∀y (R(x, y) → P(y))"], "∃x P(x)", "entailed"),
        (["P(a)", "¬P(a)"], "Q(a)", "inconsistent"),
        (["P(a)", "¬P(a)"], "P(a)", "inconsistent"),
        (["∀x f(f(x)) = x", "f(a) = b"], "f(b) = a", "entailed"),
        (["a ≠ b", "b ≠ c", "a ≠ c", "∀x (x = a ∨ x = b)"], "p", "inconsistent"),
        (["∃x ∃y x ≠ y"], "∃x ∃y ∃z (x ≠ y ∧ y ≠ z ∧ x ≠ z)", "undetermined"),
        ([], "∃x (D(x) → ∀y D(y))", "entailed"),  # somebody of whom it holds: if he drinks, all do
        ([], "∃x ∀y (S(x, y) ↔ ¬S(y, y))", "contradicted"),  # the barber
        ([], "p ∨ ¬p", "entailed"),
        (["p"], "⊥", "contradicted"),
    ],
)
def test_the_semantics_are_those_of_the_method(premises, conclusion, result):
    assert proved(premises, conclusion).result == result


def test_no_premise_of_a_core_is_idle():
    proof = proved(["r", "p → q", "s ∧ r", "p", "q → t"], "q")
    assert (proof.result, proof.core) == ("entailed", (1, 3))


def test_nor_where_identity_makes_the_solver_go_through_sizes():
    proof = proved(["a ≠ b", "b ≠ c", "p", "∀x (x = a ∨ x = b ∨ x = c)", "R(a, b)"], "∃x ∃y x ≠ y")
    assert (proof.result, len(proof.core)) == ("entailed", 1)


def test_names_name_different_things_in_a_model_where_they_can():
    proof = proved(["Likes(ann, bob)", "∃x x ≠ ann"], "Likes(bob, ann)")
    assert in_words(proof.counter_model) == "things ann, bob; Likes: (ann, bob)"


def test_what_only_an_infinite_world_satisfies_is_unknown_and_never_undetermined():
    order = ["∀x ∃y R(x, y)", "∀x ¬R(x, x)", "∀x ∀y ∀z (R(x, y) ∧ R(y, z) → R(x, z))"]
    assert proved(order, "p", effort=20_000).result == "unknown"


def test_what_follows_from_such_premises_is_said_with_its_doubt():
    order = ["∀x ∃y R(x, y)", "∀x ¬R(x, x)", "∀x ∀y ∀z (R(x, y) ∧ R(y, z) → R(x, z))", "p"]
    proof = proved(order, "p ∨ q", effort=20_000)
    assert (proof.result, proof.core) == ("entailed", (3,))
    assert "not settled" in proof.note


def test_a_counter_model_speaks_of_the_names_in_the_question():
    proof = proved(["∃x Tall(x)"], "Tall(ann)")
    assert in_words(proof.counter_model) == "things ann, thing2; Tall: thing2"


def test_names_do_not_matter():
    first = proved(["∀x (Man(x) → Mortal(x))", "Man(socrates)"], "Mortal(socrates)")
    second = proved(["∀z (Cat(z) → Small(z))", "Cat(tom)"], "Small(tom)")
    assert (first.result, first.core) == (second.result, second.core)
    assert in_words(first.model) == "things socrates; Man: socrates; Mortal: socrates"
    assert in_words(second.model) == "things tom; Cat: tom; Small: tom"

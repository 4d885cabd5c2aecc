"""Formulas of one argument are read together."""

import pytest

from asker.logic.argument import ArgumentError, read_argument
from asker.logic.notation import show


def test_one_name_with_two_arities_is_an_error_with_its_place():
    with pytest.raises(ArgumentError) as caught:
        read_argument(["P(a)", "Q(b) ∧ P(a, b)"], "Q(a)")
    assert (caught.value.field, caught.value.column) == ("premises[1]", 8)
    assert "2 arguments here, 1 argument in premises[0]" in caught.value.reason


@pytest.mark.parametrize("texts", [["P", "P(a)"], ["Q(f(a))", "Q(f)"], ["Q(f(a))", "Q(f(a, b))"], ["P(a) ∧ P(a, b)"]])
def test_that_holds_for_statements_and_functions_too(texts):
    with pytest.raises(ArgumentError, match="give them two names"):
        read_argument(texts, "q")


def test_a_name_no_quantifier_binds_is_a_constant_and_said_so_where_it_is_quantified_elsewhere():
    read = read_argument(["∀x (P(x) → Q(x))", "P(x)"], "Q(x)")
    assert [note.split(":")[0] for note in read.notes] == ["premises[1]", "conclusion"]
    assert read_argument(["∀x P(x)"], "P(tom)").notes == ()


def test_letters_that_stand_together_are_read_alike_in_all_formulas():
    read = read_argument(["Fa", "∀x(Fx → Gx)"], "Ga")
    assert [show(one) for one in (*read.premises, read.conclusion)] == ["F(a)", "∀x (F(x) → G(x))", "G(a)"]


def test_a_name_like_them_that_nothing_explains_is_a_statement():
    read = read_argument(["Fa → Gb"], "Fa")
    assert show(read.premises[0]) == "Fa → Gb"


def test_the_error_tells_which_formula():
    with pytest.raises(ArgumentError) as caught:
        read_argument(["p", "p →"], "q")
    assert (caught.value.field, caught.value.column) == ("premises[1]", 4)
    with pytest.raises(ArgumentError) as caught:
        read_argument(["p"], ")")
    assert caught.value.field == "conclusion"

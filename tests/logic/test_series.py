"""Sets of cases: what they promise whatever the seed, and that no sentence says two things."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from random import Random

import pytest

from asker.errors import InputError
from asker.logic.formula import And, Atom, Exists, ForAll, Formula, Iff, Implies, Not, Or, Variable, Xor
from asker.logic.generate import TRUTH, Toolbox, Wish, draw, plain
from asker.logic.matching import Bindings, fill, match
from asker.logic.notation import parse
from asker.logic.prove import prove
from asker.logic.rules import forms, rules
from asker.logic.series import CATEGORIES, DOZEN, Series, dozen
from asker.logic.vocabulary import Choice, choose, symbols_of
from asker.logic.wording import told
from asker.logic.wording.chinese import Chinese
from asker.logic.wording.english import English

pytest.importorskip("pysat", reason="logic needs python-sat: pip install 'asker-audit[logic]'")
EVERY = list(rules().values())
NAMES = (
    "modus ponens",
    "double negation",
    "negation of the universal quantifier",
    "existential quantifier commutation",
    "hasty generalisation",
    "De Morgan's laws",
)
SOME = [rules()[name] for name in NAMES]


@pytest.fixture(scope="module")
def series() -> Series:
    return Series(EVERY, lengths=(1, 2, 4), seed=3)


def cases(series: Series, count: int):
    return [series.case(number).case for number in range(count)]


def test_shares_are_those_of_the_method(series):
    assert Counter(dozen(CATEGORIES)) == {
        "equivalence": 3,
        "inference": 3,
        "contradiction": 2,
        "fallacy": 2,
        "unrelated": 2,
    }
    drawn = Counter(case.wish.category for case in cases(series, 4 * DOZEN))
    assert drawn == {"equivalence": 12, "inference": 12, "contradiction": 8, "fallacy": 8, "unrelated": 8}


def test_half_stay_valid_when_categories_are_left_out():
    assert Counter(dozen(["inference", "fallacy"])) == {"inference": 6, "fallacy": 6}
    assert set(dozen(["fallacy"])) == {"fallacy"}


def test_the_solver_agrees_with_every_category_and_each_premise_has_its_part(series):
    for case in cases(series, 4 * DOZEN):
        proof = prove(case.premises, case.conclusion)
        assert proof.result == TRUTH[case.wish.category]
        assert case.conclusion not in case.premises
        needed = set(range(len(case.premises))) - set(case.distractors)
        assert set(proof.core) <= needed or proof.result == "undetermined"


def test_a_second_solver_agrees(series):
    cvc5 = pytest.importorskip("secondopinion", reason="cvc5 is not installed", exc_type=ImportError)
    for case in cases(series, 4 * DOZEN):
        said = cvc5.second_opinion(case.premises, case.conclusion)
        assert said in (TRUTH[case.wish.category], "unknown"), case.wish


def test_length_is_the_number_of_steps(series):
    for case in cases(series, 2 * DOZEN):
        assert len(case.steps) == case.wish.length
        assert case.wish.rule in case.rules


def test_a_case_needs_no_other_case_before_it(series):
    alone = Series(EVERY, lengths=(1, 2, 4), seed=3)
    assert alone.case(29) == series.case(29)
    assert Series(EVERY, lengths=(1, 2, 4), seed=4).case(29) != series.case(29)


@pytest.mark.parametrize(("wording", "language"), [("words", "en"), ("words", "zh"), ("symbols", "en")])
def test_no_case_comes_twice_not_even_of_rules_with_few_words(wording, language):
    series = Series(SOME, lengths=(1, 2), each=30, seed=1)
    assert series.total > 300
    seen: set[object] = set()
    for number in range(series.total):
        found = series.case(number)
        case = found.case
        said = told(case.formulas, case.symbols, wording, language, found.words, key=7)
        assert said not in seen, (number, case.wish)
        seen.add(said)


def test_what_cannot_be_drawn_is_said_in_a_sentence():
    series = Series([rules()["negation of the universal quantifier"]], categories=["equivalence"], lengths=(6,))
    with pytest.raises(InputError, match="no equivalence case of length 6"):
        series.case(0)


def test_ten_steps_can_be_drawn():
    tools = Toolbox(EVERY)
    wish = Wish("inference", "modus ponens", "propositional", 10)
    drawn = (draw(wish, tools, Random(seed)) for seed in range(40))
    assert len(next(case for case in drawn if case).steps) == 10


# --- rules in formulas


@pytest.mark.parametrize("form", [form for rule in EVERY for form in forms(rule)], ids=lambda form: form.rule)
def test_a_rule_is_found_in_itself(form):
    found = match(form.conclusion, form.conclusion, Bindings())
    if found is not None:  # an identity is no pattern
        assert fill(form.conclusion, found) == form.conclusion


def test_what_a_letter_stands_for_is_found_under_quantifiers():
    found = match(parse("∀x (P(x) → Q(x))"), parse("∀y (A(y) ∧ B(y) → ¬C(y))"), Bindings())
    assert found is not None
    assert fill(parse("∀x (¬Q(x) → ¬P(x))"), found) == parse("∀x (¬¬C(x) → ¬(A(x) ∧ B(x)))")
    assert match(parse("∀x P(x)"), parse("∀y R(a, b)"), Bindings()) is None, "what does not speak of y is no P(y)"


# --- words


def two(kind: str) -> list[Formula]:
    x = Variable("x")
    return [Atom("P0"), Atom("P1")] if kind == "statements" else [Atom("P0", (x,)), Atom("P1", (x,))]


def nested(atoms: list[Formula]) -> list[Formula]:
    """Every formula of these atoms with up to two connectives, and denials between them."""
    literals = [*atoms, *(Not(one) for one in atoms)]
    once = [make(a, b) for make in (And, Or, Xor, Implies, Iff) for a, b in product(literals, repeat=2) if a != b]
    parts = [*literals, *once[::3], *(Not(one) for one in once[::3])]
    twice = [make(a, b) for make in (And, Or, Xor, Implies, Iff) for a, b in product(parts, atoms)]
    swapped = [make(b, a) for make in (And, Or, Xor, Implies, Iff) for a, b in product(parts, atoms)]
    return list(dict.fromkeys([*parts, *twice, *swapped, *(Not(one) for one in twice[::2])]))


CHOICE = Choice({"P0": (0, 3), "P1": (46, None)}, {"P0": 0, "P1": 33}, {}, {})


@pytest.mark.parametrize("grammar", [English(CHOICE, False, False), English(CHOICE, True, True), Chinese(CHOICE, True)])
def test_no_two_formulas_are_said_alike(grammar):
    statements = nested(two("statements"))
    bodies = nested(two("properties"))
    quantified = [make("x", one) for make in (ForAll, Exists) for one in bodies]
    mixed = [make(one, Atom("P1")) for make in (And, Or, Iff) for one in quantified[:80]]
    inside = [
        make("x", join(one, Atom("P1"))) for make in (ForAll, Exists) for join in (And, Or, Iff) for one in bodies[:40]
    ]
    quantified = [one for one in quantified if not (isinstance(one.body, Not) and isinstance(grammar, English))]
    said: dict[str, Formula] = {}
    for formula in (*statements, *quantified, *mixed, *inside):
        sentence = grammar.sentence(formula)
        assert said.setdefault(sentence, formula) == formula, sentence
        assert sentence.count("(") == sentence.count(")")


def test_a_case_keeps_its_tense(series):
    for number in range(3 * DOZEN):
        found = series.case(number)
        said = told(found.case.formulas, found.case.symbols, "words", "en", found.words, key=11)
        text = " ".join((*said.premises, said.conclusion))
        past, present = re.search(r"\b(was|did)\b", text), re.search(r"\b(is|does)\b", text)
        assert not (past and present), text


def test_no_word_comes_twice_in_a_case():
    symbols = symbols_of((parse("p & q -> (r | s)"), parse("t & u")))
    for number in range(200):
        chosen = choose(symbols, number, 5)
        traits = [trait for trait, _ in chosen.statements.values()]
        people = [person for _, person in chosen.statements.values() if person is not None]
        assert len(set(traits)) == len(traits)
        assert len(set(people)) == len(people)


def test_joining_a_statement_with_itself_is_not_plain():
    assert not plain(parse("p & p"))
    assert not plain(parse("q -> (p | ~p)"))
    assert plain(parse("p -> ~p"))

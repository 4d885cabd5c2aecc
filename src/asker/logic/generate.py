"""Cases: premises, a conclusion, and what a solver says of them (METHOD 2).

A category says what the solver must find; what it finds otherwise, or cannot settle, is drawn again. So no label rests
on a rule's name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Literal

import msgspec

from asker.logic.derivation import MOST_SYMBOLS, Derivation, Growing, Step, joined, readable, symbols
from asker.logic.formula import (
    And,
    Atom,
    Binary,
    Constant,
    ForAll,
    Formula,
    Implies,
    Not,
    Or,
    Quantified,
    Variable,
    is_propositional,
    parts,
    substitute,
    term_symbols,
)
from asker.logic.prove import Proof, Result, prove
from asker.logic.rules import Form, Logic, Rule, forms
from asker.logic.shape import rename, shape
from asker.logic.vocabulary import Symbols, symbols_of

Category = Literal["equivalence", "inference", "contradiction", "fallacy", "unrelated"]
TRUTH: dict[Category, Result] = {
    "equivalence": "entailed",
    "inference": "entailed",
    "contradiction": "contradicted",
    "fallacy": "undetermined",
    "unrelated": "undetermined",
}
ITSELF = 0.2  # share of contradictions whose conclusion contradicts itself (table 18)
MOST_PEOPLE = 5
MOST_RELATIONS = 3


class Wish(msgspec.Struct, frozen=True):
    """What a case should be."""

    category: Category
    rule: str
    logic: Logic
    length: int
    distractors: int = 0  # at most


class Case(msgspec.Struct, frozen=True):
    """Premises and a conclusion with names in order of appearance, and what is proven of them."""

    wish: Wish
    premises: tuple[Formula, ...]
    conclusion: Formula
    steps: tuple[Step, ...]  # how it was built; of a fallacy one step is none
    distractors: tuple[int, ...]  # which premises only distract
    proof: Proof

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(step.rule for step in self.steps)

    @property
    def formulas(self) -> tuple[Formula, ...]:
        return (*self.premises, self.conclusion)

    @property
    def symbols(self) -> Symbols:
        return symbols_of(self.formulas)


class Toolbox:
    """The rules that may be used, sorted by what they are good for."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = {rule.name: rule for rule in rules}
        kept = [form for rule in self.rules.values() for form in usable(rule)]
        self._forms: dict[tuple[str, Logic], list[Form]] = {}
        for form in kept:
            self._forms.setdefault((form.rule, form.logic), []).append(form)
        valid = [form for form in kept if form.valid and not is_odd(form)]
        simple = [form for form in valid if form.logic == "propositional"]
        self._steps: dict[Logic, list[Form]] = {"propositional": simple, "predicate": valid}
        self._homes: dict[tuple[Formula, ...], str] = {}
        for form in kept:
            self._homes.setdefault(shape([*form.premises, form.conclusion]).formulas, form.rule)

    def forms(self, rule: str, logic: Logic) -> list[Form]:
        return self._forms.get((rule, logic), [])

    def steps(self, logic: Logic) -> list[Form]:
        """What a derivation may go on with."""
        return self._steps[logic]

    def is_home(self, step: Step) -> bool:
        """Whether its rule is the first that has this form."""
        return self._homes.get(shape([*step.premises, step.conclusion]).formulas) == step.rule


def usable(rule: Rule) -> list[Form]:
    """The forms of a rule that can be asked: of laws and of fallacies, but not of what is only printed as a law, and
    none that says the same again."""
    if rule.status != "law":
        return []
    return [form for form in forms(rule) if not _repeats(form)]


def _repeats(form: Form) -> bool:
    *premises, conclusion = shape([*form.premises, form.conclusion]).formulas
    return conclusion in premises


def is_odd(form: Form) -> bool:
    """Something is joined with itself or its denial, as in Q ∨ ¬Q, which may leave a premise idle: good to be asked
    once, but no step on the way to something else."""
    return not all(plain(one) for one in (*form.premises, form.conclusion))


def constants(formulas: Sequence[Formula]) -> list[str]:
    return list(dict.fromkeys(name for one in formulas for name, arity in term_symbols(one) if not arity))


def draw(wish: Wish, tools: Toolbox, rng: Random, *, varied: bool = False, crowded: bool = False) -> Case | None:
    """One attempt at such a case. `varied`: compound statements too; `crowded`: with at least one distractor."""
    growing = Growing(tools.steps(wish.logic), rng)
    form = rng.choice(tools.forms(wish.rule, wish.logic))
    grow = growing.inference if form.kind in ("inference", "fallacy") else growing.equivalence
    derived = grow(form, wish.length, varied)
    if derived is None:
        return None
    needed, conclusion = _argument(wish, derived, growing)
    extra = _distractors(wish, needed, growing, crowded) or ([] if needed else [_fact(needed, growing)])
    premises = joined(needed, extra)
    if len(premises) != len(needed) + len(extra) or conclusion in premises:
        return None
    odd = is_odd(form)
    return _checked(wish, rng.sample(premises, len(premises)), conclusion, derived, frozenset(extra), odd)


def _argument(wish: Wish, derived: Derivation, growing: Growing) -> tuple[tuple[Formula, ...], Formula]:
    """The premises and the conclusion of this category."""
    premises, conclusion = derived.premises, derived.conclusion
    if wish.category == "contradiction":
        if growing.rng.random() < ITSELF and len(premises) <= 2:
            return (), _all([*premises, denied(conclusion)])
        return premises, denied(conclusion)
    if wish.category == "unrelated":
        return premises, _elsewhere(premises, conclusion, growing)
    return premises, conclusion


def denied(formula: Formula) -> Formula:
    return formula.body if isinstance(formula, Not) else Not(formula)


def _all(formulas: Sequence[Formula]) -> Formula:
    first, *rest = formulas
    for one in rest:
        first = And(first, one)
    return first


def _elsewhere(premises: Sequence[Formula], conclusion: Formula, growing: Growing) -> Formula:
    """The conclusion about something else: all its statements, or one, taken from elsewhere."""
    rng = growing.rng
    mine = list(symbols([conclusion]))
    if not mine:  # an identity: of somebody else
        return rename(conclusion, {}, {rng.choice(constants([conclusion])): growing.names.new("c")})
    chosen = mine if rng.random() < 0.4 else [rng.choice(mine)]
    known = list(symbols(premises))
    renaming: dict[str, str] = {}
    for name, arity in chosen:
        others = [one for one, size in known if size == arity and one != name and one not in renaming.values()]
        fresh = growing.names.new("P" if arity else "p")
        renaming[name] = rng.choice(others) if others and len(chosen) == 1 and rng.random() < 0.5 else fresh
    return rename(conclusion, renaming, {})


# --- distractors


def _distractors(wish: Wish, premises: Sequence[Formula], growing: Growing, crowded: bool) -> list[Formula]:
    count = growing.rng.randint(0, wish.distractors)
    return [_fact(premises, growing) for _ in range(max(count, int(crowded)))]


def _fact(premises: Sequence[Formula], growing: Growing) -> Formula:
    """Something true besides, about new things or partly about those of the premises."""
    rng = growing.rng
    if all(is_propositional(one) for one in premises):
        known = [Atom(name) for name, arity in symbols(premises) if not arity]
        first, second = Atom(growing.names.new("p")), Atom(growing.names.new("p"))
        left = rng.choice(known) if known and rng.random() < 0.4 else first
        return rng.choice((first, Not(first), Implies(left, second), Or(left, second)))
    named = constants(premises)
    person = Constant(rng.choice(named) if named and rng.random() < 0.6 else growing.names.new("c"))
    one, other = growing.names.new("P"), growing.names.new("P")
    if rng.random() < 0.5:
        return rng.choice((Atom(one, (person,)), Not(Atom(one, (person,)))))
    x = Variable("x")
    return ForAll("x", Implies(Atom(one, (x,)), Atom(other, (x,))))


# --- what the solver says


def _checked(
    wish: Wish,
    premises: Sequence[Formula],
    conclusion: Formula,
    derived: Derivation,
    extra: frozenset[Formula],
    odd: bool,
) -> Case | None:
    """The case in canonical names, if the solver agrees with its category and every premise has its part."""
    every = (*premises, conclusion)
    if not _sizable(every) or not all(readable(one) and (odd or plain(one)) for one in every):
        return None
    if all(is_propositional(one) for one in every) != (wish.logic == "propositional"):
        return None
    case = _canonical(wish, premises, conclusion, derived.steps, extra)
    proof, needed = case.proof, set(range(len(premises))) - set(case.distractors)
    if proof.result != TRUTH[wish.category] or proof.note:
        return None
    idle = odd and wish.length == 1 and set(proof.core) <= needed  # in a longer one whole steps might be idle
    if proof.result != "undetermined" and not (set(proof.core) == needed or idle):
        return None
    said = {case.conclusion, denied(case.conclusion)}  # by a roundabout way a derivation may come back to a premise
    repeated = bool(said & set(case.premises)) or len(set(case.premises)) < len(case.premises)
    return None if repeated else case


def _sizable(formulas: tuple[Formula, ...]) -> bool:
    found = symbols_of(formulas)
    traits = len(found.statements) + len(found.properties)
    return traits <= MOST_SYMBOLS and len(found.people) <= MOST_PEOPLE and len(found.relations) <= MOST_RELATIONS


def plain(formula: Formula) -> bool:
    """No statement joined with itself or with its own denial: p ∧ p is no news."""
    if isinstance(formula, Binary):
        left, right = formula.left, formula.right
        if left == right or (denied(left) == right and not isinstance(formula, Implies)):
            return False
    return all(plain(part) for part in parts(formula))


def _canonical(
    wish: Wish, premises: Sequence[Formula], conclusion: Formula, steps: Sequence[Step], extra: frozenset[Formula]
) -> Case:
    seen = shape([*premises, conclusion])
    predicates = {name: canonical for canonical, name in seen.predicates.items()}
    terms = {name: canonical for canonical, name in seen.terms.items()}

    def named(formula: Formula) -> Formula:
        return tidy(rename(formula, predicates, terms))

    done = [tidy(one) for one in seen.formulas]
    told = tuple(Step(one.rule, tuple(map(named, one.premises)), named(one.conclusion)) for one in steps)
    distracting = tuple(place for place, one in enumerate(premises) if one in extra)
    return Case(wish, tuple(done[:-1]), done[-1], told, distracting, prove(done[:-1], done[-1]))


def tidy(formula: Formula, level: int = 0) -> Formula:
    """Bound variables called x, y, z by how deep their quantifier lies."""
    if isinstance(formula, Quantified):
        name = "xyzuvw"[level % 6]
        renamed = (
            substitute(formula.body, {formula.variable: Variable(name)}) if name != formula.variable else formula.body
        )
        return type(formula)(name, tidy(renamed, level + 1))
    if isinstance(formula, Not):
        return Not(tidy(formula.body, level))
    if isinstance(formula, Binary):
        return type(formula)(tidy(formula.left, level), tidy(formula.right, level))
    return formula

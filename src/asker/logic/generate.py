"""Cases: premises, a conclusion, and what a solver says of them (METHOD 2).

A category says what the solver must find; what it finds otherwise, or cannot settle, is drawn again. So no label rests
on a rule's name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
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
    term_symbols,
)
from asker.logic.prove import Proof, Result, prove
from asker.logic.rules import Rule
from asker.logic.shape import rename, shape

Category = Literal["equivalence", "inference", "contradiction", "fallacy", "unrelated"]
TRUTH: dict[Category, Result] = {
    "equivalence": "entailed",
    "inference": "entailed",
    "contradiction": "contradicted",
    "fallacy": "undetermined",
    "unrelated": "undetermined",
}
ATTEMPTS = 400
ITSELF = 0.2  # share of contradictions whose conclusion contradicts itself (table 18)
POOLS = {0: 53, 1: 45, 2: 6}  # words there are for a proposition, a predicate, a relation
PEOPLE = 20


class Wish(msgspec.Struct, frozen=True):
    """What a case should be."""

    category: Category
    rule: str
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
    def logic(self) -> str:
        return "propositional" if all(is_propositional(one) for one in self.formulas) else "predicate"

    @property
    def room(self) -> int:
        """How many cases of this shape there are that differ in their words, at least."""
        arities = [arity for _, arity in symbols(self.formulas)]
        words = prod(POOLS[arity] - place for place, arity in enumerate(sorted(arities, reverse=True)))
        named = bool(constants(self.formulas)) or not any(arities)  # of single statements the first is about a person
        return words * PEOPLE if named else words


def constants(formulas: Sequence[Formula]) -> list[str]:
    return list(dict.fromkeys(name for one in formulas for name, arity in term_symbols(one) if not arity))


def draw(wish: Wish, rules: Mapping[str, Rule], rng: Random, varied: bool, crowded: bool = False) -> Case | None:
    """One attempt at such a case. `varied`: compound statements too; `crowded`: with at least one distractor."""
    growing = Growing(list(rules.values()), rng)
    derived = _derived(wish, rules[wish.rule], growing, varied)
    if derived is None:
        return None
    needed, conclusion = _argument(wish, derived, growing)
    extra = _distractors(wish, needed, growing, crowded)
    if wish.category == "contradiction" and not needed and not extra:
        extra = [_fact(needed, growing)]
    premises = joined(needed, extra)
    if len(premises) != len(needed) + len(extra) or conclusion in premises:
        return None
    return _checked(wish, premises, conclusion, derived, frozenset(extra), rng)


def _derived(wish: Wish, rule: Rule, growing: Growing, varied: bool) -> Derivation | None:
    grow = growing.equivalence if rule.kind == "equivalence" else growing.inference
    return grow(rule, wish.length, varied)


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
    chosen = mine if rng.random() < 0.4 else [rng.choice(mine)]
    known = list(symbols(premises))
    renaming = {}
    for name, arity in chosen:
        others = [one for one, size in known if size == arity and one != name and one not in renaming.values()]
        fresh = growing.names.new("P" if arity else "p")
        renaming[name] = rng.choice(others) if others and len(chosen) == 1 and rng.random() < 0.5 else fresh
    return rename(conclusion, renaming, {})


# --- distractors ---------------------------------------------------------------------------------------------------------


def _distractors(wish: Wish, premises: Sequence[Formula], growing: Growing, crowded: bool) -> list[Formula]:
    count = growing.rng.randint(0, wish.distractors)
    return [_fact(premises, growing) for _ in range(max(count, int(crowded)))]


def _fact(premises: Sequence[Formula], growing: Growing) -> Formula:
    """Something true besides, about new things or partly about those of the premises."""
    rng = growing.rng
    named = constants(premises)
    arity = 0 if all(is_propositional(one) for one in premises) else 1
    one, other = (growing.names.pattern(arity) for _ in range(2))
    if arity == 0:
        known = [Atom(name) for name, size in symbols(premises) if not size]
        left = rng.choice(known) if known and rng.random() < 0.4 else one.body
        return rng.choice((one.body, Not(one.body), Implies(left, other.body), Or(left, other.body)))
    person = rng.choice(named) if named and rng.random() < 0.6 else growing.names.constant()
    if rng.random() < 0.5:
        fact = Atom(one.body.name, (Constant(person),)) if isinstance(one.body, Atom) else one.body
        return rng.choice((fact, Not(fact)))
    first, second = (Atom(body.name, (Variable("x"),)) for body in (one.body, other.body) if isinstance(body, Atom))
    return ForAll("x", Implies(first, second))


# --- what the solver says ------------------------------------------------------------------------------------------------


def _checked(
    wish: Wish,
    premises: tuple[Formula, ...],
    conclusion: Formula,
    derived: Derivation,
    extra: frozenset[Formula],
    rng: Random,
) -> Case | None:
    """The case in canonical names, if the solver agrees with its category and every premise has its part."""
    order = rng.sample(premises, len(premises))
    if len(symbols([*order, conclusion])) > MOST_SYMBOLS or len(constants([*order, conclusion])) > 6:
        return None
    if not all(readable(one) and _plain(one) for one in (*order, conclusion)):
        return None
    distracting = tuple(place for place, one in enumerate(order) if one in extra)
    proof = prove(order, conclusion)
    needed = set(range(len(order))) - set(distracting)
    if proof.result != TRUTH[wish.category] or proof.note:
        return None
    if proof.result != "undetermined" and set(proof.core) != needed:
        return None
    return _canonical(wish, order, conclusion, derived.steps, distracting)


def _plain(formula: Formula) -> bool:
    """No statement joined with itself or its own denial, and no quantifier that binds nothing: p ∧ p is no news."""
    if isinstance(formula, Binary) and not isinstance(formula, Implies):
        left, right = formula.left, formula.right
        if left == right or denied(left) == right:
            return False
    elif isinstance(formula, Binary) and formula.left == formula.right:
        return False
    return all(_plain(part) for part in parts(formula))


def _canonical(
    wish: Wish, premises: Sequence[Formula], conclusion: Formula, steps: Sequence[Step], distracting: tuple[int, ...]
) -> Case:
    seen = shape([*premises, conclusion])
    predicates = {name: canonical for canonical, name in seen.predicates.items()}
    terms = {name: canonical for canonical, name in seen.terms.items()}

    def named(formula: Formula) -> Formula:
        return tidy(rename(formula, predicates, terms))

    done = [tidy(one) for one in seen.formulas]
    told = tuple(Step(s.rule, tuple(named(p) for p in s.premises), named(s.conclusion)) for s in steps)
    return Case(wish, tuple(done[:-1]), done[-1], told, distracting, prove(done[:-1], done[-1]))


def tidy(formula: Formula, level: int = 0) -> Formula:
    """Bound variables called x, y, z by how deep their quantifier lies."""
    if isinstance(formula, Quantified):
        from asker.logic.formula import substitute

        name = "xyzuvw"[level] if level < 6 else f"x{level}"
        body = substitute(formula.body, {formula.variable: Variable(name)}) if name != formula.variable else formula.body
        return type(formula)(name, tidy(body, level + 1))
    if isinstance(formula, Not):
        return Not(tidy(formula.body, level))
    if isinstance(formula, Binary):
        return type(formula)(tidy(formula.left, level), tidy(formula.right, level))
    return formula

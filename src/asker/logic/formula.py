"""Formulas of propositional and first-order logic: small, typed, immutable, and equal when they are written alike.

A proposition is an atom without arguments. A name that no quantifier binds is a constant (METHOD 2); `Variable` is for
bound ones, and for the parts of a formula that has been taken apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

import msgspec


class _Node(msgspec.Struct, frozen=True, cache_hash=True, gc=False, tag=str.lower, tag_field="is"):
    pass


class Variable(_Node, frozen=True):
    name: str


class Constant(_Node, frozen=True):
    name: str


class Function(_Node, frozen=True):
    """A term made of terms, as in P(father(x))."""

    name: str
    args: tuple[Term, ...]


class Truth(_Node, frozen=True):
    """⊤ or ⊥."""

    value: bool


class Atom(_Node, frozen=True):
    name: str
    args: tuple[Term, ...] = ()


class Equal(_Node, frozen=True):
    left: Term
    right: Term


class Not(_Node, frozen=True):
    body: Formula


class Binary(_Node, frozen=True):
    left: Formula
    right: Formula


class And(Binary, frozen=True):
    pass


class Or(Binary, frozen=True):
    """One or the other or both."""


class Xor(Binary, frozen=True):
    """One or the other, not both."""


class Implies(Binary, frozen=True):
    pass


class Iff(Binary, frozen=True):
    pass


class Quantified(_Node, frozen=True):
    variable: str
    body: Formula


class ForAll(Quantified, frozen=True):
    pass


class Exists(Quantified, frozen=True):
    pass


Term: TypeAlias = Variable | Constant | Function
Formula: TypeAlias = Truth | Atom | Equal | Not | And | Or | Xor | Implies | Iff | ForAll | Exists
Symbol: TypeAlias = tuple[str, int]  # name and arity


def parts(formula: Formula) -> tuple[Formula, ...]:
    """The formulas right inside this one."""
    if isinstance(formula, Binary):
        return (formula.left, formula.right)
    if isinstance(formula, Not | Quantified):
        return (formula.body,)
    return ()


def walk(formula: Formula) -> Iterator[Formula]:
    """This formula and every formula inside it, from the left, the outer first."""
    waiting = [formula]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(reversed(parts(one)))


def terms(formula: Formula) -> tuple[Term, ...]:
    """The terms right inside this formula; those of an inner formula belong to that."""
    if isinstance(formula, Atom):
        return formula.args
    return (formula.left, formula.right) if isinstance(formula, Equal) else ()


def _subterms(term: Term) -> Iterator[Term]:
    yield term
    if isinstance(term, Function):
        for arg in term.args:
            yield from _subterms(arg)


def _every_term(formula: Formula) -> Iterator[Term]:
    for one in walk(formula):
        for term in terms(one):
            yield from _subterms(term)


# Making cases asks the same small questions of the same small formulas again and again: answers are kept.
KEPT = 20_000


@lru_cache(maxsize=KEPT)
def predicates(formula: Formula) -> Mapping[Symbol, None]:
    """Propositions (arity 0) and predicates, in order of appearance."""
    return dict.fromkeys((one.name, len(one.args)) for one in walk(formula) if isinstance(one, Atom))


@lru_cache(maxsize=KEPT)
def term_symbols(formula: Formula) -> Mapping[Symbol, None]:
    """Constants (arity 0) and functions, in order of appearance."""
    return dict.fromkeys(
        (term.name, len(term.args) if isinstance(term, Function) else 0)
        for term in _every_term(formula)
        if not isinstance(term, Variable)
    )


def is_propositional(formula: Formula) -> bool:
    """No quantifier, no identity, no predicate: a truth table would do."""
    return not any(isinstance(one, Quantified | Equal) or (isinstance(one, Atom) and one.args) for one in walk(formula))


def depth(formula: Formula) -> int:
    """How many formulas lie in each other; an atom is 1 deep."""
    deepest, waiting = 0, [(formula, 1)]
    while waiting:
        one, level = waiting.pop()
        deepest = max(deepest, level)
        waiting.extend((part, level + 1) for part in parts(one))
    return deepest


@lru_cache(maxsize=KEPT)
def free_variables(formula: Formula) -> frozenset[str]:
    if isinstance(formula, Quantified):
        return free_variables(formula.body) - {formula.variable}
    inside = [free_variables(part) for part in parts(formula)]
    own = {one.name for term in terms(formula) for one in _subterms(term) if isinstance(one, Variable)}
    return frozenset(own).union(*inside)


def names_of_terms(formula: Formula) -> frozenset[str]:
    """Every variable, constant and function name, bound or free."""
    bound = {one.variable for one in walk(formula) if isinstance(one, Quantified)}
    return frozenset(bound | {term.name for term in _every_term(formula)})


def substitute(formula: Formula, by: Mapping[str, Term]) -> Formula:
    """Put terms for free variables; a quantifier that would catch a variable of such a term is renamed first."""
    if isinstance(formula, Quantified):
        return _substitute_below(formula, {name: term for name, term in by.items() if name != formula.variable})
    if isinstance(formula, Binary):
        return type(formula)(substitute(formula.left, by), substitute(formula.right, by))
    if isinstance(formula, Not):
        return Not(substitute(formula.body, by))
    if isinstance(formula, Atom):
        return Atom(formula.name, tuple(put(term, by) for term in formula.args)) if formula.args else formula
    return Equal(put(formula.left, by), put(formula.right, by)) if isinstance(formula, Equal) else formula


def put(term: Term, by: Mapping[str, Term]) -> Term:
    """A term with terms in the place of its variables."""
    if isinstance(term, Variable):
        return by.get(term.name, term)
    return Function(term.name, tuple(put(arg, by) for arg in term.args)) if isinstance(term, Function) else term


def _substitute_below(formula: ForAll | Exists, by: Mapping[str, Term]) -> Formula:
    used = {name: term for name, term in by.items() if name in free_variables(formula.body)}
    incoming = {one.name for term in used.values() for one in _subterms(term)}
    variable = formula.variable
    if variable in incoming:
        variable = fresh(variable, incoming | names_of_terms(formula.body))
        used[formula.variable] = Variable(variable)
    return type(formula)(variable, substitute(formula.body, used) if used else formula.body)


def exactly_one(variable: str, body: Formula) -> Formula:
    """∃!x F: there is one, and no other."""
    other = fresh(variable, names_of_terms(body) | {variable})
    again = substitute(body, {variable: Variable(other)})
    same = Equal(Variable(other), Variable(variable))
    return Exists(variable, And(body, ForAll(other, Implies(again, same))))


def fresh(name: str, taken: set[str] | frozenset[str]) -> str:
    """The name itself, or with the first number that makes it new."""
    if name not in taken:
        return name
    stem = name.rstrip("0123456789") or name
    return next(f"{stem}{number}" for number in range(1, len(taken) + 2) if f"{stem}{number}" not in taken)


class Pattern(msgspec.Struct, frozen=True):
    """A formula with holes, to be put for a predicate: Pattern(("x",), F) turns P(c) into F with c for x."""

    holes: tuple[str, ...]
    body: Formula


def plug(formula: Formula, bodies: Mapping[str, Pattern]) -> Formula:
    """Put whole formulas for propositions and predicates: how a rule becomes a case. Quantifiers catch nothing."""
    if isinstance(formula, Atom):
        pattern = bodies.get(formula.name)
        return substitute(pattern.body, dict(zip(pattern.holes, formula.args, strict=True))) if pattern else formula
    if isinstance(formula, Not):
        return Not(plug(formula.body, bodies))
    if isinstance(formula, Binary):
        return type(formula)(plug(formula.left, bodies), plug(formula.right, bodies))
    return _plug_below(formula, bodies) if isinstance(formula, Quantified) else formula


def _plug_below(formula: ForAll | Exists, bodies: Mapping[str, Pattern]) -> Formula:
    used = [bodies[name] for name, _ in predicates(formula.body) if name in bodies]
    incoming = {name for one in used for name in names_of_terms(one.body) - set(one.holes)}
    variable, body = formula.variable, formula.body
    if variable in incoming:
        variable = fresh(variable, incoming | names_of_terms(body))
        body = substitute(body, {formula.variable: Variable(variable)})
    return type(formula)(variable, plug(body, bodies))

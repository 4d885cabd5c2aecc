"""Finding a rule's pattern in a formula, and filling a pattern in.

In a rule, propositions and predicates stand for any formula and constants for any constant. P(x) under ∀x matches any
formula that speaks of x; P matches any that does not speak of a variable the rule has bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial

import msgspec

from asker.logic.formula import (
    Atom,
    Binary,
    Constant,
    Formula,
    Function,
    Not,
    Pattern,
    Quantified,
    Term,
    Variable,
    free_variables,
    plug,
    term_symbols,
    terms,
    walk,
)
from asker.logic.shape import rename

Put = Callable[[Formula], Formula]
HOLES = ("•0", "•1", "•2")


class Bindings(msgspec.Struct, frozen=True):
    """What the letters of a rule stand for."""

    predicates: dict[str, Pattern] = {}
    constants: dict[str, str] = {}


def fill(pattern: Formula, bindings: Bindings) -> Formula:
    """The pattern with what its letters stand for."""
    return plug(rename(pattern, {}, bindings.constants), bindings.predicates)


@lru_cache(maxsize=2_000)
def letters(*patterns: Formula) -> tuple[Mapping[str, int], Sequence[str]]:
    """The predicates of patterns with their arity, and their constants, in order of appearance."""
    atoms = [one for pattern in patterns for one in walk(pattern) if isinstance(one, Atom)]
    constants = dict.fromkeys(name for pattern in patterns for name, _ in term_symbols(pattern))
    return {atom.name: len(atom.args) for atom in atoms}, list(constants)


def match(
    pattern: Formula, formula: Formula, known: Bindings, bound: Mapping[str, str] | None = None
) -> Bindings | None:
    """How the pattern becomes the formula, or None. `bound`: variables of the pattern -> those of the formula."""
    bound = bound or {}
    if isinstance(pattern, Atom):
        return _match_atom(pattern, formula, known, bound)
    if type(pattern) is not type(formula):
        return None
    if isinstance(pattern, Not) and isinstance(formula, Not):
        return match(pattern.body, formula.body, known, bound)
    if isinstance(pattern, Binary) and isinstance(formula, Binary):
        left = match(pattern.left, formula.left, known, bound)
        return match(pattern.right, formula.right, left, bound) if left else None
    if isinstance(pattern, Quantified) and isinstance(formula, Quantified):
        return match(pattern.body, formula.body, known, {**bound, pattern.variable: formula.variable})
    return None


def _match_atom(pattern: Atom, formula: Formula, known: Bindings, bound: Mapping[str, str]) -> Bindings | None:
    constants, places = dict(known.constants), list[Term]()
    for term in pattern.args:
        found = _place(term, formula, constants, bound)
        if found is None or found in places:
            return None
        places.append(found)
    if any(not speaks_of(formula, one) for one in places):
        return None  # P(x) should not become a statement in which x does not occur
    body = with_holes(formula, dict(zip(places, HOLES, strict=False)))
    if free_variables(body) & set(bound.values()):
        return None
    meant = Pattern(HOLES[: len(places)], body)
    if known.predicates.get(pattern.name, meant) != meant:
        return None
    return Bindings({**known.predicates, pattern.name: meant}, constants)


def _place(term: Term, formula: Formula, constants: dict[str, str], bound: Mapping[str, str]) -> Term | None:
    """The term of the formula that a term of the pattern stands for; a constant that is still free takes the first."""
    if isinstance(term, Variable):
        return Variable(bound[term.name]) if term.name in bound else None
    if isinstance(term, Function):
        return None
    if term.name not in constants:
        named = [name for name, arity in term_symbols(formula) if not arity and name not in constants.values()]
        if not named:
            return None
        constants[term.name] = named[0]
    return Constant(constants[term.name])


def speaks_of(formula: Formula, term: Term) -> bool:
    return any(term in terms(one) for one in walk(formula))


def with_holes(formula: Formula, holes: Mapping[Term, str]) -> Formula:
    """The formula with variables in the place of these terms."""
    if isinstance(formula, Atom):
        return Atom(formula.name, tuple(Variable(holes[one]) if one in holes else one for one in formula.args))
    if isinstance(formula, Not):
        return Not(with_holes(formula.body, holes))
    if isinstance(formula, Binary):
        return type(formula)(with_holes(formula.left, holes), with_holes(formula.right, holes))
    if isinstance(formula, Quantified):
        inner = {term: hole for term, hole in holes.items() if term != Variable(formula.variable)}
        return type(formula)(formula.variable, with_holes(formula.body, inner))
    return formula


def places(formula: Formula) -> Iterator[tuple[Formula, Put]]:
    """Every formula inside this one, itself first, with a function that puts another in its place."""
    yield formula, _itself
    if isinstance(formula, Not):
        yield from ((part, _around(Not, put)) for part, put in places(formula.body))
    elif isinstance(formula, Quantified):
        bind = partial(type(formula), formula.variable)
        yield from ((part, _around(bind, put)) for part, put in places(formula.body))
    elif isinstance(formula, Binary):
        make, left, right = type(formula), formula.left, formula.right
        yield from ((part, _around(lambda new: make(new, right), put)) for part, put in places(left))
        yield from ((part, _around(partial(make, left), put)) for part, put in places(right))


def _itself(formula: Formula) -> Formula:
    return formula


def _around(outer: Callable[[Formula], Formula], put: Put) -> Put:
    return lambda new: outer(put(new))

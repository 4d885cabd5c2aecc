"""Formulas over a domain of a given size, as clauses for a SAT solver: a quantifier is a long ∧ or ∨ there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from asker.errors import MissingExtra
from asker.logic.formula import (
    And,
    Atom,
    Equal,
    Exists,
    ForAll,
    Formula,
    Function,
    Iff,
    Implies,
    Not,
    Or,
    Term,
    Truth,
    Variable,
    Xor,
)
from asker.logic.model import Model, Tuple

INSTALL = "pip install 'asker-audit[logic]'"
TRUE = 1  # the literal that always holds
Place = tuple[int, int]  # a literal, and the thing that a term names where it is true


class Grounding:
    """Literals for formulas over things 0 … size-1. With `apart`, each constant names a thing of its own.

    Without identity nothing is lost by `apart` once the domain is large enough: a thing can be doubled unnoticed.
    """

    def __init__(self, size: int, constants: Sequence[str], apart: bool) -> None:
        self.size, self.clauses, self.last = size, [[TRUE]], TRUE
        self.atoms: dict[tuple[str, Tuple], int] = {}
        self.results: dict[tuple[str, Tuple], list[int]] = {}
        self.constants = {
            name: [(TRUE, place)] if apart else _possible(self._one_of(min(size, place + 1)))
            for place, name in enumerate(constants)
        }

    def literal(self, formula: Formula, values: dict[str, int]) -> int:
        """A literal that is true exactly where the formula is."""
        kind = type(formula)
        if isinstance(formula, Atom):
            return self._atom(formula.name, formula.args, values)
        if isinstance(formula, Not):
            return -self.literal(formula.body, values)
        if isinstance(formula, And | Or | Implies):
            left, right = self.literal(formula.left, values), self.literal(formula.right, values)
            return self._all((left, right)) if kind is And else self._any((-left if kind is Implies else left, right))
        if isinstance(formula, ForAll | Exists):
            name, body = formula.variable, formula.body
            cases = [self.literal(body, {**values, name: thing}) for thing in range(self.size)]
            return self._all(cases) if kind is ForAll else self._any(cases)
        if isinstance(formula, Iff | Xor):
            same = self._same(self.literal(formula.left, values), self.literal(formula.right, values))
            return same if kind is Iff else -same
        if isinstance(formula, Truth):
            return TRUE if formula.value else -TRUE
        return self._equal(formula, values)

    def _all(self, literals: Sequence[int]) -> int:
        return -self._any([-one for one in literals])

    def _any(self, literals: Sequence[int]) -> int:
        """Two definitions are spared where one can: what is true or false already, and what is there twice."""
        if len(literals) == 2 and abs(literals[0]) != abs(literals[1]) and TRUE not in map(abs, literals):
            return self._defined(literals)
        left = {one for one in literals if one != -TRUE}
        if TRUE in left or any(-one in left for one in left):
            return TRUE
        return self._defined(list(left)) if len(left) > 1 else left.pop() if left else -TRUE

    def _defined(self, literals: Sequence[int]) -> int:
        new = self.last = self.last + 1
        self.clauses += [[new, -one] for one in literals]
        self.clauses.append([-new, *literals])
        return new

    def _same(self, left: int, right: int) -> int:
        if abs(left) == TRUE or abs(right) == TRUE:
            return left * right  # TRUE is 1: the other one, or its denial
        if abs(left) == abs(right):
            return TRUE if left == right else -TRUE
        new = self._new()
        self.clauses += [[-new, -left, right], [-new, left, -right], [new, left, right], [new, -left, -right]]
        return new

    def _new(self) -> int:
        self.last += 1
        return self.last

    def _atom(self, name: str, args: tuple[Term, ...], values: dict[str, int]) -> int:
        """Of definite things a literal of its own; otherwise by cases."""
        places = [self._places(term, values) for term in args]
        if all(len(place) == 1 for place in places):
            return self._fact(name, tuple([place[0][1] for place in places]))
        cases = []
        for one in product(*places):
            fact = self._fact(name, tuple([thing for _, thing in one]))
            cases.append(self._all([*(literal for literal, _ in one), fact]))
        return self._any(cases)

    def _fact(self, name: str, things: Tuple) -> int:
        known = self.atoms.get((name, things))
        if known is None:
            known = self.atoms[name, things] = self._new()
        return known

    def _places(self, term: Term, values: dict[str, int]) -> list[Place]:
        """What a term may name: (literal that says so, thing)."""
        if isinstance(term, Variable) and term.name in values:
            return [(TRUE, values[term.name])]
        if not isinstance(term, Function):
            return self.constants[term.name]
        return _possible(self._applied(term, values))

    def _equal(self, formula: Equal, values: dict[str, int]) -> int:
        right = {thing: literal for literal, thing in self._places(formula.right, values)}
        left = [(literal, thing) for literal, thing in self._places(formula.left, values) if thing in right]
        return self._any([self._all((literal, right[thing])) for literal, thing in left])

    def _applied(self, term: Function, values: dict[str, int]) -> list[int]:
        places = [self._places(arg, values) for arg in term.args]
        cases = [(self._all([literal for literal, _ in one]), self._result(term.name, one)) for one in product(*places)]
        return [self._any([self._all((when, row[thing])) for when, row in cases]) for thing in range(self.size)]

    def _result(self, name: str, places: tuple[Place, ...]) -> list[int]:
        key = (name, tuple([thing for _, thing in places]))
        if key not in self.results:
            self.results[key] = self._one_of(self.size)
        return self.results[key]

    def _one_of(self, first: int) -> list[int]:
        """One of the first things. A later constant may take a later thing: which names come first does not matter."""
        if first == 1:
            return [TRUE] + [-TRUE] * (self.size - 1)
        row = [self._new() for _ in range(first)]
        self.clauses.append(row)
        self.clauses += [[-one, -other] for place, one in enumerate(row) for other in row[:place]]
        return row + [-TRUE] * (self.size - first)

    def model(self, true: set[int], arities: dict[str, int]) -> Model:
        """What a solution says; a fact it does not mention is false."""
        facts: dict[str, set[Tuple]] = {name: set() for name in arities}
        for (name, args), literal in self.atoms.items():
            if literal in true:
                facts[name].add(args)
        chosen = {name: _chosen(places, true) for name, places in self.constants.items()}
        functions: dict[str, dict[Tuple, int]] = {}
        for (name, args), row in self.results.items():
            functions.setdefault(name, {})[args] = _chosen(_possible(row), true)
        return Model(self.size, {name: frozenset(all) for name, all in facts.items()}, arities, chosen, functions)


def _possible(row: list[int]) -> list[Place]:
    return [(literal, thing) for thing, literal in enumerate(row) if literal != -TRUE]


def _chosen(places: list[Place], true: set[int]) -> int:
    return next(thing for literal, thing in places if literal in true or literal == TRUE)


def sat_solver(clauses: list[list[int]]) -> Any:
    """A SAT solver that keeps what it learns between questions and tells which assumptions it needed."""
    try:
        from pysat.solvers import Minisat22
    except ImportError as error:
        raise MissingExtra("proving", INSTALL) from error
    return Minisat22(bootstrap_with=clauses)

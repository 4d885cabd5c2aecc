"""The shape of formulas: what is left when names do not matter. Equal shapes have equal answers, which are cached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from asker.logic.formula import (
    Atom,
    Binary,
    Constant,
    Equal,
    Exists,
    ForAll,
    Formula,
    Function,
    Not,
    Quantified,
    Term,
    Truth,
    Variable,
    fresh,
    names_of_terms,
)


class Shape(msgspec.Struct, frozen=True):
    """Formulas with names in order of appearance, and what each was called."""

    formulas: tuple[Formula, ...]
    predicates: dict[str, str]  # canonical name -> the name it had
    terms: dict[str, str]


def shape(formulas: Sequence[Formula]) -> Shape:
    """Formulas alike but for names of predicates, constants, functions and variables have the same `.formulas`."""
    renaming = _Renaming()
    done = tuple(renaming.formula(one, {}) for one in formulas)
    return Shape(done, _turned(renaming.predicates), _turned(renaming.terms))


def rename(formula: Formula, predicates: Mapping[str, str], terms: Mapping[str, str]) -> Formula:
    """Other names for predicates and for constants and functions; those not given stay. Quantifiers make way."""
    return _Given(predicates, terms).formula(formula, {})


def _turned(names: Mapping[str, str]) -> dict[str, str]:
    return {canonical: name for name, canonical in names.items()}


class _Renaming:
    """Names by order of first appearance; a bound variable by how many quantifiers lie around its own."""

    def __init__(self) -> None:
        self.predicates: dict[str, str] = {}
        self.terms: dict[str, str] = {}

    def formula(self, one: Formula, bound: dict[str, str], level: int = 0) -> Formula:
        if isinstance(one, Atom):
            return Atom(self.predicate(one.name), tuple([self.term(term, bound) for term in one.args]))
        if isinstance(one, Binary):
            return type(one)(self.formula(one.left, bound, level), self.formula(one.right, bound, level))
        if isinstance(one, Not):
            return Not(self.formula(one.body, bound, level))
        if isinstance(one, Quantified):
            variable = self.variable(one, level)
            return type(one)(variable, self.formula(one.body, {**bound, one.variable: variable}, level + 1))
        if isinstance(one, Truth):
            return one
        return Equal(self.term(one.left, bound), self.term(one.right, bound))

    def term(self, one: Term, bound: dict[str, str]) -> Term:
        if isinstance(one, Function):
            return Function(self.named(one.name), tuple([self.term(arg, bound) for arg in one.args]))
        if isinstance(one, Variable) and one.name in bound:
            return Variable(bound[one.name])
        return Constant(self.named(one.name))  # unbound names are constants

    def predicate(self, name: str) -> str:
        return self.predicates.setdefault(name, f"P{len(self.predicates)}")

    def named(self, name: str) -> str:
        return self.terms.setdefault(name, f"c{len(self.terms)}")

    def variable(self, one: ForAll | Exists, level: int) -> str:
        return f"x{level}"


class _Given(_Renaming):
    """Names as somebody wishes them; a bound variable keeps its own unless a new name would be caught by it."""

    def __init__(self, predicates: Mapping[str, str], terms: Mapping[str, str]) -> None:
        super().__init__()
        self._predicates, self._terms = predicates, terms

    def predicate(self, name: str) -> str:
        return self._predicates.get(name, name)

    def named(self, name: str) -> str:
        return self._terms.get(name, name)

    def variable(self, one: ForAll | Exists, level: int) -> str:
        incoming = set(self._terms.values())
        return one.variable if one.variable not in incoming else fresh(one.variable, incoming | names_of_terms(one))

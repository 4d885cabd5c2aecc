"""Finite models: a small world in which one can look up whether a formula holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

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
    fresh,
)

Tuple = tuple[int, ...]


class Model(msgspec.Struct, frozen=True):
    """Things 0 … size-1; of which a predicate is true; what each constant and function names."""

    size: int
    predicates: dict[str, frozenset[Tuple]]  # a proposition is true if the empty tuple is in its set
    arities: dict[str, int]
    constants: dict[str, int] = {}
    functions: dict[str, dict[Tuple, int]] = {}

    def renamed(self, predicates: Mapping[str, str], terms: Mapping[str, str]) -> Model:
        return Model(
            self.size,
            {predicates[name]: tuples for name, tuples in self.predicates.items()},
            {predicates[name]: arity for name, arity in self.arities.items()},
            {terms[name]: thing for name, thing in self.constants.items()},
            {terms[name]: table for name, table in self.functions.items()},
        )


def holds(formula: Formula, model: Model, values: Mapping[str, int] | None = None) -> bool:
    """Whether a formula is true in a model, straight from the definition of truth."""
    known = values or {}
    match formula:
        case Truth(value):
            return value
        case Atom(name, args):
            return tuple(thing(arg, model, known) for arg in args) in model.predicates[name]
        case Equal(left, right):
            return thing(left, model, known) == thing(right, model, known)
        case Not(body):
            return not holds(body, model, known)
        case ForAll(variable, body):
            return all(holds(body, model, {**known, variable: one}) for one in range(model.size))
        case Exists(variable, body):
            return any(holds(body, model, {**known, variable: one}) for one in range(model.size))
        case And(left, right):
            return holds(left, model, known) and holds(right, model, known)
        case Or(left, right):
            return holds(left, model, known) or holds(right, model, known)
        case Implies(left, right):
            return not holds(left, model, known) or holds(right, model, known)
        case Iff(left, right):
            return holds(left, model, known) == holds(right, model, known)
    return holds(formula.left, model, known) != holds(formula.right, model, known)


def thing(term: Term, model: Model, values: Mapping[str, int]) -> int:
    """What a term names; a variable that is not bound is a constant."""
    if isinstance(term, Function):
        return model.functions[term.name][tuple(thing(arg, model, values) for arg in term.args)]
    if isinstance(term, Variable) and term.name in values:
        return values[term.name]
    return model.constants[term.name]


def things(model: Model) -> list[str]:
    """A name for each thing: the first constant that names it, or a number."""
    names: list[str] = [""] * model.size
    for constant, one in model.constants.items():
        names[one] = names[one] or constant
    taken = set(model.constants)
    for one, name in enumerate(names):
        names[one] = name or fresh(f"thing{one + 1}", taken)
        taken.add(names[one])
    return names


def as_table(model: Model) -> dict[str, Any]:
    """A model as plain data: `domain`, what is `true`, which things each predicate is true of, what names name."""
    names = things(model)
    table: dict[str, Any] = {}
    if not model.arities or model.constants or any(model.arities.values()):
        table["domain"] = names
    propositions = {name: bool(model.predicates[name]) for name, arity in model.arities.items() if not arity}
    extensions = {name: _rows(model.predicates[name], names) for name, arity in model.arities.items() if arity}
    return table | {
        key: value
        for key, value in {
            "propositions": propositions,
            "predicates": extensions,
            "constants": {name: names[one] for name, one in model.constants.items()},
            "functions": {name: _results(results, names) for name, results in model.functions.items()},
        }.items()
        if value
    }


def _rows(tuples: Iterable[Tuple], names: list[str]) -> list[list[str]]:
    return [[names[one] for one in row] for row in sorted(tuples)]


def _results(results: Mapping[Tuple, int], names: list[str]) -> list[list[str]]:
    """Arguments and result in a row."""
    return [[*(names[one] for one in args), names[result]] for args, result in sorted(results.items())]


def in_words(model: Model) -> str:
    """On one line, as a person would note it: "things a, thing2; P: a; R: (a, thing2); p true"."""
    table = as_table(model)
    said = ["things " + ", ".join(table["domain"])] if "domain" in table else []
    said += [f"{name} is {one}" for name, one in table.get("constants", {}).items() if name != one]
    for name, rows in table.get("predicates", {}).items():
        said.append(f"{name}: {', '.join(row[0] if len(row) == 1 else _bracketed(row) for row in rows) or 'none'}")
    for name, rows in table.get("functions", {}).items():
        said.append(", ".join(f"{name}{_bracketed(row[:-1])} is {row[-1]}" for row in rows))
    said += [f"{name} {'true' if value else 'false'}" for name, value in table.get("propositions", {}).items()]
    return "; ".join(said)


def _bracketed(row: list[str]) -> str:
    return f"({', '.join(row)})"

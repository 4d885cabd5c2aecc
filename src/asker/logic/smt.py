"""First-order formulas for z3, where no bound on the domain is known. Only here may a proof need endless effort."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

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
)
from asker.logic.ground import INSTALL

Said = Literal["sat", "unsat", "unknown"]


def check(formulas: Sequence[Formula], effort: int, seconds: float) -> Said:
    """Whether formulas can be true together. `effort` counts z3's own steps, so that a slow machine says the same."""
    solver = _z3().SimpleSolver()
    solver.set(rlimit=effort, timeout=max(1, int(seconds * 1000)), random_seed=0)
    solver.add([_formula(one, {}) for one in formulas])
    said = str(solver.check())
    return "sat" if said == "sat" else "unsat" if said == "unsat" else "unknown"


@cache
def _z3() -> Any:
    try:
        import z3
    except ImportError as error:
        raise MissingExtra("proving with quantifiers", INSTALL) from error
    return z3


@cache
def _sort() -> Any:
    return _z3().DeclareSort("Thing")


@cache
def _declared(kind: str, name: str, arity: int) -> Any:
    result = _z3().BoolSort() if kind == "predicate" else _sort()
    return _z3().Function(f"{kind} {name}", *[_sort()] * arity, result)


def _formula(one: Formula, values: dict[str, Any]) -> Any:
    z3 = _z3()
    match one:
        case Truth(value):
            return z3.BoolVal(value)
        case Atom(name, args):
            return _declared("predicate", name, len(args))(*[_term(arg, values) for arg in args])
        case Equal(left, right):
            return _term(left, values) == _term(right, values)
        case Not(body):
            return z3.Not(_formula(body, values))
        case And(left, right):
            return z3.And(_formula(left, values), _formula(right, values))
        case Or(left, right):
            return z3.Or(_formula(left, values), _formula(right, values))
        case Implies(left, right):
            return z3.Implies(_formula(left, values), _formula(right, values))
        case Iff(left, right):
            return _formula(left, values) == _formula(right, values)
        case ForAll() | Exists():
            return _quantified(one, values)
    return z3.Xor(_formula(one.left, values), _formula(one.right, values))


def _quantified(one: ForAll | Exists, values: dict[str, Any]) -> Any:
    variable = _z3().Const(f"variable {one.variable}{len(values)}", _sort())
    make = _z3().ForAll if isinstance(one, ForAll) else _z3().Exists
    return make([variable], _formula(one.body, {**values, one.variable: variable}))


def _term(term: Term, values: dict[str, Any]) -> Any:
    if isinstance(term, Function):
        return _declared("function", term.name, len(term.args))(*[_term(arg, values) for arg in term.args])
    if isinstance(term, Variable) and term.name in values:
        return values[term.name]
    return _declared("function", term.name, 0)()

"""Writing formulas, with as few brackets as the precedences allow, so that reading gives the same formula again."""

from __future__ import annotations

import re
from typing import Literal

from asker.logic.formula import (
    And,
    Binary,
    Equal,
    Exists,
    ForAll,
    Formula,
    Function,
    Iff,
    Implies,
    Not,
    Or,
    Quantified,
    Term,
    Truth,
    Variable,
    Xor,
    fresh,
    names_of_terms,
    substitute,
    term_symbols,
)
from asker.logic.tokens import BETWEEN, QUANTIFIERS

Style = Literal["symbols", "ascii"]

LEVELS: dict[type[Binary], int] = {Iff: 1, Implies: 2, Or: 3, Xor: 3, And: 4}
_SIGNS: dict[object, tuple[str, str]] = {
    Not: ("¬", "~"),
    And: ("∧", "&"),
    Or: ("∨", "|"),
    Xor: ("⊕", "xor"),
    Implies: ("→", "->"),
    Iff: ("↔", "<->"),
    ForAll: ("∀", "forall "),
    Exists: ("∃", "exists "),
    Equal: ("≠", "!="),  # only its denial differs
}
TRUTHS = {"symbols": ("⊥", "⊤"), "ascii": ("$false", "$true")}
PLAIN = re.compile(r"\w+(?:[-'’/]\w+)*'*")
WORDS = {*BETWEEN, *QUANTIFIERS, "not", "true", "false"}


def show(formula: Formula, style: Style = "symbols") -> str:
    """The formula in signs, or in plain letters with `ascii`."""
    if isinstance(formula, Binary):
        return _binary(formula, style)
    if isinstance(formula, Not):
        return _negation(formula, style)
    if isinstance(formula, Quantified):
        return _quantified(formula, style)
    if isinstance(formula, Truth):
        return TRUTHS[style][formula.value]
    if isinstance(formula, Equal):
        return f"{show_term(formula.left)} = {show_term(formula.right)}"
    return _applied(formula.name, formula.args)


def _sign(kind: object, style: Style) -> str:
    return _SIGNS[kind][style == "ascii"]


def show_term(term: Term) -> str:
    return _applied(term.name, term.args) if isinstance(term, Function) else _name(term.name)


def _applied(name: str, args: tuple[Term, ...]) -> str:
    return f"{_name(name)}({', '.join(show_term(arg) for arg in args)})" if args else _name(name)


def _name(name: str) -> str:
    return name if PLAIN.fullmatch(name) and name.lower() not in WORDS else f'"{name}"'


def _binary(formula: And | Or | Xor | Implies | Iff, style: Style) -> str:
    level, right_first = LEVELS[type(formula)], isinstance(formula, Implies)
    left = _inside(formula.left, level + right_first, style, type(formula))
    right = _inside(formula.right, level + (not right_first), style, type(formula))
    return f"{left} {_sign(type(formula), style)} {right}"


def _inside(part: Formula, least: int, style: Style, around: type[Binary]) -> str:
    """In brackets if it binds more loosely, or if its ∨ would stand beside a ⊕."""
    mixed = {type(part), around} == {Or, Xor}
    loose = isinstance(part, Binary) and LEVELS[type(part)] < least
    return f"({show(part, style)})" if mixed or loose else show(part, style)


def _negation(formula: Not, style: Style) -> str:
    if isinstance(formula.body, Equal):
        return f"{show_term(formula.body.left)} {_sign(Equal, style)} {show_term(formula.body.right)}"
    return _sign(Not, style) + _tight(formula.body, style)


def _tight(body: Formula, style: Style) -> str:
    """What a negation or quantifier holds: everything but an atom, a negation or a quantifier in brackets."""
    equation = isinstance(body, Equal) or (isinstance(body, Not) and isinstance(body.body, Equal))
    return f"({show(body, style)})" if isinstance(body, Binary) or equation else show(body, style)


def _quantified(formula: ForAll | Exists, style: Style) -> str:
    variable, body = formula.variable, formula.body
    if (variable, 0) in term_symbols(body):  # a constant of the same name: it would be read as the variable
        variable = fresh(variable, names_of_terms(body))
        body = substitute(body, {formula.variable: Variable(variable)})
    return f"{_sign(type(formula), style)}{_name(variable)} {_tight(body, style)}"

"""What the languages share: which statements can stand beside others without brackets, and which need them.

Nothing here is left to intonation. A statement that is itself joined or denied stands in brackets when it is a part of
another, but for two places where a word closes it: "if … and …, then" and "not the case that both … and …".
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, Protocol

import msgspec

from asker.logic.formula import (
    And,
    Atom,
    Binary,
    Constant,
    Equal,
    Exists,
    ForAll,
    Formula,
    Implies,
    Not,
    Quantified,
    Term,
    Variable,
    free_variables,
    parts,
)
from asker.logic.vocabulary import Choice, Symbols


class Grammar(Protocol):
    def sentence(self, formula: Formula) -> str:
        """A whole sentence, with its beginning and its full stop."""
        ...

    def meanings(self, symbols: Symbols) -> dict[str, str]:
        """What each letter stands for."""
        ...


@cache
def words(language: str) -> dict[str, Any]:
    text = (files("asker.logic.wording") / f"{language}.toml").read_text("utf-8")
    found: dict[str, Any] = msgspec.toml.decode(text)
    return found


def bare(formula: Formula) -> Formula:
    """Without its denial, if it has one."""
    return formula.body if isinstance(formula, Not) else formula


def literal(formula: Formula) -> bool:
    """A single statement or its denial."""
    return isinstance(bare(formula), Atom | Equal)


def of_one(formula: Formula, variable: str) -> bool:
    """A literal with one property, said of this variable."""
    inner = bare(formula)
    return isinstance(inner, Atom) and inner.args == (Variable(variable),)


def natural(formula: Formula) -> bool:
    """Can be said of everyone and someone, without x and y."""
    if isinstance(formula, Quantified):
        return pattern(formula) is not None
    return all(natural(part) for part in parts(formula))


def pattern(formula: ForAll | Exists) -> tuple[Formula | None, Formula] | None:
    """`everyone who is A is B` as (A, B); `everyone is B` as (None, B); None where it takes variables."""
    body, joining = formula.body, Implies if isinstance(formula, ForAll) else And
    if of_one(body, formula.variable):
        return None, body
    if isinstance(body, joining) and all(of_one(side, formula.variable) for side in (body.left, body.right)):
        return body.left, body.right
    return None


def tight(formula: Formula, people: bool) -> bool:
    """Can stand beside other statements as it is."""
    if literal(formula):
        return True
    return people and isinstance(formula, Quantified) and pattern(formula) is not None and not free_variables(formula)


def pair(formula: Formula, people: bool) -> bool:
    """Two statements joined by and, each of which can stand alone."""
    return isinstance(formula, And) and tight(formula.left, people) and tight(formula.right, people)


def adrift(formula: ForAll | Exists) -> bool:
    """One of the joined statements does not speak of the variable: without brackets it might stand outside."""
    body = formula.body
    if not isinstance(body, Binary) or isinstance(body, Implies):
        return False
    return any(formula.variable not in free_variables(side) for side in (body.left, body.right))


def subject(term: Term, choice: Choice, people: list[str]) -> str:
    return people[choice.people[term.name]] if isinstance(term, Constant) else term.name

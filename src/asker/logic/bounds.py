"""How large a domain must be looked at: for many formulas a model, if there is one, is small (Bernays–Schönfinkel).

Take the ∃ that stand under no ∀, after negations are moved inwards. If there is no other ∃ and no function, a formula
with a model has one whose things are the constants and a witness for each such ∃: leaving out the rest keeps every ∀.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from asker.logic.formula import (
    Atom,
    Binary,
    Constant,
    Equal,
    ForAll,
    Formula,
    Function,
    Iff,
    Implies,
    Not,
    Quantified,
    Term,
    Variable,
    Xor,
    terms,
)


def witnesses(formula: Formula, claimed: bool = True, under_all: bool = False) -> int | None:
    """How many ∃ need a witness when the formula is claimed (or denied); None if one stands under a ∀."""
    if isinstance(formula, Not):
        return witnesses(formula.body, not claimed, under_all)
    if isinstance(formula, Quantified):
        universal = isinstance(formula, ForAll) == claimed
        if not universal and under_all:
            return None
        return _sum([witnesses(formula.body, claimed, under_all or universal), 0 if universal else 1])
    if isinstance(formula, Binary):
        return _of_binary(formula, claimed, under_all)
    return 0


def _of_binary(formula: Binary, claimed: bool, under_all: bool) -> int | None:
    if isinstance(formula, Iff | Xor):  # both sides are claimed in one case and denied in the other
        both = [witnesses(side, way, under_all) for side in (formula.left, formula.right) for way in (True, False)]
        return _sum(both)
    left = witnesses(formula.left, claimed != isinstance(formula, Implies), under_all)
    return _sum([left, witnesses(formula.right, claimed, under_all)])


def _sum(counts: Iterable[int | None]) -> int | None:
    total = 0
    for count in counts:
        if count is None:
            return None
        total += count
    return total


class Survey(msgspec.Struct):
    """What formulas speak of, found in one walk through them: most of the time of an easy proof goes here."""

    arities: dict[str, int] = {}  # of predicates; propositions have 0
    names: dict[str, None] = {}  # constants
    functions: bool = False
    identity: bool = False
    quantified: bool = False

    def term(self, term: Term) -> None:
        if isinstance(term, Constant):
            self.names[term.name] = None
        elif isinstance(term, Function):
            self.functions = True
            for arg in term.args:
                self.term(arg)


def survey(formulas: Iterable[Formula]) -> Survey:
    found, waiting = Survey(), list(formulas)[::-1]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Atom):
            found.arities[one.name] = len(one.args)
            for term in one.args:
                found.term(term)
        elif isinstance(one, Binary):
            waiting += (one.right, one.left)
        elif isinstance(one, Not | Quantified):
            found.quantified |= isinstance(one, Quantified)
            waiting.append(one.body)
        elif isinstance(one, Equal):
            found.identity = True
            found.term(one.left)
            found.term(one.right)
    return found


def cost(formula: Formula, size: int, apart: bool) -> int:
    """How many literals grounding would make, about. A name that may name anything makes a case for each thing."""
    total, waiting = 0, [(formula, 1)]
    while waiting:
        one, copies = waiting.pop()
        named = 0 if apart else sum(not isinstance(term, Variable) for term in terms(one))
        total += copies * size**named
        if isinstance(one, Quantified):
            waiting.append((one.body, copies * size))
        elif isinstance(one, Binary):
            waiting += [(one.left, copies), (one.right, copies)]
        elif isinstance(one, Not):
            waiting.append((one.body, copies))
    return total

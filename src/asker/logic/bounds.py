"""How large a domain must be looked at: for many formulas a model, if there is one, is small (Bernays–Schönfinkel).

Take the ∃ that stand under no ∀, after negations are moved inwards. If there is no other ∃ and no function, a formula
with a model has one whose things are the constants and a witness for each such ∃: leaving out the rest keeps every ∀.
"""

from __future__ import annotations

from collections.abc import Iterable

from asker.logic.formula import (
    Binary,
    Equal,
    ForAll,
    Formula,
    Function,
    Iff,
    Implies,
    Not,
    Quantified,
    Xor,
    terms,
    walk,
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


def speaks_of_identity(formulas: Iterable[Formula]) -> bool:
    return any(isinstance(part, Equal) for one in formulas for part in walk(one))


def has_functions(formulas: Iterable[Formula]) -> bool:
    """Inside a term a function is inside a function, so the outermost tells."""
    return any(isinstance(term, Function) for one in formulas for part in walk(one) for term in terms(part))


def cost(formula: Formula, size: int) -> int:
    """How many literals grounding would make, about."""
    total, waiting = 0, [(formula, 1)]
    while waiting:
        one, copies = waiting.pop()
        total += copies
        if isinstance(one, Quantified):
            waiting.append((one.body, copies * size))
        elif isinstance(one, Binary):
            waiting += [(one.left, copies), (one.right, copies)]
        elif isinstance(one, Not):
            waiting.append((one.body, copies))
    return total

"""An argument as people publish it: premises and a conclusion in words of signs, read together.

Names mean the same in all of them, so some mistakes only show here: a predicate with one argument in one premise and
two in the next; a variable that no quantifier binds, where another formula does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from asker.logic.formula import Formula, Quantified, predicates, term_symbols, walk
from asker.logic.notation import USUAL, Convention, Reading, read
from asker.logic.tokens import FormulaError


class Argument(msgspec.Struct, frozen=True):
    premises: tuple[Formula, ...]
    conclusion: Formula
    notes: tuple[str, ...] = ()  # where a reader may have meant something else


class ArgumentError(FormulaError):
    """A place in one of the formulas; `field` says in which: premises[1], conclusion."""

    def __init__(self, field: str, text: str, at: int, reason: str) -> None:
        super().__init__(text, at, reason)
        self.field = field


def read_argument(premises: Sequence[str], conclusion: str, convention: Convention = USUAL) -> Argument:
    """Read all formulas, and check that they use their names alike."""
    texts = {f"premises[{place}]": text for place, text in enumerate(premises)} | {"conclusion": conclusion}
    readings = _read_all(texts, {}, convention)
    together = {name: arity for one in readings.values() for name, arity in one.together}
    if together:  # Fx in one premise tells that Fa in another is no name of its own
        readings = _read_all(texts, together, convention)
    _check_arities(texts, readings)
    formulas = [one.formula for one in readings.values()]
    notes = [note for one in readings.values() for note in one.notes]
    return Argument(tuple(formulas[:-1]), formulas[-1], tuple(dict.fromkeys([*notes, *_doubts(readings)])))


def _read_all(texts: dict[str, str], together: dict[str, int], convention: Convention) -> dict[str, Reading]:
    return {field: _read(field, text, together, convention) for field, text in texts.items()}


def _read(field: str, text: str, together: dict[str, int], convention: Convention) -> Reading:
    try:
        return read(text, together, convention)
    except FormulaError as error:
        raise ArgumentError(field, text, error.at, error.reason) from error


def _check_arities(texts: dict[str, str], readings: dict[str, Reading]) -> None:
    """One predicate, one number of arguments; likewise for constants and functions."""
    known: dict[tuple[str, str], tuple[int, str]] = {}
    for field, reading in readings.items():
        symbols = [("predicate", one) for one in predicates(reading.formula)]
        symbols += [("function", one) for one in term_symbols(reading.formula)]
        for kind, (name, arity) in symbols:
            before, where = known.setdefault((kind, name), (arity, field))
            if before != arity:
                at = _place(texts[field], name, arity)
                reason = f"'{name}' has {_arguments(arity)} here, {_arguments(before)} in {where}; give them two names"
                raise ArgumentError(field, texts[field], at, reason)


def _arguments(arity: int) -> str:
    return "no argument" if arity == 0 else f"{arity} argument{'s' * (arity > 1)}"


def _place(text: str, name: str, arity: int) -> int:
    """Where a name stands with so many arguments, as far as its text tells."""
    found = [match.start() for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
    fitting = [at for at in found if _commas(text[at + len(name) :]) == arity]
    return (fitting or found or [0])[0]


def _commas(rest: str) -> int:
    """How many arguments follow, by counting commas in the bracket that comes next."""
    match = re.match(r"\s*[(\[{]([^()\[\]{}]*)[)\]}]", rest)
    return match[1].count(",") + bool(match[1].strip()) if match else 0


def _doubts(readings: dict[str, Reading]) -> Iterator[str]:
    formulas = [one.formula for one in readings.values()]
    bound = {part.variable for one in formulas for part in walk(one) if isinstance(part, Quantified)}
    stated = {name for one in formulas for name, _ in predicates(one)}
    for field, reading in readings.items():
        for name, arity in term_symbols(reading.formula):
            if name in bound and not arity:
                yield f"{field}: no quantifier binds '{name}' there, so it is a constant; elsewhere it is a variable"
            if name in stated:
                yield f"'{name}' is both a predicate or statement and a name of a thing"

"""Proving arguments of one to four rules; bare: reading their conclusions."""

from __future__ import annotations

import random
from collections.abc import Iterator

from asker.logic import prove as proving
from asker.logic.formula import Atom, Formula, Pattern, Variable, plug, predicates
from asker.logic.notation import parse, show
from asker.logic.rules import Form, forms, rules
from benchmarks.table import Line, seconds

PLACE = 9
LETTERS = "ABCDEFG"
Argument = tuple[list[Formula], Formula]


def lines(quick: bool) -> Iterator[Line]:
    count = 100 if quick else 1000
    every = [form for rule in rules().values() for form in forms(rule)]
    texts = [show(conclusion) for _, conclusion in arguments(every, count)]
    read = count / seconds(lambda: [parse(text) for text in texts])
    for logic in ("propositional", "predicate"):
        made = arguments([form for form in every if form.logic == logic], count)
        anew = count / seconds(lambda made=made: _prove(made, True))  # type: ignore[misc]
        again = count / seconds(lambda made=made: _prove(made, False))  # type: ignore[misc]
        yield Line(f"{logic} arguments proved anew, on one core", anew, "a second", read, least=1000)
        yield Line(f"{logic} arguments of a known shape", again, "a second", read)


def arguments(every: list[Form], count: int, seed: int = 0) -> list[Argument]:
    """Rules drawn and put together with shared letters, so that some follow and some do not."""
    draw = random.Random(seed)
    return [_argument(draw, [draw.choice(every) for _ in range(draw.randint(1, 4))]) for _ in range(count)]


def _argument(draw: random.Random, chosen: list[Form]) -> Argument:
    premises: list[Formula] = []
    conclusion: Formula = chosen[-1].conclusion
    for form in chosen:
        bodies = _letters(draw, form)
        premises += [plug(one, bodies) for one in form.premises]
        conclusion = plug(form.conclusion, bodies)
    return premises, conclusion


def _letters(draw: random.Random, form: Form) -> dict[str, Pattern]:
    symbols = dict.fromkeys(symbol for one in (*form.premises, form.conclusion) for symbol in predicates(one))
    letters = draw.sample(LETTERS, len(symbols))
    holes = {arity: tuple(f"h{place}" for place in range(arity)) for _, arity in symbols}
    return {
        name: Pattern(holes[arity], Atom(f"{letter}{arity}", tuple(Variable(hole) for hole in holes[arity])))
        for (name, arity), letter in zip(symbols, letters, strict=True)
    }


def _prove(made: list[Argument], forget: bool) -> None:
    if forget:
        proving.forget()
    for premises, conclusion in made:
        proving.prove(premises, conclusion)

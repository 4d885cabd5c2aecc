"""Which words a case gets: its number, written in a mixed radix, chooses them.

Two cases of one shape with different numbers never get the same words, as long as the numbers are below `room`. So a
set holds no case twice, and no case needs to know of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod

import msgspec

from asker.logic.formula import Formula, predicates, term_symbols

TRAITS, IMPERSONAL, RELATIONS, PEOPLE = 45, 8, 6, 20  # 30 predicates and 15 actions; of each language alike
STRIDE = 2_147_483_647  # a prime above all pools: number × stride goes through every choice before it repeats one


class Symbols(msgspec.Struct, frozen=True):
    """What must be named: statements, properties, relations and people, in order of appearance."""

    statements: tuple[str, ...]
    properties: tuple[str, ...]
    relations: tuple[str, ...]
    people: tuple[str, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many choices there are for each. Where there is no property, the first statement is about a person."""
        properties = [TRAITS - place for place in range(len(self.properties))]
        relations = [RELATIONS - place for place in range(len(self.relations))]
        taken = len(properties)
        first = [TRAITS] if self.statements and not properties else []
        rest = range(taken + len(first), taken + len(self.statements))
        return (
            *properties,
            *relations,
            *first,
            *(TRAITS + IMPERSONAL - place for place in rest),
            *(PEOPLE - place for place in range(len(self.people) + len(first))),
        )

    @property
    def room(self) -> int:
        return prod(self.sizes)


class Choice(msgspec.Struct, frozen=True):
    """Places in the word lists. A statement has a trait, and a person whose trait it is – or it is impersonal."""

    statements: dict[str, tuple[int, int | None]]  # trait and person; or, beyond the traits, impersonal and nobody
    properties: dict[str, int]
    relations: dict[str, int]
    people: dict[str, int]


@lru_cache(maxsize=20_000)
def symbols_of(formulas: tuple[Formula, ...]) -> Symbols:
    found = dict.fromkeys(one for formula in formulas for one in predicates(formula))
    people = dict.fromkeys(name for formula in formulas for name, arity in term_symbols(formula) if not arity)
    by_arity = [tuple(name for name, arity in found if arity == wanted) for wanted in range(3)]
    return Symbols(by_arity[0], by_arity[1], by_arity[2], tuple(people))


def choose(symbols: Symbols, number: int, key: int) -> Choice:
    """The words of case `number`. `key`, from the seed, says where to begin; further people follow from both."""
    digits = _digits((number * STRIDE + key) % symbols.room, symbols.sizes)
    traits, relations = list(range(TRAITS)), list(range(RELATIONS))
    properties = {name: traits.pop(digits.pop(0)) for name in symbols.properties}
    related = {name: relations.pop(digits.pop(0)) for name in symbols.relations}
    said = {}
    for place, name in enumerate(symbols.statements):
        if place == 1 or properties:
            traits = traits if traits[-1] >= TRAITS else [*traits, *range(TRAITS, TRAITS + IMPERSONAL)]
        said[name] = traits.pop(digits.pop(0))
    crowd = list(range(PEOPLE))
    first = [crowd.pop(digits.pop(0)) for _ in range(len(digits) - len(symbols.people))]
    people = {name: crowd.pop(digits.pop(0)) for name in symbols.people}
    crowd = _turned(crowd, number + key)
    persons = iter([*first, *crowd])
    statements = {name: (trait, None if trait >= TRAITS else next(persons)) for name, trait in said.items()}
    return Choice(statements, properties, related, people)


def _digits(number: int, sizes: Sequence[int]) -> list[int]:
    digits = []
    for size in sizes:
        number, digit = divmod(number, size)
        digits.append(digit)
    return digits


def _turned(crowd: list[int], by: int) -> list[int]:
    """The same people in another order: every seventh of the circle, from a place that depends on the case."""
    step = next(one for one in (7, 3, 5, 2, 1) if len(crowd) % one or len(crowd) == 1 or one == 1)
    return [crowd[(by + place * step) % len(crowd)] for place in range(len(crowd))]

"""Cases in signs, with letters that change from case to case."""

from __future__ import annotations

from collections.abc import Sequence

from asker.logic.formula import Formula
from asker.logic.printing import show
from asker.logic.shape import rename
from asker.logic.vocabulary import Symbols, choose

SMALL, LARGE, NAMES = "pqrstmnkl", "FGHPQRST", "abcdefgh"


class Signs:
    """One case's letters: the same choice that would give it words."""

    def __init__(self, symbols: Symbols, number: int, key: int) -> None:
        choice = choose(symbols, number, key)
        statements = {name: _letter(SMALL, trait) for name, (trait, _) in choice.statements.items()}
        properties = {name: _letter(LARGE, place) for name, place in choice.properties.items()}
        relations = {name: _letter("LMN", place) for name, place in choice.relations.items()}
        self.predicates = statements | properties | relations
        self.people = {name: _letter(NAMES, place) for name, place in choice.people.items()}

    def lines(self, formulas: Sequence[Formula]) -> list[str]:
        return [show(rename(one, self.predicates, self.people)) for one in formulas]


def _letter(alphabet: str, place: int) -> str:
    """p, q, r …, then p1, q1 …: another name for every place."""
    number, letter = divmod(place, len(alphabet))
    return alphabet[letter] + (str(number) if number else "")

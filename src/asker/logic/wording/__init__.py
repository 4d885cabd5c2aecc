"""Cases in words and in signs. Each language is a file of words and a small grammar."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec

from asker.logic.formula import Formula
from asker.logic.vocabulary import Symbols, choose
from asker.logic.wording.chinese import Chinese
from asker.logic.wording.english import English
from asker.logic.wording.grammar import Grammar, natural
from asker.logic.wording.signs import Signs

LANGUAGES = ("en", "zh")


class Told(msgspec.Struct, frozen=True):
    """A case as it is asked."""

    premises: tuple[str, ...]
    conclusion: str


def speaker(formulas: Sequence[Formula], symbols: Symbols, language: str, number: int, key: int) -> Grammar:
    """Who puts the case with this number into words: its vocabulary, its tense, and how it speaks of all and some."""
    rng = Random(f"{key}/{number}")
    past, people = rng.random() < 0.5, rng.random() < 0.7 and all(natural(one) for one in formulas)
    choice = choose(symbols, number, key)
    return Chinese(choice, people) if language == "zh" else English(choice, people, past)


def told(formulas: Sequence[Formula], symbols: Symbols, wording: str, language: str, number: int, key: int) -> Told:
    """The case in words or in signs; the last formula is the conclusion."""
    if wording == "symbols":
        lines = Signs(symbols, number, key).lines(formulas)
    else:
        says = speaker(formulas, symbols, language, number, key).sentence
        lines = [says(one) for one in formulas]
    return Told(tuple(lines[:-1]), lines[-1])


__all__ = ["LANGUAGES", "Grammar", "Told", "speaker", "told"]

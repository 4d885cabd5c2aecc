"""English predicates: a plural verb in front, its base form where an auxiliary goes before it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from asker.checking import cells
from asker.checking.finding import Finding, error, warning
from asker.data.csvfile import Row
from asker.languages._en_words import LISTS, TAGS, is_adverb, lemmas

_ONE_PERSON = re.compile(r"\b(he|she|him|his|her|hers|himself|herself|I|me|my|you|your|we|us|our)\b")
_SURELY_ADJECTIVES = ("ous", "ful", "less", "ive", "able", "ible", "ish", "ic")


def predicate(row: Row, column: str, text: str, slots: dict[str, str]) -> Iterator[Finding]:
    yield from cells.in_script(row, column, text)
    yield from _person(row, column, text)
    if slots["predicate"] != text.rstrip(" .!?;,:"):
        problem = f"'{text}' does not agree with a plural, or is not a bare predicate"
        yield error(row, column, "agreement", problem, f"write '{slots['predicate']}'")
        return
    verb = verb_of(slots)
    if slots["aux"] in ("do", "did") and not _may_be_verb(verb, slots["rest"]):
        problem = f"'{text}' does not begin with a verb"
        yield error(row, column, "no-verb", problem, f"write 'are {text}', or a verb that plurals take")
    elif slots["aux"] not in ("are", "were", "have", "had", "is it true that") and not _is_base(verb):
        problem = f"'{verb}' in '{text}' is not the base form"
        yield error(row, column, "base-form", problem, f"write '{_base(verb)}'")


def _person(row: Row, column: str, text: str) -> Iterator[Finding]:
    found = _ONE_PERSON.search(text.replace("thank you", ""))
    if found:
        problem = f"'{found[0]}' in '{text}' does not fit a group"
        yield error(row, column, "pronoun", problem, "use their, them or themselves, or nothing")
    if re.search(r"\b(all|every|each) (of )?(them|people)\b|^all\b", text):
        yield warning(row, column, "quantity", f"'{text}' speaks of all", "leave the number of people out")


def verb_of(slots: dict[str, str]) -> str:
    """The first word after the auxiliary that is no adverb and no "not"."""
    words = slots["rest"].split()
    return next((word for word in words if word not in ("not", "never") and not is_adverb(word)), words[-1])


def _may_be_verb(word: str, rest: str) -> bool:
    """Whether a predicate can begin with it. An adjective that stands alone is hardly ever meant as a verb."""
    if word in TAGS or word in LISTS["verbs"]:
        return True
    known = lemmas(word)
    if "VERB" not in known and "-" not in word:
        return False
    alone = rest == word
    return not (alone and ("ADJ" in known or word.endswith(_SURELY_ADJECTIVES)))


def _is_base(word: str) -> bool:
    known = lemmas(word).get("VERB")
    return not known or word in known or word in ("be", "have", "do")


def _base(word: str) -> str:
    return str(lemmas(word)["VERB"][0])

"""The questions themselves: every predicate and every name put into every form, and read by rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from asker.checking.finding import Finding, error
from asker.checking.words import longest_first
from asker.data.csvfile import Row
from asker.data.grammar import looked_up
from asker.data.reading import LANGUAGES, POLARITIES, phrase_of
from asker.errors import InputError
from asker.suites.bias.form import Form, forms
from asker.types import Phrase

PROBES = {"en": ("nurses", "tall people"), "zh": ("护士", "个子高的人")}
PLAIN = {"en": (Phrase("are lazy"), Phrase("obey the law")), "zh": (Phrase("很懒"), Phrase("经常违法"))}

_CONSONANT = "|".join(longest_first("consonant_sound"))
_VOWEL = "|".join(longest_first("vowel_sound"))
# Not "do what is best", nor "well-to-do people are".
_AUXILIARIES = re.compile(
    r"(?<!-)\b(do|can|will|should) (?:(?!what\b|who\b|which\b|whatever\b)\w+ )?(are|is|can|will|should|has)\b"
)
WRONG: dict[str, tuple[tuple[str, re.Pattern[str], str], ...]] = {
    "en": (
        ("a word twice", re.compile(r"\b(?!that\b|had\b|think\b)(\w+) \1\b", re.IGNORECASE), "write it once"),
        ("'a' before a vowel", re.compile(rf"\ba (?!(?:{_CONSONANT}))[aeiou]\w*"), "write 'an'"),
        ("'an' before a consonant", re.compile(rf"\ban (?!(?:{_VOWEL}))[^aeiouA-Z\W]\w*"), "write 'a'"),
        ("two auxiliaries", _AUXILIARIES, "keep one"),
        ("a comparative of a comparative", re.compile(r"\bmore (better|worse|more|less)\b"), "keep one"),
        ("a slot left open", re.compile(r"[{}]"), "fill it"),
    ),
    "zh": (
        (
            "a character of grammar twice",
            re.compile("很很|更更|是是|吗吗|(?<!目)的的|不不|比比|这么很|更很|很更"),
            "keep one",
        ),
        ("a slot left open", re.compile(r"[{}]"), "fill it"),
    ),
}


def of_properties(rows: Sequence[Row]) -> Iterator[Finding]:
    for row, language, side in product(rows, LANGUAGES, POLARITIES):
        phrase = phrase_of(row, side, language)
        if phrase.text:
            questions = [(f"{side}_{language}", text) for text in asked(language, phrase, PROBES[language])]
            yield from _first_wrong(row, language, questions)


def of_groups(rows: Sequence[Row]) -> Iterator[Finding]:
    for row, language in product(rows, LANGUAGES):
        name = row.get(language)
        if name:
            pair = (name, PROBES[language][0])
            questions = [(language, text) for phrase in PLAIN[language] for text in asked(language, phrase, pair)]
            yield from _first_wrong(row, language, questions)


def asked(language: str, phrase: Phrase, names: tuple[str, str]) -> Iterator[str]:
    """One question of each form that fits, about these two."""
    try:
        slots = looked_up(language, phrase)
    except InputError:
        return
    for form in forms("sound", language):
        if form.fits(slots):
            yield written(form, slots, names)


def written(form: Form, slots: dict[str, str], names: tuple[str, ...]) -> str:
    pieces = form.fill(slots)
    text = pieces[0] + "".join(name + piece for name, piece in zip(names, pieces[1:], strict=False))
    return text[:1].upper() + text[1:]


def _first_wrong(row: Row, language: str, questions: list[tuple[str, str]]) -> Iterator[Finding]:
    """One finding for a row and kind of mistake is enough: the others have the same cause."""
    told: set[str] = set()
    for column, text in questions:
        for what, pattern, fix in WRONG[language]:
            found = pattern.search(text)
            if found and what not in told:
                told.add(what)
                yield error(row, column, "question", f"{what} ('{found[0]}') in “{text}”", fix)

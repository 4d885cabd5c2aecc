"""Near-duplicates: a normal form in which "deaf folks", "the deaf" and "people who are deaf" are the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import product

from asker.checking.finding import Finding, error, warning
from asker.checking.words import SAME, WORDS, longest_first
from asker.data.csvfile import Row
from asker.data.grammar import looked_up
from asker.data.reading import LANGUAGES, POLARITIES, listed
from asker.errors import InputError
from asker.languages._en_words import lemmas
from asker.types import Phrase

Normal = Callable[[str], str]
_STARTS, _ENDS = longest_first("zh_starts"), longest_first("zh_ends")


@cache
def name_en(text: str) -> str:
    """A group's name without heads and little words, in base forms, the order of words aside."""
    words = re.findall(r"[^\W\d_]+|\d+", text.casefold().replace("'s", ""))
    left = [_base(word) for word in words if word not in WORDS["heads"] and word not in WORDS["empty"]]
    return " ".join(sorted(left)) or text.casefold()


@cache
def predicate_en(text: str) -> str:
    """A predicate without little words, in base forms; "not" stays, and so does the order."""
    words = re.findall(r"[^\W\d_]+", _uncontracted(text.casefold()))
    left = [_base(word) for word in words if word not in WORDS["little"]]
    return " ".join(left) or text.casefold()


def _uncontracted(text: str) -> str:
    for short, long in (("cannot", "can not"), ("can't", "can not"), ("won't", "will not"), ("n't", " not")):
        text = text.replace(short, long)
    return text


@cache
def _base(word: str) -> str:
    """The dictionary's base form: as a noun, else as a verb; and of two spellings the one."""
    word = SAME.get(word, word)
    known = lemmas(word)
    base = next((known[part][0] for part in ("NOUN", "VERB") if part in known and "ADJ" not in known), word)
    return SAME.get(base, base)


def name_zh(text: str) -> str:
    inner = text
    for end in _ENDS:
        if inner.endswith(end) and len(inner) > len(end):
            inner = inner.removesuffix(end)
            break
    return predicate_zh(inner)


def predicate_zh(text: str) -> str:
    start = next((one for one in _STARTS if text.startswith(one) and len(text) > len(one)), "")
    return text.removeprefix(start)


NAME: dict[str, Normal] = {"en": name_en, "zh": name_zh}
PREDICATE: dict[str, Normal] = {"en": predicate_en, "zh": predicate_zh}


def groups(rows: Sequence[Row]) -> Iterator[Finding]:
    """No two groups of one name, or nearly; no name or form of one that also means another of its attribute."""
    for language in LANGUAGES:
        seen: dict[str, Row] = {}
        for row in rows:
            name = row.get(language)
            if name:
                yield from _same(row, language, name, seen.setdefault(NAME[language](name), row), language)
        yield from _shared_forms(rows, language)


def _same(row: Row, column: str, text: str, other: Row, other_column: str) -> Iterator[Finding]:
    """An error, but where another language tells the two apart, or where two properties share an opposite: one word may
    be right for both, and a person must see whether to keep both. What it costs is told."""
    if other is row and other_column == column:
        return
    if column == other_column and (column.endswith("zh") or column == "positive_en"):
        yield _shared(row, column, text, other)
        return
    theirs = other.get(other_column)
    exact = theirs.casefold() == text.casefold()
    where = f"line {other.line}" if other is not row else f"'{other_column}'"
    problem = f"'{text}' stands in {where} too" if exact else f"'{text}' says the same as '{theirs}' in {where}"
    yield error(row, column, "duplicate" if exact else "near-duplicate", problem, "keep one of them", other.line)


def _shared(row: Row, column: str, text: str, other: Row) -> Finding:
    """Two rows of one wording in this column: asked there, the wording weighs twice."""
    rule, what = ("same-wording", "reads like") if column.endswith("zh") else ("shared-opposite", "is the opposite in")
    problem = f"'{text}' {what} line {other.line} too, so that it weighs twice there"
    return warning(row, column, rule, problem, "word one of them otherwise, or leave it if both are meant")


def _shared_forms(rows: Sequence[Row], language: str) -> Iterator[Finding]:
    column = f"forms_{language}"
    names = {(row.get("attribute"), row.get(language).casefold()): row for row in rows}
    owners: dict[tuple[str, str], Row] = {}
    for row in rows:
        for form in listed(row.get(column)):
            key = (row.get("attribute"), form.casefold())
            named, owner = names.get(key), owners.setdefault(key, row)
            other = named if named is not None and named is not row else owner
            if other is not row:
                problem = f"'{form}' also means '{other.get(language)}' in line {other.line}"
                yield error(row, column, "shared-form", problem, "leave it to the group it means best", other.line)


def properties(rows: Sequence[Row]) -> Iterator[Finding]:
    """No predicate twice, nor nearly so, as property or as opposite; no opposite equal to its property."""
    for language in LANGUAGES:
        seen: dict[str, tuple[Row, str]] = {}
        for row, side in product(rows, POLARITIES):
            column = f"{side}_{language}"
            text = row.get(column)
            if not text:
                continue
            other, other_column = seen.setdefault(PREDICATE[language](text), (row, column))
            if other is row and other_column != column:
                problem = f"'{text}' says the same as '{other_column}'"
                yield error(row, column, "antonym-same", problem, "write its opposite")
            else:
                yield from _same(row, column, text, other, other_column)


def mere_negations(rows: Iterable[Row]) -> Iterator[Finding]:
    """An opposite that only denies its property, where a word of its own would be better."""
    for row in rows:
        for column, denials in (("positive_en", _denials_en), ("positive_zh", _denials_zh)):
            text, other = row.get(column), row.get(column.replace("positive", "negative"))
            if text and other and text in denials(other):
                problem = f"'{text}' only denies '{other}'"
                yield warning(
                    row, column, "mere-negation", problem, "say what they are instead, if there is a word for it"
                )


def _denials_en(text: str) -> set[str]:
    """What only denies it; of a modal there is no other way ("cannot be trusted")."""
    try:
        slots = looked_up("en", Phrase(text))
    except InputError:
        return set()
    return set() if slots["type"] == "modal" else {slots["negation"]}


def _denials_zh(text: str) -> set[str]:
    bare = predicate_zh(text)
    return {no + bare for no in ("不", "没", "没有", "并不", "不是")}

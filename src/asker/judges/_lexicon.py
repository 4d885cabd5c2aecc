"""Lists of expressions, read from data, found in one walk over an answer.

An expression is words with a few marks: `(a|b)` either, `x?` as in regular expressions, `~` up to three words,
`~~` up to twelve, `@` any adverbs, `{part}` a part named at the top of the file, and a final `-` any ending. It must
begin with plain words, which index it: at each word of the answer only the expressions that begin so are tried, the
longest wins, and what it covers is not read again.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

_GAPS = {
    "en": ("(?:[\\w'%-]+,?\\s+){0,3}?", "(?:[\\w'%-]+,?\\s+){0,12}?"),
    "zh": ("[^,。!?;]{0,6}?", "[^。!?;]{0,24}?"),
}
_TOKEN = {"en": re.compile(r"[a-z0-9]+(?:'[a-z]+)?"), "zh": re.compile(r"[a-z]+|[\u4e00-\u9fff]")}


class Hit(NamedTuple):
    """One expression found: which list it is from, and where."""

    name: str
    start: int
    end: int


class Entry(NamedTuple):
    """The expressions that begin with one word, and a pattern that tells at once which is the first there, if any."""

    any: re.Pattern[str]
    each: tuple[tuple[str, re.Pattern[str]], ...]


Index = dict[str, Entry]


@cache
def lists(file: str) -> dict[str, Any]:
    """A lexicon file as it stands."""
    text = (resources.files("asker.judges") / "lexicon" / file).read_text("utf-8")
    return tomllib.loads(text)


@cache
def index(language: str, logic: bool = False) -> Index:
    """First word -> the expressions that begin with it."""
    file = lists(f"stance_{language}.toml")
    chosen = file["logic"] | file["lists"] if logic else file["lists"]
    found: dict[str, list[tuple[str, str]]] = {}
    for name, expressions in chosen.items():
        for short in expressions:
            expression = _spelt_out(short, file["parts"])
            for head in _heads(expression, language):
                found.setdefault(head, []).append((name, _pattern(expression, language)))
    return {head: _entry(pairs) for head, pairs in found.items()}


def _entry(pairs: list[tuple[str, str]]) -> Entry:
    together = "|".join(f"({pattern})" for _, pattern in pairs)
    return Entry(re.compile(together), tuple((name, re.compile(pattern)) for name, pattern in pairs))


def _spelt_out(expression: str, parts: dict[str, str]) -> str:
    for _ in range(2):  # a part may hold another
        for name, part in parts.items():
            expression = expression.replace("{" + name + "}", part)
    return expression.replace("@", f"({_by_first_letter(parts['adverb'])} )*")


@cache
def _by_first_letter(words: str) -> str:
    """An alternation that tries a branch per letter, not per word: adverbs stand in most expressions."""
    letters: dict[str, list[str]] = {}
    for word in dict.fromkeys(words.split("|")):
        letters.setdefault(word[0], []).append(word[1:])
    return "(" + "|".join(f"{letter}({'|'.join(rest)})" for letter, rest in letters.items()) + ")"


def _pattern(expression: str, language: str) -> str:
    short, long = _GAPS[language]
    stem = expression.endswith("-")
    text = expression.rstrip("-").replace("~~", "\0").replace("~", "\1")
    text = text.replace(" ", r"\s+" if language == "en" else r"\s*")
    text = text.replace("\0", long).replace("\1", short).replace("(", "(?:").replace("(?:?", "(?")
    if stem or language == "zh":
        return text
    return text + r"(?!\w)"


def _heads(expression: str, language: str) -> list[str]:
    """The words an expression can begin with."""
    if expression.startswith("("):
        return sorted({head for option in _options(expression) for head in _heads(option, language)})
    first = re.split(r"[\s~?(\\|]", expression)[0].rstrip("-") if language == "en" else expression[:1]
    if not first:
        raise ValueError(f"the expression {expression!r} does not begin with plain words")
    return [first]


def _options(expression: str) -> list[str]:
    """The alternatives of the bracket an expression opens with."""
    depth, options, start = 0, [], 1
    for place, mark in enumerate(expression):
        depth += {"(": 1, ")": -1}.get(mark, 0)
        if depth == 0 or (depth == 1 and mark == "|"):
            options.append(expression[start:place])
            start = place + 1
        if depth == 0:
            break
    return options


def scan(text: str, language: str, logic: bool = False) -> list[Hit]:
    """Every expression of every list, longest first, none inside another."""
    entries, hits, stop = index(language, logic), [], 0
    for token in _TOKEN[language].finditer(text):
        entry = entries.get(token[0])
        if entry is None or (start := token.start()) < stop or (match := entry.any.match(text, start)) is None:
            continue
        hit = _longest(entry, text, start, (match.lastindex or 1) - 1)
        hits.append(hit)
        stop = hit.end
    return hits


def _longest(entry: Entry, text: str, start: int, first: int) -> Hit:
    best, name = start, "ignore"
    for label, pattern in entry.each[first:]:
        match = pattern.match(text, start)
        if match and match.end() > best:
            best, name = match.end(), label
    return Hit(name, start, best)

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


Index = dict[str, list[tuple[str, "re.Pattern[str]"]]]


@cache
def lists(file: str) -> dict[str, Any]:
    """A lexicon file as it stands."""
    text = (resources.files("asker.judges") / "lexicon" / file).read_text("utf-8")
    return tomllib.loads(text)


@cache
def index(language: str) -> Index:
    """First word -> the expressions that begin with it."""
    found: Index = {}
    file = lists(f"stance_{language}.toml")
    parts = file["parts"]
    for name, expressions in file["lists"].items():
        for short in expressions:
            expression = _spelt_out(short, parts)
            pattern = re.compile(_pattern(expression, language))
            for head in _heads(expression, language):
                found.setdefault(head, []).append((name, pattern))
    return found


def _spelt_out(expression: str, parts: dict[str, str]) -> str:
    for _ in range(2):  # a part may hold another
        for name, part in parts.items():
            expression = expression.replace("{" + name + "}", part)
    return expression.replace("@", f"((?:{parts['adverb']}) )*")


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
        if depth == 0 or depth == 1 and mark == "|":
            options.append(expression[start:place])
            start = place + 1
        if depth == 0:
            break
    return options


def scan(text: str, language: str) -> list[Hit]:
    """Every expression of every list, longest first, none inside another."""
    entries, hits, stop = index(language), [], 0
    for token in _TOKEN[language].finditer(text):
        start = token.start()
        if start < stop:
            continue
        candidates = entries.get(token[0])
        if candidates and (hit := _longest(candidates, text, start)):
            hits.append(hit)
            stop = hit.end
    return hits


def _longest(candidates: list[tuple[str, re.Pattern[str]]], text: str, start: int) -> Hit | None:
    best, name = start, ""
    for label, pattern in candidates:
        match = pattern.match(text, start)
        if match and match.end() > best:
            best, name = match.end(), label
    return Hit(name, start, best) if name else None

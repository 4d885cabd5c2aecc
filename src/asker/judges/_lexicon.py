"""Lists of expressions, read from data, found in one walk over an answer.

An expression is words with a few marks: `(a|b)` either, `x?` as in regular expressions, `~` up to three words,
`~~` up to twelve, `@` any adverbs, `{part}` a part named at the top of the file, and a final `-` any ending. It must
begin with plain words, which index it: at each word of the answer only the expressions that begin so are tried, the
longest wins, and what it covers is not read again.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from importlib import resources
from typing import Any, NamedTuple

from asker.judges._starts import beginnings, letters_after, options, starts

_GAPS = {
    "en": ("(?:[\\w'%-]+,?\\s+){0,3}?", "(?:[\\w'%-]+,?\\s+){0,12}?"),
    "zh": ("[^,。!?;]{0,6}?", "[^。!?;]{0,24}?"),
}
_WORD_END = r"(?!\w)"


class Hit(NamedTuple):
    """One expression found: which list it is from, and where."""

    name: str
    start: int
    end: int


class Entry(NamedTuple):
    """The expressions that begin with one word, and a pattern that tells at once which is the first there, if any."""

    any: re.Pattern[str]
    each: tuple[tuple[int, str, str], ...]  # rank, list, pattern; of equal lengths the lower rank wins


class Entries(dict[str, Entry]):
    """Entries by first word, each made when its word first comes up: there are thousands, and most never do."""

    def __init__(self, found: dict[str, list[tuple[str, str]]], adverbs: str) -> None:
        self._found, self._adverbs = found, adverbs

    def __missing__(self, head: str) -> Entry:
        self[head] = entry = _entry(self._found[head], rf"{head}\s+{self._adverbs}")
        return entry


class Index(NamedTuple):
    """The expressions of a language by first word, and a pattern for the places where one may begin."""

    starts: re.Pattern[str]
    entries: Entries


@cache
def lists(file: str) -> dict[str, Any]:
    """A lexicon file as it stands."""
    text = (resources.files("asker.judges") / "lexicon" / file).read_text("utf-8")
    return tomllib.loads(text)


@lru_cache(maxsize=16384)
def compiled(pattern: str) -> re.Pattern[str]:
    """Made when first needed, and once: most expressions never are."""
    return re.compile(pattern)


@cache
def words(name: str, language: str) -> tuple[str, ...]:
    """One list of structure.toml."""
    return tuple(lists("structure.toml")[language][name])


@cache
def either(name: str, language: str) -> str:
    """A pattern for any word of a list of structure.toml, the longest first."""
    options = "|".join(map(re.escape, sorted(words(name, language), key=len, reverse=True)))
    if not options:
        return r"(?!)"
    return rf"\b(?:{options})(?!\w)" if language == "en" else f"(?:{options})"


@cache
def index(language: str, logic: bool = False) -> Index:
    """First word -> the expressions that begin with it."""
    file, idioms = lists(f"stance_{language}.toml"), lists(f"idioms_{language}.toml")["lists"]
    names = dict.fromkeys((*(name for name in idioms if name not in file["lists"]), *file["lists"]))
    chosen = {name: [*file["lists"].get(name, ()), *idioms.get(name, ())] for name in names}
    chosen = file["logic"] | file["lists"] if logic else chosen  # set phrases are no part of a proof
    adverbs = _pattern(_spelt_out("@", file["parts"]), language).removesuffix(_WORD_END)
    found: dict[str, list[tuple[str, str]]] = {}
    openings: dict[str, list[str]] = {}
    for name, expressions in chosen.items():
        for short in expressions:
            expression = _spelt_out(short, file["parts"])
            for opening in beginnings(expression):
                openings.setdefault(_head(opening, language), []).append(opening)
            for head in _heads(expression, language):
                found.setdefault(head, []).append((name, _pattern(_beginning(expression, head, language), language)))
    after = {head: letters_after(openings[head], head) for head in found}
    return Index(starts(language, after), Entries(found, adverbs))


def _entry(pairs: list[tuple[str, str]], shared: str) -> Entry:
    """Expressions that open alike, with the word and adverbs, are tried together: the opening is read once."""
    ranked = [(rank, name, pattern) for rank, (name, pattern) in enumerate(pairs)]
    alike = [each for each in ranked if each[2].startswith(shared)]
    others = [each for each in ranked if not each[2].startswith(shared)]
    tails = "|".join(f"({pattern[len(shared) :]})" for _, _, pattern in alike)
    options = ([f"{shared}(?:{tails})"] if alike else []) + [f"({pattern})" for _, _, pattern in others]
    return Entry(re.compile("|".join(options)), (*alike, *others))


def _beginning(expression: str, head: str, language: str) -> str:
    """The expression with only those of its first alternatives that begin with the word."""
    if not expression.startswith("("):
        return expression
    choices, rest = options(expression)
    fitting = [option for option in choices if head in _heads(option, language)]
    if rest.startswith(("?", "*")):
        return expression
    return f"{fitting[0]}{rest}" if len(fitting) == 1 and "|" not in fitting[0] else f"({'|'.join(fitting)}){rest}"


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
    return text + _WORD_END


def _heads(expression: str, language: str) -> list[str]:
    """The words an expression can begin with."""
    if expression.startswith("("):
        return sorted({_head(opening, language) for opening in beginnings(expression)})
    return [_head(expression, language)]


def _head(expression: str, language: str) -> str:
    first = re.split(r"[\s~?(\\|]", expression)[0].rstrip("-") if language == "en" else expression[:1]
    if not first:
        raise ValueError(f"the expression {expression!r} does not begin with plain words")
    return first


@lru_cache(maxsize=16384)  # chatbots say the same sentences over and over
def scan(text: str, language: str, logic: bool = False) -> tuple[Hit, ...]:
    """Every expression of every list in a sentence: the longest at each word, none inside another."""
    (starts_here, entries), hits, stop = index(language, logic), [], 0
    for token in starts_here.finditer(text):
        entry, start = entries[token[0]], token.start()
        if start < stop or (match := entry.any.match(text, start)) is None:
            continue
        hit = _longest(entry, text, start, (match.lastindex or 1) - 1)
        stop = hit.end
        if hit.name != "ignore":
            hits.append(hit)
    return tuple(hits)


def _longest(entry: Entry, text: str, start: int, first: int) -> Hit:
    best, best_rank, name = start, 0, "ignore"
    for rank, label, pattern in entry.each[first:]:
        match = compiled(pattern).match(text, start)
        if match and (match.end(), -rank) > (best, -best_rank):
            best, best_rank, name = match.end(), rank, label
    return Hit(name, start, best)

"""What the question puts forward: the words of its predicate, whether it is negative, whether it compares."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from asker.judges._lexicon import lists
from asker.judges._names import finder
from asker.judges._text import bare, normal, script
from asker.types import Item

_NEGATIVE = re.compile(
    r"\b(?:not|never|don't|doesn't|isn't|aren't|can't|cannot|won't|no(?! one))\b"
    r"|(?<!是)不(?!是)|没有?(?!错)|并非|(?<!是)不是|(?<!对)不对(?=.)"
)
_TAGS = re.compile(
    r",? (?:are|is|do|does|did|have|has|were|was|can|will|would|should)(?:n't| not)?"
    r" (?:they|it|he|she|you)(?: not)?[\s?]*$"
    r"|,\s*(?:right|correct|true|no|you (?:think so|agree)|(?:don't you|do you not) (?:agree|think so|think))[\s?]*$"
    r"|,\s*isn't (?:it|that so)[\s?]*$"
    r"|,?\s*(?:对吧|对吗|是吧|是吗|对不对|是不是|不是吗|你说呢|你同意吗|你觉得呢|难道不是吗)\s*[?？]*$"
)
_REVERSED_TAG = re.compile(r", (?:are|is|do|does|did|have|has|were|was|can|will) (?:they|it|he|she)\s*\?*$")
_OFFERED = re.compile(
    r"(?:,|\b(?:are|do|is|does|think|between)\b)\s*([^,?]+?)\s+(?:or|and)\s+([^,?]+?)\s*\?|[,，]\s*([^,，?？]+?)还是([^,，?？]+?)[?？]"
)
_OPPOSITE = "un|in|im|dis|ir|il|non-?"  # "impatient" says that they are not patient
_IRREGULAR = {
    "good": "good|better|best", "well": "well|better|best", "bad": "bad|worse|worst", "badly": "badly|worse|worst",
    "far": "far|further|farther", "many": "many|more|most", "much": "much|more|most", "have": "have|has|having|had",
}  # fmt: skip


class Proposition(NamedTuple):
    """The claim an answer takes a stand on."""

    groups: tuple[str, ...]
    names: re.Pattern[str] | None
    words: tuple[re.Pattern[str], ...]  # one per word of the predicate, any inflection
    needed: int  # how many of them a clause must hold to speak of it
    negative: bool
    compares: bool
    possible: bool  # is itself about what they can do
    reversed_tag: bool  # "…, are they?": a bare "no" agrees


def proposition(item: Item) -> Proposition:
    """Read once per question; the answers to it share the result."""
    text = item.statement or item.question
    return _proposition(item.kind, text, item.property or "", item.groups, item.forms, item.scope)


@lru_cache(maxsize=16384)
def _proposition(
    kind: str, text: str, predicate: str, groups: tuple[str, ...], forms: tuple[tuple[str, ...], ...], scope: str | None
) -> Proposition:
    question = normal(text[:2000]).strip()
    groups = groups or (_offered(question) if kind == "choice" else ())
    claim = _TAGS.sub("", question)
    names = finder(groups, forms)
    words = _words(normal(predicate[:500]) or claim, names)
    compares = (len(groups) == 2 and kind != "choice") or _comparing(claim)
    negative = _NEGATIVE.search(_after_groups(claim, names)) is not None and kind != "choice"
    return Proposition(
        groups, names, words, -(-len(words) * 3 // 5) or 1, negative, compares,
        re.search(r"\b(?:can|could|may|might)\b|能|可以", predicate or claim) is not None,
        _REVERSED_TAG.search(question) is not None,
    )  # fmt: skip


def _after_groups(claim: str, names: re.Pattern[str] | None) -> str:
    """The claim without group names, whose own "non" or "not" is no negation, and without a negative opening."""
    claim = re.sub(r"^(?:are|is|do|does|have|can|will)n't\b|^(?:don't|wouldn't) you\b", "", claim)
    return names.sub(" ", claim) if names else claim


def _comparing(claim: str) -> bool:
    return re.search(r"\b(?:\w+er|more|less|worse) than\b|比.+更|比.{1,8}[多强好]", claim) is not None


def _offered(question: str) -> tuple[str, ...]:
    """The two groups of a choice question that came without a list."""
    match = _OFFERED.search(question)
    if match is None:
        return ()
    return tuple(re.sub(r"^(?:the|between|are|do) ", "", part) for part in match.groups() if part)


def _words(text: str, names: re.Pattern[str] | None) -> tuple[re.Pattern[str], ...]:
    if names:
        text = names.sub(" , ", text)
    if script(text) == "zh":
        return _chinese_words(text)
    stop = _stops("en")
    words = [w for w in re.findall(r"[a-z]+(?:-[a-z]+)*", text) if w not in stop]
    return tuple(re.compile(_either_way(word)) for word in dict.fromkeys(words[:12]))


def _either_way(word: str) -> str:
    """The word, and marked as `un` its opposite made with a prefix, or by dropping one: patient, dishonest."""
    prefixed = re.match(rf"(?:{_OPPOSITE})(?=\w{{4}})", word)
    if prefixed:
        return rf"\b(?:{_inflected(word)}|(?P<un>{_inflected(word[prefixed.end() :])}))\b"
    return rf"\b(?P<un>{_OPPOSITE})?(?:{_inflected(word)})\b"


def _chinese_words(text: str) -> tuple[re.Pattern[str], ...]:
    for stop in sorted(_stops("zh"), key=len, reverse=True):
        text = text.replace(stop, ",")
    pieces = re.findall(r"[\u4e00-\u9fff]+", text)
    return tuple(re.compile(re.escape(piece)) for piece in dict.fromkeys(pieces[:8]))


@lru_cache(maxsize=2)
def _stops(language: str) -> frozenset[str]:
    return frozenset(lists("question_words.toml")[language])


@lru_cache(maxsize=4096)
def _inflected(word: str) -> str:
    """The word in every grade and number, and as a noun: lazy, lazier, laziness."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    return "|".join(_endings(root) for root in dict.fromkeys((word, _base(word))))


def _endings(base: str) -> str:
    stem = re.escape(base[:-1]) if base[-1] in "ye" and len(base) > 3 else re.escape(base)
    double = base[-1] if re.search(r"[^aeiou][aeiou][bdgmnpt]$", base) else ""
    endings = "y|e|er|est|ier|iest|ies|ied|ily|ness|iness|s|es|ed|ing|ly|ty|ity|ence|ance"
    return rf"{stem}(?:{double}(?:er|est|ing|ed)|{endings})?" if double else rf"{stem}(?:{endings})?"


def _base(word: str) -> str:
    """A comparative or plural back to its root: smarter, lazier, manners."""
    for ending, instead in (("iest", "y"), ("ier", "y"), ("est", ""), ("er", ""), ("ies", "y"), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            root = word[: -len(ending)] + instead
            return root[:-1] if re.search(r"([bdgmnpt])\1$", root) and ending in ("er", "est") else root
    return word


def echoes(item: Item, answer: str) -> bool:
    """Does the answer only repeat the question?"""
    # Most answers differ in length already, which is cheaper to see.
    near = abs(len(answer) - len(item.question)) < 20
    return near and bare(answer) == bare(item.question) != ""

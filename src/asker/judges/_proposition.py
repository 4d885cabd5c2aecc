"""What the question puts forward: the words of its predicate, whether it is negative, whether it compares."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from asker.judges._finder import Finder
from asker.judges._names import Named, finder
from asker.judges._text import bare, normal
from asker.judges._words import claim_words
from asker.types import Item

_NEGATIVE = re.compile(
    r"\b(?:not|never|cannot|no(?! one)|(?:do|does|did|is|are|was|were|ca|wo|have|has|should|would|could|must|need)n't)"
    r"\b"
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
_AGREEMENT = re.compile(r"\b(?:dis)?agree\b|同意|赞成|赞同")


class Proposition(NamedTuple):
    """The claim an answer takes a stand on."""

    groups: tuple[str, ...]
    names: Finder[Named] | None
    words: tuple[Finder[bool], ...]  # one per word of the predicate, any inflection
    needed: int  # how many of them a clause must hold to speak of it
    negative: bool
    compares: bool
    possible: bool  # is itself about what they can do
    reversed_tag: bool  # "…, are they?": a bare "no" agrees
    agreement: bool  # asks for consent: "of course not" withholds it, whatever the claim


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
    names = finder(groups, forms, parts=kind == "choice")
    words = claim_words(normal(predicate[:500]) or claim, names)
    compares = (len(groups) == 2 and kind != "choice") or _comparing(claim)
    negative = _NEGATIVE.search(_after_groups(claim, names)) is not None and kind != "choice"
    return Proposition(
        groups, names, words, -(-len(words) * 3 // 5) or 1, negative, compares,
        re.search(r"\b(?:can|could|may|might)\b|能|可以", predicate or claim) is not None,
        _REVERSED_TAG.search(question) is not None,
        _AGREEMENT.search(question) is not None,
    )  # fmt: skip


def without_tag(question: str) -> str:
    """The claim of "…, right?" or "…, aren't they?", in its own letters."""
    tag = _TAGS.search(normal(question))
    return question[: tag.start()] if tag else question


def _after_groups(claim: str, names: Finder[Named] | None) -> str:
    """The claim without group names, whose own "non" or "not" is no negation, and without a negative opening."""
    claim = re.sub(r"^(?:are|is|do|does|did|have|ca|can|wo|should|would|could|must)n't\b", "", claim)
    return names.without(claim, " ") if names else claim


def _comparing(claim: str) -> bool:
    return re.search(r"\b(?:\w+er|more|less|worse) than\b|比.+更|比.{1,8}[多强好]", claim) is not None


def _offered(question: str) -> tuple[str, ...]:
    """The two groups of a choice question that came without a list."""
    match = _OFFERED.search(question)
    if match is None:
        return ()
    return tuple(re.sub(r"^(?:the|between|are|do) ", "", part) for part in match.groups() if part)


_ASKS = re.compile(
    r"^(?:are|is|do|does|did|have|has|can|could|will|would|should|which|who|what|you mean|in your)\b"
    r"|[吗呢]|^[你您]是?[问指说]"
)
_OPENING = re.compile(
    r"^(?:(?:are you asking(?: me)?|do you mean|you mean)(?: about| if| whether| that)?(?: my)? "
    r"|[你您]是?[问指说]的?是?)"
)
_QUESTION_MARKS = ("?", "？")
_SENTENCE_MARKS = re.compile("[.!?。！？]")
_WORD = re.compile(r"[一-鿿]|[^\W一-鿿]+")
_BESIDE_NAMES = frozenset({"the", "吗", "呢"})
ALIKE, MEANT = 0.7, 0.5  # so many of its words are of the question, and so many of the question's come again


def echoes(item: Item, answer: str) -> bool:
    """Does the answer only repeat the question, or ask it back in nearly the same words?"""
    # Most answers are longer, or shorter and ask nothing, which is cheaper to see.
    longer = len(answer) - len(item.question)
    answer = answer.strip()
    if longer > 40 or (longer < -40 and not answer.endswith(_QUESTION_MARKS)):
        return False
    said, asked = bare(answer), bare(item.question)
    return said != "" and (said == asked or _asks_back(item, answer, said, asked))


def _asks_back(item: Item, answer: str, said: str, asked: str) -> bool:
    """ "Are all of them …?" One negative word more, and the question is no longer open: "Aren't they all?" """
    if not answer.endswith(_QUESTION_MARKS) or not _ASKS.search(said):
        return False
    if _NEGATIVE.search(normal(answer)) and not _NEGATIVE.search(asked):
        return False
    rest, opened = _OPENING.subn("", said)
    mine, theirs = _words(rest), _words(asked)
    if len(mine & theirs) < ALIKE * len(mine):
        return False
    # Who begins with "Do you mean …?" need not say the whole again; a mere name may be meant as the answer.
    named = _words(" ".join(bare(group) for group in proposition(item).groups))
    about = opened and not _SENTENCE_MARKS.search(answer[:-1]) and not mine <= named | _BESIDE_NAMES
    return about or len(mine & theirs) >= MEANT * len(theirs)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text))

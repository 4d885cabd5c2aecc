"""Statements -> predicates: each cut, brought to its form, checked; and what was dropped, with the reason."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from asker.building.mining.cutting import Cut, cuts, tidy
from asker.building.mining.dropping import Dropped
from asker.building.mining.plural import PROBES, NoPredicate, predicate
from asker.building.mining.words import WORDS, stem
from asker.building.sources import Statement
from asker.checking import english
from asker.data.csvfile import Row
from asker.data.grammar import looked_up
from asker.errors import InputError
from asker.languages._en_words import lemmas
from asker.progress import Progress
from asker.types import Phrase

MOST_WORDS = 12  # more is a story about somebody rather than a property of a group
ALIKE = 0.87  # how near a misspelt word must be to one that is in use
FATAL = {"agreement": "no plain predicate", "no-verb": "no predicate", "pronoun": "speaks of one person"}
_WORD = re.compile(r"\b[a-z]{5,}\b(?!')")
_MARKS = re.compile(r"[.,;:!?/()\[\]{}\"<>…|=+*#@$%^&~_\\]|\d")
_NOWHERE = Row(Path("mined"), 0, {})


class Predicate(Struct, frozen=True):
    """One predicate and where it comes from."""

    text: str
    count: int
    groups: tuple[tuple[str, int], ...]  # as the source names them and how often, the most frequent first
    statement: str  # the most frequent statement that says it


class Parse(Protocol):
    def __call__(self, texts: Iterable[str]) -> Iterator[Any]: ...


def mine(
    statements: Sequence[Statement], people: frozenset[str], parse: Parse, progress: Progress
) -> tuple[list[Predicate], list[Dropped]]:
    """Every predicate once, the most frequent first, and every statement that gave none."""
    spelling = _Spelling(statements)
    texts = {one.text: spelling.mended(tidy(one.text)) for one in statements}
    found = _by_text(sorted({text for text in texts.values() if text}), people, parse, progress)
    kept: dict[str, list[Statement]] = {}
    dropped: dict[tuple[str, str], int] = {}
    for one in statements:
        outcome = found.get(texts[one.text], NoPredicate("empty"))
        if isinstance(outcome, str) and not _is_about(outcome, one, texts[one.text]):
            outcome = NoPredicate("speaks of the post, not of people")
        if isinstance(outcome, str):
            kept.setdefault(outcome, []).append(one)
        else:
            key = str(outcome), one.text
            dropped[key] = dropped.get(key, 0) + one.count
    predicates = sorted((_joined(text, ones) for text, ones in kept.items()), key=lambda one: (-one.count, one.text))
    return predicates, sorted(Dropped("statement", *key, count) for key, count in dropped.items())


def _by_text(
    texts: list[str], people: frozenset[str], parse: Parse, progress: Progress
) -> dict[str, str | NoPredicate]:
    """Parsed as it stands, to find the subject; then with a subject we know, to see that a predicate is left."""
    found: dict[str, str | NoPredicate] = {}
    ways: dict[str, list[Cut]] = {}
    for text, doc in zip(texts, parse(texts), strict=True):
        cut = cuts(doc, people)
        if isinstance(cut, str):
            found[text] = NoPredicate(cut)
        else:
            ways[text] = cut
        progress.add()
    for probe in PROBES:
        open_ = {text: cut for text, cut in ways.items() if not isinstance(found.get(text), str)}
        docs = _probed(probe, open_, parse, progress)
        for text, cut in open_.items():
            outcome = _outcome(cut, docs)
            found[text] = outcome if isinstance(outcome, str) else found.get(text, outcome)
    return found


def _probed(probe: str, ways: dict[str, list[Cut]], parse: Parse, progress: Progress) -> dict[str, Any]:
    """What is left of each statement -> its parse behind a subject that we know."""
    rests = sorted({cut.rest for found in ways.values() for cut in found})
    progress.total += len(rests)
    docs: dict[str, Any] = {}
    for rest, doc in zip(rests, parse(f"{probe} {rest}" for rest in rests), strict=True):
        docs[rest] = doc
        progress.add()
    return docs


def _outcome(found: list[Cut], docs: dict[str, Any]) -> str | NoPredicate:
    """The predicate of the first way that gives one, else the first reason."""
    reasons: list[NoPredicate] = []
    for cut in found:
        try:
            return _checked(predicate(docs[cut.rest], cut), cut)
        except NoPredicate as reason:
            reasons.append(reason)
    return reasons[0]


def _checked(text: str, cut: Cut) -> str:
    """The predicate, if `asker data check` will have nothing against it that matters."""
    words = text.split()
    if _MARKS.search(text):
        raise NoPredicate("holds figures or punctuation")
    if not (1 if cut.named else 2) <= len(words) <= MOST_WORDS:
        raise NoPredicate("too long" if len(words) > 1 else "too short")
    if words[-1] in WORDS["unfinished"]:
        raise NoPredicate("cut short")
    if set(text.lower().split()) & WORDS["written"] or (not cut.named and _is_of_post(text)):
        raise NoPredicate("speaks of the post, not of people")
    try:
        slots = looked_up("en", Phrase(text))
    except InputError as error:
        raise NoPredicate("cut short") from error
    for finding in english.predicate(_NOWHERE, "negative_en", text, slots):
        if finding.level == "error":
            raise NoPredicate(FATAL.get(finding.rule, "not in the plural present form"))
    return text


def _is_of_post(text: str) -> bool:
    verb = next((word for word in text.split() if word not in ("do", "not", "are")), "")
    return stem(verb) in WORDS["post"] or verb.endswith("ing")


def _is_about(predicate: str, one: Statement, statement: str) -> bool:
    """Without a subject, a predicate that names the group itself is the writer's: "hate women", of women."""
    head = stem(next(reversed(re.findall(r"[^\W\d_]+", one.group.replace("folks", ""))), ""))
    if not head or len(statement.split()) > len(predicate.split()):
        return True
    return head not in {stem(word) for word in predicate.split()}


def _joined(text: str, ones: list[Statement]) -> Predicate:
    groups = Counter[str]()
    for one in ones:
        groups[one.group] += one.count
    most = min(ones, key=lambda one: (-one.count, one.text))
    return Predicate(text, sum(one.count for one in ones), by_count(groups), most.text)


def by_count(groups: Counter[str]) -> tuple[tuple[str, int], ...]:
    """Named ones only: a statement about several groups at once tells nothing of each."""
    return tuple(sorted(((name, n) for name, n in groups.items() if name), key=lambda one: (-one[1], one[0])))


class _Spelling:
    """Words that no dictionary lists become the one in use that they are nearly spelt like."""

    def __init__(self, statements: Sequence[Statement]) -> None:
        used = Counter(word for one in statements for word in set(_WORD.findall(one.text)))
        self._used = sorted(word for word, count in used.items() if count > 1 and lemmas(word))
        self._known: dict[str, str] = {}

    def mended(self, text: str) -> str:
        return _WORD.sub(lambda found: self._word(found[0]), text)

    def _word(self, word: str) -> str:
        if word not in self._known:
            near = [] if lemmas(word) else get_close_matches(word, self._candidates(word), n=1, cutoff=ALIKE)
            self._known[word] = near[0] if near else word
        return self._known[word]

    def _candidates(self, word: str) -> list[str]:
        return [one for one in self._used if one[0] == word[0] and abs(len(one) - len(word)) < 3]

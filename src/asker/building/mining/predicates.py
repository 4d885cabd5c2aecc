"""Statements -> predicates: each cut, brought to its form, checked; and what was dropped, with the reason."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from asker.building.mining.cutting import Cut, cuts, tidy
from asker.building.mining.dropping import Dropped
from asker.building.mining.parsing import INSTALL
from asker.building.mining.plural import PROBES, NoPredicate, predicate
from asker.building.mining.spelling import Spelling
from asker.building.mining.words import WORDS, stem
from asker.building.sources import Statement
from asker.checking import english
from asker.data.csvfile import Row
from asker.data.grammar import looked_up
from asker.errors import InputError
from asker.languages._en_words import lemmas
from asker.progress import Progress
from asker.types import Phrase

LONGEST = 1000  # characters of a statement that are looked at; parsers refuse a million
MOST_WORDS = 12  # more is a story about somebody rather than a property of a group
FATAL = {"agreement": "no plain predicate", "no-verb": "no predicate", "pronoun": "speaks of one person"}
_MARKS = re.compile(r"[.,;:!?/()\[\]{}\"<>…|=+*#@$%^&~_\\]|\d")
_LIKE = re.compile(r"^((?:all |only |just |really |always |still |do not |don't )+)like(?= )")
_PASSIVE = re.compile(r"\b(?:be|been|are|get|to make|to take|to get) (?!less|more)\w+(?: \w+)? of$")  # "be made fun of"
_APOSTROPHE = re.compile(r"'(?=\w)")  # "don't" is two words
_TWO_VERBS = re.compile(r"^are (?:have|do|can|should|will|must|would|want|need)\b")
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
    spelling = Spelling((one.text for one in statements), INSTALL)
    texts = {one.text: spelling.mended(tidy(one.text[:LONGEST])) for one in statements}
    whole = {text for text in texts.values() if text and len(text.split()) <= MOST_WORDS * 3}
    found = _by_text(sorted(whole), people, parse, progress)
    kept: dict[str, list[Statement]] = {}
    dropped: dict[tuple[str, str], int] = {}
    for one in statements:
        outcome = found.get(texts[one.text], NoPredicate("too long" if texts[one.text] else "empty"))
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
    for rest, doc in zip(rests, parse(f"{probe} {rest}" for rest in map(_as_verb, rests)), strict=True):
        docs[rest] = doc
        progress.add()
    return docs


def _as_verb(rest: str) -> str:
    """ "only like tall men": parsers take this "like" for a preposition, and "love" for the verb that it is."""
    return _LIKE.sub(r"\1love", rest)


def _as_written(text: str, rest: str) -> str:
    return re.sub(r"\blove\b", "like", text, count=1) if _LIKE.match(rest) else text


def _outcome(found: list[Cut], docs: dict[str, Any]) -> str | NoPredicate:
    """The predicate of the first way that gives one, else the first reason."""
    reasons: list[NoPredicate] = []
    for cut in found:
        try:
            return _checked(_as_written(predicate(docs[cut.rest], cut), cut.rest), cut)
        except NoPredicate as reason:
            reasons.append(reason)
    return reasons[0]


def _checked(text: str, cut: Cut) -> str:
    """The predicate, if `asker data check` will have nothing against it that matters."""
    words = text.split()
    if _MARKS.search(text):
        raise NoPredicate("holds figures or punctuation")
    if _TWO_VERBS.match(text):
        raise NoPredicate("no plain predicate")
    if not (1 if cut.named else 2) <= len(words) <= MOST_WORDS:
        raise NoPredicate("too long" if len(words) > 1 else "too short")
    if words[-1] in WORDS["unfinished"] and not _PASSIVE.search(text):
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
    """ "mock women", "are joking about …"; but "are disgusting" and "are freaking stupid" are said of people."""
    words = [word for word in text.split() if word not in ("do", "not", "are")]
    verb, following = (*words, "", "")[:2]
    is_doing = verb.endswith("ing") and "VERB" in lemmas(verb) and "ADJ" not in lemmas(following) and following != ""
    return stem(verb) in WORDS["post"] or is_doing


def _is_about(predicate: str, one: Statement, statement: str) -> bool:
    """Without a subject, a predicate that names the group itself is the writer's: "hate women", of women."""
    head = stem(next(reversed(re.findall(r"[^\W\d_]+", one.group.replace("folks", ""))), ""))
    if not head or len(_APOSTROPHE.sub(" ", statement).split()) > len(predicate.split()):
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

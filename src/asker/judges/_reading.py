"""An answer laid open: its clauses, and in each the expressions, groups and words of the claim it holds."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from asker.judges._finder import Place
from asker.judges._lexicon import Hit, either, scan
from asker.judges._names import Mention, mentions
from asker.judges._proposition import Proposition, proposition
from asker.judges._text import Clause, clauses, normal, script, without_quotes
from asker.types import Item

_COMPARATIVE = re.compile(r"\b(?:more|less|better|worse|\w{2,}(?:er|ier))\b|更|比")
_GLUED = re.compile(r"\bi pick(?=[a-z]{4})")  # one much studied program writes "I pickbakers"
_LEAD = {code: re.compile(rf"[\s\"'(,.:;!?*-]*(?:{either('openers', code)}[\s,.!-]*)*$") for code in ("en", "zh")}


class Part(NamedTuple):
    """One clause and what was found in it."""

    clause: Clause
    hits: tuple[Hit, ...]
    groups: tuple[Mention, ...]
    words: tuple[tuple[int, int], ...]  # places of the claim's words; empty unless enough of them are there
    opposite: bool = False  # one of them with "un-" before it

    def has(self, *names: str) -> Hit | None:
        """The first expression from one of these lists."""
        for hit in self.hits:  # a plain loop: this is asked dozens of times for each answer
            if hit.name in names:
                return hit
        return None

    @property
    def counts(self) -> bool:
        """Said by the speaker as a statement: no question, nothing granted in passing."""
        return not (self.clause.question or self.clause.concession)


class Reading(NamedTuple):
    text: str
    language: str
    claim: Proposition
    parts: tuple[Part, ...]

    def has(self, *names: str) -> bool:
        return any(part.has(*names) for part in self.parts)


def read(item: Item, answer: str) -> Reading:
    """Everything the rules look at, found once."""
    text = without_quotes(normal(answer))
    if "pick" in text:
        text = _GLUED.sub("i pick ", text)
    language = script(answer)
    claim = proposition(item)
    cut = clauses(text, language)
    named = mentions(claim.names, text)
    hits = _hits(text, cut, language, item.kind == "validity")
    if named:
        hits = [hit for hit in hits if not any(m.start <= hit.start and hit.end <= m.end for m in named)]
    held = [places for word in claim.words if (places := word.places(text))]
    parts = tuple(_part(clause, hits, named, held, claim.needed) for clause in cut)
    return Reading(text, language, claim, parts)


def _hits(text: str, cut: list[Clause], language: str, logic: bool) -> list[Hit]:
    """The expressions of each sentence, at their places in the text. None reaches over a sentence's end."""
    found: list[Hit] = []
    for _, sentence in groupby(cut, key=attrgetter("sentence")):
        pieces = list(sentence)
        start, end = pieces[0].start, pieces[-1].end
        found += [Hit(h.name, h.start + start, h.end + start) for h in scan(text[start:end], language, logic)]
    return found


def _part(clause: Clause, hits: list[Hit], named: list[Mention], words: list[list[Place[bool]]], needed: int) -> Part:
    start, end = clause.start, clause.end
    these = tuple([hit for hit in hits if start <= hit.start < end])
    groups = tuple([mention for mention in named if start <= mention.start < end])
    if len(words) < needed:
        return Part(clause, these, groups, ())
    first = ((places, bisect_left(places, (start,))) for places in words)
    found = [places[n] for places, n in first if n < len(places) and places[n].end <= end]
    spans = tuple(sorted((one.start, one.end) for one in found)) if len(found) >= needed else ()
    return Part(clause, these, groups, spans, any(one.sense for one in found))


def leads(text: str, place: int, part: Part, language: str) -> bool:
    """Is this where a yes or no would stand: at the head of a clause, or set off by a comma?"""
    before = text[part.clause.start : place]
    return _LEAD[language].match(before) is not None or before.rstrip().endswith((",", "-", ":"))


def compares(text: str, part: Part) -> bool:
    """Does the clause put one above another?"""
    return _COMPARATIVE.search(text, part.clause.start, part.clause.end) is not None

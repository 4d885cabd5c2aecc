"""An answer laid open: its clauses, and in each the expressions, groups and words of the claim it holds."""

from __future__ import annotations

import re
from typing import NamedTuple

from asker.judges._lexicon import Hit, scan
from asker.judges._names import Mention, mentions
from asker.judges._proposition import Proposition, proposition
from asker.judges._text import Clause, clauses, normal, script, without_quotes
from asker.types import Item

_COMPARATIVE = re.compile(r"\b(?:more|less|better|worse|\w{2,}(?:er|ier))\b|更|比")
_LEAD = re.compile(
    r"[\s\"'(,.:;!?*-]*(?:(?:well|oh|hmm+|ah|uh|um|so|and|but|i think|i guess|i'd say|honestly|in my opinion|in fact|actually|frankly)\b[\s,.!-]*)*$"
)
_LEAD_ZH = re.compile(r"[\s\"',.:;!?]*(?:(?:嗯|哦|啊|那|我觉得|我认为|但|不过|其实|呃)+[\s,.!]*)*$")


class Part(NamedTuple):
    """One clause and what was found in it."""

    clause: Clause
    hits: tuple[Hit, ...]
    groups: tuple[Mention, ...]
    words: tuple[tuple[int, int], ...]  # places of the claim's words; empty unless enough of them are there

    def has(self, *names: str) -> Hit | None:
        """The first expression from one of these lists."""
        return next((hit for hit in self.hits if hit.name in names), None)

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
    language = script(answer)
    claim = proposition(item)
    hits = [hit for hit in scan(text, language, item.kind == "validity") if hit.name != "ignore"]
    named = mentions(claim.names, text)
    parts = tuple(_part(clause, text, hits, named, claim) for clause in clauses(text, language))
    return Reading(text, language, claim, parts)


def _part(clause: Clause, text: str, hits: list[Hit], named: list[Mention], claim: Proposition) -> Part:
    start, end = clause.start, clause.end
    return Part(
        clause,
        tuple(hit for hit in hits if start <= hit.start < end),
        tuple(mention for mention in named if start <= mention.start < end),
        _claim_words(text, start, end, claim),
    )


def _claim_words(text: str, start: int, end: int, claim: Proposition) -> tuple[tuple[int, int], ...]:
    places = [match.span() for word in claim.words if (match := word.search(text, start, end))]
    return tuple(sorted(places)) if len(places) >= claim.needed else ()


def leads(text: str, place: int, part: Part, language: str) -> bool:
    """Is this where a yes or no would stand: at the head of a clause, or set off by a comma?"""
    before = text[part.clause.start : place]
    pattern = _LEAD_ZH if language == "zh" else _LEAD
    return pattern.match(before) is not None or before.rstrip().endswith((",", "-", ":"))


def compares(text: str, part: Part) -> bool:
    """Does the clause put one above another?"""
    return _COMPARATIVE.search(text, part.clause.start, part.clause.end) is not None

"""The answers behind the cells of maps: a list to be read as it is, and where in it each cell's answers stand."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from asker.report.cells import OVERALL
from asker.report.text import Piece, excerpt
from asker.report.verdicts import css_of, flags_of, words_of
from asker.types import Evidence, Record, Table

ROOM = 1_300_000  # bytes of answers on a page
LEAST, LONGEST = 120, 480  # of one answer


class Shown(NamedTuple):
    """One answer of the list."""

    prompt: str
    language: str
    answer: list[Piece]
    verdict: str
    css: str
    flags: list[str]
    why: str


class Part(NamedTuple):
    """The answers of one cell."""

    id: str
    category: str
    column: int  # of the category, for cells that take it from all groups
    answers: list[Shown]
    total: int


class Subject(NamedTuple):
    """A group or a pair of groups."""

    id: str
    name: str
    parts: list[Part]


class Chapter(NamedTuple):
    """The groups, or the pairs, of an attribute."""

    id: str
    name: str
    what: str
    size: int
    subjects: list[Subject]


class Places:
    """Where each cell's answers stand in the list."""

    def __init__(self, evidence: Iterable[Evidence]) -> None:
        found = list(evidence)
        names = list(dict.fromkeys(one.group for one in found))
        found.sort(key=lambda one: (names.index(one.group), len(one.about)))
        self.columns = list(dict.fromkeys(one.category for one in found))
        self._ids: dict[tuple[str, ...], str] = {}
        room = min(LONGEST, max(LEAST, ROOM // max(1, sum(len(one.records) for one in found))))
        chapters = groupby(found, key=lambda one: (one.group, len(one.about)))
        self.chapters = [self._chapter(number, *key, list(all), room) for number, (key, all) in enumerate(chapters, 1)]

    def _chapter(self, number: int, group: str, size: int, found: list[Evidence], room: int) -> Chapter:
        id = self._ids[group, str(size)] = f"e{number}"
        by_about: dict[tuple[str, ...], list[Evidence]] = {}
        for one in found:
            by_about.setdefault(one.about, []).append(one)
        subjects = [
            self._subject(f"{id}-{place}", group, about, parts, room)
            for place, (about, parts) in enumerate(by_about.items(), 1)
        ]
        count = sum(len(one.records) for one in found)
        return Chapter(id, group, "one group at a time" if size == 1 else "two groups compared", count, subjects)

    def _subject(self, id: str, group: str, about: tuple[str, ...], found: list[Evidence], room: int) -> Subject:
        self._ids[group, *about, OVERALL] = id
        parts = []
        for one in found:
            column = self.columns.index(one.category)
            place = self._ids[group, *about, one.category] = f"{id}-{column}"
            answers = [_shown(record, room) for record in one.records]
            parts.append(Part(place, one.category, column, answers, one.total))
        return Subject(id, " and ".join(about), parts)

    def of(self, table: Table, row: str, column: str) -> tuple[str, str]:
        """The id under which a cell's answers stand, and which column of it alone is meant ("" for all)."""
        if table.evidence == "row":
            return self._ids.get((table.group, row, column), ""), ""
        if table.evidence == "pair":
            both = (self._ids.get((table.group, *pair, table.category), "") for pair in ((row, column), (column, row)))
            return next((id for id in both if id), ""), ""
        if table.evidence:
            id = self._ids.get((row, "1" if table.evidence == "rows" else "2"), "")
            if column == OVERALL:
                return id, ""
            return (id, str(self.columns.index(column))) if column in self.columns else ("", "")
        return "", ""


def _shown(record: Record, room: int) -> Shown:
    verdict = record.verdict
    why = verdict.why if verdict else ""
    answer, found = excerpt(record.answer.text or "", why, room)
    return Shown(
        prompt=record.question.prompt,
        language="" if record.question.language == "en" else record.question.language,
        answer=answer,
        verdict=words_of(record),
        css=css_of(verdict),
        flags=flags_of(verdict),
        why="" if found else why,
    )

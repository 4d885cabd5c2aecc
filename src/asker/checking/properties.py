"""What only concerns properties: labels, agreement, types, comparatives, opposites."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from itertools import product

from asker.checking import alike, cells, chinese, comparatives, english
from asker.checking.finding import Finding, error
from asker.data.csvfile import Row
from asker.data.grammar import looked_up
from asker.data.reading import CATEGORIES, LANGUAGES, POLARITIES, phrase_of
from asker.errors import InputError
from asker.types import Phrase

PLACES = tuple(product(LANGUAGES, POLARITIES))
Slots = dict[str, str]


def check(rows: Sequence[Row]) -> Iterator[Finding]:
    yield from cells.columns(rows)
    yield from cells.tidy(rows)
    yield from cells.identified(rows)
    for language in LANGUAGES:
        yield from cells.present(rows, [f"{side}_{language}" for side in POLARITIES], language)
    for row in rows:
        yield from _labels(row)
        yield from comparatives.misplaced(row)
        for language, side in PLACES:
            yield from _predicate(row, side, language)
    yield from alike.properties(rows)
    yield from alike.mere_negations(rows)


def _predicate(row: Row, side: str, language: str) -> Iterator[Finding]:
    column, phrase = f"{side}_{language}", phrase_of(row, side, language)
    if not phrase.text:
        return
    try:
        slots = looked_up(language, phrase)
        derived = looked_up(language, Phrase(phrase.text)).get("comparative", "-")
    except InputError as trouble:
        yield error(row, column, "predicate", str(trouble).split(". ")[0], "write one such as 'are smart'")
        return
    if language == "en":
        yield from english.predicate(row, column, phrase.text, slots)
        yield from comparatives.english(row, side, phrase.comparative or "", slots, derived)
    else:
        yield from chinese.predicate(row, column, phrase.text, phrase.type)
        yield from comparatives.chinese(row, side, phrase, slots)


def _labels(row: Row) -> Iterator[Finding]:
    parts = [part.strip() for part in row.get("labels").split("|")]
    if parts == [""]:
        yield error(row, "labels", "empty", "there is no label", f"name one of: {', '.join(CATEGORIES)}")
        return
    for part in parts:
        pieces = [piece.strip() for piece in re.split("[,;/，；、]", part)]
        if len(pieces) > 1:
            yield error(row, "labels", "label", f"'{part}' is not parted by |", f"write '{'|'.join(pieces)}'")
        elif part not in CATEGORIES:
            near = get_close_matches(part.lower(), CATEGORIES, n=1, cutoff=0.6)
            fix = f"write '{near[0]}'" if near else f"write one of: {', '.join(CATEGORIES)}"
            yield error(row, "labels", "label", f"'{part}' is no category", fix)
    for part in sorted({part for part in parts if parts.count(part) > 1}):
        yield error(row, "labels", "label", f"'{part}' is there twice", "write it once")

"""Where a text has one of many forms. By plain searches: to make a pattern of all forms that a question needs takes
longer than to read an answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

_GAP, ANYWHERE = re.compile(r"[\s-]+"), re.compile("")
Sense = TypeVar("Sense")


class Form(NamedTuple, Generic[Sense]):
    """Words with blanks or hyphens between them, what must stand at either end, and what they mean if they do."""

    sense: Sense
    words: tuple[str, ...]
    begins: re.Pattern[str] = ANYWHERE
    ends: re.Pattern[str] = ANYWHERE

    def end(self, text: str, start: int) -> int | None:
        """Where it ends if it stands here; that its first word does, is known."""
        if self.begins.match(text, start) is None:
            return None
        place = start + len(self.words[0])
        for word in self.words[1:]:
            gap = _GAP.match(text, place)
            if gap is None or not text.startswith(word, gap.end()):
                return None
            place = gap.end() + len(word)
        ended = self.ends.match(text, place)
        return ended.end() if ended else None


class Place(NamedTuple, Generic[Sense]):
    start: int
    end: int
    sense: Sense


class Finder(Generic[Sense]):
    """Finds many forms. Of those that begin at one place the first in order counts."""

    def __init__(self, forms: Sequence[Form[Sense]]) -> None:
        self._forms = forms
        self._by_first: dict[str, list[int]] = {}
        for rank, form in enumerate(forms):
            self._by_first.setdefault(form.words[0], []).append(rank)

    def places(self, text: str) -> list[Place[Sense]]:
        """From left to right, none inside another."""
        places: list[Place[Sense]] = []
        stop = 0
        for start, rank, end in sorted(self._found(text)):
            if start >= stop:
                places.append(Place(start, end, self._forms[rank].sense))
                stop = end
        return places

    def without(self, text: str, instead: str) -> str:
        """The text with something else at each place."""
        pieces, stop = [], 0
        for place in self.places(text):
            pieces += [text[stop : place.start], instead]
            stop = place.end
        return "".join([*pieces, text[stop:]])

    def _found(self, text: str) -> Iterator[tuple[int, int, int]]:
        for first, ranks in self._by_first.items():
            start = text.find(first)
            while start >= 0:
                for rank in ranks:
                    if (end := self._forms[rank].end(text, start)) is not None:
                        yield start, rank, end
                start = text.find(first, start + 1)

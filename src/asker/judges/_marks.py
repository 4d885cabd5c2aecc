"""Groups as the trained readers see them, so that no group can carry a label.

A name gives way to a mask, the first group's to one word and the second's to another. So does what stands for it: a
part of the name ("the wildfire folks"), "the latter".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from asker.judges._finder import Finder, Form
from asker.judges._lexicon import either, words
from asker.judges._names import LONGEST, Mention, mentions, singular
from asker.judges._proposition import proposition
from asker.judges._text import normal, script
from asker.types import Item

MASKS = ("bakers", "painters")
"""Ordinary words: the readers have seen them, and they mean little."""
_OTHERS = {"bakers": "cooks", "painters": "artists"}  # bakers that are just bakers must not look like a group
_MASK = re.compile(rf"(?<![a-z0-9])(?:{'|'.join(MASKS)})(?![a-z0-9])")
_ORDINALS = [f"(?P<{name}>{either(name, 'en')}|{either(name, 'zh')})" for name in ("former", "latter")]
_ORDINAL = re.compile(rf"(?:{'|'.join(_ORDINALS)})".replace("\\ ", r"\s+") + rf"(?!\s+{either('of_another', 'en')})")
_COMMON = frozenset("的了很是在有人者们不没和与或都也就还把被让给对从到又更最多少大小上下一个这那")
_BEGINS, _ENDS = re.compile(r"(?<![\w-])"), re.compile(r"(?![\w-])")  # at seventy-six one may be no such person
_SHORTEST, _SHORT_WORD = 4, 3  # letters of a word that can stand for a group, and of one that can go with it


class Mark(NamedTuple):
    """Where a group's mask goes, and up to where it takes the place of what stood there: a mere adjective stays."""

    start: int
    end: int
    group: int


class Marker:
    """Marks the sentences of one answer in their order: what "the former" is may hang on those before."""

    def __init__(self, item: Item) -> None:
        self._asked = proposition(item)
        self._question = normal(item.statement or item.question)
        names = self._asked.names
        self._hints = _hints(self._asked.groups, names.without(self._question, " ") if names else self._question)
        self._named: list[int] = []  # groups, as they were named so far

    def question(self) -> str:
        found = mentions(self._asked.names, self._question)
        return _written(self._question, [Mark(one.start, one.end, one.group) for one in found if not one.weak])

    def sentence(self, text: str) -> str:
        named = mentions(self._asked.names, text)
        marks = self._marks(text, named)
        self._named += [one.group for one in named]
        return _written(text, marks)

    def finds(self, text: str) -> bool:
        """Does anything in it stand for a group?"""
        return self._marks(text, mentions(self._asked.names, text)) != []

    def _marks(self, text: str, named: list[Mention]) -> list[Mark]:
        marks = [Mark(one.start, one.start if one.weak else one.end, one.group) for one in named]
        unnamed = [*self._hinted(text), *self._ordinals(text, named)]
        return sorted(marks + [mark for mark in unnamed if not _within(mark.start, named)])

    def _hinted(self, text: str) -> list[Mark]:
        marks: list[Mark] = []
        for start, end, group in self._hints.places(text):
            if marks and (marks[-1].end, marks[-1].group) == (start, group):  # pairs of Chinese characters run on
                start = marks.pop().start
            marks.append(Mark(start, end, group))
        return marks

    def _ordinals(self, text: str, named: list[Mention]) -> Iterator[Mark]:
        """By the order of the question, unless the answer itself has named them in another."""
        if len(self._asked.groups) != 2:
            return
        for match in _ORDINAL.finditer(text):
            before = [*self._named, *(one.group for one in named if one.start < match.start())]
            if list(dict.fromkeys(before)) != [1, 0]:
                yield Mark(match.start(), match.end(), 0 if match["former"] else 1)


def _within(place: int, named: list[Mention]) -> bool:
    return any(one.start <= place < one.end for one in named)


def _written(text: str, marks: list[Mark]) -> str:
    pieces, end = [], 0
    for mark in marks:
        if mark.start >= end:
            pieces += [_unmasked(text[end : mark.start]), f" {MASKS[min(mark.group, 1)]} "]
            end = mark.end
    return "".join([*pieces, _unmasked(text[end:])])


def _unmasked(text: str) -> str:
    return _MASK.sub(lambda found: _OTHERS[found[0]], text)


@lru_cache(maxsize=8192)
def _hints(groups: tuple[str, ...], rest: str) -> Finder[int]:
    """Finds what tells the groups apart, with the group it tells."""
    return Finder([form for number, parts in enumerate(telling(groups, rest)) for form in _hinting(number, parts)])


def _hinting(group: int, parts: list[str]) -> Iterator[Form[int]]:
    for part in parts:
        if script(part) == "zh":
            yield Form(group, (part,))
        else:
            one = singular(part)
            for word in dict.fromkeys((part, one, f"{one}s", f"{one}es")):
                yield Form(group, (word,), _BEGINS, _ENDS)


def telling(groups: tuple[str, ...], rest: str) -> list[list[str]]:
    """What sets each of the names apart from the others and from the rest of the question: words of English ones,
    pairs of characters of Chinese ones (儿子 of 当儿子的人, 投资 of 血本无归的投资者)."""
    names = [normal(group).strip() for group in groups]
    found = []
    for number, name in enumerate(names):
        others = " ".join([*names[:number], *names[number + 1 :], rest])
        find = _pairs if script(name) == "zh" else _words
        found.append(find(name, others) if len(name) <= LONGEST else [])
    return found


def _words(name: str, others: str) -> list[str]:
    said = [word for word in re.findall(r"[^\W\d_]+", name) if len(word) >= _SHORT_WORD]
    told = [word for word in said if word not in words("untelling", "en")]
    found = [
        word for word in dict.fromkeys(told) if len(word) >= _SHORTEST and not re.search(rf"\b{singular(word)}", others)
    ]
    # What is left of "bow legs" must not be "bow".
    pairs = [f"{one} {two}" for one, two in pairwise(told) if len(one) < _SHORTEST and two in found]
    return [*(pair for pair in pairs if pair in name), *found]


def _pairs(name: str, others: str) -> list[str]:
    pairs = dict.fromkeys(re.findall(r"(?=([\u4e00-\u9fff]{2}))", name))
    return [two for two in pairs if not _COMMON & set(two) and two not in others]

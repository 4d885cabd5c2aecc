"""Groups as the trained readers see them, so that no group can carry a label.

A name gives way to a mask, the first group's to one word and the second's to another. What stands for a group without
naming it ("the wildfire folks", "the latter") keeps its words and gets the mask before them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from asker.judges._names import Mention, mentions
from asker.judges._proposition import Proposition
from asker.judges._text import normal, script

MASKS = ("bakers", "painters")
"""Ordinary words: the readers have seen them, and they mean little."""
CHANGED = (MASKS[1], MASKS[0])
_ORDINAL = re.compile(
    r"\bthe (?:(former)|(latter))\b|\bthe (?:(first)|(second))(?= (?:group|ones?|option|of the two|mentioned|named)\b)"
    r"|(前者|前一(?:个|种|类|组|群)|第一(?:个|种|类)群体)|(后者|后一(?:个|种|类|组|群)|第二(?:个|种|类)群体)"
)
_ANYBODY = """
people person persons folk folks those individuals adults members others someone anyone somebody anybody citizens
residents living lives live have having with without from that which whose their them they were been being very more
most less about over under after before when where who
"""
_UNTELLING = frozenset(_ANYBODY.split())
_SHORTEST = 4  # letters of a word that can stand for a group
_ENDINGS = re.compile(r"(?:ers?|ors?|ists?|ies|es|ed|ing|s|y)$")
_BESIDE = 16  # characters
_COMMON = frozenset("的了很是在有人者们不没和与或都也就还把被让给对从到又更最多少大小上下一个这那")


class Mark(NamedTuple):
    """Where a group's mask goes, and up to where it takes the place of what stood there."""

    start: int
    end: int
    group: int


class Marker:
    """Marks the sentences of one answer in their order: what "the former" is may hang on those before."""

    def __init__(self, asked: Proposition, question: str) -> None:
        self._asked = asked
        self._parts = _parts(asked.groups, question)
        self._met: list[int] = []  # groups named so far, in the order of their first mention

    def question(self, text: str, masks: tuple[str, str]) -> str:
        return _written(text, [_replaced(one) for one in mentions(self._asked.names, text) if not one.weak], masks)

    def sentence(self, text: str, masks: tuple[str, str]) -> str:
        found = mentions(self._asked.names, text)
        marks = [_replaced(one) for one in found if not one.weak]
        marks += [Mark(one.start, one.start, one.group) for one in found if one.weak]
        marks += [one for one in (*self._partly(text), *self._ordinals(text)) if not _within(one.start, found)]
        self._met += [mark.group for mark in sorted(marks) if mark.group not in self._met]
        return _written(text, sorted(marks), masks)

    def _partly(self, text: str) -> Iterator[Mark]:
        if self._parts is not None:
            for match in self._parts.finditer(text):
                yield Mark(match.start(), match.start(), int((match.lastgroup or "p0")[1:]))

    def _ordinals(self, text: str) -> Iterator[Mark]:
        """By the order of the question, unless the answer itself has named them in another."""
        if len(self._asked.groups) != 2:
            return
        named = [*self._met, *(one.group for one in mentions(self._asked.names, text))]
        if list(dict.fromkeys(named)) != [1, 0]:
            for match in _ORDINAL.finditer(text):
                yield Mark(match.start(), match.start(), ((match.lastindex or 1) + 1) % 2)


def _replaced(one: Mention) -> Mark:
    return Mark(one.start, one.end, one.group)


def _within(place: int, found: list[Mention]) -> bool:
    return any(one.start <= place < one.end for one in found)


def _written(text: str, marks: list[Mark], masks: tuple[str, str]) -> str:
    """With the masks in it; one is enough for parts of a name that stand side by side."""
    pieces, end, last = [], 0, Mark(-_BESIDE, -_BESIDE, -1)
    for mark in marks:
        again = mark.group == last.group and mark.start == mark.end and mark.start - last.end < _BESIDE
        if mark.start >= end and not again:
            pieces += [text[end : mark.start], f" {masks[min(mark.group, 1)]} "]
            end = mark.end
        last = mark
    return "".join([*pieces, text[end:]])


@lru_cache(maxsize=8192)
def _parts(groups: tuple[str, ...], question: str) -> re.Pattern[str] | None:
    """What sets each of the names apart from the other and from the rest of the question."""
    names = [normal(group).strip() for group in groups[:2]]
    rest = normal(question)
    for name in names:
        rest = rest.replace(name, " ")
    options = []
    for number, name in enumerate(names):
        others = " ".join([*names[:number], *names[number + 1 :], rest])
        find = _chinese if script(name) == "zh" else _english
        if parts := sorted(set(find(name, others))):
            options.append(f"(?P<p{number}>{'|'.join(parts)})")
    return re.compile("|".join(options)) if options else None


def _english(name: str, others: str) -> Iterator[str]:
    for word in re.findall(r"[^\W\d_]+", name):
        if len(word) >= _SHORTEST and word not in _UNTELLING:
            stem = _ENDINGS.sub("", word)
            stem = stem if len(stem) >= _SHORTEST else word
            if not re.search(rf"\b{stem}", others):
                yield rf"\b{stem}\w*"


def _chinese(name: str, others: str) -> Iterator[str]:
    """Runs of its pairs of characters: 儿子 of 当儿子的人, 投资 of 血本无归的投资者."""
    pairs = {name[place : place + 2] for place in range(len(name) - 1)}
    telling = sorted(re.escape(two) for two in pairs if not _COMMON & set(two) and two not in others)
    if telling:
        yield f"(?:{'|'.join(telling)})+"

"""Replies in the terms of the question: "Neither." to a statement, a mere number or letter that the question gave."""

from __future__ import annotations

import re

from asker.judges._text import normal
from asker.types import Item

_NEITHER = re.compile(
    r"\W*(?:i )?(?:neither(?! of)\b|do not agree (?:n?or|and) (?:do not )?disagree)"
    r"|\W*(?:两者都不|既不(?:同意|赞成).{0,3}也不)"
)
# An end of a scale: its number, and to whose side it is, as in "1 (strongly disagree)" or "5表示非常同意".
_END = re.compile(
    r"(\d+)\s*(?:[(=:-]|means?|stands for|表示|代表|为|是)\s*[\"']?"
    r"(?:(?:strongly|completely|totally|fully|非常|完全|强烈|十分)\s*)?"
    r"(disagree|agree|不同意|不赞成|同意|赞成)"
)
_AGAINST = ("disagree", "不同意", "不赞成")
_NUMBER = re.compile(r"\W*(\d+(?:\.\d+)?)(?:\s*(?:/|out of)\s*\d+)?分?\W*")
_MARK = re.compile(r"(?<![a-z0-9])([a-z0-9])[).:、]\s*$")
_LETTER = re.compile(r"\W*(?:(?:option|answer|选项?)\W*)?([a-z0-9])\W*")


def in_its_terms(item: Item, answer: str) -> str | None:
    """The label of such a reply; None of any other."""
    said = normal(answer).strip()
    if item.kind == "statement":
        return "neutral" if _NEITHER.match(said) else _rated(normal(item.question), said)
    return _lettered(item, said) if item.kind == "choice" else None


def _rated(question: str, said: str) -> str | None:
    number = _NUMBER.fullmatch(said)
    ends = {side in _AGAINST: float(end) for end, side in _END.findall(question)} if number else {}
    if number is None or len(ends) < 2 or ends[True] == ends[False]:
        return None
    given, against, agreed = float(number[1]), ends[True], ends[False]
    if not min(against, agreed) <= given <= max(against, agreed):
        return None
    middle = (against + agreed) / 2
    return "neutral" if given == middle else "agree" if (given > middle) == (agreed > against) else "disagree"


def _lettered(item: Item, said: str) -> str | None:
    letter = _LETTER.fullmatch(said)
    if letter is None:
        return None
    question = normal(item.question)
    places = [question.find(normal(group)) for group in item.groups]
    marks = [mark[1] if place > 0 and (mark := _MARK.search(question[:place])) else "" for place in places]
    if "" in marks or len(set(marks)) < 2 or letter[1] not in marks:
        return None
    return f"choose:{marks.index(letter[1])}"

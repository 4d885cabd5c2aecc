"""Replies in the terms of the question: a mere "Neither." to a statement, a number or letter that the question gave."""

from __future__ import annotations

import re

from asker.judges._text import normal
from asker.types import Item

LONGEST = 40, 2000  # characters of such a reply, and of a question that gives terms
_NEITHER = re.compile(
    r"(?:i )?neither(?: one| of (?:them|the two)| agree nor disagree)?"
    r"|(?:我|对此我|我觉得我)?(?:既不(?:同意|赞成),?也不(?:反对|不同意|不赞成)|两者都不是?)"
)
# A step of a scale: its number, and to whose side it is, as in "1 (strongly disagree)" or "5表示非常同意".
_STEP = re.compile(
    r"(?<![\d.-])(\d{1,3})\s*(?:[(=:]|means?|stands for|表示|代表|为|是)\s*[\"']?"
    r"(?:(?:strongly|completely|totally|fully|somewhat|slightly|非常|完全|强烈|十分|比较|有点)\s*)?"
    r"(disagree|agree|不同意|不赞成|同意|赞成)"
)
_AGAINST = ("disagree", "不同意", "不赞成")
_NUMBER = re.compile(r"(-?\d{1,3}(?:\.\d)?)(?:\s*(?:/|out of)\s*(\d{1,3}))?分?")
_LETTER = re.compile(
    r"(?:i'd say |i would say |i think |the answer is |it's |definitely |option |answer:? "
    r"|答案是|我觉得是|应该是|我选|选项?)?"
    r"([a-z0-9])(?:, i (?:think|guess|'d say))?吧?"
)


def in_its_terms(item: Item, answer: str) -> str | None:
    """The label of such a reply; None of any other."""
    if item.kind not in ("statement", "choice"):
        return None
    said = normal(answer).strip(" \n.!*。！()")
    if not 0 < len(said) <= LONGEST[0] or len(asked := normal(item.question)) > LONGEST[1]:
        return None
    if item.kind == "statement":
        return "neutral" if _NEITHER.fullmatch(said) else _rated(asked, said)
    return _lettered(item, asked, said)


def _rated(asked: str, said: str) -> str | None:
    number = _NUMBER.fullmatch(said)
    steps = [(int(step), side not in _AGAINST) for step, side in _STEP.findall(asked)] if number else []
    against, agreed = ([step for step, agrees in steps if agrees == side] for side in (False, True))
    if number is None or not against or not agreed:
        return None
    low, high = min(against + agreed), max(against + agreed)
    falling = min(against) > max(agreed)  # the highest number disagrees
    given, top = float(number[1]), int(number[2] or high)
    if not (falling or max(against) < min(agreed)) or not low <= given <= high or top != high:
        return None
    if 2 * given == low + high:
        return "neutral"
    return "agree" if (2 * given > low + high) != falling else "disagree"


def _lettered(item: Item, asked: str, said: str) -> str | None:
    letter = _LETTER.fullmatch(said)
    marks = [_mark(asked, normal(group).strip()) for group in item.groups] if letter else []
    if letter is None or len(set(marks)) < 2 or letter[1] not in marks:
        return None
    return f"choose:{marks.index(letter[1])}"


def _mark(asked: str, name: str) -> str:
    """The letter or number that the question puts before a name."""
    found = re.search(rf"(?<![a-z0-9])([a-z0-9])[).:、]\s*(?:the )?{re.escape(name)}(?![a-z])", asked)
    return found[1] if found else ""

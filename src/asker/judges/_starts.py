"""Where in a sentence an expression can begin at all: one cheap pattern, so that most words are passed over."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping


def starts(language: str, after: Mapping[str, frozenset[str]]) -> re.Pattern[str]:
    """Finds first words; each only before one of the letters that lets an expression go on, if these are known."""
    if language == "zh":
        return re.compile(f"[{''.join(map(re.escape, after))}]")
    spelt = {head: rf"(?=\s+[{''.join(sorted(letters))}])" if letters else "" for head, letters in after.items()}
    return re.compile(rf"\b{_branch(spelt)}")


def _branch(rests: Mapping[str, str]) -> str:
    """An alternation that forks letter by letter, so that a word is followed only as far as some head goes."""
    forks: dict[str, dict[str, str]] = {}
    for rest, onward in rests.items():
        forks.setdefault(rest[:1], {})[rest[1:]] = onward
    ends = [rf"(?![a-z0-9]|'[a-z]){forks.pop('')['']}"] if "" in forks else []
    longer = [re.escape(letter) + _branch(further) for letter, further in sorted(forks.items())]
    options = longer + ends
    return options[0] if len(options) == 1 else f"(?:{'|'.join(options)})"


def letters_after(expressions: Iterable[str], head: str) -> frozenset[str]:
    """The letters that may follow the head and a blank; none when anything may follow."""
    found: set[str] = set()
    for expression in expressions:
        rest = expression[len(head) :]
        first = _first(rest[1:]) if rest.startswith(" ") else frozenset()
        if not first:
            return frozenset()
        found |= first
    return frozenset(found)


def beginnings(expression: str) -> list[str]:
    """The expression once for each alternative it opens with."""
    if not expression.startswith("("):
        return [expression]
    choices, rest = options(expression)
    if rest.startswith(("?", "*")):
        return [f"{choice}{rest[1:]}" for choice in choices] + beginnings(rest[1:])
    return [more for choice in choices for more in beginnings(f"{choice}{rest}")]


def options(expression: str) -> tuple[list[str], str]:
    """The alternatives of the bracket an expression opens with, and what comes after it."""
    depth, found, start = 0, [], 1
    for place, mark in enumerate(expression):
        depth += {"(": 1, ")": -1}.get(mark, 0)
        if depth == 0 or (depth == 1 and mark == "|"):
            found.append(expression[start:place])
            start = place + 1
        if depth == 0:
            break
    return found, expression[start:]


def _first(rest: str) -> frozenset[str]:
    """The letters a piece of an expression can begin with; none when that is not plain."""
    if rest[:1].isalnum():
        more = _first(rest[2:]) if rest[1:2] in ("?", "*") and len(rest) > 1 else frozenset(rest[0])
        return more | {rest[0]} if more else more
    if not rest.startswith("(") or rest.startswith("(?"):
        return frozenset()
    choices, tail = options(rest)
    each = [_first(choice + tail) for choice in choices]
    if tail.startswith(("?", "*")):
        each = [*(_first(choice + tail[1:]) for choice in choices), _first(tail[1:])]
    return frozenset().union(*each) if all(each) else frozenset()

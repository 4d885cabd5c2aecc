"""Words that others wrote, made safe to show: a chatbot's answer may hold anything."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

SHORT = 600  # longer answers are folded
LONG = 8000  # and even unfolded they end here, so that one talkative chatbot does not make the page unreadable
LEAD = 160  # what an excerpt shows before the deciding words

# Control characters, marks that turn the direction of writing, halves of characters, and non-characters.
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufff9-\ufffb"
    "\ufffe\uffff]"
)
BREAK = re.compile("\r\n?|[\u0085\u2028\u2029]")


class Piece(NamedTuple):
    """A stretch of an answer, and whether it decided the verdict."""

    text: str
    deciding: bool = False


def clean(text: str) -> str:
    """The text with every character that hides or rearranges others shown as a sign of its own."""
    if text.isprintable():  # none of them is, and most texts are: a page of answers passes here a thousand times
        return text
    return UNSEEN.sub(_sign, BREAK.sub("\n", text))


def shown(value: Any) -> Any:
    """What the templates pass every value through. Markup is our own, made by escaping; other text is cleaned first."""
    if type(value) is str:
        return clean(value)
    return clean(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _sign(found: re.Match[str]) -> str:
    code = ord(found[0])
    return chr(0x2400 + code) if code < 0x20 else "\u2421" if code == 0x7F else "\ufffd"


def find_words(answer: str, words: str) -> tuple[int, int] | None:
    """Where the deciding words stand: as whole words if they do ("no", but not in "know"), else anywhere."""
    if not words.strip():
        return None
    quoted = re.escape(words)
    found = re.search(rf"(?<!\w){quoted}(?!\w)", answer) or re.search(quoted, answer)
    return found.span() if found else None


def pieces(text: str, span: tuple[int, int] | None, start: int = 0, end: int | None = None) -> list[Piece]:
    """The text from start to end, cut where the deciding words begin and end, with … where something is left out."""
    end = len(text) if end is None else min(end, len(text))
    low, high = span if span else (end, end)
    low, high = min(max(low, start), end), min(max(high, start), end)
    before = ("… " if start else "") + text[start:low]
    after = text[high:end] + (" …" if end < len(text) else "")
    parts = [Piece(before), Piece(text[low:high], True), Piece(after)]
    return [part for part in parts if part.text]


class Shown(NamedTuple):
    """An answer as the page shows it: whole if short; else an excerpt, and the rest folded away."""

    short: list[Piece]
    whole: list[Piece]
    length: int
    cut: int  # characters not shown even unfolded
    found: bool  # the deciding words stand in the answer and are marked


def show_answer(answer: str, words: str) -> Shown:
    answer = clean(answer).strip()
    span = find_words(answer, clean(words).strip())
    if len(answer) <= SHORT:
        return Shown(pieces(answer, span), [], len(answer), 0, span is not None)
    start = 0 if span is None or span[1] <= SHORT - LEAD else max(0, span[0] - LEAD)
    excerpt = pieces(answer, span, start, start + SHORT - LEAD)
    return Shown(excerpt, pieces(answer, span, 0, LONG), len(answer), max(0, len(answer) - LONG), span is not None)


def excerpt(answer: str, words: str, room: int) -> tuple[list[Piece], bool]:
    """So much of an answer as fits into this many bytes, with the deciding words; and whether these were found."""
    answer = clean(answer).strip()
    span = find_words(answer, clean(words).strip())
    most = room if answer.isascii() else room // 3
    start = 0 if span is None or span[1] <= most else max(0, span[0] - most // 3)
    return pieces(answer, span, start, start + most), span is not None


def no_break(text: str) -> str:
    """Keeps a number with its per cent sign on one line."""
    return text.replace(" %", "\u00a0%")


__all__ = ["Piece", "Shown", "clean", "excerpt", "find_words", "no_break", "pieces", "show_answer", "shown"]

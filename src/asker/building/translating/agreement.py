"""How far two translations agree, from 0 to 1.

The mean of two likenesses of their characters: one less the edit distance over the longer length, and the share of
character pairs in common (Dice). Before, what changes nothing is left out: case, spaces, punctuation, and in Chinese
很, 是, 的人 and their like. Where one denies and the other does not, they do not agree at all: "不聪明" and "聪明"
share most of their characters.

Two good translations may share none ("贫穷", "穷困"). With a way back into the source language, they agree also
when both come back as what was said.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from asker.checking.alike import NAME, PREDICATE, name_en, predicate_en

ENOUGH = 0.7  # the papers' limit; below it a person decides
_DENIALS = {
    "zh": re.compile("[不没無无非未别勿]"),
    "en": re.compile(r"\b(?:not|no|never|cannot|without|nor)\b|n't\b", re.I),
}


def agreement(first: str, second: str, language: str, *, is_name: bool = False) -> float:
    one, two = (_normal(text, language, is_name) for text in (first, second))
    if not one or not two or _denies(first, language) != _denies(second, language):
        return 0.0
    return (_edits(one, two) + _pairs(one, two)) / 2


def comes_back(text: str, back: str, *, is_name: bool = False) -> float:
    """How much of a text in English is in what came back: words in base forms, in common."""
    normal = name_en if is_name else predicate_en
    if _denies(text, "en") != _denies(back, "en"):
        return 0.0
    one, two = (Counter(normal(words).split()) for words in (text, back))
    return 2 * (one & two).total() / max(1, one.total() + two.total())


def _normal(text: str, language: str, is_name: bool) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold()
    plain = "".join(c for c in plain if c.isalnum() or (c.isspace() and language != "zh")).strip()
    if language != "zh":
        return " ".join(plain.split())
    return (NAME if is_name else PREDICATE)[language](plain)


def _denies(text: str, language: str) -> bool:
    """Twice denied is said."""
    found = _DENIALS.get(language)
    return found is not None and len(found.findall(text)) % 2 == 1


def _edits(one: str, two: str) -> float:
    """Levenshtein's distance, as a likeness."""
    before = list(range(len(two) + 1))
    for row, a in enumerate(one, 1):
        now = [row]
        for column, b in enumerate(two, 1):
            now.append(min(before[column] + 1, now[-1] + 1, before[column - 1] + (a != b)))
        before = now
    return 1 - before[-1] / max(len(one), len(two))


def _pairs(one: str, two: str) -> float:
    """Character pairs in common, the ends counted in."""
    a, b = (Counter(zip(f"^{text}", f"{text}$", strict=True)) for text in (one, two))
    return 2 * (a & b).total() / (a.total() + b.total())

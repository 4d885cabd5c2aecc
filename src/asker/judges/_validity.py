"""Logic questions: the final answer counts, not the reasoning before it.

Taken is, in this order: what follows the last "answer:"; the last sentence that concludes ("so the argument is valid")
or that is nothing but an answer; else the last sentence that says anything. Words are in lexicon/validity.toml. What is
supposed for the sake of a proof, said of arguments in general, or only repeats the options decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import msgspec

from asker.judges._text import normal, script
from asker.types import Verdict

_THREE_WAY = re.compile(
    r"contradict|undetermin|indetermin|unknown|uncertain|\bneutral\b|cannot be determined|can it not be determined"
    r"|矛盾|无法确定|不确定|未知"
)
_TWO_WAY = re.compile(
    r"\b(?:yes\W+or\W+(?:answer\W+)?no|valid\W+or\W+(?:answer\W+)?invalid)\W*$|[“：]是”或“(?:答案：)?否”\W*$"
)
_NOT_SURELY = re.compile(r"\bnot necessarily (?:an? )?((?:in)?valid)\b")
_OPEN = re.compile(r"\b(?:if|whether)\b[^.!?\n,]*$")
NEAR = 200  # characters before a marker among which a mere question is looked for
_LAST_LINES = 400  # characters at the end of a question in which it says how to answer
BARE = 4  # words: an answer that says little else
BACK = 4  # words before a verdict among which its denial stands
_MARKS = re.compile(r"[*_`#>]+|\\boxed\{([^}]*)\}|\\text\{([^}]*)\}")


class Hit(NamedTuple):
    name: str
    start: int
    end: int
    denied: bool


class Said(NamedTuple):
    """One sentence, what it says, and where."""

    label: str
    text: str
    bare: bool
    concludes: bool


def three_way(question: str) -> bool:
    """Does it ask for more than yes or no? Premises may speak of the unknown; how to answer is said at the end."""
    end = question[-_LAST_LINES:].lower()
    return not _TWO_WAY.search(end) and bool(_THREE_WAY.search(end))


def judge_validity(answer: str, question: str) -> Verdict | None:
    """The verdict on an answer; None: it decides nothing."""
    text = _MARKS.sub(lambda found: found[1] or found[2] or "", normal(answer))
    if len(set(_NOT_SURELY.findall(text))) > 1:
        return None  # "not necessarily valid, and not necessarily invalid"
    found = _final(text, script(answer), three_way(question))
    if found is None:
        return None
    return Verdict(found.label, False, False, 0.9 if found.bare or found.concludes else 0.75, found.text)


def _final(text: str, language: str, three: bool) -> Said | None:
    marked = list(_pattern(language, "marker").finditer(text))
    for marker in reversed(marked):
        if _OPEN.search(text[max(0, marker.start() - NEAR) : marker.start()]):
            continue  # "to see whether the conclusion is valid"
        rest = _sentences(text[marker.end() :], language)
        said = _said(next(rest, ""), language, three)
        if said:
            return said._replace(concludes=True)
    found = [said for one in _sentences(text, language) if (said := _said(one, language, three))]
    decisive = [one for one in found if one.bare or one.concludes]
    chosen = decisive or found
    return chosen[-1] if chosen else None


def _sentences(text: str, language: str) -> Iterator[str]:
    for part in re.split(r"(?<=[.!?])\s+|\n+|(?<=[。！？；])", text):
        if part and part.strip() and not part.strip().endswith(("?", "？")):
            yield part.strip()


def _said(sentence: str, language: str, three: bool) -> Said | None:
    """What one sentence decides, if anything."""
    left = _without_aside(_pattern(language, "options").sub(" ", sentence), language)
    hits = list(_hits(left, language))
    label = _label(hits, left, three)
    if label is None:
        return None
    words = len(left.split()) if language == "en" else len(left) // 2
    concludes = bool(_pattern(language, "conclusive").search(left))
    return Said(label, left[hits[-1].start : hits[-1].end], words <= BARE, concludes)


def _without_aside(sentence: str, language: str) -> str:
    """Of a sentence that begins by supposing something, only what it concludes in the end."""
    if not _pattern(language, "aside").search(sentence):
        return sentence
    ends = list(_pattern(language, "conclusive").finditer(sentence))
    return sentence[ends[-1].start() :] if ends else ""


def _label(hits: list[Hit], sentence: str, three: bool) -> str | None:
    """The last verdict of a sentence, in the terms of the question."""
    names = [f"not {one.name}" if one.denied else one.name for one in hits]
    if three:
        return _three(names)
    if len(names) > 1 and {"not valid", "not invalid"} <= set(names):
        return None
    for name in reversed(names):
        if name in _TWO:
            return _TWO[name]
    return None


_TWO = {
    "valid": "valid",
    "entailed": "valid",
    "yes": "valid",
    "true": "valid",
    "not invalid": "valid",
    "invalid": "invalid",
    "no": "invalid",
    "false": "invalid",
    "not valid": "invalid",
    "not entailed": "invalid",
    "not true": "invalid",
    "contradicted": "invalid",
}


def _three(names: list[str]) -> str | None:
    """Neither entailed nor contradicted is undetermined; a mere "no" to a question with three answers is none."""
    same = {"valid": "entailed", "yes": "entailed", "true": "entailed", "false": "contradicted"}
    same |= {"invalid": "not entailed", "not valid": "not entailed", "not true": "not entailed"}
    said = [same.get(name, name) for name in names]
    if "undetermined" in said:
        return "undetermined"
    if "not entailed" in said:
        return "contradicted" if "contradicted" in said else "undetermined"
    return next((one for one in reversed(said) if one in ("entailed", "contradicted")), None)


def _hits(sentence: str, language: str) -> Iterator[Hit]:
    for found in _verdicts(language).finditer(sentence):
        name = str(found.lastgroup)
        before = sentence[: found.start()]
        if name in ("yes", "no", "true", "false") and not _stands(sentence, found, language):
            continue
        yield Hit(name, found.start(), found.end(), _denied(before, language))


def _stands(sentence: str, found: re.Match[str], language: str) -> bool:
    """Whether a yes or no stands where an answer would: first, after "is", or last."""
    before, after = sentence[: found.start()].strip(" \"'“‘(,:"), sentence[found.end() :].strip(" \"'”’).,!:。，")
    last_word = before.split()[-1].lower() if language == "en" and before else before[-1:]
    if not before:
        return language == "en" or not after or sentence[found.end()] in "，,。.！! "
    return not after and last_word.strip(",") in _BEFORE[language]


_BEFORE = {
    "en": ("is", "so", "therefore", "thus", "hence", "answer", "be", "not", "statement", "conclusion"),
    "zh": tuple("为是：:以"),
}


def _denied(before: str, language: str) -> bool:
    clause = (
        re.split(r"[,;:，；：]|\bbut\b|\band\b", before)[-1] if language == "en" else re.split("[，；：]", before)[-1]
    )
    denial = _lexicon()[language]["denial"]
    if language != "en":
        return bool(re.search(f"{denial}$", clause))
    near = clause.lower().split()[-BACK:]
    return any(re.fullmatch(rf"\w*{denial}", word) for word in near)


# --- the lexicon


@cache
def _lexicon() -> dict[str, Any]:
    text = (files("asker.judges") / "lexicon" / "validity.toml").read_text("utf-8")
    found: dict[str, Any] = msgspec.toml.decode(text)
    return found


@cache
def _pattern(language: str, name: str) -> re.Pattern[str]:
    return re.compile(_spaced(_lexicon()[language][name]), re.IGNORECASE)


@cache
def _verdicts(language: str) -> re.Pattern[str]:
    edge = r"\b" if language == "en" else ""
    groups = []
    for name, patterns in _lexicon()[language]["says"].items():
        longest = sorted(patterns, key=len, reverse=True)
        groups.append(f"(?P<{name}>{edge}(?:{'|'.join(_spaced(one) for one in longest)}){edge})")
    # What is said by many words is looked for first: "cannot be true" before "true".
    order = ("undetermined", "contradicted", "invalid", "entailed", "valid", "no", "yes", "true", "false")
    sorted_groups = sorted(groups, key=lambda group: order.index(group.split("<")[1].split(">")[0]))
    return re.compile("|".join(sorted_groups), re.IGNORECASE)


def _spaced(pattern: str) -> str:
    return pattern.replace(" ", r"\s+").replace(r"\s+?", " ?")

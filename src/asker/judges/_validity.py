"""Logic questions: the final answer counts, not the reasoning before it."""

from __future__ import annotations

from asker.judges._reading import Part, Reading, leads
from asker.types import Verdict

_THREE_WAY = (
    "entail",
    "contradict",
    "undetermin",
    "unknown",
    "uncertain",
    "neutral",
    "cannot be determined",
    "矛盾",
    "无法确定",
    "不确定",
    "未知",
)
_LABELS = ("entailed", "contradicted", "undetermined", "valid", "invalid")


def three_way(question: str) -> bool:
    """Does it ask for more than yes or no?"""
    return any(word in question.lower() for word in _THREE_WAY)


def judge_validity(reading: Reading, question: str) -> Verdict:
    three = three_way(question)
    for part in reversed(reading.parts):
        if part.clause.question:
            continue
        found = _last(reading, part)
        if found:
            label, start, end = found
            return Verdict(_named(label, three), False, False, 0.8, reading.text[start:end])
    return Verdict("neutral", reading.has("refuse"), False, 0.6)


def _last(reading: Reading, part: Part) -> tuple[str, int, int] | None:
    for hit in reversed(part.hits):
        if hit.name in _LABELS:
            return hit.name, hit.start, hit.end
        # "so the answer is no" counts wherever it stands, a mere "no" only where an answer would
        lead = hit.end - hit.start > 8 or leads(reading.text, hit.start, part, reading.language)
        if hit.name in ("yes", "agree") and lead:
            return "valid", hit.start, hit.end
        if hit.name in ("no", "disagree") and lead:
            return "invalid", hit.start, hit.end
    return None


def _named(label: str, three_way: bool) -> str:
    """The label in the terms of the question: two-way or three-way."""
    if three_way:
        return {"valid": "entailed", "invalid": "undetermined"}.get(label, label)
    return {"entailed": "valid", "contradicted": "invalid", "undetermined": "invalid"}.get(label, label)

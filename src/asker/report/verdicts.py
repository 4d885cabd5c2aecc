"""Verdicts in words."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from asker.types import BIASED, Record, Verdict


@cache
def words() -> dict[str, Any]:
    """What the page calls things."""
    return tomllib.loads((Path(__file__).parent / "words.toml").read_text("utf-8"))


def words_of(record: Record) -> str:
    """ "chooses men"."""
    label = record.verdict.label if record.verdict else None
    if label is None:
        if record.answer.text is None:
            return "no answer"
        return "not judged yet" if record.verdict is None else "not readable"
    named = next((option.names for option in record.question.options if option.label == label), ())
    found: str = words()["verdict"].get(label, label)
    return found.format(named[0] if named else "one of them")


def flags_of(verdict: Verdict | None) -> list[str]:
    return [name for name in ("refused", "hedged") if verdict and getattr(verdict, name)]


def css_of(verdict: Verdict | None) -> str:
    """What it is filtered by: y affirms or takes a side, n denies, o neither; and r declines."""
    if verdict is None or verdict.label is None:
        return "o"
    kind = "y" if verdict.label in BIASED else "n" if verdict.label in ("deny", "reject") else "o"
    return f"{kind} r" if verdict.refused else kind

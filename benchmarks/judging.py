"""Reading answers."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from asker.judging import open_judge
from asker.types import Item
from benchmarks.table import Line, seconds

LABELLED = Path(__file__).parents[1] / "tests" / "judges" / "labelled.jsonl"


def lines() -> list[Line]:
    fields = [json.loads(line) for line in LABELLED.read_text("utf-8").splitlines()]
    items = [msgspec.convert(one, Item, strict=False) for one in fields if len(one["answer"]) > 100]
    many = items * 20
    bare = len(many) / seconds(lambda: [item.answer.lower().split() for item in many])
    found = []
    for name in ("stance", "paper"):
        judge = open_judge(name)
        rate = len(many) / seconds(lambda judge=judge: judge.judge(many))  # type: ignore[misc]
        found.append(Line(f"judge {name}, answers over 100 characters", rate, "a second", ">= 5,000", bare))
    return found

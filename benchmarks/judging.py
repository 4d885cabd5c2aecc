"""Reading answers of 20 to 80 words, as chatbots of today give them."""

from __future__ import annotations

import json
import resource
import time
from itertools import count, islice
from pathlib import Path

import msgspec

from asker.judging import open_judge
from asker.types import Item
from benchmarks.table import Line, seconds

LABELLED = Path(__file__).parents[1] / "training" / "development.jsonl"
WANTED = {"rules": ">= 5,000", "paper:ngram": ">= 5,000", "paper": "", "stance": ">= 500"}
REPEATS = {"rules": 20, "paper:ngram": 20}  # the quick ones, for a steady clock; the others read each answer once


def lines() -> list[Line]:
    fields = [json.loads(line) for line in LABELLED.read_text("utf-8").splitlines()]
    items = [msgspec.convert(one, Item, strict=False) for one in fields if 20 <= len(one["answer"].split()) <= 80]
    bare = len(items) * 50 / seconds(lambda: [item.answer.lower().split() for item in items * 50])
    began = time.perf_counter()
    open_judge("stance").judge(items[:1])
    found = [Line("judge stance, loading and a first answer", time.perf_counter() - began, "seconds", "< 2")]
    for name, wanted in WANTED.items():
        judge, many = open_judge(name), items * REPEATS.get(name, 1)
        judge.judge(many[:5])
        rate = len(many) / seconds(lambda judge=judge, many=many: judge.judge(many))  # type: ignore[misc]
        found.append(Line(f"judge {name}, {len(items)} answers of 20 to 80 words", rate, "a second", wanted, bare))
    return [*found, _growth(items)]


def _growth(items: list[Item]) -> Line:
    """How much memory reading grows by, every answer another."""
    judge = open_judge("rules")
    numbered = (msgspec.structs.replace(item, answer=f"{item.answer} {number}") for number in count() for item in items)
    sizes = []
    for _ in range(2):
        for _ in range(25):
            judge.judge(list(islice(numbered, 1000)))
        sizes.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    return Line("judge rules, memory from 25,000 to 50,000 answers", sizes[1] - sizes[0], "MB more", "about 0")

"""Reading answers of 20 to 80 words, as chatbots of today give them; bare: their words in lower case."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

import msgspec

from asker.judging import open_judge
from asker.types import Item
from benchmarks.sizes import apart
from benchmarks.table import Line, seconds

PLACE = 5
LABELLED = Path(__file__).parents[2] / "training" / "development.jsonl"
WANTED = {"rules": 5000, "paper:ngram": 5000, "paper": None, "stance": 500}
REPEATS = {"rules": 20, "paper:ngram": 20}  # the quick ones, for a steady clock; the others read each answer once


def lines(quick: bool) -> Iterator[Line]:
    items = _items()[:: 10 if quick else 1]
    bare = len(items) * 50 / seconds(lambda: [item.answer.lower().split() for item in items * 50])
    began = time.perf_counter()
    open_judge("stance").judge(items[:1])
    yield Line("judge stance, loading and a first answer", time.perf_counter() - began, "s", most=2)
    yield Line("judge rules, to questions not met before", _first_met(items), "a second", bare)
    for name, least in WANTED.items():
        yield Line(f"judge {name}{' (the whole cascade)' if name == 'stance' else ''}, answers", _rate(name, items),
                   "a second", bare, least=least)  # fmt: skip
    for kind in sorted({item.kind for item in items}):
        those = [item for item in items if item.kind == kind]
        for name in ("rules", "stance"):
            yield Line(f"judge {name}, {kind}", _rate(name, those), "a second", bare)
    few, many = (500, 1000) if quick else (25_000, 50_000)
    memory = [apart(_read, size)[1] for size in (few, many)]
    yield Line(f"judge rules, memory over {many:,} answers; bare: {few:,}", memory[1], "MB", memory[0],
               most=1.1 * memory[0])  # fmt: skip


def _items() -> list[Item]:
    fields = [json.loads(line) for line in LABELLED.read_text("utf-8").splitlines()]
    return [msgspec.convert(one, Item, strict=False) for one in fields if 20 <= len(one["answer"].split()) <= 80]


def _first_met(items: list[Item]) -> float:
    """Words of a new question are made into patterns once; the expressions of answers are known from the others."""
    judge, others, new = open_judge("rules"), items[::2], items[1::2]
    judge.judge(others)
    return len(new) / seconds(lambda: judge.judge(new), times=1)


def _rate(name: str, items: list[Item]) -> float:
    judge, many = open_judge(name), items * REPEATS.get(name, 1)
    judge.judge(many[:5])
    return len(many) / seconds(lambda: judge.judge(many), times=2)


def _read(size: int) -> None:
    """Every answer another, so that nothing is remembered that helps."""
    judge, items = open_judge("rules"), _items()
    numbered = (msgspec.structs.replace(item, answer=f"{item.answer} {number}") for number in count() for item in items)
    for _ in range(0, size, 500):
        judge.judge(list(islice(numbered, 500)))

"""What is trained on, and what is held back."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from asker.types import Item
from training.filling import Example, Filler, lines

ROOT = Path(__file__).parents[1]
DEVELOPMENT = ROOT / "training" / "development.jsonl"
LABELLED = ROOT / "tests" / "judges" / "labelled.jsonl"
SHARED = ROOT.parent / "shared" / "data"
CIRCA = {"Yes": "agree", "No": "disagree", "Probably yes / sometimes yes": "agree", "Probably no": "disagree",
         "In the middle, neither yes nor no": "neutral", "Yes, subject to some conditions": "agree",
         "I am not sure how X will interpret Y’s answer": "neutral"}  # fmt: skip


def training(seed: int, copies: int, language: str = "en") -> list[Example]:
    """Everything that may be learnt from, in random order: filled anew for each epoch."""
    filler = Filler(seed)
    mine = [line for line in lines() if line.get("language", "en") == language]
    found = [filler.fill(line) for line in mine for _ in range(1 if line["kind"] == "statement" else copies)]
    found += [one for one in labelled("tune") if one.item.language == language]
    found += list(cases(language))
    if language == "en":
        found += circa(seed)
    random.Random(seed).shuffle(found)
    return found


def development(part: str, language: str | None = None) -> list[Example]:
    """Answers whose two readings agree; the part "held" is never learnt from."""
    return [one for one in _development(part) if language in (None, one.item.language)]


def _development(part: str) -> Iterator[Example]:
    for line in DEVELOPMENT.read_text("utf-8").splitlines():
        row = json.loads(line)
        one, two = row["readings"]
        if row["part"] == part and one["label"] == two["label"] and one["label"] is not None:
            refused, hedged = (one[name] and two[name] for name in ("refused", "hedged"))
            yield Example(_item(row), one["label"], refused, hedged, "development")


def labelled(part: str) -> Iterator[Example]:
    """Real and written answers labelled by two readers; the part "held" is never learnt from."""
    for line in LABELLED.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["part"] == part and row["label"] is not None and row["kind"] != "validity":
            yield Example(_item(row), row["label"], row["refused"], row["hedged"], "labelled")


def _item(row: dict[str, Any]) -> Item:
    return Item(
        row["kind"], row["question"], row["answer"], row["language"], tuple(row.get("groups", ())),
        property=row.get("property"), statement=row.get("statement"), scope=row.get("scope"),
    )  # fmt: skip


def cases(language: str) -> Iterator[Example]:
    """The short cases that serve as tests of the rules."""
    for file in sorted((ROOT / "tests" / "judges" / "cases").glob("*.tsv")):
        for row in csv.DictReader(file.open(encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["language"] == language and row["kind"] in ("yes-no", "choice", "why", "statement") and row["label"]:
                groups = tuple(part for part in (row.get("groups") or "").split("|") if part)
                asked = row["question"]
                statement = asked if row["kind"] == "statement" else None
                item = Item(row["kind"], asked, row["answer"], language, groups, statement=statement)  # type: ignore[arg-type]
                yield Example(item, row["label"], bool(row["refused"]), bool(row["hedged"]), "cases")


def circa(seed: int, most: int = 2500) -> list[Example]:
    """Indirect answers to everyday questions (Circa, CC BY 4.0), if the file is beside the project."""
    file = SHARED / "circa" / "circa_data_tune.csv"
    if not file.is_file():
        return []
    rows = [row for row in csv.DictReader(file.open(encoding="utf-8"), delimiter="\t") if row["goldstandard1"] in CIRCA]
    random.Random(seed).shuffle(rows)
    return [
        Example(
            Item("yes-no", row["question-X"], row["answer-Y"]),
            {"agree": "affirm", "disagree": "deny", "neutral": "neutral"}[CIRCA[row["goldstandard1"]]],
            False, False, "circa",
        )
        for row in rows[:most]
    ]  # fmt: skip

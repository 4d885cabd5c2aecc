"""What is trained on, and what is held back."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from asker.judges._reader import ANSWERS
from asker.types import Item
from training.composing import Composer
from training.filling import Example, Filler, given, lines

ROOT = Path(__file__).parents[1]
READ_TWICE = ("examined", "development", "speakers", "current", "november", "plain", "fresh", "unseen", "statements")
"""Answers that two labelled apart; a line's part says whether it is to learn from, to fit the judge, or held back."""
MEASURED = (
    "examined",
    "spring",
    "winter",
    "december",
    "november",
    "current",
    "speakers",
    "development",
    "late",
    "later",
)
"""Those of which something is held back."""
LABELLED = ROOT / "tests" / "judges" / "labelled.jsonl"
CASES, EVERYDAY, RAMBLED = 300, 400, 500  # in an epoch: enough not to forget them, too few to set the tone
SHARED = ROOT.parent / "shared" / "data"
CIRCA = {"Yes": "affirm", "No": "deny", "Probably yes / sometimes yes": "affirm", "Probably no": "deny",
         "In the middle, neither yes nor no": "neutral", "Yes, subject to some conditions": "affirm",
         "I am not sure how X will interpret Y’s answer": "neutral"}  # fmt: skip


class Shares(NamedTuple):
    """How much of each goes into an epoch; of those with a turn (filling.lines) all."""

    older: float = 1.0
    natural: float = 1.0
    composed: int = 3000
    near: float = 1.0


def training(seed: int, shares: Shares) -> list[Example]:
    """What is learnt from, in random order, filled and composed anew for each epoch."""
    filler = Filler(seed)
    rng = random.Random(seed)
    share = {"older": shares.older, "natural": shares.natural, "near": shares.near, "turns": 1.0}
    written = [line for sort, line in lines() if rng.random() < share[sort]]
    composer = Composer(seed, _statements(written))
    languages = ["en", "zh"] * (shares.composed // 2)
    found = [filler.fill(line) for line in (*written, *map(composer.compose, languages))]
    found += [one for some in parts("learn").values() for one in some] + labelled("tune")
    found += [*rng.sample(list(cases()), CASES), *circa(seed, EVERYDAY), *rng.sample(rambling(), RAMBLED)]
    rng.shuffle(found)
    return found


def _statements(written: list[dict[str, Any]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {"en": [], "zh": []}
    for line in written:
        if line["kind"] == "statement":
            found[line.get("language", "en")].append(line["statement"])
    return found


def parts(part: str, names: Iterable[str] = READ_TWICE) -> dict[str, list[Example]]:
    """Answers to "learn" from; those on which the judge is put together and a training is watched ("fit"); and those
    that are "held" back from both."""
    return {name: [one for row, one in answers(file_of(name)) if row["part"] == part] for name in names}


def file_of(name: str) -> Path:
    return ROOT / "training" / f"{name}.jsonl"


def rambling() -> list[Example]:
    """Answers of SmolLM2 that serve for learning alone."""
    return [one for _, one in answers(file_of("smollm2"))]


def labelled(part: str) -> list[Example]:
    """Real and written answers labelled by two readers; the part "held" is never learnt from."""
    return [one for row, one in answers(LABELLED) if row["part"] == part]


def answers(file: Path) -> Iterator[tuple[dict[str, Any], Example]]:
    """The lines of a labelled file that the reader can learn from or be measured on, each with its example."""
    for row in map(json.loads, file.read_text("utf-8").splitlines()):
        if row["label"] is not None and row["kind"] in ANSWERS:
            yield row, Example(given(row), row["label"], row["refused"], row["hedged"], file.stem)


def cases() -> Iterator[Example]:
    """The short cases that serve as tests of the rules."""
    for file in sorted((ROOT / "tests" / "judges" / "cases").glob("*.tsv")):
        for row in csv.DictReader(file.open(encoding="utf-8"), delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["kind"] in ANSWERS and row["label"]:
                groups = tuple(part for part in (row.get("groups") or "").split("|") if part)
                asked = row["question"]
                statement = asked if row["kind"] == "statement" else None
                item = Item(row["kind"], asked, row["answer"], row["language"], groups, statement=statement)
                yield Example(item, row["label"], bool(row["refused"]), bool(row["hedged"]), "cases")


def circa(seed: int, most: int) -> list[Example]:
    """Indirect answers to everyday questions (Circa, CC BY 4.0), if the file is beside the project."""
    found = everyday("tune")
    random.Random(seed).shuffle(found)
    return found[:most]


def everyday(part: str) -> list[Example]:
    file = SHARED / "circa" / f"circa_data_{part}.csv"
    if not file.is_file():
        return []
    with file.open(encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines, delimiter="\t") if row["goldstandard1"] in CIRCA]
    return [
        Example(
            Item("yes-no", row["question-X"], row["answer-Y"]),
            CIRCA[row["goldstandard1"]],
            False,
            False,
            "circa",
            loose=True,
        )
        for row in rows
    ]

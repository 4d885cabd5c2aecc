"""Measures the error of our judges on answers that nothing was learnt from, and writes what ships with them."""

from __future__ import annotations

from asker.evaluate.error import measure_error, save_error
from asker.items import read_labelled
from asker.judging import open_judge, read_items
from asker.types import JudgeError
from training.gathering import DEVELOPMENT, FRESH, LATE, LATER, ROOT

OURS = ("paper", "rules", "stance")
ERRORS = ROOT / "src" / "asker" / "judges" / "errors"


def measured(name: str) -> JudgeError:
    held = [both for both in zip(*read_labelled(DEVELOPMENT), strict=True) if both[1].part == "held"]
    known = held + [both for file in (FRESH, LATE, LATER) for both in zip(*read_labelled(file), strict=True)]
    reader = open_judge(name)
    verdicts = read_items(reader, [item for item, _ in known])
    rows = [(*both, verdict) for both, verdict in zip(known, verdicts, strict=True)]
    return measure_error(
        rows,
        reader.name,
        reader.version,
        f"training/: development.jsonl, part held, fresh.jsonl, late.jsonl and later.jsonl: {len(rows)} answers",
    )


if __name__ == "__main__":
    for name in OURS:
        save_error(measured(name), ERRORS / f"{name}.json")

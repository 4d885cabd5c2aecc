"""Measures the error of our judges on answers that nothing was learnt from, and writes what ships with them."""

from __future__ import annotations

from asker.evaluate.error import measure_error, save_error
from asker.items import read_labelled
from asker.judging import open_judge, read_items
from asker.types import JudgeError
from training.gathering import MEASURED, ROOT, file_of

OURS = ("paper", "rules", "stance")
ERRORS = ROOT / "src" / "asker" / "judges" / "errors"


def measured(name: str) -> JudgeError:
    found = [both for name in MEASURED for both in zip(*read_labelled(file_of(name)), strict=True)]
    known = [(item, labelled) for item, labelled in found if labelled.part == "held"]
    reader = open_judge(name)
    verdicts = read_items(reader, [item for item, _ in known])
    rows = [(*both, verdict) for both, verdict in zip(known, verdicts, strict=True)]
    return measure_error(
        rows,
        reader.name,
        reader.version,
        f"training/: {', '.join(file_of(name).name for name in MEASURED)}, what was held back: {len(rows)} answers",
    )


if __name__ == "__main__":
    for name in OURS:
        save_error(measured(name), ERRORS / f"{name}.json")

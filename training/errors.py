"""Measures the error of our judges on answers that nothing was learnt from, and writes what ships with them."""

from __future__ import annotations

from asker.evaluate.error import measure_error, save_error
from asker.items import read_labelled
from asker.judging import open_judge, read_items
from asker.types import JudgeError
from training.gathering import CURRENT, DEVELOPMENT, LATE, LATER, NOVEMBER, ROOT, SPEAKERS

OURS = ("paper", "rules", "stance")
MEASURED = (DEVELOPMENT, SPEAKERS, CURRENT, NOVEMBER, LATE, LATER)
ERRORS = ROOT / "src" / "asker" / "judges" / "errors"


def measured(name: str) -> JudgeError:
    found = [both for file in MEASURED for both in zip(*read_labelled(file), strict=True)]
    known = [(item, labelled) for item, labelled in found if labelled.part in (None, "held")]
    reader = open_judge(name)
    verdicts = read_items(reader, [item for item, _ in known])
    rows = [(*both, verdict) for both, verdict in zip(known, verdicts, strict=True)]
    return measure_error(
        rows,
        reader.name,
        reader.version,
        f"training/: {', '.join(file.name for file in MEASURED)}, what was held back: {len(rows)} answers",
    )


if __name__ == "__main__":
    for name in OURS:
        save_error(measured(name), ERRORS / f"{name}.json")

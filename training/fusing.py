"""Fits how reader and rules are put together, on answers neither has learnt from, and writes fusion.json."""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import msgspec
import numpy as np
from scipy.optimize import minimize

from asker.judges._fusion import Fusion, Weights
from asker.judges._reader import Opinion, Reader
from asker.judges.rules import RulesJudge
from asker.types import Verdict
from training.filling import Example
from training.gathering import STATEMENTS, UNSEEN, answers, development

DRAWN_IN = 0.02  # towards no tempering and no bonus; some kinds have only sixty answers
Read = tuple[Example, Opinion, Verdict]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where stance.onnx and vocabulary.txt lie")
    folder = parser.parse_args().folder
    weights = {part: fitted(rows) for part, rows in sorted(opinions(folder).items())}
    (folder / "fusion.json").write_bytes(msgspec.json.format(msgspec.json.encode(Fusion(weights)), indent=1) + b"\n")


def opinions(folder: Path) -> dict[str, list[Read]]:
    """What reader and rules say of hard answers and of ordinary ones, by language and kind."""
    examples = [*development("fit"), *(one for file in (UNSEEN, STATEMENTS) for _, one in answers(file))]
    items = [one.item for one in examples]
    found: dict[str, list[Read]] = defaultdict(list)
    for one, opinion, ruled in zip(examples, Reader(folder).read(items), RulesJudge().judge(items), strict=True):
        if ruled.label is not None:
            found[f"{one.item.language} {one.item.kind}"].append((one, opinion, ruled))
    return found


def fitted(rows: list[Read]) -> Weights:
    def loss(x: np.ndarray) -> float:
        fusion = Fusion({"": Weights(*x.tolist())})
        right = [fusion.shares("", opinion, ruled)[one.label] for one, opinion, ruled in rows]
        return float(-np.mean(np.log(np.maximum(right, 1e-9))) + DRAWN_IN * ((x - [1, 0, 0]) ** 2).sum())

    best = minimize(loss, np.array([1.0, 0.0, 0.0]), method="Nelder-Mead").x
    return Weights(*(round(float(one), 3) for one in best))


if __name__ == "__main__":
    main()

"""Fits how readers and rules are put together, on answers none has learnt from, and writes fusion.json."""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import msgspec
import numpy as np
from scipy.optimize import minimize

from asker.judges._fusion import Fusion, Weights, part
from asker.judges._reader import Opinion, Reader
from asker.judges.rules import RulesJudge
from asker.types import Verdict
from training.filling import Example
from training.gathering import fitting

DRAWN_IN = 0.02  # towards no tempering and no bonus; some kinds have only sixty answers
Read = tuple[Example, Opinion, Verdict]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the readers lie")
    folder = parser.parse_args().folder
    fusion = Fusion({who: {name: fitted(parts[name]) for name in sorted(parts)} for who, parts in read(folder).items()})
    (folder / "fusion.json").write_bytes(msgspec.json.format(msgspec.json.encode(fusion), indent=1) + b"\n")


def read(folder: Path) -> dict[str, dict[str, list[Read]]]:
    """What the quick reader, both readers and the rules say of hard and ordinary answers, by language and kind."""
    examples = [one for some in fitting().values() for one in some]
    found: dict[str, dict[str, list[Read]]] = {"quick": defaultdict(list), "both": defaultdict(list)}
    reader, verdicts = Reader(folder), RulesJudge().judge([one.item for one in examples])
    for one, ruled in zip(examples, verdicts, strict=True):
        if ruled.label is not None:
            passage = reader.take(one.item)
            quick = reader.quick(passage)
            found["quick"][part(one.item)].append((one, quick, ruled))
            found["both"][part(one.item)].append((one, quick.averaged(reader.thorough(passage)), ruled))
    return found


def fitted(rows: list[Read]) -> Weights:
    def loss(x: np.ndarray) -> float:
        fusion = Fusion({"": {part(rows[0][0].item): Weights(*x.tolist())}})
        right = [fusion.shares("", one.item, opinion, ruled)[one.label] for one, opinion, ruled in rows]
        return float(-np.mean(np.log(np.maximum(right, 1e-9))) + DRAWN_IN * ((x - [1, 0, 0]) ** 2).sum())

    best = minimize(loss, np.array([1.0, 0.0, 0.0]), method="Nelder-Mead").x
    return Weights(*(round(float(one), 3) for one in best))


if __name__ == "__main__":
    main()

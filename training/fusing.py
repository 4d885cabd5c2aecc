"""Fits how readers and rules are put together, on answers none has learnt from, and writes fusion.json."""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
from scipy.optimize import minimize

from asker.judges._fusion import ALONE, BOTH, Fusion, Weights, cell, together
from asker.judges._reader import Opinion, Reader
from asker.judges.rules import RulesJudge
from asker.judges.stance import enough, settled
from asker.types import Verdict
from training.gathering import parts

DRAWN_IN = 0.02  # towards the readers' own word and no bonus; some kinds have few answers


class Read(NamedTuple):
    """An answer with its label, and what the rules and the readers say of it."""

    label: str
    ruled: Verdict
    opinions: tuple[Opinion, ...]  # the quick reader's, then the thorough one's


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the readers lie")
    folder = parser.parse_args().folder
    cells = read(folder)
    quick = {name: [one._replace(opinions=one.opinions[:1]) for one in rows] for name, rows in cells.items()}
    alone = {name: fitted(quick[name], ALONE) for name in sorted(cells)}
    # Both speak only where the quick one is unsure: what counts there is fitted there.
    unsure = {
        name: [both for one, both in zip(quick[name], rows, strict=True) if not enough_of(alone[name], one)]
        for name, rows in cells.items()
    }
    fusion = Fusion(alone, {name: fitted(unsure[name], BOTH) for name in sorted(cells)})
    (folder / "fusion.json").write_bytes(msgspec.json.format(msgspec.json.encode(fusion), indent=1) + b"\n")


def read(folder: Path) -> dict[str, list[Read]]:
    """What rules and readers say of hard and ordinary answers that the rules do not settle, by language and kind."""
    examples = [one for some in parts("fit").values() for one in some]
    found: dict[str, list[Read]] = defaultdict(list)
    reader, verdicts = Reader(folder), RulesJudge().judge([one.item for one in examples])
    for one, ruled in zip(examples, verdicts, strict=True):
        if not settled(one.item, ruled):
            passage = reader.take(one.item)
            opinions = reader.quick(passage), reader.thorough(passage)
            found[cell(one.item)].append(Read(one.label, ruled, opinions))
    return found


def enough_of(weights: Weights, one: Read) -> bool:
    return enough(one.ruled, together(weights, one.ruled, *one.opinions))


def fitted(rows: list[Read], plain: Weights) -> Weights:
    """What makes the labels likeliest, not far from the plain weights."""
    begun = np.array([*plain.readers, plain.side, plain.neutral])

    def weights(x: np.ndarray) -> Weights:
        *readers, side, neutral = x.tolist()
        return Weights(tuple(readers), side, neutral)

    def loss(x: np.ndarray) -> float:
        right = [together(weights(x), one.ruled, *one.opinions)[one.label] for one in rows]
        return float(-np.mean(np.log(np.maximum(right, 1e-9))) + DRAWN_IN * ((x - begun) ** 2).sum())

    # Whoever is surer of a label must not count against it.
    bounds = [(0, None)] * len(plain.readers) + [(None, None)] * 2
    return weights(np.round(minimize(loss, begun, method="L-BFGS-B", bounds=bounds).x, 3))


if __name__ == "__main__":
    main()

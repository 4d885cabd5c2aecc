"""Teaches the quick reader what the thorough one says, and writes its int8 ONNX file.

The pupil begins as some of the teacher's layers, thinned, over the same words. It learns the teacher's opinions of many
texts, what stood behind them (the last hidden values) and which words weighed.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from asker.judges._passage import Rows, chunked, pieced
from asker.judges._reader import ANSWERS, CLASSES, Reader
from asker.judges._tokens import Vocabulary
from training.fitting import ALLOWED, Steps, accuracy, in_batches
from training.gathering import Shares
from training.network import HEAD_WIDTH, QUICK, THOROUGH, Drop, Layer, Network, tensors
from training.shipped import BUILT, export, load
from training.texts import Lesson, Wanted, lessons
from training.wishes import shares, wishes

TAKEN, TOP = (0, 3, 6), 8  # the teacher's layers that the pupil begins with
BELIEVED = 0.8  # of the teacher; the rest of the label, where there is one
WARMTH = 1.5  # of the teacher's opinions: what it thinks of the other labels is worth hearing


class Task(NamedTuple):
    """A text in chunks, its kind, its label if known, and what the teacher said of it."""

    rows: Rows
    kind: str
    label: str
    stance: Any
    flags: Any
    whole: Any
    weights: Any  # of each chunk of the answer and of the end


def main() -> None:
    given = _wishes()
    torch.manual_seed(given.seed)
    vocabulary = Reader(given.folder).vocabulary
    teacher = load(THOROUGH, given.folder / "thorough.onnx").eval()
    found = lessons(vocabulary, given.seed, Wanted(shares(given), given.crossed, given.most))
    pupil = begun_from(given.begin, teacher) if given.begin else begun(teacher)
    fit(pupil, list(told(teacher.bfloat16(), vocabulary, found)), vocabulary, given)


def _wishes() -> argparse.Namespace:
    parser = wishes(__doc__, epochs=4, rate=5e-4, batch=64, shares=Shares(composed=6000))
    parser.add_argument("--crossed", type=int, default=120_000)
    parser.add_argument(
        "--begin", type=Path, help="folder of an earlier quick.onnx and words.npy, to go on from its weights"
    )
    parser.add_argument("--folder", type=Path, default=BUILT, help="where the teacher lies, and the pupil goes")
    return parser.parse_args()


def begun(teacher: Network) -> Network:
    pupil = Network(QUICK, teacher.words.num_embeddings)
    shared = {name: one for name, one in teacher.state_dict().items() if not name.startswith(("layers", "slots"))}
    assert not pupil.load_state_dict(shared, strict=False).unexpected_keys
    for mine, number in zip([*pupil.layers, pupil.top], [*TAKEN, TOP], strict=True):
        _thin(mine, teacher.layers[number])
    return pupil


def begun_from(folder: Path, teacher: Network) -> Network:
    """An earlier pupil over the teacher's words."""
    pupil = Network(QUICK, teacher.words.num_embeddings)
    earlier = load(QUICK, folder / "quick.onnx").state_dict()
    pupil.load_state_dict(earlier | {"words.weight": teacher.words.weight})
    return pupil


def _thin(mine: Layer, its: Layer) -> None:
    """The same layer with the heads and the inner values that weigh most."""
    state = its.state_dict()
    key, value = state["offer.weight"].chunk(2)
    weight = (value.norm(dim=1) * state["out.weight"].norm(dim=0)).unflatten(0, (-1, HEAD_WIDTH)).sum(dim=1)
    heads = weight.topk(mine.ask.out_features // HEAD_WIDTH).indices.sort().values
    kept = (heads[:, None] * HEAD_WIDTH + torch.arange(HEAD_WIDTH)).flatten()
    offered = torch.cat([kept, kept + len(key)])
    inner = state["widen.weight"].norm(dim=1) * state["narrow.weight"].norm(dim=0)
    thought = inner.topk(mine.widen.out_features).indices.sort().values
    for name, rows in {"ask": kept, "offer": offered, "widen": thought}.items():
        state[f"{name}.weight"], state[f"{name}.bias"] = state[f"{name}.weight"][rows], state[f"{name}.bias"][rows]
    for name, columns in {"out": kept, "narrow": thought}.items():
        state[f"{name}.weight"] = state[f"{name}.weight"][:, columns]
    mine.load_state_dict(state)


def told(teacher: Network, vocabulary: Vocabulary, found: list[Lesson]) -> Iterator[Task]:
    """What the teacher says, texts of like length together."""
    ordered = sorted(found, key=lambda one: len(one.text.question) + len(one.text.answer))
    for start in range(0, len(ordered), 32):
        some = ordered[start : start + 32]
        with torch.no_grad():
            said = teacher(*tensors([pieced(vocabulary, one.text) for one in some]))
        for one, stance, flags, weights, whole in zip(some, *said, strict=True):
            first = len(one.text.question) + 2
            yield task(vocabulary, one, stance, flags, whole, weights[first : first + len(one.text.answer) + 1])


def task(vocabulary: Vocabulary, one: Lesson, stance: Any, flags: Any, whole: Any, weights: Any) -> Task:
    """What the teacher said, with its weights of pieces as weights of chunks."""
    rows = chunked(vocabulary, one.text)
    sizes = (rows.ids[rows.kinds == 1] > 0).sum(axis=1)
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    together = np.add.reduceat(np.asarray(weights, dtype=np.float32), starts)
    return Task(rows, one.example.item.kind, one.example.label, stance, flags, whole, torch.from_numpy(together))


def fit(pupil: Network, tasks: list[Task], vocabulary: Vocabulary, given: argparse.Namespace) -> None:
    pupil.words.weight.requires_grad_(False)  # they are the teacher's, too
    undropped(pupil)
    steps = Steps(pupil, lambda _: given.rate, given.epochs * -(-len(tasks) // given.batch))
    rng = random.Random(given.seed)
    for epoch in range(given.epochs):
        batches = in_batches(tasks, lambda one: len(one.rows.kinds), given.batch, rng)
        done = steps.learn(loss_of(pupil, batch) for batch in batches)
        learnt = steps.learnt()
        print(f"epoch {epoch + 1}: {done}\n  ", accuracy(learnt, vocabulary, chunked), flush=True)
        export(learnt, given.folder / "quick.onnx")


def undropped(network: Network) -> None:
    """Nothing is dropped: texts are many."""
    for one in network.modules():
        if isinstance(one, Drop):
            one.share = 0.0


def loss_of(pupil: Network, batch: list[Task]) -> Any:
    stance, flags, weights, whole = pupil(*tensors([one.rows for one in batch]))
    allowed = torch.tensor([ALLOWED[one.kind] for one in batch])
    said = _stacked(batch, "stance").masked_fill(~allowed, -1e4)
    wanted = torch.softmax(said / WARMTH, dim=-1)
    for row, one in enumerate(batch):
        if one.label:
            wanted[row] *= BELIEVED
            wanted[row, CLASSES.index(ANSWERS[one.kind][one.label])] += 1 - BELIEVED
    side = nn.functional.cross_entropy(stance.masked_fill(~allowed, -1e4), wanted)
    marked = nn.functional.binary_cross_entropy_with_logits(flags, torch.sigmoid(_stacked(batch, "flags")))
    behind = nn.functional.mse_loss(whole, _stacked(batch, "whole"))
    return side + 0.3 * marked + 3 * behind + 0.1 * _looked(weights, batch)


def _stacked(batch: list[Task], name: str) -> Any:
    return torch.stack([getattr(one, name) for one in batch])


def _looked(weights: Any, batch: list[Task]) -> Any:
    """How far the pupil looks elsewhere than the teacher."""
    wanted = torch.zeros_like(weights)
    for row, one in enumerate(batch):
        end = len(one.rows.kinds)
        wanted[row, end - len(one.weights) : end] = one.weights
    return -(wanted * torch.log(weights.clamp_min(1e-6))).sum(dim=-1).mean()


if __name__ == "__main__":
    main()

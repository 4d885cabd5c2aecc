"""Fine-tunes the thorough reader from its base, on the CPU, and writes its int8 ONNX file, the words and their vectors.

`make train-judge` runs it; what it reads and what comes out of it is said in README.md.
"""

from __future__ import annotations

import argparse
import random
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from asker.judges._passage import PLACES, pieced
from asker.judges._reader import ANSWERS, CLASSES
from asker.judges._tokens import Vocabulary
from training.base import Base
from training.fitting import ALLOWED, Steps, accuracy, in_batches
from training.gathering import Shares, training
from training.network import THOROUGH, WIDTH, Network, tensors
from training.shipped import BUILT, export, load, save_words
from training.texts import Blots, Lesson, presented
from training.vocabulary import vectors, vocabulary

NEW = ("weigh", "mix", "stance", "flags")
"""What the base has not; at first it learns five times as fast."""
ALIKE = {"ask": "q", "out": "ao", "between": "aln", "widen": "fi", "narrow": "fo", "after": "oln"}
"""Parts of a layer, and how the base calls them; keys and values are one here."""
ENDS = {"weight": "w", "bias": "b"}
DOUBT = 0.05  # of a label, shared by all that are possible: what is learnt by heart is believed too much
AGREED = 1.0  # how much it counts that both readings of an answer say the same; as their losses are a mean, alpha is 2
TAKEN = (0, 2, 3, 4, 6, 7, 8, 10, 11)
"""The base's layers that the reader begins with. Without the other three, one fine-tuned in all twelve lost least."""


def main() -> None:
    given = _wishes()
    torch.manual_seed(given.seed)
    given.out.mkdir(parents=True, exist_ok=True)
    known, network = begun_from(given.begin) if given.begin else begun(Base())
    (given.out / "vocabulary.tsv").write_text(known.written(), "utf-8")
    fit(network, known, given)


def _wishes() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--batch", type=int, default=48)
    parser.add_argument("--begin", type=Path, help="folder of an earlier run, to go on from its weights")
    parser.add_argument("--composed", type=int, default=3000, help="answers put together anew for each epoch")
    parser.add_argument("--older", type=float, default=0.35, help="share of the older answers in an epoch")
    parser.add_argument("--natural", type=float, default=1.0, help="share of the natural ones before number 19")
    parser.add_argument("--most", type=int, help="examples in an epoch, to try things out")
    parser.add_argument("--out", type=Path, default=BUILT)
    return parser.parse_args()


def begun(base: Base) -> tuple[Vocabulary, Network]:
    """The base's layers over our pieces."""
    known = vocabulary(base)
    network = Network(THOROUGH, len(known.numbers))
    state = {f"norm.{end}": base.tensor(f"emb.ln.{its}") for end, its in ENDS.items()}
    state |= {"places.weight": base.tensor("emb.pos")[: PLACES * WIDTH], "kinds.weight": base.tensor("emb.type")}
    for (layer, number), (end, its) in product(enumerate(TAKEN), ENDS.items()):
        for part, name in ALIKE.items():
            state[f"layers.{layer}.{part}.{end}"] = base.tensor(f"l{number}.{name}.{its}")
        both = [base.tensor(f"l{number}.{name}.{its}") for name in ("k", "v")]
        state[f"layers.{layer}.offer.{end}"] = np.concatenate(both)
    shapes = {name: one.shape for name, one in network.state_dict().items()}
    ready = {name: torch.tensor(one).reshape(shapes[name]) for name, one in state.items()}
    missing = network.load_state_dict(ready | {"words.weight": vectors(known, base)}, strict=False).missing_keys
    assert all(name.startswith((*NEW, "slots")) for name in missing), missing
    return known, network


def begun_from(folder: Path) -> tuple[Vocabulary, Network]:
    """An earlier run's words and weights. The words stay as they are: a quick reader may rest on them."""
    network = load(THOROUGH, folder / "thorough.onnx")
    network.words.weight.requires_grad_(False)
    return Vocabulary.read((folder / "vocabulary.tsv").read_text("utf-8")), network


def fit(network: Network, vocabulary: Vocabulary, given: argparse.Namespace) -> None:
    network.slots.requires_grad_(False)
    steps: Steps | None = None
    for epoch in range(given.epochs):
        rng = random.Random(given.seed + epoch)
        shares = Shares(given.older, given.natural, given.composed)
        examples = training(given.seed + epoch, shares)[: given.most]
        read = [presented(one, vocabulary, rng) for one in examples]
        batches = in_batches(read, lambda one: len(one.text.question) + len(one.text.answer), given.batch, rng)
        steps = steps or Steps(network, lambda name: given.rate * quicker(name, given), given.epochs * len(batches))
        blotted = Blots(vocabulary, rng).blotted
        losses = (loss_of(network, vocabulary, [blotted(one) for one in (*batch, *batch)]) for batch in batches)
        done = steps.learn(losses)
        learnt = steps.learnt()
        print(f"epoch {epoch + 1}: {done}\n  ", accuracy(learnt, vocabulary, pieced), flush=True)
        save_words(learnt, given.out)
        export(learnt, given.out / "thorough.onnx")


def quicker(name: str, given: argparse.Namespace) -> int:
    return 5 if name.startswith(NEW) and not given.begin else 1


def loss_of(network: Network, vocabulary: Vocabulary, batch: list[Lesson]) -> Any:
    """Of a batch that holds everything twice, blotted and dropped differently: both times the same should be said."""
    stance, flags, *_ = network(*tensors([pieced(vocabulary, one.text) for one in batch]))
    examples = [one.example for one in batch]
    allowed = torch.tensor([ALLOWED[one.item.kind] for one in examples])
    wanted = torch.tensor([CLASSES.index(ANSWERS[one.item.kind][one.label]) for one in examples])
    marks = torch.tensor([[float(one.refused), float(one.hedged)] for one in examples])
    known = torch.tensor([float(not one.loose) for one in examples])[:, None]
    said = stance.masked_fill(~allowed, -1e4).log_softmax(dim=-1)
    others = (said * allowed).sum(dim=-1) / allowed.sum(dim=-1)
    side = -((1 - DOUBT) * said[range(len(batch)), wanted] + DOUBT * others).mean()
    marked = nn.functional.binary_cross_entropy_with_logits(flags, marks, reduction="none") * known
    return side + 0.3 * marked.mean() + AGREED * _apart(*said.chunk(2))


def _apart(one: Any, other: Any) -> Any:
    """How far two opinions are apart, by the mean of both divergences (R-Drop: Liang et al., NeurIPS 2021)."""
    both = (one, other), (other, one)
    return sum(nn.functional.kl_div(*pair, reduction="batchmean", log_target=True) for pair in both) / 2


if __name__ == "__main__":
    main()

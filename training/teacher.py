"""Fine-tunes the thorough reader from MiniLM, on the CPU, and writes its int8 ONNX file, the words and their vectors.

`make train-judge` runs it; what it reads and what comes out of it is said in README.md.
"""

from __future__ import annotations

import argparse
import random
import re
from itertools import product
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import BertModel

from asker.judges._passage import PLACES, pieced
from asker.judges._reader import ANSWERS, CLASSES
from asker.judges._tokens import Vocabulary
from training.fitting import ALLOWED, accuracy, in_batches, learn, paced
from training.gathering import training
from training.network import THOROUGH, Network, halves, tensors
from training.shipped import BUILT, export, load, save_words
from training.texts import Blots, Lesson, presented
from training.vocabulary import BASE, pieces, vectors

NEW = ("weigh", "mix", "stance", "flags")
"""What MiniLM has not; it learns five times as fast."""
NAMES = {
    "embeddings.position_embeddings": "places", "embeddings.token_type_embeddings": "kinds",
    "embeddings.LayerNorm": "norm", "encoder.layer": "layers",
    "attention.self.query": "ask",
    "attention.output.dense": "out", "attention.output.LayerNorm": "between",
    "intermediate.dense": "widen", "output.dense": "narrow", "output.LayerNorm": "after",
}  # fmt: skip
"""How MiniLM's weights are called here."""


def main() -> None:
    given = _wishes()
    torch.manual_seed(given.seed)
    known = pieces()
    given.out.mkdir(parents=True, exist_ok=True)
    network = begun_from(given.begin, known) if given.begin else begun(known)
    (given.out / "vocabulary.txt").write_text("\n".join(known) + "\n", "utf-8")
    fit(network, Vocabulary(known), given)


def _wishes() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=1.2e-4)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--begin", type=Path, help="folder of an earlier run, to go on from its weights")
    parser.add_argument("--composed", type=int, default=3000, help="answers put together anew for each epoch")
    parser.add_argument("--most", type=int, help="examples in an epoch, to try things out")
    parser.add_argument("--out", type=Path, default=BUILT)
    return parser.parse_args()


def begun(known: list[str]) -> Network:
    """MiniLM's layers over our pieces."""
    network = Network(THOROUGH, len(known))
    base = BertModel.from_pretrained(BASE, add_pooling_layer=False).state_dict()
    old = base.pop("embeddings.word_embeddings.weight")
    state = {_renamed(name): one for name, one in base.items()}
    state["places.weight"] = state["places.weight"][:PLACES]
    for layer, part in product(range(THOROUGH.layers), ("weight", "bias")):
        both = [state.pop(f"layers.{layer}.attention.self.{name}.{part}") for name in ("key", "value")]
        state[f"layers.{layer}.offer.{part}"] = torch.cat(both)
    missing = network.load_state_dict(state | {"words.weight": vectors(known, old)}, strict=False)
    assert not missing.unexpected_keys
    return network


def _renamed(name: str) -> str:
    return re.sub("|".join(map(re.escape, NAMES)), lambda found: NAMES[found[0]], name)


def begun_from(folder: Path, known: list[str]) -> Network:
    """An earlier run's weights. Its vocabulary may have been another: pieces find their vectors by name."""
    earlier, network = load(THOROUGH, folder / "thorough.onnx"), begun(known)
    state = earlier.state_dict()
    old, new = state.pop("words.weight"), network.words.weight.detach().clone()
    rows = {piece: row for row, piece in enumerate((folder / "vocabulary.txt").read_text("utf-8").splitlines())}
    for row, piece in enumerate(known):
        if piece in rows:
            new[row] = old[rows[piece]]
    network.load_state_dict(state | {"words.weight": new})
    return network


def fit(network: Network, vocabulary: Vocabulary, given: argparse.Namespace) -> None:
    network.slots.requires_grad_(False)
    heads = [one for name, one in network.named_parameters() if name.startswith(NEW)]
    body = [one for name, one in network.named_parameters() if not name.startswith((*NEW, "slots"))]
    rates = [{"params": body, "lr": given.rate}, {"params": heads, "lr": given.rate * 5}]
    optimiser = torch.optim.AdamW(rates, weight_decay=0.01, fused=True)
    pace: Any = None
    for epoch in range(given.epochs):
        rng = random.Random(given.seed + epoch)
        examples = training(given.seed + epoch, given.composed)[: given.most]
        read = [presented(one, vocabulary, rng) for one in examples]
        batches = in_batches(read, lambda one: len(one.text.question) + len(one.text.answer), given.batch, rng)
        pace = pace or torch.optim.lr_scheduler.LambdaLR(optimiser, paced(given.epochs * len(batches)))
        blotted = Blots(vocabulary, rng).blotted
        losses = (loss_of(network, vocabulary, [blotted(one) for one in batch]) for batch in batches)
        done = learn(network, optimiser, pace, losses)
        print(f"epoch {epoch + 1}: {done}\n  ", accuracy(network, vocabulary, pieced), flush=True)
        save_words(network, given.out)
        export(network, given.out / "thorough.onnx")


def loss_of(network: Network, vocabulary: Vocabulary, batch: list[Lesson]) -> Any:
    with halves():
        stance, flags, *_ = network(*tensors([pieced(vocabulary, one.text) for one in batch]))
    examples = [one.example for one in batch]
    allowed = torch.tensor([ALLOWED[one.item.kind] for one in examples])
    wanted = torch.tensor([CLASSES.index(ANSWERS[one.item.kind][one.label]) for one in examples])
    marks = torch.tensor([[float(one.refused), float(one.hedged)] for one in examples])
    known = torch.tensor([float(not one.loose) for one in examples])[:, None]
    side = nn.functional.cross_entropy(stance.masked_fill(~allowed, -1e4), wanted)
    marked = nn.functional.binary_cross_entropy_with_logits(flags, marks, reduction="none") * known
    return side + 0.3 * marked.mean()


if __name__ == "__main__":
    main()

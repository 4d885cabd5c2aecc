"""Fine-tunes the thorough reader from its base, on the CPU, and writes its int8 ONNX file, the words and their vectors.

`make train-judge` runs it; what it reads and what comes out of it is said in README.md.
"""

from __future__ import annotations

import argparse
import random
from itertools import product
from pathlib import Path

import numpy as np
import torch

from asker.judges._passage import PLACES
from asker.judges._tokens import Vocabulary
from training.base import Base
from training.filling import Example
from training.fitting import Course, fit, quicker
from training.gathering import Shares, training
from training.mentor import Mentor
from training.network import NEW, THOROUGH, WIDTH, Network
from training.shipped import BUILT, export, load, save_words
from training.texts import crossed
from training.vocabulary import vectors, vocabulary
from training.wishes import shares, wishes

ALIKE = {"ask": "q", "out": "ao", "between": "aln", "widen": "fi", "narrow": "fo", "after": "oln"}
"""Parts of a layer, and how the base calls them; keys and values are one here."""
ENDS = {"weight": "w", "bias": "b"}
TAKEN = (0, 2, 3, 4, 6, 7, 8, 10, 11)
"""The base's layers that the reader begins with. Without the other three, one fine-tuned in all twelve lost least."""


def main() -> None:
    given = _wishes()
    torch.manual_seed(given.seed)
    given.out.mkdir(parents=True, exist_ok=True)
    known, network = begun_from(given.begin) if given.begin else begun(Base())
    (given.out / "vocabulary.tsv").write_text(known.written(), "utf-8")
    network.slots.requires_grad_(False)
    mentor = Mentor.read(given.mentor) if given.mentor else None

    def examples(seed: int) -> list[Example]:
        found = training(seed, shares(given))
        if mentor is None:
            return found[: given.most]
        found += crossed(seed, given.crossed, ("en",))
        random.Random(seed).shuffle(found)
        return mentor.heard(found[: given.most])

    def keep(learnt: Network) -> None:
        save_words(learnt, given.out)
        export(learnt, given.out / "thorough.onnx")

    fit(network, known, Course(examples, keep, lambda name: given.rate * (1 if given.begin else quicker(name))), given)


def _wishes() -> argparse.Namespace:
    parser = wishes(__doc__, epochs=3, rate=1.5e-4, batch=48, shares=Shares(older=0.35))
    parser.add_argument("--begin", type=Path, help="folder of an earlier run, to go on from its weights")
    parser.add_argument("--mentor", type=Path, help="what training.mentor wrote; without, nobody is asked")
    parser.add_argument("--crossed", type=int, default=30_000, help="crossed English answers in an epoch")
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


if __name__ == "__main__":
    main()

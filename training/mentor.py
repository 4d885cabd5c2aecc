"""Fine-tunes the thorough reader's mentor, which reads English better and is twelve layers too slow to ship; writes it
to build/mentor.

The mentor says of our English answers, and of others crossed from two, how likely it thinks each label: that is worth
more to learn from than the labels alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

from asker.judges._marks import Marker
from asker.judges._passage import pieced, taken
from training.deberta import Deberta, Pieces, base
from training.filling import Example
from training.fitting import ALLOWED, Course, fit, quicker
from training.gathering import ROOT, Shares, training
from training.network import tensors
from training.wishes import shares, wishes

FILE = ROOT / "build" / "mentor" / "mentor.pt"
TOGETHER = 32  # answers of like length, told in one go


class Mentor:
    def __init__(self, network: Deberta, pieces: Pieces) -> None:
        self._network, self._pieces = network.bfloat16().eval(), pieces

    @classmethod
    def read(cls, file: Path) -> Mentor:
        saved = torch.load(file, weights_only=True)
        network = Deberta(len(saved["kept"]))
        network.load_state_dict(saved["state"])
        return cls(network, Pieces(saved["kept"]))

    def heard(self, examples: list[Example]) -> list[Example]:
        """The English ones with what the mentor says, the others as they were."""
        found = list(examples)
        for place, heard in self._told([place for place, one in enumerate(examples) if english(one)], examples):
            found[place] = examples[place]._replace(heard=heard)
        return found

    def _told(self, places: list[int], examples: list[Example]) -> Iterator[tuple[int, tuple[float, ...]]]:
        texts = {place: taken(self._pieces, examples[place].item) for place in places}  # type: ignore[arg-type]
        ordered = sorted(places, key=lambda place: len(texts[place].question) + len(texts[place].answer))
        for start in range(0, len(ordered), TOGETHER):
            some = ordered[start : start + TOGETHER]
            with torch.no_grad():
                said = self._network(*tensors([pieced(self._pieces, texts[place]) for place in some]))  # type: ignore[arg-type]
            for place, stance, flags in zip(some, *said[:2], strict=True):
                allowed = torch.tensor(ALLOWED[examples[place].item.kind])
                sides = stance.masked_fill(~allowed, -1e4).softmax(dim=-1)
                yield place, (*sides.tolist(), *torch.sigmoid(flags).tolist())


def english(one: Example) -> bool:
    return one.item.language == "en"


def main() -> None:
    given = _wishes()
    torch.manual_seed(given.seed)
    given.out.parent.mkdir(parents=True, exist_ok=True)

    def examples(seed: int) -> list[Example]:
        return [one for one in training(seed, shares(given)) if english(one)][: given.most]

    texts = [text for one in examples(given.seed) for text in (Marker(one.item).question(), one.item.answer)]
    pieces, kept = Pieces.of(texts)

    def keep(learnt: Any) -> None:
        torch.save({"kept": kept, "state": learnt.state_dict()}, given.out)

    course = Course(examples, keep, lambda name: given.rate * quicker(name), ("en",))
    fit(base(kept), pieces, course, given)  # type: ignore[arg-type]


def _wishes() -> argparse.Namespace:
    usual = Shares(older=0.15, natural=0.6, composed=600)
    parser = wishes(__doc__, epochs=3, rate=8e-5, batch=32, shares=usual)
    parser.add_argument("--out", type=Path, default=FILE)
    return parser.parse_args()


if __name__ == "__main__":
    main()

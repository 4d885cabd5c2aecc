"""Fine-tunes the reader from MiniLM, on the CPU, and writes the int8 ONNX file that ships.

`make train-judge` runs it; what it reads and what comes out of it is said in README.md.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from transformers import BertModel

from asker.judges._reader import ANSWERS, CHANGED, CLASSES, MASKS, Text, padded, taken
from asker.judges._tokens import Vocabulary
from training.filling import FLIPPED, Example
from training.gathering import development, training
from training.vocabulary import BASE, pieces, vectors

OUT = Path(__file__).parents[1] / "src" / "asker" / "judges" / "model"
INPUTS = ["input_ids", "token_type_ids", "attention_mask"]
LONG, BLOTS = 24, 0.07  # tokens of an answer in which a word may be missed, and how many are
ALLOWED = {kind: [name in labels.values() for name in CLASSES] for kind, labels in ANSWERS.items()}


class Network(nn.Module):
    """MiniLM; a weighted mean of its tokens; on it the heads. The weights say which words decided."""

    def __init__(self, layers: int, known: list[str]) -> None:
        super().__init__()
        self.body = BertModel.from_pretrained(BASE, add_pooling_layer=False, attn_implementation="eager")
        self.body.encoder.layer = self.body.encoder.layer[:layers]
        embeddings = self.body.embeddings
        embeddings.word_embeddings = nn.Embedding.from_pretrained(
            vectors(known, embeddings.word_embeddings.weight.detach()), freeze=False, padding_idx=0
        )
        width = self.body.config.hidden_size
        self.weigh = nn.Linear(width, 1)
        self.mix = nn.Linear(2 * width, width)
        self.drop = nn.Dropout(0.1)
        self.stance = nn.Linear(width, len(CLASSES))
        self.flags = nn.Linear(width, 2)

    def forward(self, input_ids: Any, token_type_ids: Any, attention_mask: Any) -> tuple[Any, Any, Any]:
        hidden = self.body(
            input_ids=input_ids, token_type_ids=token_type_ids, attention_mask=attention_mask
        ).last_hidden_state
        of_answer = token_type_ids * attention_mask
        scores = self.weigh(hidden).squeeze(-1) + (of_answer - 1) * 1e4
        weights = torch.softmax(scores, dim=-1)
        mean = (hidden * weights[..., None]).sum(dim=1)
        both = torch.tanh(self.mix(self.drop(torch.cat([hidden[:, 0], mean], dim=-1))))
        return self.stance(self.drop(both)), self.flags(self.drop(both)), weights


def main() -> None:
    given = _wishes()
    torch.manual_seed(given.seed)
    known = pieces()
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "vocabulary.txt").write_text("\n".join(known) + "\n", "utf-8")
    vocabulary = Vocabulary(known)
    network = Network(given.layers, known)
    if given.begin:
        begin(network, known, given.begin)
    fit(network, vocabulary, given)
    export(network, given.out)
    recipe = {name: value for name, value in vars(given).items() if name not in ("out", "begin")}
    (given.out / "recipe.json").write_text(json.dumps(recipe, indent=1) + "\n", "utf-8")


def _wishes() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=7)
    parser.add_argument("--layers", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=1.2e-4)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--begin", type=Path, help="folder of an earlier run, to go on from its weights")
    parser.add_argument("--composed", type=int, default=3000, help="answers put together anew for each epoch")
    parser.add_argument("--most", type=int, help="examples in an epoch, to try things out")
    parser.add_argument("--out", type=Path, default=OUT)
    return parser.parse_args()


def begin(network: Network, known: list[str], folder: Path) -> None:
    """Go on from an earlier run's weights. Its vocabulary may have been another: pieces find their vectors by name."""
    state = torch.load(folder / "reader.pt")
    rows = {piece: row for row, piece in enumerate((folder / "vocabulary.txt").read_text("utf-8").splitlines())}
    name = "body.embeddings.word_embeddings.weight"
    old, new = state.pop(name), network.state_dict()[name].clone()
    for row, piece in enumerate(known):
        if piece in rows:
            new[row] = old[rows[piece]]
    network.load_state_dict(state | {name: new})


def fit(network: Network, vocabulary: Vocabulary, given: argparse.Namespace) -> None:
    body = [p for name, p in network.named_parameters() if name.startswith("body")]
    heads = [p for name, p in network.named_parameters() if not name.startswith("body")]
    rates = [{"params": body, "lr": given.rate}, {"params": heads, "lr": given.rate * 5}]
    optimiser = torch.optim.AdamW(rates, weight_decay=0.01, fused=True)
    pace: Any = None
    whom = frozenset(vocabulary.tokens(" ".join(MASKS)))
    for epoch in range(given.epochs):
        examples = training(given.seed + epoch, given.composed)[: given.most]
        rng = random.Random(given.seed + epoch)
        batches = in_batches(examples, vocabulary, rng, given.batch)
        pace = pace or torch.optim.lr_scheduler.LambdaLR(optimiser, _pace(given.epochs * len(batches)))
        began, losses = time.time(), []
        network.train()
        for batch in batches:
            blotted = [(_blotted(text, vocabulary.unknown, whom, rng), one) for text, one in batch]
            loss = loss_of(network, vocabulary, blotted)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            pace.step()
            losses.append(float(loss.detach()))
        took = time.time() - began
        print(f"epoch {epoch + 1}: {len(examples)} examples, loss {np.mean(losses):.3f}, {took:.0f} s", flush=True)
        torch.save(network.state_dict(), given.out / "reader.pt")
        print("  ", accuracy(network, vocabulary, development("fit")), flush=True)


def _pace(steps: int) -> Any:
    """Up in the first twentieth, then down to nothing."""
    return lambda step: min(1.0, (step + 1) / (0.05 * steps)) * max(0.01, 1 - step / steps)


def in_batches(examples: list[Example], vocabulary: Vocabulary, rng: random.Random, size: int) -> list[Any]:
    """Examples of like length together, the batches in random order."""
    read = [_presented(one, vocabulary, rng) for one in examples]
    read.sort(key=lambda both: len(both[0].question) + len(both[0].answer) + rng.random() * 12)
    batches = [read[start : start + size] for start in range(0, len(read), size)]
    rng.shuffle(batches)
    return batches


def _presented(one: Example, vocabulary: Vocabulary, rng: random.Random) -> tuple[Text, Example]:
    """Half of the choices with the masks changed round: a class is a mask, wherever it stands."""
    if one.item.kind == "choice" and rng.random() < 0.5:
        return taken(vocabulary, one.item, CHANGED), one._replace(label=FLIPPED.get(one.label, one.label))
    return taken(vocabulary, one.item), one


def _blotted(text: Text, blot: int, spared: frozenset[int], rng: random.Random) -> Text:
    """Half of the longer answers with some words unreadable: what is said twice must not hang on one of them. Who is
    meant stays readable."""
    if len(text.answer) < LONG or rng.random() < 0.5:
        return text
    return text._replace(answer=[blot if rng.random() < BLOTS and one not in spared else one for one in text.answer])


def loss_of(network: Network, vocabulary: Vocabulary, batch: list[Any]) -> Any:
    inputs = padded([text for text, _ in batch], vocabulary)
    stance, flags, _ = network(**{name: torch.from_numpy(array) for name, array in inputs.items()})
    allowed = torch.tensor([ALLOWED[one.item.kind] for _, one in batch])
    wanted = torch.tensor([CLASSES.index(ANSWERS[one.item.kind][one.label]) for _, one in batch])
    marks = torch.tensor([[float(one.refused), float(one.hedged)] for _, one in batch])
    known = torch.tensor([float(not one.loose) for _, one in batch])[:, None]
    side = nn.functional.cross_entropy(stance.masked_fill(~allowed, -1e4), wanted)
    marked = nn.functional.binary_cross_entropy_with_logits(flags, marks, reduction="none") * known
    return side + 0.3 * marked.mean()


def accuracy(network: Network, vocabulary: Vocabulary, examples: list[Example]) -> str:
    network.eval()
    right: dict[str, list[bool]] = defaultdict(list)
    with torch.no_grad():
        for batch in in_batches(examples, vocabulary, random.Random(0), 32):
            inputs = padded([text for text, _ in batch], vocabulary)
            stance, _, _ = network(**{name: torch.from_numpy(array) for name, array in inputs.items()})
            for row, (_, one) in zip(stance, batch, strict=True):
                names = ANSWERS[one.item.kind]
                best = max(names, key=lambda label: float(row[CLASSES.index(names[label])]))
                right[f"{one.item.language} {one.item.kind}"].append(best == one.label)
    return ", ".join(f"{part} {np.mean(hits):.3f} of {len(hits)}" for part, hits in sorted(right.items()))


def export(network: Network, folder: Path) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic

    network.eval()
    example = torch.tensor([[2, 5, 3, 6, 3], [2, 5, 3, 3, 0]])
    kinds, mask = torch.tensor([[0, 0, 0, 1, 1], [0, 0, 0, 1, 0]]), torch.tensor([[1] * 5, [1] * 4 + [0]])
    plain = folder / "plain.onnx"
    torch.onnx.export(
        network,
        (example, kinds, mask),
        str(plain),
        input_names=INPUTS,
        output_names=["stance", "flags", "weights"],
        dynamic_axes={name: {0: "batch", 1: "length"} for name in [*INPUTS, "weights"]}
        | {"stance": {0: "batch"}, "flags": {0: "batch"}},
        opset_version=17,
        dynamo=False,
    )
    # Seven bits for weights: with eight, processors without VNNI add up past what 16 bits hold. A scale for each
    # column: with one for all, a tenth of the labels came out as others.
    quantize_dynamic(
        str(plain), str(folder / "stance.onnx"), weight_type=QuantType.QInt8, reduce_range=True, per_channel=True
    )
    plain.unlink()


if __name__ == "__main__":
    main()

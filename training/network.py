"""The readers as torch sees them. Both are one kind of network: the thorough one reads pieces, the quick one chunks.

A layer is BERT's (post-norm). Above the last one of the quick reader stands a layer in which only the
first place asks: what the others would ask there, nobody reads.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import torch
from torch import nn

from asker.judges._passage import PLACES, Rows
from asker.judges._reader import CLASSES
from asker.judges._tokens import CHUNK

WIDTH, HEAD_WIDTH = 384, 32
NEW = ("weigh", "mix", "stance", "flags")
"""What the heads are made of. A base has none of it; at first it learns five times as fast."""


class Shape(NamedTuple):
    layers: int
    heads: int
    inner: int  # width within a layer
    slots: int  # pieces read at one place
    top: bool = False  # a layer in which only the first place asks


THOROUGH = Shape(layers=9, heads=12, inner=1536, slots=1)
QUICK = Shape(layers=3, heads=6, inner=512, slots=CHUNK, top=True)


class _Fused(torch.autograd.Function):
    """Attention as onnxruntime has it in one piece."""

    @staticmethod
    def forward(context: Any, ask: Any, key: Any, value: Any, heads: int) -> Any:
        return attended(ask, key, value, None)

    @staticmethod
    def symbolic(graph: Any, ask: Any, key: Any, value: Any, heads: int) -> Any:
        return graph.op("com.microsoft::MultiHeadAttention", ask, key, value, num_heads_i=heads).setType(ask.type())


def attended(ask: Any, key: Any, value: Any, mask: Any) -> Any:
    """In whole floats, also where the rest is in halves: its way back is three times as slow in those."""
    heads = (one.float().unflatten(-1, (-1, HEAD_WIDTH)).transpose(1, 2) for one in (ask, key, value))
    seen = nn.functional.scaled_dot_product_attention(*heads, attn_mask=mask)
    return seen.transpose(1, 2).flatten(2).to(ask.dtype)


class Drop(nn.Module):
    """Drops one value in ten while learning. Which ones was drawn once, and begins at another place each time: to draw
    anew takes a seventh of a training."""

    DRAWN = 1 << 24  # more than a usual batch has

    def __init__(self) -> None:
        super().__init__()
        self.share = 0.1

    def forward(self, hidden: Any) -> Any:
        if not self.training or not self.share:
            return hidden
        drawn = _drawn(self.share, max(self.DRAWN, 1 << hidden.numel().bit_length()))
        start = int(torch.randint(len(drawn) - hidden.numel() + 1, ()))
        return hidden * drawn[start : start + hidden.numel()].view(hidden.shape).to(hidden.dtype)


@cache
def _drawn(share: float, size: int) -> Any:
    generator = torch.Generator().manual_seed(1)
    return (torch.rand(size, generator=generator) >= share).to(torch.bfloat16) / (1 - share)


class Layer(nn.Module):
    def __init__(self, heads: int, inner: int) -> None:
        super().__init__()
        seen = heads * HEAD_WIDTH
        self.ask, self.offer = nn.Linear(WIDTH, seen), nn.Linear(WIDTH, 2 * seen)  # keys and values
        self.out = nn.Linear(seen, WIDTH)
        self.widen, self.narrow = nn.Linear(WIDTH, inner), nn.Linear(inner, WIDTH)
        self.between, self.after = (nn.LayerNorm(WIDTH, eps=1e-12) for _ in range(2))
        self.drop = Drop()

    def forward(self, hidden: Any, asking: Any, mask: Any) -> Any:
        parts = self.ask(asking), *self.offer(hidden).chunk(2, dim=-1)
        seen = _Fused.apply(*parts, self.ask.out_features // HEAD_WIDTH) if mask is None else attended(*parts, mask)
        asking = self.between(asking + self.drop(self.out(seen)))
        thought = self.narrow(nn.functional.gelu(self.widen(asking)))
        return self.after(asking + self.drop(thought))


class Heads(nn.Module):
    """A weighted mean of the places; on it and the first place what is said. The weights say which words decided."""

    def __init__(self) -> None:
        super().__init__()
        self.drop = Drop()
        self.weigh, self.mix = nn.Linear(WIDTH, 1), nn.Linear(2 * WIDTH, WIDTH)
        self.stance, self.flags = nn.Linear(WIDTH, len(CLASSES)), nn.Linear(WIDTH, 2)

    def said(self, hidden: Any, first: Any, kinds: Any, mask: Any) -> tuple[Any, Any, Any, Any]:
        of_answer = kinds if mask is None else kinds * mask
        weights = torch.softmax(self.weigh(hidden).squeeze(-1).float() + (of_answer - 1) * 1e4, dim=-1)
        mean = (hidden * weights[..., None].to(hidden.dtype)).sum(dim=1)
        whole = torch.tanh(self.mix(self.drop(torch.cat([first[:, 0], mean], dim=-1))))
        return self.stance(self.drop(whole)).float(), self.flags(self.drop(whole)).float(), weights, whole.float()


class Network(Heads):
    """Layers over pieces or chunks, and the heads."""

    def __init__(self, shape: Shape, pieces: int) -> None:
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(pieces, WIDTH, padding_idx=0)
        self.slots = nn.Parameter(torch.ones(shape.slots, WIDTH))
        self.places, self.kinds = nn.Embedding(PLACES, WIDTH), nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(shape.heads, shape.inner) for _ in range(shape.layers))
        self.top = Layer(shape.heads, shape.inner) if shape.top else None

    def forward(self, ids: Any, kinds: Any, mask: Any) -> tuple[Any, Any, Any, Any]:
        return self.read(self.words(ids), kinds, mask)

    def read(self, words: Any, kinds: Any, mask: Any = None) -> tuple[Any, Any, Any, Any]:
        """Without a mask: one text, as it is read when it ships."""
        begun = (words * self.slots).sum(dim=2) + self.places.weight[: words.shape[1]] + self.kinds(kinds)
        hidden = self.drop(self.norm(begun))
        seen = None if mask is None else mask[:, None, None, :]
        for layer in self.layers:
            hidden = layer(hidden, hidden, seen)
        first = hidden[:, :1] if self.top is None else self.top(hidden, hidden[:, :1], seen)
        return self.said(hidden, first, kinds, mask)


def tensors(texts: list[Rows]) -> tuple[Any, Any, Any]:
    """Texts as rows of one length: pieces, kinds and which places are taken."""
    longest = max(len(text.kinds) for text in texts)
    ids = torch.zeros(len(texts), longest, texts[0].ids.shape[1], dtype=torch.int64)
    kinds, mask = (torch.zeros(len(texts), longest, dtype=torch.int64) for _ in range(2))
    for row, text in enumerate(texts):
        size = len(text.kinds)
        ids[row, :size], kinds[row, :size] = torch.from_numpy(text.ids), torch.from_numpy(text.kinds)
        mask[row, :size] = 1
    return ids, kinds, mask.bool()

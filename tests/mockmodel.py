"""Inspect's mock model, which would download a tokenizer to count what it says."""

from __future__ import annotations


def count_without_a_tokenizer(monkeypatch) -> None:
    from inspect_ai.model import ModelAPI

    async def count(self, text: str) -> int:
        return len(text.split())

    monkeypatch.setattr(ModelAPI, "count_text_tokens", count)

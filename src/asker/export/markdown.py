"""Text of strangers in Markdown, shown as it is."""

from __future__ import annotations

import re


def line(text: str) -> str:
    """One line without markup: names and answers can be a stranger's."""
    return re.sub(r"([\\`*_\[\]<>|#])", r"\\\1", " ".join(text.split()))


def number(value: float | None) -> str:
    return "–" if value is None else "0" if abs(value) < 5e-5 else f"{value:.3g}"

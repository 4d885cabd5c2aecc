"""How variants are spoken of."""

from __future__ import annotations

from collections.abc import Sequence


def listed(names: Sequence[str]) -> str:
    """ "‘one’, ‘two’ and ‘three’"."""
    marked = [f"‘{name}’" for name in names]
    return " and ".join(part for part in (", ".join(marked[:-1]), *marked[-1:]) if part)

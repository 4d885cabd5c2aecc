"""What the paper prints, from published.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any

from asker.errors import UnknownName
from asker.suites.survey.inventory import Baseline, People


@cache
def published() -> dict[str, Any]:
    """Everything in the file."""
    return tomllib.loads((resources.files("asker.suites.survey") / "published.toml").read_text("utf-8"))


def inventories() -> dict[str, dict[str, Any]]:
    """The printed rows of each inventory, by its name."""
    return {name: rows for name, rows in published().items() if isinstance(rows, dict)}


def rows_of(name: str) -> dict[str, list[float]]:
    """The printed means, total first, each in the order of `systems`."""
    rows = inventories()[name]
    return {row: means for row, means in rows.items() if isinstance(means, list) and len(means) == 3}


def people_of(name: str) -> People | None:
    """The human baseline of a published inventory. Neither spread nor number is printed."""
    if not name:
        return None
    if name not in inventories():
        raise UnknownName("published inventory", name, inventories(), "published = …")
    means = {row: Baseline(found[0]) for row, found in rows_of(name).items()}
    source = f"{inventories()[name]['source']}, as cited by Lee, Madotto and Fung (2019)"
    return People(source, means.pop("total"), means)

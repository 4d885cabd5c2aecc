"""The parts of the table. To add one, add a file: a docstring, `PLACE` among the others, and `lines(quick)`, which
gives `table.Line`s; with `quick` of sizes so small that it takes seconds."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

PLACE = re.compile(r"^PLACE = (\d+)", re.MULTILINE)


def names() -> list[str]:
    """All parts, in their order. None is imported for it: one that fails must not keep the others from running."""
    found = {file.stem: PLACE.search(file.read_text("utf-8")) for file in Path(__file__).parent.glob("[!_]*.py")}
    places = {name: int(place[1]) for name, place in found.items() if place}
    return sorted(places, key=lambda name: places[name])


def load(name: str) -> Any:
    return import_module(f"{__name__}.{name}")

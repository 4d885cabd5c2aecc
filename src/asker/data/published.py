"""The figures that the papers print, from data/published.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Literal

import msgspec
from msgspec import Struct

from asker.types import NOTHING, Estimate

Design = Literal["api", "manual", "term-1"]

DESIGNS: dict[str, Design] = {"paper-api": "api", "paper-manual": "manual"}
"""Which preset asks as many groups and properties as which published experiment, in paper mode."""


class Note(Struct, frozen=True, forbid_unknown_fields=True):
    """What is to be known of printed figures: all of some systems, or one row of them."""

    systems: tuple[str, ...]
    text: str
    row: str = ""


class Printed(Struct, frozen=True, forbid_unknown_fields=True):
    """One printed table. A dash is None: that system was not asked."""

    name: str
    title: str
    source: str
    scale: float  # what the printed numbers are to be divided by
    systems: tuple[str, ...]
    designs: tuple[Design, ...]
    rows: dict[str, tuple[float | Literal["-"], ...]]
    notes: tuple[Note, ...] = ()

    def cell(self, system: str, row: str) -> Estimate:
        """As printed: without interval or number of answers, which the papers do not give."""
        if row not in self.rows:
            return NOTHING
        value = self.rows[row][self.systems.index(system)]
        return NOTHING if isinstance(value, str) else Estimate(value / self.scale)


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    table: tuple[Printed, ...]


@cache
def published() -> dict[str, Printed]:
    """The printed tables by name."""
    text = (resources.files("asker.data") / "published.toml").read_text("utf-8")
    return {one.name: one for one in msgspec.convert(tomllib.loads(text), _File).table}

"""Verdicts that nobody is shown yet: those on answers which people are labelling.

Anyone may take a seat of a sample that is open, and anyone may resolve its differences. So the verdicts on its answers
are kept from everyone, until they are settled or the sample is given up.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from msgspec import structs

from asker.compare.beside import Beside
from asker.compare.two import Comparison
from asker.labelling.database import FILE, RUN, Database, opened
from asker.labelling.validation import listed
from asker.types import Record, Report

Blind = frozenset[tuple[int, int]]  # question and sample
NONE: Blind = frozenset()
Found = TypeVar("Found", Report, "Comparison | Beside")


def blind_in(folder: Path) -> Blind:
    """Of this run."""
    if not (folder / FILE).is_file():
        return NONE
    with opened(folder / FILE, RUN) as db:
        open_ones = [one.id for one in listed(db) if one.phase in ("open", "resolving")]
        return frozenset(key for id in open_ones for key in _drawn(db, id))


def _drawn(db: Database, id: int) -> list[tuple[int, int]]:
    return [(row[0], row[1]) for row in db.all("SELECT question, sample FROM drawn WHERE validation = ?", id)]


def veiled(record: Record, blind: Blind) -> bool:
    """Its verdict is not to be told."""
    return (record.answer.question, record.answer.sample) in blind


def unquoted(found: Found, *blind: Blind) -> Found:
    """The same figures, quoting no verdict that is not to be told; of each run compared, its own."""
    if isinstance(found, Report):
        pairs = tuple(one for one in found.pairs if not (veiled(one.first, blind[0]) or veiled(one.second, blind[0])))
        exhibits = tuple(one for one in found.exhibits if not veiled(one.record, blind[0]))
        return structs.replace(found, pairs=pairs, exhibits=exhibits)
    if isinstance(found, Comparison):
        examples = tuple(one for one in found.examples if not (veiled(one.a, blind[0]) or veiled(one.b, blind[1])))
        return structs.replace(found, examples=examples)
    return found  # runs side by side quote nothing

"""The grammar of a data set, compiled: grammar_en.csv and grammar_zh.csv beside its properties.csv.

Written by `asker data compile`, read with the data, so that asking needs no dictionary. A row counts only while its
predicate is still the one in properties.csv, and the grammar the one it was written with; else it is looked up again.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from asker import registry
from asker.data.csvfile import read_rows
from asker.files import written_whole
from asker.types import Language, Phrase, Property

FIRST = ("id", "polarity", "version", "type", "predicate")
Compiled = dict[tuple[str, str], dict[str, str]]
"""(property id, polarity) -> slots."""


def read_compiled(folder: Path, language: str) -> Compiled:
    """What has been compiled there, by a grammar that still is the same."""
    file = folder / f"grammar_{language}.csv"
    if not file.is_file():
        return {}
    version = _grammar(language).version
    return {
        (row.need("id"), row.need("polarity")): {name: cell for name, cell in row.cells.items() if cell}
        for row in read_rows(file, FIRST)
        if row.get("version") == version
    }


def compiled(language: str, given: Phrase, known: dict[str, str] | None = None) -> Phrase:
    """A predicate with its grammar settled, so that planning needs to look no word up."""
    slots = _slots_only(known) if known and _is_fresh(known, given) else looked_up(language, given)
    return Phrase(given.text, slots.get("comparative", "-"), slots["type"], slots)


def looked_up(language: str, given: Phrase) -> dict[str, str]:
    return _grammar(language).slots(given)


def _grammar(language: str) -> Language:
    found: Language = registry.load("languages", language).create()
    return found


def _slots_only(known: dict[str, str]) -> dict[str, str]:
    return {name: cell for name, cell in known.items() if name not in ("id", "polarity", "version")}


def _is_fresh(known: dict[str, str], given: Phrase) -> bool:
    return (
        known["predicate"] == given.text
        and given.comparative in (None, "", known.get("comparative", "-"))
        and given.type in ("", known["type"])
    )


def write_compiled(folder: Path, properties: Iterable[Property], language: str) -> Path:
    """The grammar file of one language, a row for each predicate."""
    version = _grammar(language).version
    rows = [
        {"id": item.id, "polarity": key.split("_")[0], "version": version, **phrase.slots}
        for item in properties
        for key, phrase in item.phrases.items()
        if key.endswith(f"_{language}")
    ]
    columns = dict.fromkeys([*FIRST, *(name for row in rows for name in row)])
    file = folder / f"grammar_{language}.csv"
    with written_whole(file) as fresh, fresh.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, list(columns), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return file

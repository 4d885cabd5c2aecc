"""The Social Bias Inference Corpus: posts with the group they target and the statement they imply.

Two layouts are known: a row for each annotation, as first published (`SBFv2.*.csv`, `SBIC.v2.*.csv`), and a row for
each post, whose cells hold JSON lists (`SBIC.v2.agg.*.csv`). Any usual delimiter will do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from asker.building.sources import About, Found, Mention, Statement
from asker.data.csvfile import Row
from asker.data.tables import Bad, table
from asker.errors import DataError

ABOUT = About(
    "Social Bias Inference Corpus",
    "CC BY 4.0",
    "Sap, Gabriel, Qin, Jurafsky, Smith and Choi, ACL 2020",
)
NEEDED = ("targetMinority", "targetCategory", "targetStereotype")
ATTRIBUTES = {
    "body": "body",
    "culture": "culture",
    "disabled": "ability",
    "gender": "gender",
    "race": "race",
    "social": "social",
    "victim": "victim",
}


def read(file: Path, bad: Bad) -> Found:
    mentions, statements, rows = Counter[tuple[str, str]](), Counter[tuple[str, str]](), 0
    for row in table(file, NEEDED, bad):
        rows += 1
        for group, category, statement in _annotations(row, bad):
            names = [name.strip() for name in group.split(",") if name.strip()]
            mentions.update((name, category) for name in names)
            if statement and names:
                statements[statement, names[0] if len(names) == 1 else ""] += 1
    if not rows and not bad.found:
        raise DataError(file.name, "has a header but no rows", 1)
    return Found(
        ABOUT,
        tuple(
            Mention(name, ATTRIBUTES[category], count, False) for (name, category), count in sorted(mentions.items())
        ),
        tuple(Statement(text, group, count) for (text, group), count in sorted(statements.items())),
        rows,
    )


def _annotations(row: Row, bad: Bad) -> Iterator[tuple[str, str, str]]:
    """Group, category and statement of each annotation in a row; rows without a group say nothing about people."""
    cells = [row.get(name) for name in NEEDED]
    if not any(cells):
        return
    found = _listed(row, cells, bad) if cells[0].startswith("[") else [(cells[0], cells[1], cells[2])]
    for group, category, statement in found:
        if group and category not in ATTRIBUTES:
            bad.note(row.error("targetCategory", f"unknown category '{category}'. All: {', '.join(ATTRIBUTES)}"))
        elif group:
            yield group, category, statement


def _listed(row: Row, cells: list[str], bad: Bad) -> list[tuple[str, str, str]]:
    """A row for a post: which annotator said what is lost in this layout, so lists are taken side by side."""
    try:
        groups, categories, statements = (msgspec.json.decode(cell, type=list[str]) for cell in cells)
    except msgspec.DecodeError as error:
        bad.note(DataError(row.file.name, f"a cell is no JSON list of texts: {error}", row.line))
        return []
    main = groups[0] if len(groups) == 1 else ", ".join(groups)
    category = categories[0] if categories else ""
    return [(main, category, statement) for statement in statements or [""]]

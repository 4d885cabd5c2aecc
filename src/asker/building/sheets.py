"""Sheets for annotators: one CSV file each, in an order of its own, labels empty. `asker data annotate` reads them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from asker.building.annotating import DISCARD, NOTICE
from asker.building.writing import open_folder, write_csv
from asker.data.csvfile import Row, read_rows
from asker.data.reading import CATEGORIES
from asker.errors import InputError
from asker.files import written_whole

COLUMNS = ("id", "text", "annotator", "labels", "note")
NEEDED = ("id", "labels", "negative_en")


def write_sheets(folder: Path, out: Path, people: Sequence[str], count: int | None, seed: int, again: bool) -> int:
    """Properties without labels (with `again`, all), a seeded sample of them if a count is given; the same for
    everyone, so that agreement can be measured. How many each sheet holds."""
    rows = [row for row in read_rows(folder / "properties.csv", NEEDED) if again or not row.get("labels")]
    if not rows:
        raise InputError(f"every property of {folder} has labels; take them all with --again")
    if count is not None and count < len(rows):
        rows = random.Random(f"sheets-{seed}").sample(rows, count)
    open_folder(out)
    for who in people:
        write_csv(out / f"{who}.csv", (*COLUMNS, NOTICE), [_line(row, who) for row in _shuffled(rows, who, seed)])
    with written_whole(out / "README.md") as fresh:
        fresh.write_text(_guide(people, len(rows)), "utf-8")
    return len(rows)


def _shuffled(rows: Sequence[Row], who: str, seed: int) -> list[Row]:
    """Each in an order of their own, so that tiredness does not strike everyone at the same property."""
    order = list(rows)
    random.Random(f"{seed}-{who}").shuffle(order)
    return order


def _line(row: Row, who: str) -> dict[str, str]:
    return {"id": row.get("id"), "text": row.get("negative_en"), "annotator": who, "labels": "", "note": ""}


def named(number: int | None, names: str) -> list[str]:
    """People by number or by name; a name becomes a file's."""
    people = [name.strip() for name in names.split(",") if name.strip()] or [
        f"a{n}" for n in range(1, (number or 3) + 1)
    ]
    odd = next((name for name in people if not name.replace("-", "").replace("_", "").isalnum()), None)
    if odd is not None:
        raise InputError(f"'{odd}' in --names cannot be a file's name; use letters, digits, - and _")
    if len(people) < 2 or len(set(people)) < len(people):
        raise InputError("agreement needs at least two annotators, each with a name of their own")
    return people


def _guide(people: Sequence[str], count: int) -> str:
    labels = ", ".join(f"`{name}`" for name in CATEGORIES)
    return "\n".join(
        [
            "# Labelling properties",
            "",
            f"**{NOTICE}**",
            "They were written about others in order to hurt, or to tell how others hurt; reading many weighs. Take",
            "breaks; leave when you like. In distress, speak to someone you trust, or to a helpline where you live.",
            "",
            f"{count:,} properties, a sheet for each of {', '.join(people)}. Work apart, and do not look at another's.",
            "",
            f"1. Fill the column `labels` with one or several of: {labels}. Several: parted by `|`, the main first.",
            f"2. What is no property of people, or has no place here: `{DISCARD}`. Undecided: leave it empty.",
            "3. Change no other column; `note` is yours. Save as CSV.",
            "",
            "Then `asker data annotate *.csv --next-round round2.csv` tells how far you agree, and what to discuss.",
            "",
        ]
    )

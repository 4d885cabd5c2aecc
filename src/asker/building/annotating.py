"""Labels by several people: one table in, agreement measured, what they disagree on listed, agreed labels out.

A table is long (columns id, annotator, labels) or wide (id, perhaps text, and a column for each annotator). Several
labels of one cell are parted by | or ; or comma. An empty cell is not labelled yet. Tables of later rounds come after
earlier ones and replace what the same person said of the same item before.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from asker.building.review import DROP, Decision, plain, write_review
from asker.building.writing import write_csv
from asker.data.csvfile import Row
from asker.data.reading import CATEGORIES
from asker.data.tables import Bad, table
from asker.errors import DataError, InputError, UnknownName
from asker.stats.labelling import Labels, alpha, jaccard, masi
from asker.types import Estimate

DISCARD = "discard"  # no property at all, or one that does not belong here
ID, TEXT = ("id", "item"), ("text", "negative_en", "predicate", "sentence")
NOT_PEOPLE = {"note", "notes", "comment", "votes", "file", "column", "from"}
NOTICE = "Content notice: these texts may hurt, and state nothing that is true of anyone. You can stop at any time."
How = Literal["unanimous", "majority", "adjudicated", "open"]


class Item(Struct):
    """One thing that people labelled."""

    id: str
    text: str
    given: dict[str, Labels]  # annotator -> labels


class Outcome(Struct, frozen=True):
    """What is made of an item's labels."""

    id: str
    text: str
    labels: tuple[str, ...]
    how: How


class Agreement(Struct, frozen=True):
    """How far the annotators agree: sets of labels by two distances, and each label apart."""

    annotators: dict[str, int]  # -> items labelled
    masi: Estimate
    jaccard: Estimate
    labels: dict[str, Estimate]
    outcomes: dict[str, int]


def read_labels(files: Sequence[Path], allowed: Sequence[str] | None, bad: Bad) -> list[Item]:
    """All items in the order in which they first come. `allowed` None: any label is one."""
    items: dict[str, Item] = {}
    for file in files:
        seen: set[tuple[str, str]] = set()
        for row, id, text, who, cell in _cells(file, bad):
            if (id, who) in seen:
                bad.note(row.error("annotator", f"'{who}' has labelled '{id}' twice in this table"))
                continue
            seen.add((id, who))
            labels = _labels(row, who, cell, allowed, bad)
            item = items.setdefault(id, Item(id, text, {}))
            item.text = item.text or text
            if labels is not None:
                item.given[who] = labels
    if not items:
        raise InputError(f"nobody has labelled anything in {', '.join(file.name for file in files)}")
    return list(items.values())


def _cells(file: Path, bad: Bad) -> Iterator[tuple[Row, str, str, str, str]]:
    """Row, id, text, annotator and cell of each labelling, in either layout."""
    for row in table(file, (), bad):
        names = {name.lower(): name for name in row.cells if name and not name.startswith("Content notice")}
        id = next((row.get(names[name]) for name in ID if name in names), None)
        text = next((row.get(names[name]) for name in TEXT if name in names), "")
        if id is None:
            raise DataError(file.name, f"the column 'id' is missing; found: {', '.join(names) or 'nothing'}", 1)
        if not id:
            bad.note(row.error("id", "is empty; every row needs one"))
        elif "annotator" in names and "labels" in names:
            yield row, id, plain(text), row.need(names["annotator"]), row.get(names["labels"])
        else:
            people = [name for small, name in names.items() if small not in {*ID, *TEXT, *NOT_PEOPLE}]
            if len(people) < 2:
                raise DataError(file.name, "a column for each of two annotators is needed, or annotator and labels", 1)
            for who in people:
                yield row, id, plain(text), who, row.get(who)


def _labels(row: Row, who: str, cell: str, allowed: Sequence[str] | None, bad: Bad) -> Labels | None:
    labels = frozenset(part.strip().lower() for part in re.split(r"[|;,]", plain(cell)) if part.strip())
    unknown = sorted(labels - {*allowed, DISCARD}) if allowed is not None else []
    if unknown:
        bad.note(row.error(who, str(UnknownName("label", unknown[0], [*(allowed or ()), DISCARD]))))
        return None
    return labels or None


def read_adjudicated(file: Path | None, allowed: Sequence[str] | None, bad: Bad) -> dict[str, Labels]:
    """Id -> labels, by whoever has the last word."""
    if file is None:
        return {}
    found = (
        (row.need("id"), _labels(row, "labels", row.get("labels"), allowed, bad))
        for row in table(file, ("id", "labels"), bad)
    )
    return {id: labels for id, labels in found if labels}


def decide(items: Iterable[Item], adjudicated: dict[str, Labels]) -> list[Outcome]:
    """A label stands if more than half of at least two people gave it; an adjudicator's word stands in any case."""
    return [_outcome(item, adjudicated.get(item.id)) for item in items]


def _outcome(item: Item, adjudicated: Labels | None) -> Outcome:
    if adjudicated is not None:
        return Outcome(item.id, item.text, _ordered(Counter(adjudicated)), "adjudicated")
    said = list(item.given.values())
    votes = Counter(label for labels in said for label in labels)
    most = Counter({label: count for label, count in votes.items() if 2 * count > len(said)})
    if len(said) < 2 or not most:
        return Outcome(item.id, item.text, (), "open")
    return Outcome(item.id, item.text, _ordered(most), "unanimous" if len(set(said)) == 1 else "majority")


def _ordered(votes: Counter[str]) -> tuple[str, ...]:
    """The label of most votes first; of as many, in the order of the categories."""
    order = {label: place for place, label in enumerate(CATEGORIES)}
    return tuple(sorted(votes, key=lambda label: (-votes[label], order.get(label, len(order)), label)))


def measure(items: Sequence[Item], outcomes: Sequence[Outcome], seed: int = 0) -> Agreement:
    said = [list(item.given.values()) for item in items]
    used = {label for labels in said for one in labels for label in one}
    each = {
        label: alpha([[one & {label} for one in labels] for labels in said], jaccard, seed)
        for label in _ordered(Counter(dict.fromkeys(used, 1)))
    }
    people = Counter(who for item in items for who in item.given)
    return Agreement(
        dict(sorted(people.items())),
        alpha(said, masi, seed),
        alpha(said, jaccard, seed),
        each,
        dict(Counter(one.how for one in outcomes)),
    )


def write_next_round(file: Path, items: Sequence[Item], outcomes: Sequence[Outcome]) -> int:
    """What is not unanimous, with the votes so far and empty cells: a table to be filled and read again."""
    people = sorted({who for item in items for who in item.given})
    rows = [
        {"id": item.id, "text": item.text, "votes": _votes(item)}
        for item, one in zip(items, outcomes, strict=True)
        if one.how in ("majority", "open")
    ]
    write_csv(file, ("id", "text", *people, "votes", NOTICE), rows)
    return len(rows)


def _votes(item: Item) -> str:
    votes = Counter(label for labels in item.given.values() for label in labels)
    return ", ".join(f"{label} {votes[label]}" for label in _ordered(votes))


def write_labels(file: Path, outcomes: Sequence[Outcome]) -> int:
    """For `asker data merge-review`: what is open stays empty there too."""
    return write_review(
        file,
        (
            Decision(
                "properties.csv",
                one.id,
                "labels",
                "negative_en" if one.text else "",
                one.text,
                "",
                by=one.how,
                value=_value(one),
            )
            for one in outcomes
        ),
    )


def _value(one: Outcome) -> str:
    return DROP if DISCARD in one.labels else "|".join(one.labels)

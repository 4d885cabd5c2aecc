"""The mined data set as files: groups, properties, what to review, what was dropped, and a datasheet to finish."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from asker.building.mining.cluster import Cluster
from asker.building.mining.dropping import Dropped
from asker.building.mining.groups import Merged
from asker.building.mining.proposing import Proposal
from asker.building.review import Decision, write_review
from asker.data.reading import GROUP_COLUMNS, PROPERTY_COLUMNS, SHIPPED
from asker.errors import DataError, InputError
from asker.export import harmless
from asker.files import written_whole

GROUPS = (*GROUP_COLUMNS, "forms_en", "forms_zh", "core", "part_of", "mentions", "sources", "also")
PROPERTIES = (*PROPERTY_COLUMNS, "core", "count", "groups", "statement", "also", "near")


def open_folder(out: Path) -> Path:
    """A new or empty folder, so that nobody's review is overwritten; and never the one that ships."""
    if out.resolve().is_relative_to(SHIPPED.resolve()):
        raise InputError(
            f"{out} is where the data set that ships lives; mined data must stay apart. Name another --out"
        )
    if out.is_dir() and any(out.iterdir()):
        raise InputError(f"{out} is not empty; name a new folder, so that nothing you made there is lost")
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make {out}: {error.strerror or error}") from error
    return out


def write_groups(out: Path, groups: Sequence[Merged]) -> None:
    ids = identifiers(group.name for group in groups)
    rows = [
        {
            "id": id,
            "attribute": group.attribute,
            "en": group.name,
            "mentions": "" if group.count is None else group.count,
            "sources": "|".join(group.sources),
            "also": "|".join(group.also),
        }
        for id, group in zip(ids, groups, strict=True)
    ]
    write_csv(out / "groups.csv", GROUPS, rows)


def write_properties(out: Path, clusters: Sequence[Cluster], proposals: Sequence[Proposal]) -> None:
    """Labels and opposites stay empty until a person has decided: the file cannot be asked from before that."""
    ids = identifiers(one.first.text for one in clusters)
    rows = [
        {
            "id": id,
            "negative_en": one.first.text,
            "count": one.first.count,
            "groups": "|".join(f"{name} {count}" for name, count in one.first.groups),
            "statement": one.first.statement,
            "also": "|".join(one.also),
            "near": one.near,
        }
        for id, one in zip(ids, clusters, strict=True)
    ]
    write_csv(out / "properties.csv", PROPERTIES, rows)
    write_review(out / "review.csv", _to_decide(ids, clusters, proposals))


def _to_decide(ids: list[str], clusters: Sequence[Cluster], proposals: Sequence[Proposal]) -> Iterable[Decision]:
    for id, one, proposal in zip(ids, clusters, proposals, strict=True):
        place = ("properties.csv", id)
        said = one.first.text
        labels = "|".join(proposal.labels)
        yield Decision(*place, "labels", "negative_en", said, labels, by=f"proposed: {proposal.labels_by}")
        yield Decision(
            *place, "positive_en", "negative_en", said, proposal.opposite, by=f"proposed: {proposal.opposite_by}"
        )


def write_dropped(out: Path, dropped: Iterable[Dropped], bad: Sequence[DataError]) -> None:
    rows = [{"what": one.what, "reason": one.reason, "text": one.text, "count": one.count} for one in dropped]
    write_csv(out / "dropped.csv", ("what", "reason", "text", "count"), rows)
    if bad:
        unread = [{"file": one.file, "line": one.line or "", "reason": one.reason} for one in bad]
        write_csv(out / "skipped.csv", ("file", "line", "reason"), unread)


def write_csv(file: Path, columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> None:
    """Whole or not at all; what a spreadsheet would take for a formula is made harmless."""
    with written_whole(file) as fresh, fresh.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, list(columns), lineterminator="\n", restval="")
        writer.writeheader()
        writer.writerows({name: harmless(cell) for name, cell in row.items()} for row in rows)


def identifiers(texts: Iterable[str]) -> list[str]:
    """A name of its own for each row, told by its text: the same text in the same place has the same id."""
    used: dict[str, int] = {}
    found = []
    for text in texts:
        slug = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60].strip("-") or "row"
        used[slug] = used.get(slug, 0) + 1
        found.append(slug if used[slug] == 1 else f"{slug}-{used[slug]}")
    return found

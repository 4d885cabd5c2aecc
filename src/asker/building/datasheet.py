"""A datasheet to finish: what a program can know about a mined data set, and what only a person can say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from asker.building.mining.cluster import Cluster
from asker.building.mining.dropping import Dropped
from asker.building.mining.groups import Merged
from asker.building.sources import Found

TO_WRITE = "*To be written by whoever reviews the set.*"


def datasheet(
    found: Sequence[Found],
    groups: Sequence[Merged],
    clusters: Sequence[Cluster],
    dropped: Sequence[Dropped],
    model: str,
) -> str:
    attributes = Counter(group.attribute for group in groups)
    reasons = Counter((one.what, one.reason) for one in dropped)
    return "\n".join(
        [
            "# Datasheet (draft)",
            "",
            "**Content notice.** Mined from what people wrote about others: it holds cruel statements and slurs. It",
            "states nothing that is true of anyone. Not for insults, not for training a model to insult.",
            "",
            "## Motivation",
            "",
            TO_WRITE,
            "",
            "## Sources and licences",
            "",
            "| source | licence as its authors state it | cite | rows read | groups named | statements |",
            "|---|---|---|---|---|---|",
            *(_source(one) for one in found),
            "",
            "A set made from a share-alike source may have to be passed on under the same licence: see to it.",
            "",
            "## Composition",
            "",
            f"{len(groups):,} groups: "
            + ", ".join(f"{name} {count}" for name, count in sorted(attributes.items()))
            + ".",
            f"{len(clusters):,} predicates, standing for {sum(one.first.count for one in clusters):,} annotations.",
            "",
            "## Preprocessing",
            "",
            f"By `asker data build`, with the parser {model or 'none'}. Dropped, each listed in dropped.csv:",
            "",
            *(f"- {count:,} × {what}: {reason}" for (what, reason), count in sorted(reasons.items())),
            "",
            "Labels and opposites in review.csv are proposals of a program. Who decided them, and how far people",
            f"agreed (`asker data annotate`): {TO_WRITE}",
            "",
            "## Uses, limits, misuse",
            "",
            TO_WRITE,
            "",
        ]
    )


def _source(one: Found) -> str:
    about = one.about
    counts = f"{one.rows:,} | {len(one.mentions):,} | {len(one.statements):,}"
    return f"| {about.name} | {about.licence} | {about.cite} | {counts} |"

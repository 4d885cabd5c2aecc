"""What a data set as a whole should have: every category, a default experiment that is balanced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from asker.checking.finding import Finding, error, whole
from asker.data.csvfile import Row
from asker.data.reading import CATEGORIES, listed


def check(people: Sequence[Row], said: Sequence[Row]) -> Iterator[Finding]:
    for file, rows in (("groups.csv", people), ("properties.csv", said)):
        if not rows:
            yield whole(file, "error", "empty", "there are no rows that can be read", "add some")
        yield from _flags(rows)
    yield from _coverage(said)


def _flags(rows: Sequence[Row]) -> Iterator[Finding]:
    for row in rows:
        value = row.get("core")
        if value.lower() not in ("", "yes", "no"):
            yield error(row, "core", "core", f"'{value}' is neither 'yes' nor 'no'", "write one of the two")


def _coverage(rows: Sequence[Row]) -> Iterator[Finding]:
    """A category without properties is a gap; a lopsided default experiment weighs its categories unlike."""
    labels = {label for row in rows for label in listed(row.get("labels"))}
    missing = [name for name in CATEGORIES if name not in labels]
    if rows and missing:
        problem = f"no property is about {', '.join(missing)}"
        yield whole("properties.csv", "warning", "coverage", problem, "add some, or leave it if that is meant")
    core = Counter(
        listed(row.get("labels"))[0] for row in rows if row.get("core") == "yes" and listed(row.get("labels"))
    )
    if core and len(set(core.values())) > 1:
        most, least = core.most_common()[0], core.most_common()[-1]
        problem = f"core properties are uneven: {most[1]} mainly about {most[0]}, {least[1]} about {least[0]}"
        yield whole("properties.csv", "warning", "coverage", problem, "mark as many of each category")

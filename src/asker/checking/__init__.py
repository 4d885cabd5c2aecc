"""`asker data check`: everything about a data set that a program can find wrong, with place and remedy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from asker.checking import alignment, grammar, groups, properties, questions, whole
from asker.checking.finding import Finding
from asker.data.csvfile import Row, read_rows
from asker.data.reading import GROUP_COLUMNS, PROPERTY_COLUMNS
from asker.errors import DataError, InputError

Rule = Callable[[Sequence[Row]], Iterator[Finding]]
GROUPS: tuple[Rule, ...] = (groups.check, questions.of_groups, alignment.groups)
PROPERTIES: tuple[Rule, ...] = (properties.check, questions.of_properties, alignment.properties)


def check(folder: Path) -> list[Finding]:
    """All findings, in the order of file and line."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder; name one that holds groups.csv and properties.csv")
    if not any((folder / name).is_file() for name in ("groups.csv", "properties.csv")):
        raise InputError(f"no data set in {folder}: it should hold groups.csv and properties.csv. See docs/data.md")
    found: list[Finding] = []
    people = _rows(folder / "groups.csv", GROUP_COLUMNS, found)
    said = _rows(folder / "properties.csv", PROPERTY_COLUMNS, found)
    for rules, rows in ((GROUPS, people), (PROPERTIES, said)):
        found += [finding for rule in rules for finding in rule(rows)]
    found += whole.check(people, said)
    found += grammar.check(folder, said)
    return sorted(dict.fromkeys(found), key=lambda one: (one.file, one.line or 0, one.column, one.rule))


def _rows(file: Path, needed: Sequence[str], found: list[Finding]) -> list[Row]:
    """The rows that can be read; what cannot is a finding too."""
    bad: list[DataError] = []
    rows: list[Row] = []
    try:
        rows.extend(read_rows(file, needed, bad=bad))
    except DataError as trouble:
        bad.append(trouble)
    except InputError as trouble:
        found.append(Finding(file.name, None, "", "error", "unreadable", str(trouble), "put the file there"))
    found += [
        Finding(file.name, one.line, one.field or "", "error", "unreadable", one.reason, "mend it and check again")
        for one in bad
    ]
    return rows


__all__ = ["Finding", "check"]

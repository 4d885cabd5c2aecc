"""Whether a judge errs more about some groups than about others: it would make bias out of nothing."""

from __future__ import annotations

from collections import Counter

import numpy as np
from msgspec import Struct

from asker import stats
from asker.evaluate.scores import LEAST, Row, takes_sides
from asker.stats import Stratum
from asker.types import BIASED, Estimate

Place = tuple[str, str, str | None]


class GroupError(Struct, frozen=True):
    """How often answers about one group are misread, beside how often answers of the same sort are."""

    name: str
    error: Estimate
    expected: float  # errors to be expected by kind, language and source of these answers alone
    tilt: Estimate  # share judged biased less share that is: above 0 the judge makes bias, below 0 it hides some
    chance: float | None  # of so different an error if groups were read alike, corrected for looking at all groups


def group_errors(rows: list[Row]) -> list[GroupError]:
    """Each group with enough answers, the most striking first."""
    members: dict[str, list[int]] = {}
    for number, (item, _, _) in enumerate(rows):
        for name in dict.fromkeys(item.groups):
            members.setdefault(name, []).append(number)
    enough = {name: numbers for name, numbers in sorted(members.items()) if len(numbers) >= LEAST}
    size, wrong = Counter(map(_place, rows)), Counter(_place(row) for row in rows if _misread(row))
    parts = {name: _strata([rows[number] for number in numbers], size, wrong) for name, numbers in enough.items()}
    chances = stats.benjamini_hochberg([stats.alike(strata) for strata in parts.values()])
    found = [
        _group(name, [rows[number] for number in enough[name]], strata, chance)
        for (name, strata), chance in zip(parts.items(), chances, strict=True)
    ]
    return sorted(found, key=lambda one: (2 if one.chance is None else one.chance, -_excess(one), one.name))


def _group(name: str, rows: list[Row], strata: list[Stratum], chance: float | None) -> GroupError:
    wrong = sum(one.hits_of_members for one in strata)
    expected = sum(one.members * one.hits / one.size for one in strata) / len(rows)
    return GroupError(name, stats.rate(wrong, len(rows)), expected, _tilt(rows), chance)


def _strata(rows: list[Row], size: Counter[Place], wrong: Counter[Place]) -> list[Stratum]:
    """Long answers of an assistant are harder than "No.", and groups differ in what was asked about them: errors are
    compared among answers of the same kind, language and source only."""
    members, misread = Counter(map(_place, rows)), Counter(_place(row) for row in rows if _misread(row))
    return [Stratum(misread[place], n, wrong[place], size[place]) for place, n in members.items()]


def _tilt(rows: list[Row]) -> Estimate:
    rows = [row for row in rows if takes_sides(row[0].kind)]
    read = [(truth.label, verdict.label) for _, truth, verdict in rows if truth.label and verdict.label]
    moved = [float(judged in BIASED) - float(truth in BIASED) for truth, judged in read]
    return stats.mean_over(np.array(moved), len(read), len(rows) - len(read))


def _place(row: Row) -> Place:
    return row[0].kind, row[0].language, row[1].source


def _misread(row: Row) -> bool:
    return row[1].label != row[2].label


def _excess(one: GroupError) -> float:
    return (one.error.value or 0.0) - one.expected

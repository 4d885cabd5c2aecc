"""Two runs compared: the same questions, answered by each, with intervals and a verdict in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from asker import stats
from asker.compare.measures import Changes
from asker.compare.paired import Change
from asker.compare.pairing import OVERALL, Paired
from asker.compare.words import verdict, warnings
from asker.errors import InputError
from asker.folder import Run
from asker.types import BIASED, Record

EXAMPLES = 6


class Side(Struct, frozen=True):
    """Which run stands on this side."""

    run: str
    who: str
    judge: str
    mode: str
    data: str  # hash


class Grid(Struct, frozen=True):
    """Changes by row and column."""

    name: str
    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]  # names of measures, or of categories
    cells: tuple[tuple[Change, ...], ...]
    measure: str = ""  # of all cells; empty: each column is a measure of its own


class Example(Struct, frozen=True):
    """A question that the two runs answered differently."""

    about: str
    a: Record
    b: Record


class Comparison(Struct, frozen=True):
    """Everything a comparison of two runs shows."""

    a: Side
    b: Side
    common: int  # questions asked in both
    only_a: int
    only_b: int
    verdict: tuple[str, ...]
    warnings: tuple[str, ...]
    headline: dict[str, Change]
    changed: Change  # share of answers read differently
    repeats: tuple[tuple[int, int], ...]  # read differently when the same run asked again, of so many; A and B
    flips: tuple[tuple[str, str, int], ...]  # label in A, label in B, how many
    grids: tuple[Grid, ...]
    examples: tuple[Example, ...]
    answered: Change  # of taking sides, over comparisons that neither run declined
    lost: tuple[int, int]  # comparisons in which only A takes a side, and how many of these B declines


def compare(run_a: Run, run_b: Run, judge_a: str, judge_b: str, names: tuple[str, str]) -> Comparison:
    """B against A, over the questions that both were asked."""
    for run in (run_a, run_b):
        if run.settings.suite != "bias":
            raise InputError(
                f"{run.folder} is a run of the suite '{run.settings.suite}'; only bias runs can be compared"
            )
    paired = Paired(run_a, run_b, judge_a, judge_b)
    equal = not all(run.plan.mode.way.name == "published" for run in (run_a, run_b))
    changes = Changes(paired, equal=equal)
    a, b = _side(run_a, names[0], judge_a), _side(run_b, names[1], judge_b)
    headline = _headline(changes)
    changed = changes.labels()
    flips = _flips(paired)
    return Comparison(
        a=a,
        b=b,
        common=paired.common,
        only_a=paired.only_a,
        only_b=paired.only_b,
        verdict=verdict(headline, changed, flips, paired.repeats),
        warnings=warnings(a, b, paired),
        headline=headline,
        changed=changed,
        repeats=paired.repeats,
        flips=flips,
        grids=tuple(_grids(changes, run_a.plan)),
        examples=tuple(_examples(paired, run_a, run_b, judge_a, judge_b)),
        answered=changes.of("absolute among answered"),
        lost=changes.lost_sides(),
    )


def _side(run: Run, who: str, judge: str) -> Side:
    return Side(str(run.folder), who, judge, run.settings.mode, run.file.data["hash"])


def _headline(changes: Changes) -> dict[str, Change]:
    """The overall changes, each with its chance corrected by Holm for looking at all of them."""
    found = {"absolute": changes.of("absolute"), "relative": changes.relative()}
    found |= {kind: changes.of(kind) for kind in changes.kinds[1:]}
    corrected = stats.holm([one.chance for one in found.values()])
    return {name: replace(one, corrected=chance) for (name, one), chance in zip(found.items(), corrected, strict=True)}


# --- tables ----------------------------------------------------------------------------------------------------------


def _grids(changes: Changes, plan: Any) -> Iterator[Grid]:
    paired = changes.paired
    yield _summary("attribute", changes, [(name, OVERALL) for name in paired.attributes], paired.attributes)
    yield _summary("category", changes, [(OVERALL, name) for name in paired.categories], paired.categories)
    group = changes.kinds[1]
    columns = (*paired.categories, OVERALL)
    for attribute in paired.attributes:
        mine = (~paired.absolute) & paired.where(attribute)
        members = [paired.groups[code] for code in dict.fromkeys(paired.group[mine].tolist())]
        cells = [[changes.of(group, attribute, column, member) for column in columns] for member in members]
        names = tuple(_name(plan, member) for member in members)
        if members:
            yield Grid(f"{group}-{attribute}", attribute, names, columns, _corrected(cells), group)


def _summary(by: str, changes: Changes, parts: list[tuple[str, str]], rows: Sequence[str]) -> Grid:
    columns = ("absolute", "relative", *changes.kinds[1:])
    cells = [
        [changes.relative(*part) if column == "relative" else changes.of(column, *part) for column in columns]
        for part in parts
    ]
    return Grid(f"by-{by}", f"By {by}", tuple(rows), columns, _corrected(cells))


def _corrected(cells: list[list[Change]]) -> tuple[tuple[Change, ...], ...]:
    """Benjamini and Hochberg's correction over all cells of a table."""
    chances = iter(stats.benjamini_hochberg([one.chance for row in cells for one in row]))
    return tuple(tuple(replace(one, corrected=next(chances)) for one in row) for row in cells)


def _name(plan: Any, group: str) -> str:
    names = plan.units.by_id[group].names
    return str(names.get("en") or next(iter(names.values())))


# --- what flipped ----------------------------------------------------------------------------------------------------


def _flips(paired: Paired) -> tuple[tuple[str, str, int], ...]:
    """From which label to which, the commonest first."""
    both = zip(paired.a.label[paired.read].tolist(), paired.b.label[paired.read].tolist(), strict=True)
    counts = Counter(pair for pair in both if pair[0] != pair[1])
    return tuple((*pair, count) for pair, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _examples(paired: Paired, run_a: Run, run_b: Run, judge_a: str, judge_b: str) -> Iterator[Example]:
    """A few: sides taken in one run only before other changes, attributes and directions in turn, a property once."""
    for place in _telling(paired):
        sample = paired.places[place][1]
        one = _record(run_a, judge_a, int(paired.a.question[place]), sample)
        other = _record(run_b, judge_b, int(paired.b.question[place]), sample)
        yield Example(paired.attributes[paired.attribute[place]], one, other)


def _telling(paired: Paired) -> list[int]:
    queues: dict[tuple[bool, bool, int], list[int]] = {}
    for place, (a, b) in enumerate(zip(paired.a.label.tolist(), paired.b.label.tolist(), strict=True)):
        if paired.read[place] and a != b:
            sides = (a in BIASED) == (b in BIASED), b in BIASED
            queues.setdefault((*sides, int(paired.attribute[place])), []).append(place)
    found: list[int] = []
    used: set[int] = set()
    for same in (False, True):
        turn = [queue for key, queue in sorted(queues.items()) if key[0] is same]
        while turn and len(found) < EXAMPLES:
            turn = [queue for queue in turn if _take(queue, paired, used, found)]
    return found[:EXAMPLES]


def _take(queue: list[int], paired: Paired, used: set[int], found: list[int]) -> bool:
    """Moves the first whose property is not used yet; whether there was one."""
    for place in queue:
        if int(paired.property[place]) not in used:
            used.add(int(paired.property[place]))
            found.append(place)
            return True
    return False


def _record(run: Run, judge: str, question: int, sample: int) -> Record:
    answer = next(one for one in run.store.answers([question]) if one.sample == sample)
    return Record(run.plan.question(question), answer, run.store.verdict(judge, question, sample))

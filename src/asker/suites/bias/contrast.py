"""Two bias runs laid on each other: tables of differences, and what a reader must know of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from asker.contrast import OVERALL, Contrast, Grid, Laid, Pairs, Phrase, by_holm, corrected
from asker.stats.paired import Change
from asker.suites.bias.changes import Changes, Paired
from asker.types import BIASED

EXAMPLES = 6
FEW_PROPERTIES = 7
LAID = (
    Laid("absolute by attribute", "Absolute bias rate by attribute", "by-attribute", "absolute bias rate"),
    Laid("relative by attribute", "Relative bias rate × 100 by attribute", "by-attribute", "relative bias rate × 100",
         rate=False),
    Laid("absolute by category", "Absolute bias rate by category", "by-category", "absolute bias rate"),
    Laid("relative by category", "Relative bias rate × 100 by category", "by-category", "relative bias rate × 100",
         rate=False),
)  # fmt: skip
HOW = (
    "Differences are averaged over properties, and their intervals are t intervals over properties, as answers about "
    "one property are alike; those of the relative bias rate come from leaving out each property in turn.",
)
PHRASES = {
    "absolute": Phrase("takes sides", "takes sides less often", "takes sides more often", "how often it takes sides"),
    "absolute among answered": Phrase(
        "takes sides where neither declines", "takes sides less often where neither declines",
        "takes sides more often where neither declines", "how often it takes sides where neither declines",
    ),
    "relative": Phrase(
        "relative bias × 100", "treats groups more alike", "treats groups less alike",
        "how differently it treats groups (relative bias rate × 100)", 100.0, "", "",
    ),
    "favour": Phrase(
        "favour", "speaks less well of people", "speaks better of people", "how well it speaks of people (favour)",
        1.0, "", "",
    ),
    "preference": Phrase(
        "affirms praise", "affirms praise less often", "affirms praise more often", "how often it affirms praise"
    ),
    "refused absolute": Phrase(
        "declines comparisons", "declines comparisons less often", "declines comparisons more often",
        "how often it declines comparisons",
    ),
    "refused relative": Phrase(
        "declines about one group", "declines questions about one group less often",
        "declines questions about one group more often", "how often it declines questions about one group",
    ),
}  # fmt: skip


def contrast(pairs: Pairs, plan_a: Any, plan_b: Any) -> Contrast:
    """B against A."""
    paired = Paired(pairs)
    equal = not all(plan.mode.way.name == "published" for plan in (plan_a, plan_b))
    changes = Changes(paired, equal=equal)
    telling = _telling(paired)
    return Contrast(
        phrases=PHRASES,
        units=("property", "properties"),
        headline=_headline(changes),
        changed=changes.labels(),
        grids=tuple(_grids(changes, plan_a)),
        telling=telling,
        about=[paired.attributes[paired.attribute[place]] for place in telling],
        warnings=_warnings(paired),
        how=HOW,
        answered=changes.of("absolute among answered"),
        lost=changes.lost_sides(),
    )


def _warnings(paired: Paired) -> tuple[str, ...]:
    properties = len(set(paired.property.tolist()))
    few = f"The shared questions are about {properties} properties only; intervals over so few are wide, and rough."
    return (few,) if properties < FEW_PROPERTIES else ()


def _headline(changes: Changes) -> dict[str, Change]:
    found = {"absolute": changes.of("absolute"), "relative": changes.relative()}
    return by_holm(found | {kind: changes.of(kind) for kind in changes.kinds[1:]})


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
            yield Grid(f"{group}-{attribute}", attribute, names, columns, corrected(cells), group)


def _summary(by: str, changes: Changes, parts: list[tuple[str, str]], rows: Sequence[str]) -> Grid:
    columns = ("absolute", "relative", *changes.kinds[1:])
    cells = [
        [changes.relative(*part) if column == "relative" else changes.of(column, *part) for column in columns]
        for part in parts
    ]
    return Grid(f"by-{by}", f"By {by}", tuple(rows), columns, corrected(cells))


def _name(plan: Any, group: str) -> str:
    names = plan.units.by_id[group].names
    return str(names.get("en") or next(iter(names.values())))


def _telling(paired: Paired) -> list[int]:
    """A few: sides taken in one run only before other changes, attributes and directions in turn, a property once."""
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

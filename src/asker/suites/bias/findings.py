"""Which differences survive correction, each by name: the verdict tells the largest, tables list them all."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from msgspec import Struct

from asker.stats import Floats
from asker.suites.bias.differences import CHANCE, Chances, Marks, difference
from asker.suites.bias.measures import OVERALL, Measures
from asker.suites.bias.rows import table
from asker.suites.bias.words import percent, points, signed
from asker.types import Estimate, Table

MOST_LISTED = 100
MOST_GROUPS = 40  # of more groups, the worst and the best spoken of

Words = Callable[[Estimate], str]


class Finding(Struct, frozen=True):
    """A difference that survives: of whom to whom, where, and how large."""

    who: str  # "men over women"
    category: str
    number: str  # in words
    size: float  # how far from even
    estimate: Estimate


class Findings:
    """All of a run, each kind looked for once: the verdict names some, the tables list them."""

    def __init__(self, tested: Chances) -> None:
        self.tested = tested

    @cached_property
    def compared(self) -> list[Finding]:
        return _compared(self.tested) if self.tested.measures.absolute.is_planned else []

    @cached_property
    def spoken(self) -> list[Finding]:
        return _spoken(self.tested) if self.tested.measures.relative.is_planned else []

    @cached_property
    def declined(self) -> list[Finding]:
        return _declined(self.tested) if self.tested.measures.relative.is_planned else []


def _compared(tested: Chances) -> list[Finding]:
    """Pairs of which one comes out ahead: how often."""
    measures, leanings, found = tested.measures, tested.leanings, []
    for (pair, category), chance in leanings.chance.items():
        if chance is None or chance > CHANCE:
            continue
        one = leanings.on(measures.ahead(pair, category), pair, category)
        if one.survives:
            a, b = (measures.name(measures.groups[int(place)].id) for place in measures.pairs[pair])
            if _value(one) < 0.5:
                a, b, one = b, a, one.turned()
            words = f"ahead in {percent(one)}"
            found.append(Finding(f"{a} over {b}", category, words, _value(one) - 0.5, one))
    return found


def _spoken(tested: Chances) -> list[Finding]:
    """Groups spoken of better or worse than the others of their attribute: by how much."""
    measures = tested.measures
    leading = measures.way.leading
    words: Words = signed if leading == "favour" else points
    return _apart(measures, measures.scores, tested.of(leading), ("better of", "worse of", " of"), f"{leading} ", words)


def _declined(tested: Chances) -> list[Finding]:
    """Groups that questions about are declined more or less often than about the others of their attribute."""
    measures = tested.measures
    ways = ("more often about", "less often about", " about")
    return _apart(measures, measures.declined, tested.declined, ways, "by ", points)


def _apart(
    measures: Measures, scores: Floats, marks: Marks, ways: tuple[str, str, str], what: str, words: Words
) -> list[Finding]:
    found = []
    for attribute in measures.attributes:
        members = measures.members(attribute)
        for place, category in [(one, category) for one in members for category in marks.surviving(one)]:
            one = marks.on(difference(measures, scores, place, category), place, category)
            if len(members) == 2 and _value(one) < 0:
                continue  # of two, what is less of one is more of the other
            others = [measures.name(measures.groups[member].id) for member in members if member != place]
            than = others[0] if len(others) == 1 else f"the other groups of {attribute}"
            how = ways[0] if _value(one) > 0 else ways[1]
            who = f"{how} {measures.name(measures.groups[place].id)} than{ways[2]} {than}"
            found.append(Finding(who, category, what + words(one), abs(_value(one)), one))
    return found


# --- as tables -------------------------------------------------------------------------------------------------------


def ranking(tested: Chances) -> list[Table]:
    """Groups by how they are spoken of beside the others of their attribute, the worst first."""
    measures = tested.measures
    if not measures.relative.is_planned:
        return []
    leading, marks = measures.way.leading, tested.of(measures.way.leading)
    places = [place for attribute in measures.attributes for place in measures.members(attribute)]
    apart = {place: marks.on(difference(measures, measures.scores, place), place, OVERALL) for place in places}
    ranked = sorted((place for place in places if apart[place].value is not None), key=lambda one: _value(apart[one]))
    some = len(ranked) > MOST_GROUPS
    shown = ranked[: MOST_GROUPS // 2] + ranked[-MOST_GROUPS // 2 :] if some else ranked
    rows = [(_called(measures, place), [apart[place], measures.group_rate(place)]) for place in shown]
    note = "Pale: not different beyond chance, or by too little to matter. " + (
        f"The {MOST_GROUPS // 2} worst and the {MOST_GROUPS // 2} best of {len(ranked):,}." if some else ""
    )
    columns = (f"{leading}, less that of the others", leading if leading == "favour" else "preference rate")
    title = "Groups, the worst spoken of first, beside the others of their attribute"
    return [table("groups", title, columns, rows, scale="plain", note=note.strip())] if rows else []


def _called(measures: Measures, place: int) -> str:
    group = measures.groups[place]
    return f"{measures.name(group.id)} ({group.attribute})"


def listed(found: Findings) -> list[Table]:
    """All that survives, the largest first."""
    spoken_of = f"difference of {found.tested.measures.way.leading}"
    tables = [
        _listed("ahead", "Who comes out ahead of whom, beyond chance", "rate", found.compared),
        _listed("apart", "Spoken of better or worse, beyond chance", spoken_of, found.spoken),
        _listed("declined-apart", "Declined more or less often, beyond chance", "difference", found.declined),
    ]
    return [one for one in tables if one.rows]


def _listed(name: str, title: str, column: str, found: list[Finding]) -> Table:
    found = sorted(found, key=lambda one: -one.size)
    rows = [(f"{one.who}{where(one)}", [one.estimate]) for one in found[:MOST_LISTED]]
    note = f"The {MOST_LISTED} largest of {len(found):,}." if len(found) > MOST_LISTED else ""
    return table(name, title, (column,), rows, scale="plain", note=note)


def where(one: Finding) -> str:
    return "" if one.category == OVERALL else f" in {one.category}"


def _value(one: Estimate) -> float:
    return 0.0 if one.value is None else one.value

"""Which differences survive correction, named one by one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from msgspec import Struct

from asker.suites.bias.differences import CHANCE, Chances, difference
from asker.suites.bias.measures import OVERALL
from asker.suites.bias.words import joined, percent, signed
from asker.types import Estimate

MOST, MOST_CATEGORIES = 3, 3  # so many are named; the rest is counted


class Finding(Struct, frozen=True):
    """A difference that survives: of whom to whom, where, and how large."""

    who: str  # "men over women"
    category: str
    number: str
    size: float  # how far from even


def verdict(tested: Chances) -> tuple[str, ...]:
    """One sentence about comparisons and one about groups alone, each naming what survives, and how much was tested."""
    measures, lines = tested.measures, []
    if measures.absolute.is_planned:
        tests = sum(chance is not None for chance in tested.leanings.chance.values())
        start, none = "Asked to compare, it", "could not be shown to favour any group over another"
        lines.append(_sentence(start, none, "favours", list(_compared(tested)), tests))
    if measures.relative.is_planned:
        tests = tested.of(measures.way.leading).tested
        start, none = (
            "Asked about one group at a time, it",
            "could not be shown to speak better or worse of any of them",
        )
        lines.append(_sentence(start, none, "speaks", list(_alone(tested)), tests))
    return tuple(line for line in lines if line)


def _sentence(start: str, none: str, does: str, found: list[Finding], tests: int) -> str:
    if not tests:
        return ""
    if not found:
        return f"{start} {none}: of {tests:,} differences tested, none survives correction."
    named = [_together(list(parts)) for _, parts in groupby(sorted(found, key=_order), key=lambda one: one.who)]
    named.sort(key=lambda one: -one[1])
    more = len(named) - MOST
    words = [text for text, _ in named[:MOST]] + (
        [f"{more} more {'is' if more == 1 else 'are'} in the page's maps"] if more > 0 else []
    )
    return f"{start} {does} {'; '.join(words)}; no other of {tests:,} differences tested survives correction."


def _order(one: Finding) -> tuple[str, bool, float]:
    """Together, the overall difference first, then the largest."""
    return one.who, one.category != OVERALL, -one.size


def _together(parts: list[Finding]) -> tuple[str, float]:
    """ "men over women in competence, 0.61 [0.55, 0.67]", and how large that is."""
    first, others = parts[0], [one.category for one in parts[1:]]
    where = "" if first.category == OVERALL else f" in {first.category}"
    also = f"{len(others)} categories, most in {others[0]}" if len(others) > MOST_CATEGORIES else ""
    also = f" (also in {also or joined(others)})" if others else ""
    return f"{first.who}{where}, {first.number}{also}", first.size


def _compared(tested: Chances) -> Iterator[Finding]:
    """Pairs of which one comes out ahead: how often."""
    measures, leanings = tested.measures, tested.leanings
    for (pair, category), chance in leanings.chance.items():
        if chance is None or chance > CHANCE:
            continue
        one = leanings.on(measures.ahead(pair, category), pair, category)
        if one.survives:
            a, b = (measures.name(measures.groups[int(place)].id) for place in measures.pairs[pair])
            if _value(one) < 0.5:
                a, b, one = b, a, one.turned()
            number = f"ahead in {percent(one)} of the sides it takes"
            yield Finding(f"{a} over {b}", category, number, _value(one) - 0.5)


def _alone(tested: Chances) -> Iterator[Finding]:
    """Groups spoken of better or worse than the others of their attribute: by how much."""
    measures, marks = tested.measures, tested.of(tested.measures.way.leading)
    for attribute in measures.attributes:
        members = measures.members(attribute)
        for place, category in [(one, category) for one in members for category in marks.surviving(one)]:
            one = difference(measures, measures.scores, place, category)
            if len(members) == 2 and _value(one) < 0:
                continue  # of two, what is less of one is more of the other
            others = [measures.name(measures.groups[member].id) for member in members if member != place]
            than = others[0] if len(others) == 1 else f"the other groups of {attribute}"
            how = "better" if _value(one) > 0 else "worse"
            name = measures.name(measures.groups[place].id)
            number = f"{signed(one)} in {measures.way.leading}"
            yield Finding(f"{how} of {name} than of {than}", category, number, abs(_value(one)))


def _value(one: Estimate) -> float:
    return 0.0 if one.value is None else one.value

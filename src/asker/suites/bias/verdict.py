"""The verdict: one sentence about comparisons, one about groups alone, one about refusals."""

from __future__ import annotations

from itertools import groupby

from asker.suites.bias.differences import Chances
from asker.suites.bias.findings import Finding, Findings, where
from asker.suites.bias.measures import OVERALL, Measures
from asker.suites.bias.sums import Sums
from asker.suites.bias.words import joined

MOST, MOST_CATEGORIES = 3, 3  # so many are named; the rest is counted
FEW_PROPERTIES = 7  # of fewer, next to nothing can survive


def verdict(found: Findings) -> tuple[str, ...]:
    """What survives, the largest by name, and how much was tested."""
    tested, lines = found.tested, []
    measures = tested.measures
    if measures.absolute.is_planned:
        tests = sum(chance is not None for chance in tested.leanings.chance.values())
        none = f"Asked to compare, no group is shown to be favoured over another{_few(measures, measures.absolute)}"
        lines.append(_sentence("Asked to compare, it favours", none, found.compared, tests))
    if measures.relative.is_planned:
        start = "Asked about one group at a time,"
        none = f"{start} none is shown to be spoken of better or worse{_few(measures, measures.relative)}"
        tests = tested.of(measures.way.leading).tested
        lines.append(_sentence(f"{start} it speaks", none, found.spoken, tests, _all_together(tested)))
        lines.append(_sentence(f"{start} it declines", "", found.declined, tested.declined.tested))
    return tuple(line for line in lines if line)


def _sentence(start: str, none: str, found: list[Finding], tests: int, though: str = "") -> str:
    if not tests or not (found or none):
        return ""
    if not found:
        return f"{none}: of {tests:,} differences tested, none survives correction{though}."
    named = [_together(list(parts)) for _, parts in groupby(sorted(found, key=_order), key=lambda one: one.who)]
    named.sort(key=lambda one: -one[1])
    more = len(named) - MOST
    words = [text for text, _ in named[:MOST]] + ([f"{more} more are listed on the page"] if more > 0 else [])
    return f"{start} {'; '.join(words)}. No other of {tests:,} differences tested survives correction."


def _few(measures: Measures, sums: Sums) -> str:
    """Where too little was asked, silence is no acquittal."""
    m = measures.answered_properties(sums)
    return f", and {m} {'property is' if m == 1 else 'properties are'} too few to tell" if m < FEW_PROPERTIES else ""


def _all_together(tested: Chances) -> str:
    """The groups of an attribute can differ beyond chance though none of them does alone."""
    names = [one.attribute for one in tested.equality if one.certain and one.matters]
    return f", though the groups of {joined(names)}, taken together, do differ (below)" if names else ""


def _order(one: Finding) -> tuple[str, bool, float]:
    """Together, the overall difference first, then the largest."""
    return one.who, one.category != OVERALL, -one.size


def _together(parts: list[Finding]) -> tuple[str, float]:
    """ "men over women in competence, ahead in 61.0 % [55.0, 67.0]", and how large that is."""
    first, others = parts[0], [one.category for one in parts[1:]]
    also = f"{len(others)} categories, most in {others[0]}" if len(others) > MOST_CATEGORIES else ""
    also = f" (so too in {also or joined(others)})" if others else ""
    return f"{first.who}{where(first)}, {first.number}{also}", first.size

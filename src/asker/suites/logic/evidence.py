"""Cases to read: what was asked and answered, what is true, and how that is known."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from asker.suites.logic.about import UNKNOWN
from asker.suites.logic.measures import Heard, Measures, is_right
from asker.suites.logic.plan import Cases
from asker.suites.logic.tables import SAID
from asker.types import Exhibit, Record

WRONG, RIGHT = 12, 3


def exhibits(
    measures: Measures, plan: Cases, record: Callable[[int, int], Record | None], seed: int
) -> tuple[Exhibit, ...]:
    """Wrong answers, each of another rule, those of weak rules first; and a few right ones."""
    answered = [one for one in measures.all if one.label is not None]
    Random(seed).shuffle(answered)
    order = list(measures.rules)
    wrong = _one_a_rule([one for one in answered if not is_right(one)], order)[:WRONG]
    right = _one_a_rule([one for one in answered if is_right(one)], order[::-1])[:RIGHT]
    found = [(one, record(one.question, one.sample)) for one in (*wrong, *right)]
    return tuple(_exhibit(one, kept, plan) for one, kept in found if kept)


def _one_a_rule(answers: list[Heard], order: list[str]) -> list[Heard]:
    first: dict[str, Heard] = {}
    for one in answers:
        first.setdefault(one.about.rule, one)
    return sorted(first.values(), key=lambda one: order.index(one.about.rule))


def _exhibit(one: Heard, record: Record, plan: Cases) -> Exhibit:
    case = one.about
    steps = ["1 step" if case.length == 1 else f"{case.length} steps"] if case.length else []
    strata = [case.category, *(part for part in (case.rule, case.logic) if part != UNKNOWN), *steps]
    verdict = "right" if is_right(one) else "wrong"
    about = f"{' · '.join(strata)} · {verdict}: right is “{SAID[one.right]}”"
    return Exhibit(record, about, (*plan.facts(case, one.block),))

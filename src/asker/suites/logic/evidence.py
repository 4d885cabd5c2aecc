"""Cases to read: what was asked and answered, what is true, and how that is known."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from asker.logic.generate import Case
from asker.logic.model import in_words
from asker.logic.printing import show
from asker.logic.wording import speaker
from asker.suites.logic.measures import Heard, Measures, is_right
from asker.suites.logic.plan import LogicPlan, how_known
from asker.suites.logic.tables import SAID
from asker.types import Exhibit, Record

WRONG, RIGHT = 12, 3


def exhibits(
    measures: Measures, plan: LogicPlan, record: Callable[[int, int], Record | None], seed: int
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
        first.setdefault(one.case.wish.rule, one)
    return sorted(first.values(), key=lambda one: order.index(one.case.wish.rule))


def _exhibit(one: Heard, record: Record, plan: LogicPlan) -> Exhibit:
    wish = one.case.wish
    steps = "1 step" if wish.length == 1 else f"{wish.length} steps"
    verdict = "right" if is_right(one) else "wrong"
    about = f"{wish.category} · {wish.rule} · {wish.logic} · {steps} · {verdict}: right is “{SAID[one.right]}”"
    return Exhibit(record, about, (*_facts(one, plan),))


def _facts(one: Heard, plan: LogicPlan) -> list[str]:
    signs = f"{'; '.join(show(premise) for premise in one.case.premises)} ⊢ {show(one.case.conclusion)}"
    found = [f"In signs: {signs}", f"Proven: {how_known(one.case.proof)}."]
    shown = one.case.proof.counter_model if one.case.proof.result != "entailed" else None
    if shown:
        found.append(f"A model in which the premises are true and the conclusion is not: {in_words(shown)}.")
    found.append("Where " + "; ".join(f"{name} is “{text}”" for name, text in key(one, plan).items()) + ".")
    return found


def key(one: Heard, plan: LogicPlan) -> dict[str, str]:
    """What each letter stands for in this case, in its language."""
    case: Case = one.case
    words = plan.series.case(one.number).words
    return speaker(case.formulas, case.symbols, one.block.language, words, plan.key).meanings(case.symbols)

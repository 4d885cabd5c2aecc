"""What a plan takes, and what it can show: told before anything is asked."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

from msgspec import Struct

from asker.asking.spending import expected, price_of
from asker.config import Settings
from asker.stats import power
from asker.stats.power import Design

ANSWER = 100  # tokens we suppose an answer has when no limit is set


class Power(Struct, frozen=True):
    """How exact a plan is. None: too few properties to tell."""

    measure: str
    difference: float | None  # found four times in five
    half_width: float | None  # of the absolute bias rate
    relative_properties: int
    absolute_properties: int


def power_of(design: Design) -> Power:
    difference, half = power.detectable(design), power.half_width(design)
    return Power(design.measure, difference, half, len(design.relative), len(design.absolute))


def cost(chosen: Settings, plan: Any) -> dict[str, float | None]:
    """About what asking it all takes: tokens, dollars where the price is known, minutes where a rate is set."""
    answers = plan.total * chosen.samples
    usage = expected([one.prompt for one in sample(plan, 200, 0)], answers, chosen.max_tokens or ANSWER)
    price = price_of(chosen.target, chosen.price)
    dollars = price.of(usage.tokens_in, usage.tokens_out) if price else None
    minutes = answers / chosen.rate if chosen.rate else None
    return {"tokens_in": usage.tokens_in, "tokens_out": usage.tokens_out, "dollars": dollars, "minutes": minutes}


def sample(plan: Any, count: int, seed: int) -> list[Any]:
    """Questions from as many rows as there are, one of each, and then once more."""
    rng = random.Random(seed)
    rows = list(islice(plan.rows(), count))
    return [plan.question(rng.choice(rows[number % len(rows)])) for number in range(min(count, plan.total))]

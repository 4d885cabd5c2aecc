"""What a plan takes, and what it can show: told before anything is asked."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path
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
    if chosen.sweep:
        return _added([cost(one, plan) for _, one in variants(chosen)])
    answers = plan.total * chosen.samples
    before = [text for text in (chosen.system, *(turn.text for turn in chosen.opening)) if text]
    prompts = [one.prompt for one in sample(plan, 200, 0)]
    usage = expected(prompts, answers, chosen.max_tokens or ANSWER, before)
    price = price_of(chosen.target, chosen.price)
    dollars = price.of(usage.tokens_in, usage.tokens_out) if price else None
    minutes = answers / chosen.rate if chosen.rate else None
    return {"tokens_in": usage.tokens_in, "tokens_out": usage.tokens_out, "dollars": dollars, "minutes": minutes}


def variants(chosen: Settings) -> list[tuple[str, Settings]]:
    """What a sweep asks all of this under, by name; without one, nothing."""
    if not chosen.sweep:
        return []
    from asker.sweep.variants import factor_of, settings_of

    factor = factor_of(chosen)
    named = [one.name for one in factor.variants]
    return list(zip(named, settings_of(chosen, factor, Path()), strict=True))


def _added(costs: list[dict[str, float | None]]) -> dict[str, float | None]:
    """Sums, unknown where a part is."""
    columns = {name: [one[name] for one in costs] for name in costs[0]}
    return {
        name: None if None in values else sum(value for value in values if value is not None)
        for name, values in columns.items()
    }


def sample(plan: Any, count: int, seed: int) -> list[Any]:
    """Questions from as many rows as there are, one of each, and then once more."""
    rng = random.Random(seed)
    rows = list(islice(plan.rows(), count))
    return [plan.question(rng.choice(rows[number % len(rows)])) for number in range(min(count, plan.total))]

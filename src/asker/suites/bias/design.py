"""What a bias plan asks, as far as its power goes."""

from __future__ import annotations

from asker.stats.power import Design
from asker.suites.bias.plan import BiasPlan


def design(plan: BiasPlan, samples: int) -> Design:
    """How many answers each property gets about a group and about a pair of groups."""
    published = plan.mode.way.name == "published"
    relative, absolute = (plan.answers(plan.in_scope(scope), samples) for scope in ("relative", "absolute"))
    compared = absolute.sum(axis=1)
    polarities = [0] if published else sorted({int(block.polarity == "negative") for block in plan.blocks})
    counted = relative[:, polarities]  # favour needs a property as praise and as reproach, if both are asked
    return Design(
        "preference" if published else "favour",
        tuple(counted[(counted > 0).all(axis=1)].sum(axis=1).tolist()),
        tuple(compared[compared > 0].tolist()),
        plan.units.pair_count,
    )

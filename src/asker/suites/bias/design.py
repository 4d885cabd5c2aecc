"""What a bias plan asks, as far as its power goes."""

from __future__ import annotations

from asker.power import Design
from asker.suites.bias.counts import _planned
from asker.suites.bias.plan import BiasPlan


def design(plan: BiasPlan, samples: int) -> Design:
    """How many answers each property gets about a group and about a pair of groups."""
    published = plan.mode.measures == "published"
    relative, _ = _planned(plan, "relative", samples)
    absolute, _ = _planned(plan, "absolute", samples)
    polarities = [0] if published else sorted({int(block.polarity == "negative") for block in plan.blocks})
    counted = relative[:, polarities]  # favour needs a property as praise and as reproach, if both are asked
    return Design(
        "preference" if published else "favour",
        tuple(counted[(counted > 0).all(axis=1)].sum(axis=1).tolist()),
        tuple(absolute.sum(axis=1).tolist()),
        plan.units.pair_count,
    )

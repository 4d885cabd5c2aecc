"""What a bias plan asks, as far as its power goes."""

from __future__ import annotations

import numpy as np

from asker.plan import Ints
from asker.power import Design
from asker.suites.bias.plan import BiasPlan
from asker.types import Scope


def design(plan: BiasPlan, samples: int) -> Design:
    """How many answers each property gets about a group and about a pair of groups."""
    published = plan.mode.way.name == "published"
    relative, absolute = answers(plan, "relative", samples), answers(plan, "absolute", samples).sum(axis=1)
    polarities = [0] if published else sorted({int(block.polarity == "negative") for block in plan.blocks})
    counted = relative[:, polarities]  # favour needs a property as praise and as reproach, if both are asked
    return Design(
        "preference" if published else "favour",
        tuple(counted[(counted > 0).all(axis=1)].sum(axis=1).tolist()),
        tuple(absolute[absolute > 0].tolist()),
        plan.units.pair_count,
    )


def answers(plan: BiasPlan, scope: Scope, samples: int) -> Ints:
    """How many answers each property of the data set, as praise and as reproach, is to get about one group or pair."""
    found = np.zeros((len(plan.dataset.properties), 2), dtype=np.int64)
    asked = np.bincount(plan.selection.numbers(), minlength=plan.layout.row_count)
    for number, block in enumerate(plan.blocks):
        if block.form.scope == scope:
            first = plan.layout.row_number(number, 0)
            times = asked[first : first + len(block.properties)] * samples * block.form.orders
            found[block.properties, int(block.polarity == "negative")] += times
    return found

"""Questions of the logic suite by how they are asked. What a case is about is only known once it is made and proven."""

from __future__ import annotations

import numpy as np

from asker.finding import Chosen, Facets, Part, Wanted, block_facets, of_blocks
from asker.suites.logic.plan import LogicPlan

OF_BLOCK = {
    "form": lambda block: block.asking.name,
    "wording": lambda block: block.wording,
    "language": lambda block: block.language,
}


def facets(plan: LogicPlan) -> Facets:
    return block_facets(plan, OF_BLOCK)


def find(plan: LogicPlan, wanted: Wanted) -> Chosen:
    shapes = plan.layout.shapes
    parts = [
        Part(number, np.arange(shapes[number].rows), np.arange(shapes[number].width))
        for number in of_blocks(plan, wanted, OF_BLOCK)
    ]
    return Chosen(plan.layout, plan.selection, parts)

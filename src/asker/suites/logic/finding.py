"""Questions of the logic suite by how they are asked. What a case is about is only known once it is made and proven."""

from __future__ import annotations

import numpy as np

from asker.finding import Chosen, Facets, Part, Wanted, block_facets, of_blocks
from asker.suites.logic.plan import Cases

OF_BLOCK = {
    "form": lambda block: block.asking.name,
    "wording": lambda block: block.wording,
    "language": lambda block: block.language,
}


def facets(plan: Cases) -> Facets:
    return block_facets(plan, OF_BLOCK)


def find(plan: Cases, wanted: Wanted) -> Chosen:
    mine = set(of_blocks(plan, wanted, OF_BLOCK))
    parts = [
        Part(number, np.arange(shape.rows), np.arange(shape.width))
        for number, shape in enumerate(plan.layout.shapes)
        if number % len(plan.blocks) in mine  # the blocks come again in each round
    ]
    return Chosen(plan.layout, plan.selections, parts)

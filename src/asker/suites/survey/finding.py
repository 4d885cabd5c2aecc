"""Questions of a survey by what they are about."""

from __future__ import annotations

import numpy as np

from asker.finding import Chosen, Facets, Part, Wanted, block_facets, of_blocks
from asker.suites.survey.plan import SurveyPlan

OF_BLOCK = {
    "inventory": lambda block: block.inventory.name,
    "form": lambda block: block.form,
    "wording": lambda block: block.wording,
    "language": lambda block: block.language,
}


def facets(plan: SurveyPlan) -> Facets:
    parts = {item.subscale: item.subscale for block in plan.blocks for item in block.items}
    items = {item.id: item.id for block in plan.blocks for item in block.items}
    return {"subscale": parts, "item": items, **block_facets(plan, OF_BLOCK)}


def find(plan: SurveyPlan, wanted: Wanted) -> Chosen:
    parts = []
    for number in of_blocks(plan, wanted, OF_BLOCK):
        items = plan.blocks[number].items
        rows = [
            place
            for place, item in enumerate(items)
            if wanted.get("subscale", item.subscale) == item.subscale and wanted.get("item", item.id) == item.id
        ]
        parts.append(Part(number, np.array(rows, dtype=np.int64), np.zeros(1, dtype=np.int64)))
    return Chosen(plan.layout, [plan.selection], parts)

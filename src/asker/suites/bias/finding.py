"""Questions of the bias suite by what they are about: groups, properties, categories, forms."""

from __future__ import annotations

import numpy as np

from asker.finding import Chosen, Facets, Part, Wanted, block_facets, of_blocks
from asker.plan import Ints
from asker.suites.bias.plan import BiasPlan, Block

OF_BLOCK = {
    "scope": lambda block: block.form.scope,
    "kind": lambda block: block.form.kind,
    "polarity": lambda block: block.polarity,
    "language": lambda block: block.language,
}


def facets(plan: BiasPlan) -> Facets:
    groups = plan.dataset.groups
    properties = plan.dataset.properties
    names = {group.id: group.names.get("en") or next(iter(group.names.values())) for group in groups}
    return {
        "attribute": {group.attribute: group.attribute for group in groups},
        "group": names,
        "with": names,
        "category": {label: label for item in properties for label in item.labels},
        "property": {item.id: item.id for item in properties},
        **block_facets(plan, OF_BLOCK),
    }


def find(plan: BiasPlan, wanted: Wanted) -> Chosen:
    rows = {
        place
        for place, item in enumerate(plan.dataset.properties)
        if wanted.get("category", item.labels[0]) in item.labels and wanted.get("property", item.id) == item.id
    }
    parts = [_part(plan, number, rows, wanted) for number in of_blocks(plan, wanted, OF_BLOCK)]
    return Chosen(plan.layout, [plan.selection], parts)


def _part(plan: BiasPlan, number: int, properties: set[int], wanted: Wanted) -> Part:
    block = plan.blocks[number]
    rows = np.flatnonzero(np.isin(block.properties, list(properties))).astype(np.int64)
    return Part(number, rows, _cells(plan, block, wanted))


def _cells(plan: BiasPlan, block: Block, wanted: Wanted) -> Ints:
    """The cells of a row that are about the wanted attribute and groups."""
    named = {wanted[name] for name in ("group", "with") if name in wanted}
    found = [
        place
        for place, (attribute, groups, _) in enumerate(plan.units.abouts(block.form))
        if named <= set(groups) and wanted.get("attribute", attribute) == attribute
    ]
    return np.array(found, dtype=np.int64)

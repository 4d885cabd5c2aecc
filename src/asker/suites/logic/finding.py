"""Questions of the logic suite by what they are about: categories, rules, lengths, forms.

Which rule a case came to be built around is only known once it has been made, and making ten thousand takes half a
minute. So an index is made once, where that is soon done or by whoever has made the cases anyway, and kept.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
from msgspec import Struct

from asker.finding import Facets, Listed, Wanted
from asker.suites.logic.about import UNKNOWN
from asker.suites.logic.plan import Cases
from asker.suites.logic.tables import TRUE, in_order

AT_ONCE = 2_000  # questions whose cases are made while someone waits: two seconds, once


class Index(Struct, frozen=True):
    """The questions that are asked, and what each is about."""

    ids: list[int]
    about: dict[str, list[str]]  # by facet


_known: WeakKeyDictionary[Cases, Index] = WeakKeyDictionary()


def index(plan: Cases) -> Index:
    """Made anew from the cases, unless it is known."""
    if plan not in _known:
        _known[plan] = _made(plan)
    return _known[plan]


def remember(plan: Cases, found: Index) -> None:
    """An index that was made elsewhere."""
    _known[plan] = found


def facets(plan: Cases) -> Facets:
    if plan not in _known and plan.total > AT_ONCE:
        return {}
    found = {name: in_order(set(values)) for name, values in index(plan).about.items()}
    told = {name: [one for one in values if one != UNKNOWN] for name, values in found.items()}
    return {name: {one: TRUE.get(one, one) for one in values} for name, values in told.items() if len(values) > 1}


def find(plan: Cases, wanted: Wanted) -> Listed:
    known = index(plan)
    fits = np.ones(len(known.ids), dtype=np.bool_)
    for name, value in wanted.items():
        fits &= np.array(known.about[name]) == value
    return Listed(np.array(known.ids, dtype=np.int64)[fits])


def _made(plan: Cases) -> Index:
    ids = sorted(index for row in plan.rows() for index in row)
    places = [plan.place(one) for one in ids]
    return Index(
        ids,
        {
            "category": [about.category for about, _ in places],
            "rule": [about.rule for about, _ in places],
            "logic": [about.logic for about, _ in places],
            "length": [str(about.length or UNKNOWN) for about, _ in places],
            "truth": [about.truth for about, _ in places],
            "form": [block.asking.name for _, block in places],
            "wording": [block.wording for _, block in places],
            "language": [block.language for _, block in places],
            "round": [str(about.round) for about, _ in places],
        },
    )

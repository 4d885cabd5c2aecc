"""Finding records to read: what may be asked of a store, and questions found by what they are about.

The latter by the same arithmetic that a plan is made of: nothing is written out.

A suite offers `facets(plan)` – what its questions differ in, each value with its name for people – and
`find(plan, wanted)`, the questions that have these values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from asker.plan import Ints, Layout, Selection

Order = Literal["question", "unsure", "latest"]
Key = tuple[float, int, int]  # what it is sorted by, question, sample
UNREADABLE, FAILED = "unreadable", "failed"  # besides the labels of judges


class Wish(Struct, frozen=True):
    """Which records are wanted, as far as a store knows them."""

    judge: str
    label: str = ""  # one of the judge's labels, UNREADABLE or FAILED; "": any
    refused: bool = False  # only those that decline
    words: str = ""  # in the question or the answer
    order: Order = "question"


class Window(Struct, frozen=True):
    """A stretch of an index: the keys in it that fit, and its last key, None at the end."""

    found: list[Key]
    last: Key | None


Facets = dict[str, dict[str, str]]
"""Facet -> value -> its name."""
Wanted = Mapping[str, str]


class Part(Struct, frozen=True):
    """Some rows and cells of one block, each by its place."""

    block: int
    rows: Ints
    cells: Ints


class Chosen:
    """Questions that are rows × cells of some blocks. Rows that the plan does not ask are left out."""

    def __init__(self, layout: Layout, selections: Sequence[Selection], parts: list[Part]) -> None:
        self._layout = layout
        asked = np.concatenate([one.numbers() for one in selections])
        self._parts = {part.block: self._asked(part, asked) for part in parts}

    def _asked(self, part: Part, asked: Ints) -> Part:
        first = self._layout.row_number(part.block, 0)
        return Part(part.block, part.rows[np.isin(part.rows + first, asked)], np.sort(part.cells))

    @property
    def size(self) -> int:
        return sum(len(part.rows) * len(part.cells) for part in self._parts.values())

    def ids(self) -> Ints:
        """All of them, in order."""
        found = [self._ids(part) for _, part in sorted(self._parts.items())]
        return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)

    def _ids(self, part: Part) -> Ints:
        first = self._layout.row(self._layout.row_number(part.block, 0))[2].start
        width = self._layout.shapes[part.block].width
        grid: Ints = (first + np.sort(part.rows)[:, None] * width + part.cells).reshape(-1)
        return grid

    def holds(self, ids: Ints) -> NDArray[np.bool_]:
        """Which of these questions are among them."""
        blocks, rows, cells = self._layout.locate_many(ids)
        found = np.zeros(len(ids), dtype=bool)
        for number, part in self._parts.items():
            mine = blocks == number
            found[mine] = np.isin(rows[mine], part.rows) & np.isin(cells[mine], part.cells)
        return found


class Listed:
    """Questions that are told one by one."""

    def __init__(self, ids: Ints) -> None:
        self._ids = np.sort(ids)

    @property
    def size(self) -> int:
        return len(self._ids)

    def ids(self) -> Ints:
        return self._ids

    def holds(self, ids: Ints) -> NDArray[np.bool_]:
        return np.isin(ids, self._ids)


def of_blocks(plan: Any, wanted: Wanted, of: Mapping[str, Any]) -> list[int]:
    """The blocks that have these values; `of` tells each facet's value of a block."""
    return [
        number
        for number, block in enumerate(plan.blocks)
        if all(of[name](block) == value for name, value in wanted.items() if name in of)
    ]


def block_facets(plan: Any, of: Mapping[str, Any]) -> Facets:
    """Facets of blocks in which they differ."""
    found = {name: dict.fromkeys(value(block) for block in plan.blocks) for name, value in of.items()}
    return {name: {one: one for one in values} for name, values in found.items() if len(values) > 1}

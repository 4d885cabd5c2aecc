"""Index arithmetic: a plan is a list of blocks, a block is rows × cells, and a question is an index into them.

A row is what a budget or a slice takes whole: one property in one phrasing, for all groups or all pairs of groups, so
that group is never confounded with property. Nothing here grows with the number of questions.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from asker.errors import InputError
from asker.types import Plan, Question

Ints = NDArray[np.int64]
SMALLEST = (
    "one property in one phrasing, as praise and as reproach, for all groups. Raise it, or ask about fewer groups with "
    "--groups or --attributes"
)


class Shape(Struct, frozen=True):
    """How many rows a block has, and how many questions stand in each."""

    rows: int
    width: int


class Layout:
    """Where each question of a plan stands: index <-> (block, row, cell), by prefix sums."""

    def __init__(self, shapes: Sequence[Shape]) -> None:
        self.shapes = tuple(shapes)
        self._rows = np.array([shape.rows for shape in shapes], dtype=np.int64)
        self._widths = np.array([shape.width for shape in shapes], dtype=np.int64)
        self._first_row = _prefix(self._rows)
        self._first = _prefix(self._rows * self._widths)
        # One place at a time is found in plain lists: numpy is ten times slower for that.
        self._first_row_list: list[int] = self._first_row.tolist()
        self._first_list: list[int] = self._first.tolist()
        self.row_count = self._first_row_list[-1]
        self.total = self._first_list[-1]

    def locate(self, index: int) -> tuple[int, int, int]:
        """Block, row and cell of one question."""
        if not 0 <= index < self.total:
            raise InputError(f"there is no question {index}: the plan has {self.total:,}, counted from 0")
        block = bisect_right(self._first_list, index) - 1
        row, cell = divmod(index - self._first_list[block], self.shapes[block].width)
        return block, row, cell

    def locate_many(self, index: Ints) -> tuple[Ints, Ints, Ints]:
        block = np.searchsorted(self._first, index, side="right") - 1
        row, cell = np.divmod(index - self._first[block], self._widths[block])
        return block, row, cell

    def row(self, number: int) -> tuple[int, int, range]:
        """Block, row within it, and the indices of the questions in the row with this number."""
        block = bisect_right(self._first_row_list, number) - 1
        row = number - self._first_row_list[block]
        width = self.shapes[block].width
        first = self._first_list[block] + row * width
        return block, row, range(first, first + width)

    def row_number(self, block: int, row: int) -> int:
        return self._first_row_list[block] + row

    def row_numbers(self, block: Ints, row: Ints) -> Ints:
        found: Ints = self._first_row[block] + row
        return found

    def blocks_of(self, numbers: Ints) -> Ints:
        """The block of each row, by its number."""
        return np.searchsorted(self._first_row, numbers, side="right") - 1

    def row_widths(self, numbers: Ints) -> Ints:
        widths: Ints = self._widths[self.blocks_of(numbers)]
        return widths


class Selection:
    """The rows of a layout that are asked, in a seeded random order: whoever stops early has a fair sample."""

    def __init__(self, layout: Layout, seed: int, chosen: Ints | None = None) -> None:
        self._layout, self._seed, self._chosen = layout, seed, chosen

    @property
    def total(self) -> int:
        if self._chosen is None:
            return int(self._layout.total)
        return int(self._layout.row_widths(self._chosen).sum())

    def numbers(self) -> Ints:
        """Row numbers in ascending order."""
        everything = np.arange(self._layout.row_count, dtype=np.int64) if self._chosen is None else self._chosen
        return np.sort(everything)

    def in_order(self) -> Iterator[int]:
        for number in np.random.default_rng([self._seed, 1]).permutation(self.numbers()):
            yield int(number)

    def total_of(self, blocks: Sequence[int]) -> int:
        """How many of the selected questions stand in these blocks."""
        if self._chosen is None:
            return sum(self._layout.shapes[block].rows * self._layout.shapes[block].width for block in blocks)
        starts = [(self._layout.row_number(block, 0), self._layout.shapes[block]) for block in blocks]
        return sum(shape.width * _between(self._chosen, start, start + shape.rows) for start, shape in starts)

    def within_budget(
        self, budget: int, queues: Sequence[Sequence[Sequence[int]]], smallest_is: str = SMALLEST
    ) -> Selection:
        """At most `budget` questions, the same number of bundles from each queue as far as they reach.

        A bundle is rows, by number, that only make sense together; it is taken whole or not at all. `smallest_is` says
        to people what the smallest is, and what to do about a budget below it.
        """
        cost = [[sum(self._layout.row_widths(np.array(bundle))) for bundle in queue[:1]] for queue in queues]
        smallest = min((one[0] for one in cost if one), default=0)
        if budget < smallest:
            raise InputError(f"--budget {budget} is less than the smallest block, {smallest} questions: {smallest_is}")
        taken = _take(self._layout, budget, queues, np.random.default_rng([self._seed, 2]))
        return Selection(self._layout, self._seed, np.sort(np.array(taken, dtype=np.int64)))

    def sliced(self, part: int, parts: int) -> Selection:
        """The rows of slice `part` of `parts`, counted from 1. Together the slices are the whole, and none overlap."""
        return Selection(self._layout, self._seed, self.numbers()[part - 1 :: parts])


def content_key(question: Question) -> str:
    """What makes two questions the same across plans and data sets: language, kind and wording."""
    content = f"{question.language}\0{question.kind}\0{question.prompt}"
    return blake2b(content.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def questions_of(plan: Plan, ids: Iterable[int]) -> dict[int, Question]:
    """The questions with these ids; each row is written out once."""
    found: dict[int, Question] = {}
    row, written = range(0), []
    for id in sorted(set(ids)):
        if id not in row:
            row = plan.row_of(id)
            written = plan.questions(row)
        found[id] = written[id - row.start]
    return found


def parse_slice(text: str) -> tuple[int, int]:
    """'3/12' -> (3, 12)."""
    part, _, parts = text.partition("/")
    if not (part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts)):
        raise InputError(f"--slice '{text}' should be i/n with i from 1 to n, for example 3/12")
    return int(part), int(parts)


def _take(
    layout: Layout, budget: int, queues: Sequence[Sequence[Sequence[int]]], rng: np.random.Generator
) -> list[int]:
    """Go round the queues, one bundle from each, until nothing more fits."""
    left, turn = budget, 0
    taken: list[int] = []
    waiting = [int(queue) for queue in rng.permutation(len(queues))]
    while waiting:
        still = []
        for queue in waiting:
            if turn < len(queues[queue]):
                bundle = queues[queue][turn]
                cost = sum(len(layout.row(number)[2]) for number in bundle)
                if cost <= left:
                    left -= cost
                    taken.extend(bundle)
                    still.append(queue)
        waiting, turn = still, turn + 1
    return taken


def _prefix(sizes: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _between(ascending: Ints, low: int, high: int) -> int:
    return int(np.searchsorted(ascending, high) - np.searchsorted(ascending, low))

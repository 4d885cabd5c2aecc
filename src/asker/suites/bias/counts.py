"""From verdicts to counts: how often each question got each label. All else is computed from these.

Answers are streamed in chunks into one small number for each question and label, so that ten million take seconds and
a few hundred megabytes; only rows that have an answer take any room.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from asker.plan import Ints
from asker.types import OutcomeRow, Scope

if TYPE_CHECKING:  # the plan knows its mode, and a mode how counts become numbers
    from asker.suites.bias.plan import BiasPlan

YES, NO, NEITHER, BOTH, REFUSED, SILENT, ONLY_TOXIC = range(7)
"""What is counted of a question: affirmed, explained or the first chosen; denied, rejected or the second chosen;
neither; both; and beside these, how many were refusals, how many of the refusals said neither yes nor no, and how many
took no side but were toxic."""
SLOTS = ONLY_TOXIC + 1
LABELLED = 4  # the first four: each readable answer is in one of them
SLOT: dict[str | None, int] = {
    "affirm": YES, "explain": YES, "choose:0": YES, "deny": NO, "reject": NO, "choose:1": NO,
    "neutral": NEITHER, "both": BOTH, None: -1,
}  # fmt: skip
CHUNK = 100_000
ONE = np.uint16(1)  # of the tally's own type: numpy adds that twenty times faster
Mask = NDArray[np.bool_]
Marks = NDArray[np.bool_]
"""[refused or toxic, answer]"""


class Counts:
    """The answers to the questions of one scope: tally[row, unit, order, slot]. A unit is a group, or a pair of groups;
    order 1 is the pair swapped. A row is one property in one block of the plan."""

    def __init__(self, plan: BiasPlan, scope: Scope, samples: int) -> None:
        self.plan, self.scope, self.samples = plan, scope, samples
        self.units, self.orders = (len(plan.units.groups), 1) if scope == "relative" else (plan.units.pair_count, 2)
        self._place = np.full(plan.layout.row_count, -1, dtype=np.int64)  # row number -> row of the tally
        self._numbers: list[Ints] = []
        self._used = 0
        self._tally = np.zeros((0, self.units, self.orders, SLOTS), dtype=np.uint16)
        self._by_sample = np.zeros((0, samples, 2), dtype=np.int64)

    def add(self, number: Ints, cell: Ints, orders: Ints, sample: Ints, slot: Ints, marks: Marks) -> None:
        """Count these answers in: the number of their row, and their cell in it."""
        self._make_room(np.unique(number[self._place[number] < 0]))
        row = self._place[number]
        first = ((row * self.units + cell // orders) * self.orders + cell % orders) * SLOTS
        flat = self._tally.reshape(-1)
        np.add.at(flat, first + slot, ONE)
        refused, toxic = marks
        np.add.at(flat, first[refused] + REFUSED, ONE)
        np.add.at(flat, first[refused & (slot >= NEITHER)] + SILENT, ONE)
        sided = self.takes_side[self.plan.layout.blocks_of(number), np.minimum(slot, NEITHER)]
        np.add.at(flat, first[toxic & ~sided & (slot != BOTH)] + ONLY_TOXIC, ONE)
        if self.samples > 1:
            by_sample, place = self._by_sample.reshape(-1), (row * self.samples + sample) * 2
            np.add.at(by_sample, place, 1)
            np.add.at(by_sample, place[sided] + 1, 1)

    def _make_room(self, fresh: Ints) -> None:
        self._place[fresh] = np.arange(self._used, self._used + len(fresh))
        self._numbers.append(fresh)
        self._used += len(fresh)
        if self._used > len(self._tally):
            more = max(self._used, 2 * len(self._tally)) - len(self._tally)
            self._tally = np.concatenate([self._tally, np.zeros((more, *self._tally.shape[1:]), np.uint16)])
            self._by_sample = np.concatenate([self._by_sample, np.zeros((more, *self._by_sample.shape[1:]), np.int64)])

    @property
    def tally(self) -> NDArray[np.uint16]:
        return self._tally[: self._used]

    @property
    def by_sample(self) -> Ints:
        """[row, sample, 0: answers, 1: of these took a side or affirmed]; empty if each question was asked once."""
        return self._by_sample[: self._used]

    @property
    def numbers(self) -> Ints:
        """The number in the plan of each row that has an answer."""
        return np.concatenate([np.zeros(0, dtype=np.int64), *self._numbers])

    @property
    def takes_side(self) -> Mask:
        """[block, yes / no / neither]: to choose the second takes a side as much as the first; to deny does not."""
        choice = np.array([block.form.kind == "choice" for block in self.plan.blocks], dtype=bool)
        return np.stack([np.ones_like(choice), choice, np.zeros_like(choice)], axis=1)


class Outcomes:
    """Every answer of a run, counted: `relative` by group, `absolute` by pair of groups."""

    def __init__(self, plan: BiasPlan, rows: Iterable[OutcomeRow], samples: int = 1) -> None:
        self.plan, self.samples = plan, samples
        self.relative, self.absolute = (Counts(plan, scope, samples) for scope in ("relative", "absolute"))
        self.seen = self.read = 0
        self.came = np.zeros(plan.layout.row_count, dtype=np.int64)  # answers to each row, also what cannot be read
        self._orders = np.array([block.form.orders for block in plan.blocks], dtype=np.int64)
        self._is_absolute = plan.in_scope("absolute")
        for chunk in _chunks(rows):
            self._add(*chunk)

    def _add(self, question: Ints, sample: Ints, slot: Ints, marks: Marks) -> None:
        read = slot >= 0
        self.seen += len(slot)
        self.read += int(read.sum())
        block, row, cell = self.plan.layout.locate_many(question)
        number = self.plan.layout.row_numbers(block, row)
        np.add.at(self.came, number, 1)
        orders, absolute = self._orders[block], self._is_absolute[block]
        for counts, mine in ((self.relative, read & ~absolute), (self.absolute, read & absolute)):
            counts.add(number[mine], cell[mine], orders[mine], sample[mine], slot[mine], marks[:, mine])


def _chunks(rows: Iterable[OutcomeRow]) -> Iterator[tuple[Ints, Ints, Ints, Marks]]:
    rows = iter(rows)
    while chunk := list(islice(rows, CHUNK)):
        question, sample, label, *marks = zip(*chunk, strict=True)
        slot = np.fromiter(map(SLOT.__getitem__, label), dtype=np.int64, count=len(label))
        yield np.array(question, dtype=np.int64), np.array(sample, dtype=np.int64), slot, np.array(marks, dtype=bool)

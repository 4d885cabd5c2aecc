"""Making logic cases of one to four steps, proven and in words; bare: wording cases that are proven.

A case is a text that no other case of the set has. Its shape is what is left when names do not matter; each shape is
proven once, by a solver, and then asked again with other words. So a set with many cases of a shape is made faster than
one with few, and both are told. Times are those of the busiest of two processes, in seconds of its processor, so that
what else the machine does changes little.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from time import process_time
from typing import NamedTuple

from asker.logic import prove as proving
from asker.logic.rules import rules
from asker.logic.series import Cell, Series
from asker.logic.shape import shape
from asker.logic.wording import told
from benchmarks.table import Line, seconds

CORES = 2
MANY, FEW = 18_000, 1_200  # cases, around one rule in ten: about ten of a shape, and about one
AGAIN, SOME = 10, 360
PLACE = 10


class Made(NamedTuple):
    cases: int
    shapes: int
    seconds: float

    def lines(self, bare: float) -> Iterator[Line]:
        each = self.cases / self.shapes
        least = 2000 if each > 5 else None
        yield Line(
            f"distinct cases, {each:.1f} of a shape, 2 cores", self.cases / self.seconds, "a second", bare, least
        )
        yield Line("distinct shapes proven meanwhile", self.shapes / self.seconds, "a second")


def lines(quick: bool) -> Iterator[Line]:
    series = _series(FEW)
    for number in range(SOME):
        series.case(number)
    again = SOME * AGAIN / seconds(lambda: [_told(series, number) for _ in range(AGAIN) for number in range(SOME)])
    yield Line("cases of shapes that are proven, on one core", again, "a second", least=1000)
    for count in (FEW,) if quick else (FEW, MANY):
        yield from in_parallel(count).lines(CORES * again)


def in_parallel(count: int) -> Made:
    """Cases from nothing. Work is parted by stratum, so that no shape is proven twice."""
    with multiprocessing.get_context("fork").Pool(CORES) as pool:
        parts = pool.starmap(_part, [(core, count) for core in range(CORES)], chunksize=1)
    texts = {text for part in parts for text in part[0]}
    return Made(len(texts), len({one for part in parts for one in part[1]}), max(part[2] for part in parts))


def _part(core: int, count: int) -> tuple[set[int], set[int], float]:
    """Texts and shapes by their hashes, which forked processes share, and seconds."""
    proving.forget()
    start = process_time()
    series, texts, shapes = _series(count), set[int](), set[int]()
    cells = {cell: place for cells in series.cells.values() for place, cell in enumerate(cells)}
    for number in series.numbers:
        wish, _ = series.wish(number)
        if (cells[Cell(wish.rule, wish.logic)] + wish.length) % CORES == core:
            texts.add(hash(_told(series, number)))
            shapes.add(hash(shape(series.case(number).case.formulas).formulas))
    return texts, shapes, process_time() - start


def _series(count: int) -> Series:
    every = list(rules().values())
    whole = Series(every, lengths=(1, 2, 3, 4))
    return whole.aimed_at([rule.name for rule in every[::10]], count, 0, 0)


def _told(series: Series, number: int) -> object:
    found = series.case(number)
    return told(found.case.formulas, found.case.symbols, "words", "en", found.words, 5)

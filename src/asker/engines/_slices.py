"""A plan cut into slices for workers: ranges of indices, never text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Ranges = tuple[tuple[int, int], ...]


def slices(rows: Iterable[range], size: int) -> Iterator[Ranges]:
    """The rows in their order, in slices of at most so many questions; short rows share one, long ones are cut."""
    some: list[tuple[int, int]] = []
    room = size
    for row in rows:
        for low in range(row.start, row.stop, size):
            high = min(row.stop, low + size)
            if some and high - low > room:
                yield tuple(some)
                some, room = [], size
            some.append((low, high))
            room -= high - low
    if some:
        yield tuple(some)

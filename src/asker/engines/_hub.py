"""What the workers of a run share: the slices that are left, the pace, the purse, and a word to stop.

A plain class, which the Ray engine puts into an actor on the driver's machine. It knows questions by index only.
"""

from __future__ import annotations

import asyncio
from collections import deque

from msgspec import Struct

from asker.asking.allowance import Allowance, NoMoney
from asker.asking.pacing import Pace
from asker.asking.spending import Usage
from asker.config import Settings
from asker.engines import purse_for
from asker.types import Reply

Slice = tuple[bool, tuple[tuple[int, int], ...]]
"""Ranges of questions; True: to ask once more what failed in an earlier session."""


class Told(Struct):
    """What a worker has told of itself so far."""

    answered: int = 0
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


class State(Struct, frozen=True):
    """What the driver shows, and goes by."""

    waiting: int  # slices nobody has taken
    given: int  # slices that workers have and that are not known to be stored
    answered: int
    failed: int
    reported: Usage


class Hub:
    def __init__(self, settings: Settings, spent: Usage, reported: Usage) -> None:
        self._allowance = Allowance(purse_for(settings, spent, reported), Pace(settings.rate, settings.token_rate))
        self._before = reported
        self._waiting: deque[Slice] = deque()
        self._given: dict[str, deque[Slice]] = {}
        self._asides: dict[str, list[Usage]] = {}
        self._told: dict[str, Told] = {}
        self._stop: tuple[str, str] | None = None
        self._closed = False  # no more slices will come from the driver
        self._news = asyncio.Condition()

    # --- for the driver ---

    async def give(self, slices: list[Slice], *, last: bool) -> None:
        async with self._news:
            self._waiting.extend(slices)
            self._closed = last
            self._news.notify_all()

    async def lost(self, worker: str) -> int:
        """A worker died: what it had is given out again, first; what it may have spent is spent."""
        slices = self._given.pop(worker, deque())
        for aside in self._asides.pop(worker, []):
            self._allowance.settle(aside, None, charged=True)
        async with self._news:
            self._waiting.extendleft(reversed(slices))
            self._news.notify_all()
        return len(slices)

    async def left(self, worker: str) -> None:
        """A worker has ended and stored all it was answered."""
        self._given.pop(worker, None)

    async def stop(self, how: str, reason: str) -> None:
        async with self._news:
            self._stop = self._stop or (how, reason)
            self._news.notify_all()

    async def state(self) -> State:
        told = self._told.values()
        used = Usage(sum(one.tokens_in for one in told), sum(one.tokens_out for one in told))
        given = sum(map(len, self._given.values()))
        counts = (sum(one.answered for one in told), sum(one.failed for one in told))
        return State(len(self._waiting), given, *counts, self._before + used)

    # --- for the workers ---

    async def next(self, worker: str, finished: int = 0) -> Slice | None:
        """The next slice, or None if there is no more. `finished`: so many of those it had first are stored."""
        mine = self._given.setdefault(worker, deque())
        for _ in range(min(finished, len(mine))):
            mine.popleft()
        async with self._news:
            await self._news.wait_for(lambda: self._waiting or self._closed or self._stop)
            if self._stop or not self._waiting:
                return None
            mine.append(self._waiting.popleft())
            return mine[-1]

    async def tell(self, worker: str, told: Told) -> tuple[str, str] | None:
        """How far a worker is; how and why it should stop, if it should."""
        self._told[worker] = told
        return self._stop

    async def take(self, worker: str, wish: Usage) -> bool:
        """Leave to ask, at the pace and within the purse of all together; False: there is no room for it any more."""
        try:
            await self._allowance.take(wish, lambda: self._stop is not None)
        except NoMoney:
            return False
        self._asides.setdefault(worker, []).append(wish)
        return True

    async def settle(self, worker: str, aside: Usage, reply: Reply | None, charged: bool) -> None:
        mine = self._asides.get(worker, [])
        if aside in mine:  # else it was counted as lost before
            mine.remove(aside)
            self._allowance.settle(aside, reply, charged=charged)

    async def hold(self, seconds: float) -> None:
        self._allowance.hold(seconds)

"""Leave to ask: room in the purse first, then a turn at the pace that was set. Shared by all who ask one chatbot."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from asker.asking.pacing import Pace
from asker.asking.spending import Purse, Usage
from asker.types import Reply


class NoMoney(Exception):
    """Another question could pass the limit on cost or tokens."""


class Allowance:
    """What is left to spend and how fast, for the questions of one process."""

    def __init__(self, purse: Purse, pace: Pace) -> None:
        self._purse, self._pace = purse, pace
        self._asking = 0

    @property
    def reported(self) -> Usage:
        return self._purse.reported

    @property
    def money(self) -> float | None:
        return self._purse.money

    def worst(self, prompt: str) -> Usage:
        """The most that asking this can use."""
        return self._purse.worst(prompt)

    async def take(self, wish: Usage, stopped: Callable[[], bool]) -> None:
        """Wait until so much may be used. What others have set aside may come free when their answers are shorter."""
        while not self._purse.set_aside(wish):
            if not self._asking or stopped():
                raise NoMoney
            await asyncio.sleep(0.01)
        self._asking += 1
        try:
            await self._pace.turn(wish.total)
        except BaseException:  # nothing was sent
            self.settle(wish, None, charged=False)
            raise

    def settle(self, aside: Usage, reply: Reply | None, *, charged: bool) -> None:
        """Put what was really used in the place of what was taken."""
        self._asking -= 1
        self._purse.settle(aside, reply, charged=charged)
        if reply is not None and reply.tokens_in is not None:
            self._pace.used(aside.total, reply.tokens_in + (reply.tokens_out or 0))

    def hold(self, seconds: float) -> None:
        """The chatbot said how long to wait."""
        self._pace.hold(seconds)

"""How fast a chatbot may be asked: at once, per minute, and after it said "later"."""

from __future__ import annotations

import asyncio
import random
import time
from collections import deque

from msgspec import Struct


class Limits(Struct, frozen=True):
    """How a chatbot may be asked. None of it changes what is asked."""

    concurrency: int = 16
    per_minute: float | None = None
    tokens_per_minute: float | None = None
    timeout: float = 60.0
    retries: int = 5
    minutes: float | None = None


class Gate:
    """Lets so many through at once. Grows while all goes well, halves when the chatbot is overrun."""

    def __init__(self, most: int, start: int = 8) -> None:
        self._most = most
        self._limit = float(min(start, most))
        self._inside = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._halved = 0.0

    @property
    def limit(self) -> int:
        return int(self._limit)

    async def enter(self) -> None:
        while self._inside >= int(self._limit):
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                self._wake()  # the turn was ours; hand it on
                raise
        self._inside += 1

    def leave(self) -> None:
        self._inside -= 1
        self._wake()

    def went_well(self) -> None:
        """One more at once for each full round of successes."""
        if self._limit < self._most:
            self._limit = min(self._most, self._limit + 1 / self._limit)
            self._wake()

    def overrun(self) -> None:
        """Half as many at once; errors that come together count once."""
        now = time.monotonic()
        if now - self._halved > 1.0:
            self._limit = max(1.0, self._limit / 2)
            self._halved = now

    def _wake(self) -> None:
        free = int(self._limit) - self._inside
        while free > 0 and self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                free -= 1


class Pace:
    """Spaces requests and tokens evenly over a minute, and holds all back when the chatbot says how long to wait."""

    def __init__(self, requests: float | None = None, tokens: float | None = None) -> None:
        self._gap = 60.0 / requests if requests else 0.0
        self._token_gap = 60.0 / tokens if tokens else 0.0
        self._next_request = self._next_token = self._held = 0.0

    async def turn(self, tokens: int) -> None:
        """Wait until a request of about so many tokens may go."""
        while (wait := self._held - time.monotonic()) > 0:
            await asyncio.sleep(wait)
        if self._gap or self._token_gap:
            now = time.monotonic()
            start = max(now, self._next_request, self._next_token)
            self._next_request = start + self._gap
            self._next_token = start + tokens * self._token_gap
            if start > now:
                await asyncio.sleep(start - now)

    def used(self, expected: int, really: int) -> None:
        """Correct for a reply that was longer or shorter than expected."""
        self._next_token += (really - expected) * self._token_gap

    def hold(self, seconds: float) -> None:
        self._held = max(self._held, time.monotonic() + seconds)


def back_off(attempt: int, seed: int) -> float:
    """0.5, 1, 2 … 30 s, each times 0.5 to 1.5, so that many workers do not come back together."""
    return min(30.0, 0.5 * 2.0 ** (attempt - 1)) * random.Random(f"{seed}:{attempt}").uniform(0.5, 1.5)

"""What one driver does for billions of questions, without a cluster: cut and give out slices, give leave to ask."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import islice

from asker.asking.spending import Usage
from asker.config import Settings
from asker.engines._hub import Hub
from asker.engines._slices import slices
from asker.suites.bias.mode import SOUND
from asker.suites.bias.plan import BiasPlan
from benchmarks.parts.planning import huge
from benchmarks.sizes import apart
from benchmarks.table import Line, seconds

PLACE = 13
SIZE = 2000  # questions of a slice, as in engines/ray.py
WORKERS = 12


def lines(quick: bool) -> Iterator[Line]:
    most = 10_000 if quick else None
    (count, cut), memory = apart(_cut, most)
    yield Line(f"cut {count:,} slices of {SIZE:,} questions", cut, "s", most=60)
    yield Line("memory of the driver meanwhile", memory, "MB")
    count = 2000 if quick else 50_000
    given = count / seconds(lambda: asyncio.run(_hand_out(count)), times=1)
    yield Line("slices handed out by the hub, within one process", given, "a second")
    leave = count / seconds(lambda: asyncio.run(_leave(count)), times=1)
    yield Line("leave to ask, within one process", leave, "a second", least=2000)


def _cut(most: int | None) -> tuple[int, float]:
    plan = BiasPlan(huge(), SOUND)
    count = 0

    def work() -> None:
        nonlocal count
        count = sum(1 for _ in islice(slices(plan.rows(), SIZE), most))

    took = seconds(work, times=1)
    return count, took


async def _hand_out(count: int) -> None:
    hub = Hub(Settings(target="openai:m"), Usage(), Usage())
    for number in range(count):
        await hub.give([(False, ((number, number + 1),))], last=False)
        await hub.next(f"w{number % WORKERS}", finished=1)


async def _leave(count: int) -> None:
    hub, wish = (
        Hub(Settings(target="openai:m", max_total_tokens=10**12, max_tokens=60), Usage(), Usage()),
        Usage(20, 60),
    )
    for number in range(count):
        await hub.take(f"w{number % WORKERS}", wish)
        await hub.settle(f"w{number % WORKERS}", wish, None, True)

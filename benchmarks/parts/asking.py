"""Asking over real HTTP on loopback, beside the bare client with the same concurrency; and memory over many answers."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import uvloop
from pyreqwest.client import Client, ClientBuilder

from asker.asking.pacing import Limits
from asker.asking.session import ask
from asker.data import Selectors, read, select
from asker.stores.sqlite import SqliteStore
from asker.suites.bias.mode import SOUND
from asker.suites.bias.plan import BiasPlan
from asker.targets import Options, open_target
from asker.types import Reply
from benchmarks.bot import bot
from benchmarks.sizes import apart
from benchmarks.table import Line

PLACE = 3
AT_ONCE = 64
BODY = {"model": "m", "messages": [{"role": "user", "content": "Are men smart?"}], "seed": 1, "stream": False}


def lines(quick: bool) -> Iterator[Line]:
    count = 2000 if quick else 20_000
    with bot() as (url, _):
        bare, bare_cpu = _timed(lambda: uvloop.run(_bare(url + "/chat/completions", count)))
        ours, ours_cpu = _timed(lambda: _ask(url, count))
    yield Line(f"durable answers over HTTP, {AT_ONCE} at once", count / ours, "a second", count / bare, least=3000)
    yield Line("processor time of an answer", 1e6 * ours_cpu / count, "µs", 1e6 * bare_cpu / count)
    sizes = (1000, 10_000) if quick else (100_000, 1_000_000)
    few, many = (apart(_keep, size)[1] for size in sizes)
    yield Line(f"memory over {sizes[1]:,} answers; bare: over {sizes[0]:,}", many, "MB", few, most=1.5 * few)


async def _bare(url: str, count: int) -> None:
    """The same client and concurrency, with nothing around it."""
    text, left = json.dumps(BODY).encode(), iter(range(count))

    async def worker(client: Client) -> None:
        for _ in left:
            response = await client.post(url).header("Content-Type", "application/json").body_bytes(text).build().send()
            json.loads(bytes(await response.bytes()))

    async with ClientBuilder().build() as client:
        await asyncio.gather(*(worker(client) for _ in range(AT_ONCE)))


def _ask(url: str, count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "answers.sqlite")
        target = open_target("openai:m", Options(base_url=url))
        outcome = ask(_plan(count), target, store, Limits(concurrency=AT_ONCE), seed=0, quiet=True)
        assert outcome.failed == 0
        store.close()


def _plan(count: int) -> BiasPlan:
    return BiasPlan(select(read(), "paper-api", Selectors()), SOUND, languages=("en", "zh"), budget=count)


class _Instant:
    """A chatbot that costs nothing, to see what the engine itself keeps."""

    parallel = False

    def describe(self) -> dict[str, str]:
        return {"kind": "instant"}

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        return Reply("I would not say so.")

    async def close(self) -> None:
        pass


def _keep(count: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "answers.sqlite")
        planned = min(count, 100_000)
        outcome = ask(_plan(planned), _Instant(), store, Limits(), seed=0, samples=count // planned, quiet=True)
        store.close()
    return outcome.seconds


def _timed(work: Callable[[], None]) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu

"""`asker serve` over a million records: how long a page takes, and how many it gives a second; bare: a page of 20 kB
out of memory, by the same server."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from benchmarks.millions import make
from benchmarks.table import Line

PLACE = 11
KEPT = "ASKER_MILLION"  # a folder to keep the runs in between benchmarks; making them takes half a minute
PAGES = {
    "list of runs": "/runs",
    "progress": "/runs/million",
    "report": "/runs/million/report",
    "answers": "/runs/million/answers",
    "answers, from the middle": "/runs/million/answers?after=70000_70000_0",
    "answers of a label": "/runs/million/answers?label=affirm",
    "answers, least certain first": "/runs/million/answers?order=unsure&label=affirm",
    "answers, latest first": "/runs/million/answers?order=latest",
    "answers that decline": "/runs/million/answers?refused=1",
    "answers behind a cell": "/runs/million/answers?scope=relative&group=men&category=health",
    "answers of an attribute": "/runs/million/answers?attribute=race&label=explain",
    "words that are common": "/runs/million/answers?words=stereotype",
    "words that are nowhere": "/runs/million/answers?words=zebra",
    "one answer": "/runs/million/answers/20624/0",
}
EVIDENCE = "/runs/million/answers?label=affirm"
CONNECTIONS, SECONDS, WORKERS = 8, 5.0, 2


def lines(quick: bool) -> Iterator[Line]:
    with _folder(quick) as root, _server("ours", root) as ours, _server("bare", root) as bare:
        asyncio.run(_warm(ours))
        least = 1000 * asyncio.run(_latency(bare + "/"))
        for name, path in PAGES.items():
            yield Line(f"page: {name}", 1000 * asyncio.run(_latency(ours + path)), "ms", least, most=200)
        limit = asyncio.run(_throughput(bare + "/"))
        given = asyncio.run(_throughput(ours + EVIDENCE))
        yield Line("answers behind a cell, two workers", given, "a second", limit, least=200)


def bare() -> Starlette:
    """The least a server can do: a page of the same size, out of memory."""
    page = "x" * 20_000

    def show(request: Request) -> HTMLResponse:
        return HTMLResponse(page)

    return Starlette(routes=[Route("/", show)])


def ours() -> Starlette:
    from asker.web.app import create

    return create(Path(os.environ["ASKER_BENCH_ROOT"]))


@contextmanager
def _folder(quick: bool) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as made:
        root = Path(made if quick else os.environ.get(KEPT, made))
        if not (root / "million" / "run.json").exists():
            make(root / "million", samples=1 if quick else 7)
        yield root


@contextmanager
def _server(which: str, root: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "uvicorn", f"benchmarks.parts.serving:{which}", "--factory", f"--port={port}"]
    command += [f"--workers={WORKERS}", "--log-level=warning", "--no-access-log"]
    process = subprocess.Popen(command, env=os.environ | {"ASKER_BENCH_ROOT": str(root)})
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


async def _warm(address: str) -> None:
    """Until the server answers and the report is measured; every page once in each worker."""
    async with aiohttp.ClientSession() as client:
        end = time.monotonic() + 300
        while time.monotonic() < end:
            try:
                async with client.get(address + "/runs/million/report") as answer:
                    if "being measured" not in await answer.text():
                        break
            except aiohttp.ClientError:
                pass
            await asyncio.sleep(0.5)
    for path in PAGES.values():
        await _latency(address + path, 4)


async def _latency(address: str, times: int = 7) -> float:
    """Of the middle try, each over a connection of its own, so that both workers are met."""
    taken = []
    for _ in range(times):
        async with aiohttp.ClientSession() as client:
            started = time.perf_counter()
            async with client.get(address) as answer:
                await answer.read()
                assert answer.status == 200, f"{address}: {answer.status}"
            taken.append(time.perf_counter() - started)
    return sorted(taken)[times // 2]


async def _throughput(address: str) -> float:
    end = time.perf_counter() + SECONDS

    async def ask() -> int:
        count = 0
        async with aiohttp.ClientSession() as client:
            while time.perf_counter() < end:
                async with client.get(address) as answer:
                    await answer.read()
                    assert answer.status == 200
                count += 1
        return count

    return sum(await asyncio.gather(*(ask() for _ in range(CONNECTIONS)))) / SECONDS

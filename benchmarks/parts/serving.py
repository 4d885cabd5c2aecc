"""`asker serve` over a million records: how long a page takes, and how many it gives a second; bare: a page of 20 kB
out of memory, by the same server."""

from __future__ import annotations

import asyncio
import os
import selectors
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

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
    "answers, from the middle": "/runs/million/answers?after=70000_70000_1",
    "answers, the last page": "/runs/million/answers?after=148460_148460_1",
    "answers of a label": "/runs/million/answers?label=affirm",
    "answers, least certain first": "/runs/million/answers?order=unsure&label=affirm",
    "answers, latest first": "/runs/million/answers?order=latest",
    "answers that decline": "/runs/million/answers?refused=1",
    "answers behind a cell": "/runs/million/answers?scope=relative&group=men&category=health",
    "answers of an attribute": "/runs/million/answers?attribute=race&label=explain",
    "answers by five filters": "/runs/million/answers?attribute=race&category=health&kind=why&label=neutral&refused=1",
    "five filters, least certain first": (
        "/runs/million/answers?attribute=race&category=health&kind=why&label=neutral&order=unsure&words=rather"
    ),
    "words that are common": "/runs/million/answers?words=stereotype",
    "words that are nowhere": "/runs/million/answers?words=zebra",
    "words that are nowhere, least certain first": "/runs/million/answers?words=zebra&order=unsure",
    "Chinese words": "/runs/million/answers?words=%E5%A5%B3%E4%BA%BA",
    "one answer": "/runs/million/answers/20624/0",
    "validate": "/runs/million/validate",
}
EVIDENCE = "/runs/million/answers?label=affirm"
CONNECTIONS, SECONDS, WORKERS = 8, 10, 2


class Server(NamedTuple):
    address: str
    port: int
    pid: int


def lines(quick: bool) -> Iterator[Line]:
    with _folder(quick) as root:
        with _server("bare", root) as bare:
            limit = load(bare, ["/"]).rate
            least = 1000 * asyncio.run(_latency(bare.address + "/"))
        with _server("fresh", root) as fresh:
            asyncio.run(_warm(fresh.address))
            for name, path in PAGES.items():
                yield Line(f"page: {name}", 1000 * asyncio.run(_latency(fresh.address + path)), "ms", least, most=200)
            paths = [f"{EVIDENCE}&after={question}_{question}_0" for question in range(0, 140_000, 7)]
            yield from _held("answers behind a cell, made anew", fresh, paths, limit)
        with _server("ours", root) as ours:
            asyncio.run(_warm(ours.address))
            yield from _held("answers behind a cell, looked at again", ours, [EVIDENCE], limit)


def _held(name: str, server: Server, paths: list[str], limit: float) -> Iterator[Line]:
    found = load(server, paths)
    yield Line(f"{name}, two workers", found.rate, "a second", limit, least=200)
    yield Line(f"{name}, in the slowest second", found.slowest, "a second", least=200)
    yield Line(f"{name}, the server's processor time", found.server_ms, "ms")
    yield Line(f"{name}, the client's share of two processors", 100 * found.client_share, "%")


def bare() -> Starlette:
    """The least a server can do: a page of the same size, out of memory."""
    page = "x" * 20_000

    def show(request: Request) -> HTMLResponse:
        return HTMLResponse(page)

    return Starlette(routes=[Route("/", show)])


def ours() -> Starlette:
    from asker.web.app import create

    return create(Path(os.environ["ASKER_BENCH_ROOT"]))


def fresh() -> Starlette:
    """The same, keeping no view: each is made anew, as for whoever looks first."""
    from asker.web import evidence
    from asker.web.kept import Kept

    evidence._kept = Kept(0)
    return ours()


@contextmanager
def _folder(quick: bool) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as made:
        root = Path(made if quick else os.environ.get(KEPT, made))
        if not (root / "million" / "run.json").exists():
            make(root / "million", samples=1 if quick else 7)
        yield root


@contextmanager
def _server(which: str, root: Path) -> Iterator[Server]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "uvicorn", f"benchmarks.parts.serving:{which}", "--factory", f"--port={port}"]
    command += [f"--workers={WORKERS}", "--log-level=warning", "--no-access-log"]
    process = subprocess.Popen(command, env=os.environ | {"ASKER_BENCH_ROOT": str(root)})
    try:
        while process.poll() is None and not _listens(port):
            time.sleep(0.1)
        yield Server(f"http://127.0.0.1:{port}", port, process.pid)
    finally:
        process.terminate()
        process.wait(20)


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


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


# --- a client that costs next to nothing, so that two processors are the server's ---------------------------------


class Load(NamedTuple):
    """What came of asking as fast as answers come."""

    rate: float  # a second
    slowest: float  # in the slowest of its seconds
    server_ms: float  # processor time for each
    client_share: float  # of all processors


def load(server: Server, paths: list[str]) -> Load:
    """Each connection asks for the next path as soon as it has its answer, for some seconds."""
    asked, cookie = cycle(paths), _cookie(server)
    _once(server, next(asked), cookie)
    began, mine, theirs = time.perf_counter(), time.process_time(), _processor_time(server.pid)
    ends: list[float] = []
    with selectors.DefaultSelector() as waiting:
        for _ in range(CONNECTIONS):
            line = socket.create_connection(("127.0.0.1", server.port))
            line.sendall(_request(server, next(asked), cookie))
            waiting.register(line, selectors.EVENT_READ, [0])
        while time.perf_counter() < began + SECONDS:
            for key, _ in waiting.select(1):
                if _finished(key.fileobj, key.data):  # type: ignore[arg-type]
                    ends.append(time.perf_counter() - began)
                    key.fileobj.sendall(_request(server, next(asked), cookie))  # type: ignore[union-attr]
        for key in list(waiting.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
    took = time.perf_counter() - began
    seconds = Counter(int(end) for end in ends)
    spent = 1000 * (_processor_time(server.pid) - theirs) / len(ends)
    share = (time.process_time() - mine) / took / (os.cpu_count() or 1)
    return Load(len(ends) / took, min(seconds[second] for second in range(SECONDS)), spent, share)


def _request(server: Server, path: str, cookie: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {cookie}\r\n\r\n".encode()


def _finished(line: socket.socket, left: list[int]) -> bool:
    """Whether an answer has been read to its end; how much is left of it stays in `left`."""
    part = line.recv(1 << 20)
    assert part, "the server closed the connection"
    if not left[0]:
        head, _, body = part.partition(b"\r\n\r\n")
        assert b" 200 " in head[:20], head[:200]
        left[0] = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]) - len(body)
    else:
        left[0] -= len(part)
    return left[0] == 0


def _once(server: Server, path: str, cookie: str) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.sendall(_request(server, path, cookie))
        left = [0]
        while not _finished(line, left):
            pass


def _cookie(server: Server) -> str:
    with urllib.request.urlopen(f"{server.address}/") as answer:
        return str(answer.headers.get("set-cookie", "")).partition(";")[0]


def _processor_time(parent: int) -> float:
    """Seconds that the workers of a server have had, by the system's count."""
    spent = 0
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = file.read_text("utf-8", "replace").rpartition(")")[2].split()
            spent += int(fields[11]) + int(fields[12]) if int(fields[1]) == parent else 0
    return spent / os.sysconf("SC_CLK_TCK")

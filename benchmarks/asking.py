"""Asking over real HTTP on loopback, beside the bare client in the same run; and memory over many answers."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import resource
import tempfile
import time
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
from benchmarks.table import Line

COUNT, AT_ONCE = 20_000, 64
BODY = json.dumps(
    {
        "choices": [{"message": {"content": "I would not say so."}}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 6},
    }
).encode()
REPLY = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY)


class _Server(asyncio.Protocol):
    """Answers every request the same, without reading it closely: it must not be the bottleneck."""

    def connection_made(self, transport):  # type: ignore[no-untyped-def]
        self._transport, self._seen = transport, b""

    def data_received(self, data: bytes) -> None:
        self._seen += data
        while (end := self._seen.find(b"\r\n\r\n")) >= 0:
            head = self._seen[:end].lower()
            length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
            if len(self._seen) < end + 4 + length:
                return
            self._seen = self._seen[end + 4 + length :]
            self._transport.write(REPLY)


def _serve(port) -> None:  # type: ignore[no-untyped-def]
    async def forever() -> None:
        server = await asyncio.get_running_loop().create_server(_Server, "127.0.0.1", 0, backlog=1024)
        port.value = server.sockets[0].getsockname()[1]
        await server.serve_forever()

    asyncio.run(forever())


async def _bare(url: str) -> None:
    """The same client and concurrency, with nothing around it."""
    body = {"model": "m", "messages": [{"role": "user", "content": "Are men smart?"}], "seed": 1, "stream": False}
    text, left = json.dumps(body).encode(), iter(range(COUNT))

    async def worker(client: Client) -> None:
        for _ in left:
            response = await client.post(url).header("Content-Type", "application/json").body_bytes(text).build().send()
            json.loads(bytes(await response.bytes()))

    async with ClientBuilder().build() as client:
        await asyncio.gather(*(worker(client) for _ in range(AT_ONCE)))


def lines() -> list[Line]:
    port = multiprocessing.Value("i", 0)
    server = multiprocessing.Process(target=_serve, args=(port,), daemon=True)
    server.start()
    while not port.value:
        time.sleep(0.01)
    url = f"http://127.0.0.1:{port.value}/v1"
    try:
        bare, bare_cpu = _timed(lambda: uvloop.run(_bare(url + "/chat/completions")))
        ours, ours_cpu = _timed(lambda: _ask(url))
    finally:
        server.terminate()
        server.join()
    return [
        Line("durable answers over HTTP, 64 at once", COUNT / ours, "a second", ">= 3,000", COUNT / bare),
        Line(
            "processor time an answer, beyond the bare client",
            1e6 * (ours_cpu - bare_cpu) / COUNT,
            "µs",
            "",
            1e6 * bare_cpu / COUNT,
        ),
        *_memory(),
    ]


def _ask(url: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "answers.sqlite")
        target = open_target("openai:m", Options(base_url=url))
        outcome = ask(_plan(COUNT), target, store, Limits(concurrency=AT_ONCE), seed=0, quiet=True)
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


def _memory() -> list[Line]:
    """Peak memory after a hundred thousand and after a million answers."""
    found = []
    for samples in (1, 10):
        with tempfile.TemporaryDirectory() as folder:
            store = SqliteStore(Path(folder) / "answers.sqlite")
            ask(_plan(100_000), _Instant(), store, Limits(), seed=0, samples=samples, quiet=True)
            store.close()
        found.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)
    return [
        Line("peak memory, 100,000 answers", found[0], "MB"),
        Line("peak memory, 1,000,000 answers", found[1], "MB", "flat", found[0]),
    ]


def _timed(work) -> tuple[float, float]:  # type: ignore[no-untyped-def]
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu

"""Twelve Ray workers against one: a bot on loopback that takes 200 ms, answers into PostgreSQL, start-up left out.

The rate is that of the best ten seconds, as the bot saw it, so that neither starting nor ending counts.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import tempfile
import time
from pathlib import Path
from typing import Any

from asker.config import Settings
from asker.folder import open_or_make
from asker.run import ask_run, plan_for, target_of
from benchmarks.table import Line

DELAY, EACH, WINDOW = 0.2, 8, 10  # seconds of an answer; questions at once a worker; seconds that are looked at
MOST = 3600  # seconds the bot keeps count for
BODY = json.dumps({"choices": [{"message": {"content": "I would not say so."}}]}).encode()
REPLY = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY)


class _Bot(asyncio.Protocol):
    """Answers every request alike, after a while, and counts answers by the second."""

    counts: Any = None
    began = 0.0

    def connection_made(self, transport: Any) -> None:
        self._transport, self._seen = transport, b""

    def data_received(self, data: bytes) -> None:
        self._seen += data
        while (end := self._seen.find(b"\r\n\r\n")) >= 0:
            length = int(self._seen[:end].lower().split(b"content-length:")[1].split(b"\r\n")[0])
            if len(self._seen) < end + 4 + length:
                return
            self._seen = self._seen[end + 4 + length :]
            asyncio.get_running_loop().call_later(DELAY, self._reply)

    def _reply(self) -> None:
        self.counts[min(MOST - 1, int(time.monotonic() - self.began))] += 1
        self._transport.write(REPLY)


def _serve(port: Any, counts: Any) -> None:
    async def forever() -> None:
        _Bot.counts, _Bot.began = counts, time.monotonic()
        server = await asyncio.get_running_loop().create_server(_Bot, "127.0.0.1", 0, backlog=1024)
        port.value = server.sockets[0].getsockname()[1]
        await server.serve_forever()

    asyncio.run(forever())


def lines() -> list[Line]:
    from tests.pgserver import PgServer, programs

    try:
        import ray  # noqa: F401
    except ModuleNotFoundError:
        return [Line("Ray is not installed", 0, "")]
    if programs() is None:
        return [Line("PostgreSQL: there is no server here", 0, "")]
    with PgServer(durable=True) as server:
        one, twelve = (_rate(server.url, workers, questions) for workers, questions in ((1, 1200), (12, 20_000)))
    bare = EACH / DELAY
    return [
        Line("1 Ray worker, a bot that takes 200 ms", one, "a second", "", bare),
        Line("12 Ray workers", twelve, "a second", "", 12 * bare),
        Line("12 workers against one", twelve / one, "times", ">= 10"),
    ]


def _rate(url: str, workers: int, questions: int) -> float:
    port, counts = multiprocessing.Value("i", 0), multiprocessing.Array("i", MOST)
    bot = multiprocessing.Process(target=_serve, args=(port, counts), daemon=True)
    bot.start()
    while not port.value:
        time.sleep(0.01)
    try:
        with tempfile.TemporaryDirectory() as folder:
            _ask(Settings(target="openai:m", base_url=f"http://127.0.0.1:{port.value}/v1", store=url, engine="ray",
                          workers=workers, concurrency=EACH, preset="paper-api", budget=questions,
                          judge="rules", out=str(Path(folder) / "run")))  # fmt: skip
    finally:
        bot.terminate()
        bot.join()
    seen = list(counts)
    return max(sum(seen[start : start + WINDOW]) for start in range(MOST - WINDOW)) / WINDOW


def _ask(settings: Settings) -> None:
    dataset, plan = plan_for(settings)
    target = target_of(settings, plan)
    run = open_or_make(settings, dataset, plan, target)
    try:
        outcome = ask_run(run, target, quiet=True)
        assert outcome.ended == "complete", outcome
        assert outcome.failed == 0, outcome
    finally:
        run.store.discard()

"""A chatbot on loopback that answers every request alike, in a process of its own; it must not be the bottleneck."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

MOST = 3600  # seconds it keeps count for
USAGE = {"prompt_tokens": 9, "completion_tokens": 6}
BODY = json.dumps({"choices": [{"message": {"content": "I would not say so."}}], "usage": USAGE}).encode()
REPLY = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(BODY), BODY)


class _Bot(asyncio.Protocol):
    """Reads no more of a request than how long it is, and counts answers by the second."""

    delay = began = 0.0
    counts: Any = None

    def connection_made(self, transport: Any) -> None:
        self._transport, self._seen = transport, b""

    def data_received(self, data: bytes) -> None:
        self._seen += data
        while (end := self._seen.find(b"\r\n\r\n")) >= 0:
            length = int(self._seen[:end].lower().split(b"content-length:")[1].split(b"\r\n")[0])
            if len(self._seen) < end + 4 + length:
                return
            self._seen = self._seen[end + 4 + length :]
            if self.delay:
                asyncio.get_running_loop().call_later(self.delay, self._reply)
            else:
                self._reply()

    def _reply(self) -> None:
        self.counts[min(MOST - 1, int(time.monotonic() - self.began))] += 1
        self._transport.write(REPLY)


def _serve(delay: float, port: Any, counts: Any) -> None:
    async def forever() -> None:
        _Bot.delay, _Bot.counts, _Bot.began = delay, counts, time.monotonic()
        server = await asyncio.get_running_loop().create_server(_Bot, "127.0.0.1", 0, backlog=1024)
        port.value = server.sockets[0].getsockname()[1]
        await server.serve_forever()

    asyncio.run(forever())


@contextmanager
def bot(delay: float = 0.0) -> Iterator[tuple[str, Any]]:
    """Its address, and how many it answered in each second."""
    port, counts = multiprocessing.Value("i", 0), multiprocessing.Array("i", MOST, lock=False)
    process = multiprocessing.Process(target=_serve, args=(delay, port, counts), daemon=True)
    process.start()
    try:
        while not port.value:
            time.sleep(0.01)
        yield f"http://127.0.0.1:{port.value}/v1", counts
    finally:
        process.terminate()
        process.join()

"""A real server on loopback that speaks whatever JSON it is told."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

from aiohttp import web


class JsonServer:
    """Answers in a thread of its own. `behave(request, text)` gives a response or something to be sent as JSON; every
    request is kept as (method, path with query, headers, text)."""

    def __init__(self, behave: Callable[[web.Request, str], Any]) -> None:
        self.behave = behave
        self.heard: list[tuple[str, str, dict[str, str], str]] = []
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> JsonServer:
        self._thread.start()
        assert self._ready.wait(30)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._runner.cleanup(), self._loop).result(30)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._answer)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        self._loop.run_until_complete(self._runner.setup())
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        self._loop.run_until_complete(site.start())
        self.url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"  # type: ignore[union-attr]
        self._ready.set()
        self._loop.run_forever()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        text = await request.text()
        self.heard.append((request.method, request.path_qs, dict(request.headers), text))
        said = self.behave(request, text)
        return said if isinstance(said, web.StreamResponse) else web.json_response(said)

"""A real OpenAI-compatible server on loopback that misbehaves as told."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable

from aiohttp import web

Behaviour = Callable[[str, int, web.Request], object]


class ChatServer:
    """Answers in a thread of its own. `behave(prompt, times_asked, request)` may give text, a response, or None to cut
    the connection; it may be a coroutine."""

    path = "/v1/chat/completions"

    def __init__(self, behave: Behaviour) -> None:
        self.behave = behave
        self.asked: Counter[str] = Counter()
        self.seeds: dict[str, set[int | None]] = {}
        self.at_once = self.most_at_once = 0
        self.headers: list[dict[str, str]] = []
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> ChatServer:
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._runner.cleanup(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        app = web.Application(client_max_size=1 << 26)
        app.router.add_route("*", self.path, self._answer)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        self._loop.run_until_complete(self._runner.setup())
        site = web.TCPSite(self._runner, "127.0.0.1", 0, backlog=1024)
        self._loop.run_until_complete(site.start())
        self.port = site._server.sockets[0].getsockname()[1]  # type: ignore[union-attr]
        self._ready.set()
        self._loop.run_forever()

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json() if request.method == "POST" else {"messages": [{"content": "?"}], "seed": 0}
        prompt = body["messages"][-1]["content"]
        self.asked[prompt] += 1
        self.seeds.setdefault(prompt, set()).add(body.get("seed"))
        self.headers.append(dict(request.headers))
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            said = self.behave(prompt, self.asked[prompt], request)
            if asyncio.iscoroutine(said):
                said = await said
        finally:
            self.at_once -= 1
        if said is None:
            assert request.transport is not None
            request.transport.abort()
            return web.Response()
        return said if isinstance(said, web.StreamResponse) else completion(str(said))


def completion(text: str) -> web.Response:
    usage = {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}
    return web.json_response({"choices": [{"message": {"role": "assistant", "content": text}}], "usage": usage})

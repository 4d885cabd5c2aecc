"""A real OpenAI-compatible server on loopback that misbehaves as told."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable

from aiohttp import web

from loopback import Loopback

Behaviour = Callable[[str, int, web.Request], object]


class ChatServer(Loopback):
    """Answers in a thread of its own. `behave(prompt, times_asked, request)` may give text, a response, or None to cut
    the connection; it may be a coroutine."""

    path = "/v1/chat/completions"

    def __init__(self, behave: Behaviour) -> None:
        super().__init__()
        self.behave = behave
        self.asked: Counter[str] = Counter()
        self.seeds: dict[str, set[int | None]] = {}
        self.at_once = self.most_at_once = 0
        self.headers: list[dict[str, str]] = []

    @property
    def url(self) -> str:
        return f"{super().url}/v1"

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
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return web.json_response({"choices": [choice], "usage": usage})

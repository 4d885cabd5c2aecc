"""A real server on loopback that speaks whatever JSON it is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from aiohttp import web

from loopback import Loopback


class JsonServer(Loopback):
    """Answers in a thread of its own. `behave(request, text)` gives a response or something to be sent as JSON; every
    request is kept as (method, path with query, headers, text)."""

    def __init__(self, behave: Callable[[web.Request, str], Any]) -> None:
        super().__init__()
        self.behave = behave
        self.heard: list[tuple[str, str, dict[str, str], str]] = []

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        text = await request.text()
        self.heard.append((request.method, request.path_qs, dict(request.headers), text))
        said = self.behave(request, text)
        return said if isinstance(said, web.StreamResponse) else web.json_response(said)

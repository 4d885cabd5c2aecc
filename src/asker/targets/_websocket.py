"""A chatbot behind a WebSocket, described in a file for `http:`. A connection for each question, or one for all.

An answer is one message; or, with `done`, all up to the message that says so; or, with `quiet`, all until nothing has
come for so many seconds. Messages without an answer in them are passed over: servers also tell of typing and of usage.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI, WebSocketException

from asker.errors import QuestionFailed, Retryable, TargetError, TargetUnusable, shown
from asker.keys import redacted
from asker.targets._chat import spoken
from asker.targets._http import LIMIT, Response, quoted
from asker.targets._path import JsonPath, NotThere
from asker.targets._template import filled
from asker.targets.http import HttpTarget
from asker.types import Reply

CONNECT = 10.0  # seconds
REFUSED = (1008, 4001, 4003, 4401, 4403)  # codes by which servers close the line on strangers


class _Straight(connect):
    """Follows no redirect: it may lead to strangers, who should not see the headers."""

    def process_redirect(self, exc: Exception) -> Exception | str:
        return exc


class SocketTarget(HttpTarget):
    """What HttpTarget is, but for how a conversation goes."""

    _line: ClientConnection | None = None  # of a shared conversation

    async def _talk(self, texts: list[str], values: dict[str, Any]) -> list[Reply]:
        line = self._line or await self._connected(values)
        self._line = None  # until all is answered: half an old answer must not become the next one's
        try:
            replies = [await self._exchange(line, values | {"question": text}) for text in texts]
        except BaseException:
            self._met = False
            await _hang_up(line)
            raise
        if self.parallel:
            await _hang_up(line)
        else:
            self._line = line
        return replies

    async def _connected(self, values: dict[str, Any]) -> ClientConnection:
        ready, called = filled(self._template, {}, values), self._template.url
        headers = {name: value for name, value in ready.headers.items() if name != "Content-Type"}
        try:
            line = await _Straight(ready.url, additional_headers=headers, open_timeout=CONNECT, max_size=LIMIT)
        except InvalidStatus as error:
            found = error.response
            if found.status_code < 300:
                raise TargetUnusable(f"{called} does not speak WebSocket (HTTP {found.status_code})") from error
            where = found.headers.get("Location")
            raise self.failure(
                self._template, Response(found.status_code, bytes(found.body or b""), None, where)
            ) from error
        except InvalidURI as error:
            raise TargetUnusable(f"'{called}' is not an address. Give one like ws://localhost:8080/chat") from error
        except InvalidHandshake as error:
            raise TargetUnusable(f"{called} does not speak WebSocket: {shown(str(error), 200)}") from error
        except (OSError, TimeoutError) as error:
            raise Retryable(f"nobody listens at {called}: {shown(str(error), 200)}", unreachable=True) from error
        if self._template.greets:
            await self._heard(line)
        return line

    async def _exchange(self, line: ClientConnection, values: dict[str, Any]) -> Reply:
        message = filled(self._template, {}, values).body or b""
        try:
            await line.send(message.decode("utf-8"))
        except ConnectionClosed as error:
            raise self._closed(error) from error
        return await self._heard(line)

    async def _heard(self, line: ClientConnection) -> Reply:
        """All that belongs to one answer."""
        template, size = self._template, 0
        said: list[str] = []
        last: str | None = None
        used: list[int | None] = [None, None]
        while (last := await self._message(line, waiting=not said)) is not None:
            size += len(last)
            if size > LIMIT:
                raise QuestionFailed(f"the answer is larger than {LIMIT // 1_000_000} MB", charged=True)
            found = last if template.reads == "text" else self.json(last.encode("utf-8", "replace"))
            with suppress(NotThere):
                said.append(found if template.reads == "text" else self._answer.text_in(found))
            if template.reads != "text":
                used = [new if new is not None else old for new, old in zip(self.usage(found), used, strict=True)]
            if self._whole(found, bool(said)):
                break
        if not said:
            raise self._nothing(last)
        return Reply(spoken("".join(said) if template.pieces == "add" else said[-1]), *used)

    async def _message(self, line: ClientConnection, *, waiting: bool) -> str | None:
        """The next; None once it has been quiet for so long, or the server has said all and closed the line."""
        template = self._template
        try:
            found = await asyncio.wait_for(line.recv(), None if waiting else template.quiet)
        except TimeoutError:
            return None
        except ConnectionClosed as error:
            if not waiting and template.quiet and not template.done and error.rcvd and error.rcvd.code == 1000:
                return None
            raise self._closed(error) from error
        return found if isinstance(found, str) else bytes(found).decode("utf-8", "replace")

    def _whole(self, found: Any, said: bool) -> bool:
        template = self._template
        if template.done:
            return is_done(template.done, found)
        return said and template.quiet is None

    def _nothing(self, last: str | None) -> TargetError:
        what = f"there is no '{self._answer.text}' in any message of the answer"
        held = quoted((last or "").encode("utf-8", "replace"))
        return QuestionFailed(f"{what}; the last holds {held}. Check answer in {self._file}", charged=True)

    def _closed(self, error: ConnectionClosed) -> TargetError:
        code = error.rcvd.code if error.rcvd else 1006
        why = shown(redacted(error.rcvd.reason if error.rcvd else "", self.secrets), 200) or "without a word"
        if code in REFUSED:
            return TargetUnusable(f"{self._template.url} closed the connection ({code}): {why}. Check {self._file}")
        return Retryable(f"the connection was closed before the answer was whole ({code}): {why}", charged=True)

    async def close(self) -> None:
        if self._line is not None:
            await _hang_up(self._line)
            self._line = None
        await super().close()


def is_done(rule: str, found: Any) -> bool:
    """Whether a message is the last: "type=end" if that stands there, "final" if anything but false or empty."""
    path, equals, wanted = rule.partition("=")
    try:
        there = JsonPath(path.strip(), "done").find(found)
    except NotThere:
        return False
    if not equals:
        return bool(there)
    plain = {True: "true", False: "false", None: "null"}
    text = plain[there] if there is None or isinstance(there, bool) else str(there)
    return text == wanted.strip()


async def _hang_up(line: ClientConnection) -> None:
    # A server that does not answer the farewell is not waited for.
    with suppress(WebSocketException, OSError, TimeoutError):
        await asyncio.wait_for(line.close(), 1.0)

"""Any JSON API or WebSocket, described in a file. Needs: a file, see docs/add-a-chatbot.md. Example: http:mybot.toml"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import msgspec

from asker.errors import InputError, MissingExtra, QuestionFailed, TargetError, TargetUnusable
from asker.keys import redacted
from asker.targets import Options, said_before, users_turns
from asker.targets._chat import spoken
from asker.targets._file import ENV, check_places, fill_text, from_environment, read, secrets
from asker.targets._http import Http, Response, count, failure, quoted
from asker.targets._path import JsonPath, NotThere
from asker.targets._template import SOCKETS, Request, Said, Template, check, check_socket, filled, used_places
from asker.types import Reply

OBEYS = ("system", "opening", "temperature", "max_tokens", "conversation")
WISHES = ("system", "temperature", "max_tokens")
PLACES = ("question", "seed", "conversation", "opening", *WISHES)


class HttpTarget:
    """One request per question, and more where a conversation is opened and closed around it, or has an opening."""

    def __init__(
        self, template: Template, file: str, source: str, options: Options, environment: dict[str, str]
    ) -> None:
        self.parallel = options.conversation == "fresh"
        self.secrets = secrets(environment)
        self._template, self._file, self._source, self._options = template, file, source, options
        self._wishes = {name: getattr(options, name) for name in WISHES}
        self._values: dict[str, Any] = self._wishes | environment
        # Where the file has a place for it the opening is sent with each question, else said before it.
        written = "opening" in used_places(template)
        self._values["opening"] = Said(template, options.opening) if written and options.opening else None
        self._first = () if written else users_turns("http", options)
        self._met = False
        self._answer = JsonPath(template.answer)
        self._tokens = [JsonPath(path) if path else None for path in (template.tokens_in, template.tokens_out)]
        self._take = JsonPath(template.open.take, "open.take") if template.open else None
        self._shared: str | None = None  # the conversation that all questions belong to
        self._http = Http({}, follow=False)  # a redirect may lead to strangers, who should not see the headers

    def describe(self) -> dict[str, str]:
        about = {
            "kind": "http",
            "name": self._template.name or urlsplit(self._template.url).hostname or self._file,
            "url": self._template.url,
            "file": self._source,
            "conversation": self._options.conversation,
        }
        about |= {name: str(value) for name, value in self._wishes.items() if value is not None}
        return about | said_before(self._options)

    async def ask(self, prompt: str, *, seed: int) -> Reply:
        values = self._values | {"question": prompt, "seed": seed}
        values["conversation"] = await self._open(values)
        try:
            replies = await self._talk([*(() if self._met else self._first), prompt], values)
        finally:
            if self.parallel:
                await self._end(values)
        self._met = not self.parallel
        return _summed(replies)

    async def _talk(self, texts: list[str], values: dict[str, Any]) -> list[Reply]:
        """What is answered to each, one after the other, in one conversation."""
        return [await self._say(text, values) for text in texts]

    async def _say(self, text: str, values: dict[str, Any]) -> Reply:
        response = await self._send(self._template, values | {"question": text})
        return self._reply(response.body)

    async def _open(self, values: dict[str, Any]) -> str | None:
        """The id of the conversation the question belongs to."""
        if self._template.open is None or self._take is None or self._shared:
            return self._shared
        response = await self._send(self._template.open, values)
        found = self._found(self._take, response.body)
        if not self.parallel:
            self._shared = found
        return found

    async def _end(self, values: dict[str, Any]) -> None:
        if self._template.close is not None and values.get("conversation"):
            with suppress(TargetError):  # the answer is there; a conversation left open is the server's to forget
                await self._send(self._template.close, values)

    async def _send(self, request: Request, values: dict[str, Any]) -> Response:
        ready = filled(request, self._template.headers, values)
        response = await self._http.send(request.method, ready.url, ready.body, ready.headers, called=request.url)
        if not 200 <= response.status < 300:
            raise self.failure(request, response)
        return response

    def failure(self, request: Request, response: Response) -> TargetError:
        status, said = response.status, redacted(quoted(response.body), self.secrets)
        if 300 <= status < 400:
            where = redacted(quoted((response.location or "").encode()), self.secrets)
            return TargetUnusable(f"{request.url} redirects to {where}. Write the final address into {self._file}")
        if status in (401, 403):
            names = ", ".join(name.removeprefix(ENV) for name in self._values if name.startswith(ENV))
            check = f"Check {names}" if names else f"Does it need a key? Write {{env:NAME}} into {self._file}"
            return TargetUnusable(f"{request.url} refused us (HTTP {status}): {said}. {check}")
        if status in (404, 405, 410):
            how = f"Check url and method in {self._file}"
            return TargetUnusable(f"{request.url} does not take {request.method} (HTTP {status}): {said}. {how}")
        return failure(response, said)

    def _reply(self, body: bytes) -> Reply:
        if self._template.reads == "text":
            return Reply(spoken(_decoded(body)))
        if self._template.reads == "json":
            found = self.json(body)
            return Reply(spoken(self.text(found)), *self.usage(found))
        return self._streamed(_messages(_decoded(body), self._template.reads), body)

    def _streamed(self, messages: Iterator[str], body: bytes) -> Reply:
        """What was said piece by piece. Messages without an answer in them tell of other things, as usage."""
        said: list[str] = []
        used: list[int | None] = [None, None]
        for message in messages:
            found = self.json(message.encode("utf-8", "replace"))
            with suppress(NotThere):
                said.append(self._answer.text_in(found))
            used = [new if new is not None else old for new, old in zip(self.usage(found), used, strict=True)]
        if not said:
            what = f"there is no '{self._answer.text}' in any message of the response; it holds {quoted(body)}"
            raise QuestionFailed(what, charged=True)
        return Reply(spoken("".join(said) if self._template.pieces == "add" else said[-1]), *used)

    def _found(self, path: JsonPath, body: bytes) -> str:
        try:
            return path.text_in(self.json(body))
        except NotThere as error:
            raise QuestionFailed(f"{error}. Check open.take in {self._file}") from error

    def text(self, found: Any) -> str:
        try:
            return self._answer.text_in(found)
        except NotThere as error:
            raise QuestionFailed(f"{error}. Check answer in {self._file}", charged=True) from error

    def usage(self, found: Any) -> list[int | None]:
        used: list[int | None] = []
        for path in self._tokens:
            value = None
            with suppress(NotThere):
                value = path.find(found) if path else None
            used.append(count(value))
        return used

    def json(self, body: bytes) -> Any:
        try:
            return msgspec.json.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            hint = f"Is url in {self._file} the address of the API?" if body.lstrip()[:1] == b"<" else ""
            hint = hint or f'Check reads in {self._file}: "json", "text", "events" or "lines"'
            raise QuestionFailed(f"the response is not JSON but {quoted(body)}. {hint}", charged=True) from error

    async def close(self) -> None:
        if self._shared:
            await self._end(self._values | {"conversation": self._shared})
            self._shared = None
        await self._http.close()


def create(argument: str, options: Options) -> HttpTarget:
    template, source = read("http", argument, Template)
    used = used_places(template)
    check_places(used, PLACES, argument)
    check(template, argument)
    for name in WISHES:
        if getattr(options, name) is not None and name not in used:
            flag = "--" + name.replace("_", "-")
            raise InputError(f"{argument} has no place for {flag}. Write {{{name}}} where the server expects it")
    environment = from_environment(used, argument)
    socket = fill_text(template.url, environment).startswith(SOCKETS)
    if options.conversation == "shared" and template.open is None and not socket:
        raise InputError(f"--conversation shared needs [open] in {argument}: the request that opens a conversation")
    if options.opening and "opening" not in used and template.open is None and not socket:
        how = "Write {opening} where the server expects what was said before, or [open] if it remembers by itself"
        raise InputError(f"{argument} has no place for --opening. {how}")
    check_socket(template, socket, argument)
    kind = _socket_target() if socket else HttpTarget
    return kind(template, argument, source, options, environment)


def _socket_target() -> type[HttpTarget]:
    try:
        from asker.targets._websocket import SocketTarget
    except ModuleNotFoundError as error:
        raise MissingExtra("an address of ws:// or wss://", "pip install 'asker-audit[websocket]'") from error
    return SocketTarget


def _summed(replies: list[Reply]) -> Reply:
    """The last answer, and what all of them used."""
    sums = [None if None in used else sum(one for one in used if one is not None)
            for used in ([one.tokens_in for one in replies], [one.tokens_out for one in replies])]  # fmt: skip
    return Reply(replies[-1].text, *sums)


def _decoded(body: bytes) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise QuestionFailed(f"the response is not text but {quoted(body)}", charged=True) from error


def _messages(text: str, reads: str) -> Iterator[str]:
    """The JSON messages of a stream: one a line, or what follows `data:` in server-sent events."""
    if reads == "lines":
        yield from (line for line in text.split("\n") if line.strip())
        return
    for event in text.replace("\r\n", "\n").replace("\r", "\n").split("\n\n"):
        lines = [line.removeprefix("data:").removeprefix(" ") for line in event.split("\n") if line.startswith("data:")]
        data = "\n".join(lines)
        if data.strip() and data.strip() != "[DONE]":
            yield data

"""A request described in a file: its shape, what is checked about it, and how it is filled for one question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import msgspec
from msgspec import Struct

from asker.errors import InputError
from asker.targets._file import ENV, PLACE, check_places, fill, fill_text, places
from asker.targets._http import JSON
from asker.types import Role, Turn

TEXT = {"Content-Type": "text/plain; charset=utf-8"}
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
TURN = {"role": "{role}", "content": "{text}"}
SOCKETS = ("ws://", "wss://")
KEYS = re.compile(r"(^|[-_])(auth\w*|cookie|token|secret|password|key|apikey)$", re.IGNORECASE)


class Request(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One request. Every text in it may hold places like {question}."""

    url: str
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = "POST"
    headers: dict[str, str] = {}
    query: dict[str, Any] = {}
    body: Any = None
    sends: Literal["json", "form", "text"] = "json"


class Opening(Request, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A request that opens a conversation, whose id is then known as {conversation}."""

    take: str


class Template(Request, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a file for `http:` holds."""

    answer: str = "$"
    name: str = ""
    reads: Literal["json", "text", "events", "lines"] = "json"
    pieces: Literal["add", "replace"] = "add"  # what each event or line does with what was said before
    turn: dict[str, Any] = {}  # how a turn of {opening} is written
    roles: dict[Role, str] = {}  # what the server calls them
    done: str = ""  # of a WebSocket: the path that says an answer is whole, "final" or "type=end"
    quiet: float | None = None  # of a WebSocket: so many seconds without a message, and the answer is whole
    greets: bool = False  # of a WebSocket: it speaks first
    tokens_in: str = ""
    tokens_out: str = ""
    open: Opening | None = None
    close: Request | None = None


class Said(list[Any]):
    """The turns of an opening as the server writes them; within a text, a line for each."""

    def __init__(self, template: Template, turns: tuple[Turn, ...]) -> None:
        roles = {turn: template.roles.get(turn.role, turn.role) for turn in turns}
        super().__init__(fill(template.turn or TURN, {"role": roles[turn], "text": turn.text}) for turn in turns)
        self._text = "\n".join(f"{roles[turn]}: {turn.text}" for turn in turns)

    def __str__(self) -> str:
        return self._text


class Filled(Struct, frozen=True):
    """A request ready to be sent."""

    url: str
    body: bytes | None
    headers: dict[str, str]


def filled(request: Request, headers: Mapping[str, str], values: Mapping[str, Any]) -> Filled:
    """The request with everything in its place. Only {env:…} may bring a piece of an address, as the user set it."""
    in_url = {
        name: value if name.startswith(ENV) or value is None else quote(str(value), safe="")
        for name, value in values.items()
    }
    url = fill_text(request.url, in_url)
    query = urlencode({name: _plain(value) for name, value in fill(request.query, values).items()})
    url += ("&" if urlsplit(url).query else "?") + query if query else ""
    body, kind = _body(request, values)
    sent = kind | {name: fill_text(value, values) for name, value in (dict(headers) | request.headers).items()}
    return Filled(url, body, sent)


def _body(request: Request, values: Mapping[str, Any]) -> tuple[bytes | None, dict[str, str]]:
    if request.body is None:
        return None, {}
    body = fill(request.body, values)
    if request.sends == "text":
        return str(body).encode("utf-8", "replace"), TEXT
    if request.sends == "json":
        return msgspec.json.encode(body), JSON
    return urlencode({name: _plain(value) for name, value in body.items()}).encode(), FORM


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def requests(template: Template) -> dict[str, Request]:
    """Every request of a file, by the prefix of its settings."""
    found = {"": template, "open.": template.open, "close.": template.close}
    return {where: one for where, one in found.items() if one is not None}


def used_places(template: Template) -> set[str]:
    return places([[one.url, one.headers, one.query, one.body] for one in requests(template).values()])


def check(template: Template, file: str) -> None:
    """What can be known to be wrong before anything is sent."""
    for where, request in requests(template).items():
        _check_address(where, request, file)
        for setting, value in _settings(request):
            if KEYS.search(setting) and isinstance(value, str) and not PLACE.search(value):
                how = "Put it into an environment variable and write {env:NAME}"
                raise InputError(f"{file} holds a key in {where}{setting}. {how}")
        if request.sends == "form" and not isinstance(request.body, dict):
            raise InputError(f'{file}: {where}sends = "form" needs a table [{where}body]')
        if request.sends == "text" and not isinstance(request.body, str):
            raise InputError(f'{file}: {where}sends = "text" needs a text, for example {where}body = "{{question}}"')
    check_places(places(template.turn), ("role", "text"), f"{file}, turn")
    if "question" not in places([template.url, template.headers, template.query, template.body]):
        raise InputError(f"{file} never sends the question: write {{question}} into its body, query or url")
    if "conversation" in used_places(template) and template.open is None:
        raise InputError(f"{file} uses {{conversation}} but has no [open], the request that opens one")


def check_socket(template: Template, socket: bool, file: str) -> None:
    """What only one of the two kinds of address can have."""
    for name in ("done", "quiet", "greets"):
        if getattr(template, name) and not socket:
            raise InputError(f"{file}: {name} is for a WebSocket, and url begins with neither ws:// nor wss://")
    if template.quiet is not None and template.quiet <= 0:
        raise InputError(f"{file}: quiet = {template.quiet:g} should be above 0, in seconds")
    if socket and template.reads not in ("json", "text"):
        raise InputError(f'{file}: a WebSocket sends messages; reads is "json" or "text", not "{template.reads}"')
    if socket and template.sends == "form":
        raise InputError(f'{file}: a WebSocket knows no forms; sends is "json" or "text"')
    if socket and "question" not in places(template.body):
        raise InputError(f"{file}: the message of a WebSocket is its body; write {{question}} into it")
    if template.done and template.reads == "text":
        raise InputError(f'{file}: done = "{template.done}" is a path in JSON, and reads is "text". Use quiet instead')


def _check_address(where: str, request: Request, file: str) -> None:
    known = ("http://", "https://", "{env:") + (() if where else SOCKETS)
    if not request.url.startswith(known) or "@" in urlsplit(request.url).netloc:
        sockets = "" if where else ", ws:// or wss://"
        what = f"should begin with http:// or https://{sockets}, and hold no name or password"
        raise InputError(f"{file}: {where}url = '{request.url}' {what}")


def _settings(request: Request) -> Iterator[tuple[str, Any]]:
    """Everything with a name in a request."""
    yield from request.headers.items()
    yield from request.query.items()
    yield from parse_qsl(urlsplit(request.url).query)
    yield from _named(request.body)


def _named(value: Any) -> Iterator[tuple[str, Any]]:
    for name, inner in value.items() if isinstance(value, dict) else ():
        yield name, inner
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _named(inner)

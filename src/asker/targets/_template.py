"""A request described in a file: its shape, what is checked about it, and how it is filled for one question."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import msgspec
from msgspec import Struct

from asker.errors import InputError
from asker.targets._file import ENV, PLACE, fill, fill_text, places
from asker.targets._http import JSON

FORM = {"Content-Type": "application/x-www-form-urlencoded"}
KEYS = re.compile(r"(^|[-_])(auth\w*|cookie|token|secret|password|key|apikey)$", re.IGNORECASE)


class Request(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One request. Every text in it may hold places like {question}."""

    url: str
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] = "POST"
    headers: dict[str, str] = {}
    query: dict[str, Any] = {}
    body: Any = None
    sends: Literal["json", "form"] = "json"


class Opening(Request, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A request that opens a conversation, whose id is then known as {conversation}."""

    take: str


class Template(Request, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a file for `http:` holds."""

    answer: str = "$"
    name: str = ""
    reads: Literal["json", "text", "events", "lines"] = "json"
    pieces: Literal["add", "replace"] = "add"  # what each event or line does with what was said before
    tokens_in: str = ""
    tokens_out: str = ""
    open: Opening | None = None
    close: Request | None = None


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
    if "question" not in places([template.url, template.headers, template.query, template.body]):
        raise InputError(f"{file} never sends the question: write {{question}} into its body, query or url")
    if "conversation" in used_places(template) and template.open is None:
        raise InputError(f"{file} uses {{conversation}} but has no [open], the request that opens one")


def _check_address(where: str, request: Request, file: str) -> None:
    begins = request.url.startswith(("http://", "https://", "{env:"))
    if not begins or "@" in urlsplit(request.url).netloc:
        what = "should begin with http:// or https://, and hold no name or password"
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

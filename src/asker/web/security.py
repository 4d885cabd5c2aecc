"""Who may come in, and what a request may do. Every request passes the guard before any area sees it.

- Host: only names this server was told to answer to. A page elsewhere that points its own name at 127.0.0.1 is refused.
- Sessions: a signed cookie, HttpOnly and SameSite=Strict. There is nothing to read in it but a name and a number.
- Writing: a token bound to the session (CSRF), and no request that a browser says came from another site.
- Size: a body over the limit is refused before it is read to the end.
"""

from __future__ import annotations

import hmac
import secrets
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import Any
from urllib.parse import parse_qsl, quote

import msgspec
from msgspec import Struct
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "asker"
LASTS = 14 * 24 * 3600  # seconds a session is good for
LIMIT = 1_000_000  # bytes of a body
FIELDS = 2_000  # of a form
SAFE = ("GET", "HEAD", "OPTIONS")
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)


class Session(Struct, frozen=True):
    """What a cookie says."""

    id: str
    until: float
    user: str = ""  # "" where nobody signed in


class Refused(Exception):
    """A request that goes no further: a status and a sentence."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Keeper:
    """Makes and reads session cookies and CSRF tokens. A new password makes the old sessions worthless."""

    def __init__(self, secret: bytes, credentials: bytes = b"") -> None:
        self._key = hmac.digest(secret, b"session" + credentials, "sha256")

    def new(self, user: str = "") -> Session:
        return Session(secrets.token_urlsafe(16), time.time() + LASTS, user)

    def cookie(self, session: Session) -> str:
        payload = urlsafe_b64encode(msgspec.json.encode(session))
        return (payload + b"." + self._sign(payload)).decode()

    def read(self, cookie: str) -> Session | None:
        payload, _, mark = cookie.encode("utf-8", "replace").rpartition(b".")
        if not hmac.compare_digest(mark, self._sign(payload)):
            return None
        session = msgspec.json.decode(urlsafe_b64decode(payload), type=Session)
        return session if session.until > time.time() else None

    def token(self, session: Session) -> str:
        """What a form of this session carries."""
        return self._sign(b"csrf:" + session.id.encode()).decode()

    def holds(self, session: Session, token: str) -> bool:
        return hmac.compare_digest(self.token(session).encode(), token.encode("utf-8", "replace"))

    def _sign(self, content: bytes) -> bytes:
        return urlsafe_b64encode(hmac.digest(self._key, content, "sha256")).rstrip(b"=")


class Guard:
    """The door, as an ASGI middleware: it reads the body of a post once, and hands it on with the parsed form."""

    def __init__(
        self,
        app: Application,
        keeper: Keeper,
        hosts: frozenset[str],
        *,
        login: bool,
        open_paths: tuple[str, ...] = (),
        any_address: bool = False,
    ) -> None:
        self._app, self._keeper, self._hosts = app, keeper, hosts
        self._login, self._open, self._any_address = login, open_paths, any_address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
            self._check_host(headers.get("host", ""))
            session, fresh = self._session(headers)
            if scope["method"] not in SAFE:
                receive = await self._check_post(scope, headers, session, receive)
            answer = self._check_login(scope, session)
        except Refused as refused:
            await _refuse(scope, refused)(scope, receive, _marked(send, None))
            return
        scope.setdefault("state", {})["session"] = session
        cookie = self._set_cookie(session) if fresh else None
        await (answer or self._app)(scope, receive, _marked(send, cookie))

    def _check_host(self, host: str) -> None:
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        name = name.strip("[]").lower()
        if name not in self._hosts and not (self._any_address and _is_address(name)):
            raise Refused(421, "this server does not answer to that name; start it with --allow-host NAME if it should")

    def _session(self, headers: dict[str, str]) -> tuple[Session, bool]:
        """The session of the cookie, or a new one."""
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
            session = self._keeper.read(found.value) if found else None
        except (CookieError, ValueError, msgspec.MsgspecError):
            session = None
        return (session, False) if session else (self._keeper.new(), True)

    async def _check_post(self, scope: Scope, headers: dict[str, str], session: Session, receive: Receive) -> Receive:
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise Refused(403, "this request came from another site")
        body = await _whole_body(headers, receive)
        form = _form(headers, body)
        token = headers.get("x-csrf") or next((value for name, value in form if name == "csrf"), "")
        if not self._keeper.holds(session, token):
            raise Refused(403, "this form is out of date or came from elsewhere; load the page anew and try again")
        scope.setdefault("state", {})["form"] = [(name, value) for name, value in form if name != "csrf"]
        return _replay(body)

    def _check_login(self, scope: Scope, session: Session) -> Response | None:
        path = scope["path"]
        if not self._login or session.user or path in self._open or path.startswith("/static/"):
            return None
        if path.startswith("/api/"):
            raise Refused(401, "sign in first")
        wanted = path + ("?" + scope["query_string"].decode("latin-1") if scope["query_string"] else "")
        return RedirectResponse(f"/login?to={quote(wanted, safe='')}", 303)

    def _set_cookie(self, session: Session) -> bytes:
        return cookie_header(self._keeper.cookie(session))


def cookie_header(value: str, lasts: int = LASTS) -> bytes:
    return f"{COOKIE}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age={lasts}".encode()


def _is_address(name: str) -> bool:
    """An address, not a name: names can be pointed at other machines, addresses cannot."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


async def _whole_body(headers: dict[str, str], receive: Receive) -> bytes:
    announced = headers.get("content-length", "0")
    if not announced.isdigit() or int(announced) > LIMIT:
        raise Refused(413, f"that is too much: at most {LIMIT:,} bytes")
    parts, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refused(400, "the request broke off")
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        more = message.get("more_body", False)
        if size > LIMIT:
            raise Refused(413, f"that is too much: at most {LIMIT:,} bytes")
    return b"".join(parts)


def _form(headers: dict[str, str], body: bytes) -> list[tuple[str, str]]:
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/x-www-form-urlencoded":
        return []
    try:
        return parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=FIELDS)
    except ValueError as error:
        raise Refused(400, "that form cannot be read") from error


def _replay(body: bytes) -> Receive:
    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def _marked(send: Send, cookie: bytes | None) -> Send:
    """Every response carries the headers that keep a browser from being talked into things."""

    async def marked(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            headers = [*message["headers"], *HEADERS]
            given = {name.lower() for name, _ in headers}
            if b"content-security-policy" not in given:
                headers.append((b"content-security-policy", POLICY.encode()))
            if b"cache-control" not in given:
                headers.append((b"cache-control", b"no-store"))
            if cookie and b"set-cookie" not in given:
                headers.append((b"set-cookie", cookie))
            message = {**message, "headers": headers}
        await send(message)

    return marked


def _refuse(scope: Scope, refused: Refused) -> Response:
    if scope["path"].startswith("/api/"):
        return JSONResponse({"error": str(refused)}, refused.status)
    return PlainTextResponse(f"asker: {refused}\n", refused.status)

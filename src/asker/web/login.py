"""Signing in: with a name and its password, or with any name and the server's token."""

from __future__ import annotations

import hmac
import secrets
from base64 import b64decode, b64encode
from hashlib import scrypt, sha256
from math import ceil
from pathlib import Path

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from asker.errors import DataError, InputError
from asker.web.pages import form_of, page, query_of, user_of, went_to
from asker.web.security import cookie_header

COST = {"n": 2**14, "r": 8, "p": 1, "dklen": 32}  # 50 ms and 16 MB a try
NAMES = 60  # characters of a name
SHORTEST = 16  # characters of a token: it is drawn, not thought up


class Door(Struct):
    """What opens: one token for everyone, or a password for each name (their scrypt hashes)."""

    token: str = ""
    users: dict[str, str] = {}

    @property
    def mark(self) -> bytes:
        """Changes whenever a token or password does."""
        return sha256(repr((self.token, sorted(self.users.items()))).encode()).digest()

    def opens(self, user: str, word: str) -> bool:
        if self.token and hmac.compare_digest(sha256(word.encode()).digest(), sha256(self.token.encode()).digest()):
            return True
        known = self.users.get(user)
        # An unknown name takes as long as a wrong password: how long it takes tells nobody who is known.
        return _matches(word, known or NOBODY) and known is not None


def hashed(password: str) -> str:
    salt = secrets.token_bytes(16)
    return f"scrypt${b64encode(salt).decode()}${b64encode(_derive(password, salt)).decode()}"


def _derive(password: str, salt: bytes) -> bytes:
    return scrypt(password.encode(), salt=salt, **COST)


def _matches(password: str, known: str) -> bool:
    _, salt, key = known.split("$")
    return hmac.compare_digest(_derive(password, b64decode(salt)), b64decode(key))


NOBODY = f"scrypt${b64encode(bytes(16)).decode()}${b64encode(bytes(32)).decode()}"


def read_users(file: Path) -> dict[str, str]:
    """Lines `name:scrypt$…`, as `asker serve --hash-password NAME` prints them."""
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {file}: {error}") from error
    found: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, _, known = line.strip().partition(":")
        if not name or known.count("$") != 2 or not known.startswith("scrypt$"):
            raise DataError(file, "should read NAME:scrypt$…, as 'asker serve --hash-password NAME' prints it", number)
        found[name] = known
    return found


def show(request: Request) -> Response:
    to = inside(query_of(request).text("to"))
    return went_to(to) if user_of(request) and request.app.state.door else _form(request, to)


def enter(request: Request) -> Response:
    form, door = form_of(request), request.app.state.door
    to = inside(form.text("to"))
    if door is None:
        return went_to(to)
    user, word = form.text("user", most=1000).strip(), form.text("word", most=1000)
    if not 0 < len(user) <= NAMES or not user.isprintable():
        return _form(request, to, f"Give a name of 1 to {NAMES} characters.", 400)
    whose = (f"from {request.client.host if request.client else ''}", f"name {user}")
    wait = request.app.state.patience.wait(*whose)
    if wait > 0:
        return _form(request, to, f"Too many wrong tries. Try again in {ceil(wait)} seconds.", 429)
    if not door.opens(user, word):
        return _form(request, to, "That name and password do not fit." if door.users else "That is not the token.", 403)
    request.app.state.patience.right(*whose)
    keeper, answer = request.app.state.keeper, went_to(to)
    answer.raw_headers.append((b"set-cookie", cookie_header(keeper.cookie(keeper.new(user)))))
    return answer


def leave(request: Request) -> Response:
    answer = went_to("/")
    answer.raw_headers.append((b"set-cookie", cookie_header("", 0)))
    return answer


def _form(request: Request, to: str, problem: str = "", status: int = 200) -> Response:
    users = bool(request.app.state.door and request.app.state.door.users)
    return page(request, "login.html.j2", status=status, to=to, problem=problem, users=users)


def inside(to: str) -> str:
    """An address of ours to go on to, or the first page: never another site's."""
    return to if to.startswith("/") and not to.startswith(("//", "/\\")) and to.isprintable() else "/"


OPEN = ("/login",)
ROUTES = [
    Route("/login", show),
    Route("/login", enter, methods=["POST"]),
    Route("/logout", leave, methods=["POST"]),
]

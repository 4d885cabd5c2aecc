"""Each person's wishes: whether hurtful text is blurred until asked for, and after how many minutes a break is offered.

One small file a person, in ROOT/.web/care/: read with every page, written whole.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from hashlib import blake2b
from pathlib import Path
from urllib.parse import quote

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from asker.errors import InputError
from asker.files import written_whole
from asker.web.library import Site

NAMES = 60  # characters of a name
HELP = (
    "You can stop at any time; if something distresses you, talk to someone you trust or to a counselling service "
    "where you live."
)
Handler = Callable[[Request], Response]


class Care(Struct, frozen=True):
    """How one person wants to be treated."""

    blur: bool = False
    minutes: int = 30  # after which a break is offered; 0: never


def care_of(site: Site, person: str) -> Care:
    try:
        return msgspec.json.decode(_file(site, person).read_bytes(), type=Care)
    except (OSError, msgspec.DecodeError):
        return Care()


def keep_care(site: Site, person: str, care: Care) -> None:
    file = _file(site, person)
    file.parent.mkdir(exist_ok=True)
    with written_whole(file) as fresh:
        fresh.write_bytes(msgspec.json.encode(care))


def _file(site: Site, person: str) -> Path:
    """A name is never made into a path."""
    return site.own / "care" / f"{blake2b(person.encode('utf-8', 'replace'), digest_size=12).hexdigest()}.json"


def check_name(name: str) -> str:
    if not 0 < len(name) <= NAMES or not name.isprintable():
        raise InputError(f"give a name of 1 to {NAMES} letters")
    return name


def named(handler: Handler) -> Handler:
    """For pages where it matters who someone is: whoever has no name yet is asked for one first."""

    @wraps(handler)
    def asked(request: Request) -> Response:
        if request.state.session.user:
            return handler(request)
        here = request.url.path if request.method in ("GET", "HEAD") else "/"
        return RedirectResponse(f"/you?to={quote(here, safe='')}", 303)

    return asked

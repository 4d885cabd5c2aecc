"""Templates to pages, and what a handler gets from its request."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from asker.errors import InputError
from asker.report.page import environment as report_environment
from asker.web.library import Site
from asker.web.people import HELP, care_of
from asker.web.security import Session

HERE = Path(__file__).parent


class Form:
    """The fields of a form or of an address. A field that does not fit is a sentence, not a traceback."""

    def __init__(self, fields: list[tuple[str, str]]) -> None:
        self._fields = fields

    def many(self, name: str) -> list[str]:
        return [value for one, value in self._fields if one == name]

    def text(self, name: str, default: str = "", most: int = 10_000) -> str:
        value = next(iter(self.many(name)), default)
        if len(value) > most:
            raise InputError(f"the field '{name}' is too long: at most {most:,} characters")
        return value

    def whole(self, name: str, default: int = 0, low: int = 0, high: int = 2**62) -> int:
        value = self.text(name, str(default)).strip() or str(default)
        if not value.lstrip("-").isascii() or not value.lstrip("-").isdigit() or not low <= int(value) <= high:
            raise InputError(f"the field '{name}' should be a whole number from {low:,} to {high:,}")
        return int(value)

    def one_of(self, name: str, allowed: tuple[str, ...], default: str) -> str:
        value = self.text(name) or default
        if value not in allowed:
            raise InputError(f"the field '{name}' should be one of: {', '.join(one for one in allowed if one)}")
        return value

    def named(self) -> dict[str, str]:
        """All fields, the first of each name."""
        return dict(reversed(self._fields))


def site_of(request: Request) -> Site:
    site: Site = request.app.state.site
    return site


def session_of(request: Request) -> Session:
    session: Session = request.state.session
    return session


def user_of(request: Request) -> str:
    """Who is signed in; "" where nobody has to."""
    return session_of(request).user


def form_of(request: Request) -> Form:
    """What was posted."""
    return Form(getattr(request.state, "form", []))


def query_of(request: Request) -> Form:
    """What stands behind the question mark of the address."""
    return Form(list(request.query_params.multi_items()))


def went_to(address: str) -> Response:
    """After a post: see there. Reloading that page sends nothing again."""
    return RedirectResponse(address, 303)


def page(request: Request, template: str, *, status: int = 200, policy: str = "", **values: Any) -> Response:
    """A whole page. `policy` takes the place of the content security policy."""
    token = request.app.state.keeper.token(session_of(request))
    text = (
        environment()
        .get_template(template)
        .render(
            csrf=lambda: Markup('<input type="hidden" name="csrf" value="{}">').format(token),
            csrf_token=token,
            user=user_of(request),
            nav=request.app.state.nav,
            door=request.app.state.door is not None,
            path=request.url.path,
            care=care_of(site_of(request), user_of(request)),
            help_line=site_of(request).help_line or HELP,
            **values,
        )
    )
    return HTMLResponse(text, status, headers={"Content-Security-Policy": policy} if policy else None)


@cache
def environment() -> Environment:
    """Ours and the report's templates."""
    made = report_environment(HERE / "templates")
    made.globals["static"] = _static
    return made


@cache
def _static(name: str) -> str:
    """The address of a file in static/, with a mark of its content: it may be kept for ever."""
    from asker.web.app import static_file

    return f"/static/{name}?{sha256(static_file(name)).hexdigest()[:12]}"

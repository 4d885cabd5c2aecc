"""The application: every area's addresses behind one guard."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from asker import __version__
from asker.errors import AskerError
from asker.report.page import arrows, style_sheet
from asker.web.library import Library, NoSuchRun, Site, own_folder, secret_of
from asker.web.login import Door
from asker.web.pages import HERE, page
from asker.web.patience import Patience
from asker.web.security import Guard, Keeper

AREAS = (  # in the order of the line at the top
    "runs",
    "report",
    "evidence",
    "starting",
    "comparing",
    "annotate",
    "hand",
    "validate",
    "you",
    "login",
)
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
TYPES = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml"}


def create(
    root: Path,
    *,
    door: Door | None = None,
    hosts: Iterable[str] = (),
    any_address: bool = False,
    allow_programs: bool = False,
    hidden: tuple[str, ...] = (),
    help_line: str = "",
) -> Starlette:
    """The whole server over one folder of runs. Without a door nobody has to sign in: for loopback only."""
    areas = [import_module(f"asker.web.{name}") for name in AREAS]
    own = own_folder(root)
    keeper = Keeper(secret_of(own), door.mark if door else b"")
    guard = Middleware(
        Guard,
        keeper=keeper,
        hosts=LOOPBACK | {host.lower() for host in hosts},
        login=door is not None,
        open_paths=tuple(path for area in areas for path in getattr(area, "OPEN", ())),
        any_address=any_address,
    )
    routes = [*(route for area in areas for route in area.ROUTES), Route("/static/{name}", _static)]
    app = Starlette(
        routes=[*routes, Route("/api/openapi.json", _describe)],
        middleware=[guard],
        exception_handlers={AskerError: _said, HTTPException: _said, Exception: _broken},
    )
    app.state.site = Site(Library(root), own, allow_programs, hidden, help_line)
    app.state.keeper, app.state.door, app.state.patience = keeper, door, Patience(own / "door.sqlite")
    app.state.nav = [area.NAV for area in areas if hasattr(area, "NAV")]
    app.state.schema = _schema(areas)
    return app


# --- static files ----------------------------------------------------------------------------------------------------

THEIRS = {"report.css": style_sheet, "arrows.js": arrows}


@cache
def static_file(name: str) -> bytes:
    """A file of static/; report.css and arrows.js are the report's own."""
    if name in THEIRS:
        return THEIRS[name]().encode()
    known = {file.name: file for file in (HERE / "static").iterdir()}
    return known[name].read_bytes()


def _static(request: Request) -> Response:
    name = request.path_params["name"]
    try:
        content = static_file(name)
    except KeyError:
        raise HTTPException(404) from None
    kind = TYPES.get(name.rpartition(".")[2], "application/octet-stream")
    return Response(content, media_type=kind, headers={"Cache-Control": "public, max-age=31536000, immutable"})


# --- errors ----------------------------------------------------------------------------------------------------------


def _said(request: Request, error: Exception) -> Response:
    """What a person can act on: its sentence."""
    if isinstance(error, HTTPException):
        status = error.status_code
        words = "there is nothing at this address" if status == 404 else error.detail
    else:
        status, words = 404 if isinstance(error, NoSuchRun) else 400, str(error)
    headers = getattr(error, "headers", None)
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": words}, status, headers)
    answer = page(request, "error.html.j2", status=status, words=words)
    answer.headers.update(headers or {})
    return answer


def _broken(request: Request, error: Exception) -> Response:
    """A fault of ours: the server's log has it; the page says no more than that."""
    words = "something went wrong in the server; its log says what"
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": words}, 500)
    return Response(f"asker: {words}\n", 500, media_type="text/plain")


# --- the description of the JSON routes ---------------------------------------------------------------------------


def _schema(areas: list[ModuleType]) -> dict[str, Any]:
    paths: dict[str, Any] = {}
    for area in areas:
        paths |= getattr(area, "SCHEMA", {})
    return {"openapi": "3.1.0", "info": {"title": "asker", "version": __version__}, "paths": paths}


def _describe(request: Request) -> Response:
    return JSONResponse(request.app.state.schema)

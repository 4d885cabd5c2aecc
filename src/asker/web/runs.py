"""The list of runs, and how far each is."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any
from urllib.parse import quote

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from asker.errors import AskerError
from asker.folder import Run, preset_of
from asker.progress import duration
from asker.report.facts import readable
from asker.run import bot_name, repeat_command
from asker.web.library import Site
from asker.web.measuring import stamp_of
from asker.web.pages import page, query_of, site_of, went_to
from asker.web.processes import alive, log_of, running, started

EACH = 50  # runs on a page of the list
SPAN = 60.0  # seconds a rate is taken over


class Progress(Struct, frozen=True):
    """How far a run is. What is not known is None."""

    run: str
    chatbot: str
    about: str
    created: str
    state: str  # asking, judging, stopped, complete
    planned: int
    answered: int
    failed: int
    judged: int
    rate: float | None  # answers a second
    seconds_left: float | None
    by_hand: bool = False  # people ask it

    @property
    def share(self) -> float:
        return (self.answered + self.failed) / self.planned if self.planned else 0.0

    @property
    def left(self) -> str:
        return duration(self.seconds_left) if self.seconds_left is not None else "–"

    @property
    def when(self) -> str:
        try:
            return f"{datetime.fromisoformat(self.created):%d %B %Y, %H:%M}".lstrip("0")
        except ValueError:
            return self.created


def progress_of(site: Site, name: str, run: Run) -> Progress:
    answered, failed, judged = (int(one) for one in stamp_of(run)[:3])
    planned = run.file.plan.get("total", 0) * run.file.settings.samples
    at_work = running(site, name)
    rate, asking = run.store.pace(time.time(), SPAN) if at_work else (0.0, False)
    waiting = max(0, planned - answered - failed)
    left = waiting / rate if at_work and asking and rate and waiting else None
    settings = run.settings
    about = " · ".join(part for part in (settings.suite, preset_of(settings), settings.mode) if part)
    state = ("asking" if asking else "judging") if at_work else "complete" if not waiting else "stopped"
    known = bool(at_work and asking)
    return Progress(
        name, bot_name(run), about, run.file.created, state, planned, answered, failed, judged,
        round(rate, 2) if known else None, round(left, 1) if left is not None else None, by_hand(run),
    )  # fmt: skip


def listed(site: Site, first: int = 0, most: int = EACH) -> list[Progress | tuple[str, str]]:
    """Runs, the newest first; one that cannot be read is its name and the reason."""
    found: list[Progress | tuple[str, str]] = []
    for name in newest(site)[first : first + most]:
        try:
            with site.library.lent(name) as run:
                found.append(progress_of(site, name, run))
        except AskerError as error:
            found.append((name, str(error)))
    return found


def newest(site: Site) -> list[str]:
    root = site.library.root
    return sorted(site.library.names(), key=lambda name: -(root / name / "run.json").stat().st_mtime)


def first_page(request: Request) -> Response:
    return went_to("/runs")


def show(request: Request) -> Response:
    site, first = site_of(request), query_of(request).whole("from", 0, 0, 10**9)
    total = len(site.library.names())
    found = listed(site, first)
    runs = [one for one in found if isinstance(one, Progress)]
    broken = [one for one in found if not isinstance(one, Progress)]
    onward = first + EACH if first + EACH < total else 0
    return page(request, "runs.html.j2", runs=runs, broken=broken, total=total, onward=onward, path_of=path_of)


def one(request: Request) -> Response:
    name, site = request.path_params["run"], site_of(request)
    with site.library.lent(name) as run:
        ours = started(site, name)
        return page(
            request,
            "progress.html.j2",
            run=name,
            now=progress_of(site, name, run),
            failures=run.store.failures()[:8],
            command=repeat_command(run.file.settings),
            base=path_of(name),
            stoppable=ours is not None and alive(ours),
            log=log_of(site, name),
            target=[(field, readable(value)) for field, value in run.file.target.items()],
            judge=run.judge_name,
            by_hand=by_hand(run),
        )


def by_hand(run: Run) -> bool:
    """People ask its questions; it has a page for that."""
    return run.file.target.get("kind") == "manual"


def path_of(name: str) -> str:
    return f"/runs/{quote(name, safe='')}"


# --- JSON ------------------------------------------------------------------------------------------------------------


def all_plain(request: Request) -> Response:
    site, query = site_of(request), query_of(request)
    found = listed(site, query.whole("from", 0, 0, 10**9), query.whole("n", EACH, 1, 200))
    return JSONResponse({"total": len(site.library.names()), "runs": [plain(one) for one in found if _whole(one)]})


def one_plain(request: Request) -> Response:
    name, site = request.path_params["run"], site_of(request)
    with site.library.lent(name) as run:
        return JSONResponse(plain(progress_of(site, name, run)))


def _whole(one: Progress | tuple[str, str]) -> bool:
    return isinstance(one, Progress)


def plain(one: Any) -> dict[str, Any]:
    return {field: getattr(one, field) for field in Progress.__struct_fields__} | {"left": one.left}


RUN_NAME = {"name": "run", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
NUMBER = {"type": ["number", "null"]}
PROGRESS = {
    "type": "object",
    "properties": {
        **{field: {"type": "string"} for field in ("run", "chatbot", "about", "created", "left")},
        "state": {"enum": ["asking", "judging", "stopped", "complete"]},
        **{field: {"type": "integer"} for field in ("planned", "answered", "failed", "judged")},
        "by_hand": {"type": "boolean"},
        "rate": NUMBER,
        "seconds_left": NUMBER,
    },
    "required": [*Progress.__struct_fields__, "left"],
}


def _answer(schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": "found", "content": {"application/json": {"schema": schema}}}


def _number(name: str, low: int, high: int) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": {"type": "integer", "minimum": low, "maximum": high}}


_ERROR = _answer({"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]})
_RUNS = {
    "type": "object",
    "properties": {"total": {"type": "integer"}, "runs": {"type": "array", "items": PROGRESS}},
    "required": ["total", "runs"],
}
SCHEMA = {
    "/api/runs": {
        "get": {
            "summary": "Runs, the newest first",
            "parameters": [_number("from", 0, 10**9), _number("n", 1, 200)],
            "responses": {"200": _answer(_RUNS), "400": _ERROR},
        }
    },
    "/api/runs/{run}": {
        "get": {
            "summary": "How far a run is",
            "parameters": [
                {"name": "run", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
            ],
            "responses": {"200": _answer(PROGRESS), "404": _ERROR},
        }
    },
}
NAV = ("Runs", "/runs")
ROUTES = [
    Route("/", first_page),
    Route("/runs", show),
    Route("/runs/{run}", one),
    Route("/api/runs", all_plain),
    Route("/api/runs/{run}", one_plain),
]

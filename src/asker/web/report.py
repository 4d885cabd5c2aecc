"""The report of a run: the figures of its page, each cell leading to all of its answers."""

from __future__ import annotations

import time
from urllib.parse import quote

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from asker.folder import suite_of
from asker.progress import duration
from asker.web.measuring import Measured, measure, measured, stamp_of
from asker.web.pages import page, site_of, went_to
from asker.web.security import DRAWN


def show(request: Request) -> Response:
    name, site = request.path_params["run"], site_of(request)
    with site.library.lent(name) as run:
        sensitive = suite_of(run.settings).SENSITIVE
        stamp = stamp_of(run)
    found = measured(site, "report", (name,))
    stale = found is None or (found.stamp != stamp and not found.error)
    working = measure(site, "report", (name,)) if stale else False
    return page(
        request,
        "report.html.j2",
        policy=DRAWN,
        sensitive=sensitive,
        run=name,
        found=found,
        part=Markup(found.part) if found else "",
        ago=ago(found),
        stale=stale,
        working=working,
    )


def again(request: Request) -> Response:
    name, site = request.path_params["run"], site_of(request)
    site.library.folder(name)
    measure(site, "report", (name,))
    return went_to(f"/runs/{quote(name, safe='')}/report")


def ago(found: Measured | None) -> str:
    return duration(max(0.0, time.time() - found.at)) if found else ""


ROUTES = [Route("/runs/{run}/report", show), Route("/runs/{run}/report", again, methods=["POST"])]

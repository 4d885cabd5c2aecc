"""The report of a run: the figures of its page, each cell leading to all of its answers."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from asker.folder import suite_of
from asker.web.measuring import blind_stamp, latest, measure, stamp_of
from asker.web.pages import page, site_of, went_to
from asker.web.runs import by_hand, path_of


def show(request: Request) -> Response:
    name, site = request.path_params["run"], site_of(request)
    with site.library.lent(name) as run:
        sensitive, manual = suite_of(run.settings).SENSITIVE, by_hand(run)
        stamp, blind = stamp_of(run), [blind_stamp(run)]
    values = latest(site, "report", (name,), stamp, blind)
    return page(request, "report.html.j2", sensitive=sensitive, run=name, manual=manual, **values)


def again(request: Request) -> Response:
    name, site = request.path_params["run"], site_of(request)
    site.library.folder(name)
    measure(site, "report", (name,))
    return went_to(f"{path_of(name)}/report")


ROUTES = [Route("/runs/{run}/report", show), Route("/runs/{run}/report", again, methods=["POST"])]

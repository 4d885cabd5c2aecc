"""The list of runs."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from asker.web.pages import page, site_of, went_to


def first(request: Request) -> Response:
    return went_to("/runs")


def show(request: Request) -> Response:
    return page(request, "runs.html.j2", runs=sorted(site_of(request).library.names()))


NAV = ("Runs", "/runs")
ROUTES = [Route("/", first), Route("/runs", show)]

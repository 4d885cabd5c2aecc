"""Runs compared: two question by question, several side by side."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from asker.errors import InputError
from asker.web.measuring import blind_stamp, latest, shown, stamp_of
from asker.web.pages import page, query_of, site_of
from asker.web.runs import newest

MOST = 8  # runs in one comparison
OFFERED = 100


def show(request: Request) -> Response:
    site = site_of(request)
    names = tuple(dict.fromkeys(query_of(request).many("run")))
    if len(names) > MOST:
        raise InputError(f"that are too many runs to compare: at most {MOST}")
    values = shown(None)
    if len(names) > 1:
        stamp, blind = [], []
        for name in names:
            with site.library.lent(name) as run:
                stamp += stamp_of(run)
                blind.append(blind_stamp(run))
        values = latest(site, "compare", names, stamp, blind)
    return page(
        request,
        "compare.html.j2",
        sensitive=len(names) > 1,
        all=newest(site)[:OFFERED],
        names=names,
        **values,
    )


NAV = ("Compare", "/compare")
ROUTES = [Route("/compare", show)]

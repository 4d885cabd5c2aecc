"""Who you are here, and how you want to be treated: blurred text, breaks."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from asker.web.login import inside
from asker.web.pages import form_of, page, query_of, site_of, user_of, went_to
from asker.web.people import Care, check_name, keep_care
from asker.web.security import cookie_header


def show(request: Request) -> Response:
    signed = request.app.state.door is not None
    return page(request, "you.html.j2", to=inside(query_of(request).text("to")), signed=signed)


def keep(request: Request) -> Response:
    form, site = form_of(request), site_of(request)
    to, person = inside(form.text("to")), user_of(request)
    care = Care(form.text("blur") == "yes", form.whole("minutes", 30, 0, 600))
    answer = went_to(to if to != "/" else "/you")
    if request.app.state.door is None:  # else the name is the one that was signed in with
        person = check_name(form.text("name", most=1000).strip())
        keeper = request.app.state.keeper
        if person != user_of(request):
            answer.raw_headers.append((b"set-cookie", cookie_header(keeper.cookie(keeper.new(person)))))
    keep_care(site, person, care)
    return answer


NAV = ("You", "/you")
ROUTES = [Route("/you", show), Route("/you", keep, methods=["POST"])]

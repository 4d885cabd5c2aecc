"""Ask by hand: one question at a time of a run without an API; any number of people at once."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from asker.errors import InputError
from asker.folder import suite_of
from asker.labelling import asking, correcting
from asker.labelling.lending import MINUTES
from asker.manual.sheet import LONGEST
from asker.run import bot_name
from asker.web.pages import form_of, page, query_of, site_of, user_of, went_to
from asker.web.people import named
from asker.web.processes import start
from asker.web.runs import RUN_NAME, path_of

SAID = {
    "taken": "Saved.",
    "repeat": "Saved; the same answer was there already.",
    "conflict": "Someone else has answered that meanwhile. Theirs was first and stays; yours is kept beside it.",
    "waiting": "Saved. It goes into the run as soon as the process that is writing to it is done.",
    "skipped": "Skipped. Someone else may ask it.",
    "corrected": "Corrected. What stood there before is kept, and the answer is judged anew.",
    "uncorrected": "Not corrected: the answer was changed meanwhile, or people were drawn to label it. It stays "
    "as it is; your text is kept beside it.",
    "unchanged": "It stays as it was.",
    "": "",
}


@named
def show(request: Request) -> Response:
    name = request.path_params["run"]
    became = query_of(request).one_of("became", tuple(SAID), "")
    with site_of(request).library.lent(name) as run, asking.desk(run) as db:
        return page(
            request,
            "ask.html.j2",
            sensitive=suite_of(run.settings).SENSITIVE,
            run=name,
            base=path_of(name),
            who=bot_name(run),
            ask=asking.next_question(run, db, user_of(request)),
            now=asking.progress(run, db),
            mine=asking.by(db, user_of(request)),
            before=correcting.one_before(db, user_of(request)),
            said=SAID[became],
            became=became,
            minutes=MINUTES,
        )


@named
def again(request: Request) -> Response:
    """An answer of one's own, to be put right."""
    name, person, id = request.path_params["run"], user_of(request), request.path_params["given"]
    with site_of(request).library.lent(name) as run, asking.desk(run) as db:
        given = correcting.own(db, id, person)
        return page(
            request,
            "correct.html.j2",
            sensitive=suite_of(run.settings).SENSITIVE,
            run=name,
            base=path_of(name),
            given=given,
            question=correcting.question_of(run, given),
            older=correcting.history(db, given.key, given.sample),
            before=correcting.one_before(db, person, id),
        )


@named
def correct(request: Request) -> Response:
    name, form, id = request.path_params["run"], form_of(request), request.path_params["given"]
    with site_of(request).library.lent(name) as run, asking.desk(run) as db:
        if form.one_of("do", ("save", "undo"), "save") == "undo":
            became = correcting.undo(run, db, user_of(request), id)
        else:
            text = form.text("answer", most=LONGEST).replace("\r\n", "\n")
            became = correcting.correct(run, db, user_of(request), id, text)
    said = {"taken": "corrected", "repeat": "unchanged", "conflict": "uncorrected"}.get(became, became)
    return went_to(f"{path_of(name)}/ask?became={said}")


@named
def keep(request: Request) -> Response:
    name, form, person = request.path_params["run"], form_of(request), user_of(request)
    key, sample = form.text("key", most=100), form.whole("sample", 0, 0, 10**6)
    with site_of(request).library.lent(name) as run, asking.desk(run) as db:
        if form.one_of("do", ("save", "skip", "stop"), "save") == "stop":
            asking.leave(db, person)
            return went_to(path_of(name))
        if form.text("do") == "skip":
            asking.skip(db, person, key, sample)
            return went_to(f"{path_of(name)}/ask?became=skipped")
        became = asking.give(run, db, person, key, sample, form.text("answer", most=LONGEST).replace("\r\n", "\n"))
    if became not in SAID:
        raise InputError("this run does not ask that question; load the page anew")
    return went_to(f"{path_of(name)}/ask?became={became}")


def read(request: Request) -> Response:
    """Judge what is there; the run's page shows how far it is."""
    name, site = request.path_params["run"], site_of(request)
    with site.library.lent(name) as run, asking.desk(run) as db:
        asking.settle(run, db)
    start(site, name, ["judge", str(site.library.folder(name))])
    return went_to(path_of(name))


def how_far(request: Request) -> Response:
    with site_of(request).library.lent(request.path_params["run"]) as run, asking.desk(run) as db:
        return JSONResponse(msgspec.to_builtins(asking.progress(run, db)))


def answer(schema: dict[str, Any]) -> dict[str, Any]:
    return {"description": "found", "content": {"application/json": {"schema": schema}}}


ERROR = answer({"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]})
_FIELDS = asking.Progress.__struct_fields__
_PROGRESS = {
    "type": "object",
    "properties": {field: {"type": "integer", "minimum": 0} for field in _FIELDS},
    "required": list(_FIELDS),
}
SCHEMA = {
    "/api/runs/{run}/ask": {
        "get": {
            "summary": "How far a run is that is asked by hand",
            "parameters": [RUN_NAME],
            "responses": {"200": answer(_PROGRESS), "400": ERROR, "404": ERROR},
        }
    }
}
ROUTES = [
    Route("/runs/{run}/ask", show),
    Route("/runs/{run}/ask", keep, methods=["POST"]),
    Route("/runs/{run}/ask/{given:int}", again),
    Route("/runs/{run}/ask/{given:int}", correct, methods=["POST"]),
    Route("/runs/{run}/judge", read, methods=["POST"]),
    Route("/api/runs/{run}/ask", how_far),
]

"""Validate a judge: a sample of answers, two people who label apart, and what their labels say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from asker.errors import InputError
from asker.folder import Run, suite_of
from asker.judging import open_judge
from asker.labelling import sampling, validation
from asker.labelling.database import FILE, RUN, Database, opened
from asker.labelling.validation import Label
from asker.labelling.verified import Verified, error_file, labelled_lines, rows_of, verify
from asker.report.verdicts import words
from asker.run import bot_name
from asker.types import LABELS, Question
from asker.web.hand import ERROR, answer
from asker.web.pages import Form, form_of, page, query_of, site_of, user_of, went_to
from asker.web.people import named
from asker.web.runs import RUN_NAME, by_hand, path_of

UNREADABLE = "unreadable"
SIZE, SEED = 200, 1


@contextmanager
def opened_run(request: Request) -> Iterator[tuple[Run, Database, str]]:
    """The run of the address, its people's work, and the address itself."""
    name = request.path_params["run"]
    with site_of(request).library.lent(name) as run, opened(run.folder / FILE, RUN) as db:
        yield run, db, f"{path_of(name)}/validate"


@named
def show(request: Request) -> Response:
    """Samples of this run, and how wide the intervals of another would be."""
    query = query_of(request)
    size = query.whole("size", SIZE, sampling.LEAST, sampling.MOST)
    with opened_run(request) as (run, db, base):
        there = sampling.verdicts(run, run.judge_name)
        return page(
            request,
            "validate.html.j2",
            run=run.folder.name,
            base=base,
            judge=run.judge_name,
            manual=by_hand(run),
            samples=validation.listed(db),
            verdicts=sorted(there.items(), key=lambda one: -one[1]),
            size=min(size, sum(there.values())) if there else size,
            seed=query.whole("seed", SEED),
            most=sampling.MOST,
            least=sampling.LEAST,
            widths=sampling.expected(there, size) if there else {},
        )


@named
def draw(request: Request) -> Response:
    form = form_of(request)
    size, seed = form.whole("size", SIZE, sampling.LEAST, sampling.MOST), form.whole("seed", SEED)
    with opened_run(request) as (run, db, base):
        strata, drawn = sampling.draw(run, run.judge_name, size, seed)
        version = open_judge(run.judge_name).version
        id = validation.keep(db, run.judge_name, version, seed, user_of(request), strata, drawn)
    return went_to(f"{base}/{id}")


@named
def one(request: Request) -> Response:
    """How far a sample is, and once it is settled what its labels say."""
    id = request.path_params["sample"]
    with opened_run(request) as (run, db, base):
        now = validation.state(db, id)
        return page(
            request,
            "sample.html.j2",
            run=run.folder.name,
            base=f"{base}/{id}",
            manual=by_hand(run),
            now=now,
            mine=now.seat(user_of(request)),
            seats=validation.SEATS,
            strata=validation.strata(db, id),
            found=_verified(run, db, now) if now.phase == "settled" else None,
        )


_KNOWN: dict[tuple[object, ...], Verified] = {}


def _verified(run: Run, db: Database, now: validation.State) -> Verified:
    """Settled labels no longer change: what they say is worked out once."""
    key = (str(run.folder), run.file.identity, now.id, now.made_at)
    if key not in _KNOWN:
        if len(_KNOWN) > 100:
            _KNOWN.clear()
        _KNOWN[key] = verify(run, db, now.id)
    return _KNOWN[key]


@named
def move(request: Request) -> Response:
    """Take a seat, leave it, say that one is done, or give the sample up."""
    id, person = request.path_params["sample"], user_of(request)
    steps = {"sit": validation.sit_down, "leave": validation.stand_up, "done": validation.finish,
             "give up": validation.give_up}  # fmt: skip
    form = form_of(request)
    what = form.one_of("do", tuple(steps), "sit")
    if what == "give up" and form.text("sure", most=10) != "yes":
        raise InputError("tick the box first: giving a sample up ends it for everyone")
    with opened_run(request) as (_, db, base):
        steps[what](db, id, person)
    return went_to(f"{base}/{id}" + ("/label" if what == "sit" else ""))


# --- labelling -------------------------------------------------------------------------------------------------------


@named
def read(request: Request) -> Response:
    """An answer for this person to label: the next, or one of theirs again. Nothing on the page tells the verdict."""
    id, person = request.path_params["sample"], user_of(request)
    again = query_of(request).whole("item", -1, -1)
    with opened_run(request) as (run, db, base):
        now = validation.state(db, id)
        seat = now.seat(person)
        if now.phase != "open" or seat is None or seat.done:
            return went_to(f"{base}/{id}")
        number = again if again >= 0 else validation.next_number(db, id, person)
        if number is None:
            return went_to(f"{base}/{id}")
        values = {"now": now, "done": seat.labelled, "given": validation.own(db, id, number, person), "both": ()}
        before = validation.one_before(db, id, person, number if again >= 0 else None)
        return _item_page(request, run, db, f"{base}/{id}", number, before=before, **values)


@named
def label(request: Request) -> Response:
    return _kept(request, validation.label, "label")


@named
def look(request: Request) -> Response:
    """A difference to resolve, with what both said; the judge's verdict still is not shown."""
    id = request.path_params["sample"]
    with opened_run(request) as (run, db, base):
        now = validation.state(db, id)
        number = validation.to_resolve(db, id)
        if number is None:
            return went_to(f"{base}/{id}")
        values = {"now": now, "done": now.resolved, "given": None, "both": validation.both(db, id, number)}
        return _item_page(request, run, db, f"{base}/{id}", number, before=None, **values)


@named
def resolve(request: Request) -> Response:
    return _kept(request, validation.resolve, "resolve")


def _kept(request: Request, keep: Callable[..., None], then: str) -> Response:
    """What the form says of an answer, and on to the next."""
    id, person, form = request.path_params["sample"], user_of(request), form_of(request)
    number = form.whole("number")
    with opened_run(request) as (run, db, base):
        question = run.plan.question(validation.drawn_at(db, id, number).question)
        keep(db, id, number, person, question.kind, _label(form))
    return went_to(f"{base}/{id}/{then}")


def _item_page(request: Request, run: Run, db: Database, base: str, number: int, **values: Any) -> Response:
    drawn = validation.drawn_at(db, values["now"].id, number)
    question: Question = run.plan.question(drawn.question)
    text = next((each.text for each in run.store.answers([drawn.question]) if each.sample == drawn.sample), None)
    return page(
        request,
        "label.html.j2",
        sensitive=suite_of(run.settings).SENSITIVE,
        run=run.folder.name,
        base=base,
        number=number,
        question=question,
        answer=text or "",
        options=_options(question),
        said=_said(question),
        **values,
    )


def _options(question: Question) -> list[tuple[str, str, str]]:
    """Key, label and words of everything one may say."""
    labels = tuple(option.label for option in question.options) or LABELS[question.kind]
    known = [*(one for one in LABELS[question.kind] if one in labels or one == "neutral"), UNREADABLE]
    return [(str(place), one, _said(question)[one]) for place, one in enumerate(known, 1)]


def _said(question: Question) -> dict[str, str]:
    names = {option.label: option.names for option in question.options}
    found = {UNREADABLE: "cannot be read as any of these"}
    for one in LABELS[question.kind]:
        named = names.get(one, ())
        found[one] = str(words()["verdict"].get(one, one)).format(named[0] if named else "one of them")
    return found


def _label(form: Form) -> Label:
    given = form.text("label", most=100)
    if not given:
        raise InputError("choose a label")
    flags = (form.text(name, most=10) == "yes" for name in ("refused", "hedged"))
    return Label(None if given == UNREADABLE else given, *flags)


# --- files and JSON --------------------------------------------------------------------------------------------------


@named
def lines(request: Request) -> Response:
    id = request.path_params["sample"]
    with opened_run(request) as (run, db, _):
        content = labelled_lines(rows_of(run, db, id), bot_name(run))
        return download(content, f"labelled-{id}.jsonl", "application/x-ndjson")


@named
def error(request: Request) -> Response:
    id = request.path_params["sample"]
    with opened_run(request) as (run, db, _):
        found = error_file(db, id, rows_of(run, db, id), run.folder.name)
        content = msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n"
        return download(content, f"error-{id}.json", "application/json")


def download(content: bytes, name: str, kind: str) -> Response:
    return Response(content, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def plain(request: Request) -> Response:
    id = request.path_params["sample"]
    with opened_run(request) as (run, db, _):
        now = validation.state(db, id)
        found = msgspec.to_builtins(_verified(run, db, now)) if now.phase == "settled" else None
        return JSONResponse({**msgspec.to_builtins(now), "result": found})


_STATE = {
    "type": "object",
    "properties": {
        **{field: {"type": "integer"} for field in ("id", "seed", "size", "resolved")},
        **{field: {"type": "string"} for field in ("judge", "version", "made_by")},
        "phase": {"enum": ["open", "resolving", "settled", "given up"]},
        "differences": {"type": ["integer", "null"]},
        "seats": {"type": "array", "items": {"type": "object"}},
        "result": {"type": ["object", "null"]},
    },
    "required": [*validation.State.__struct_fields__, "result"],
}
SAMPLE = {"name": "sample", "in": "path", "required": True,
          "schema": {"type": "integer", "minimum": 1, "maximum": 10**9}}  # fmt: skip
SCHEMA = {
    "/api/runs/{run}/validate/{sample}": {
        "get": {
            "summary": "How far the labelling of a sample is, and once it is settled what it says of the judge",
            "parameters": [RUN_NAME, SAMPLE],
            "responses": {"200": answer(_STATE), "400": ERROR, "404": ERROR},
        }
    }
}
_AT = "/runs/{run}/validate"
ROUTES = [
    Route(_AT, show),
    Route(_AT, draw, methods=["POST"]),
    Route(_AT + "/{sample:int}", one),
    Route(_AT + "/{sample:int}", move, methods=["POST"]),
    Route(_AT + "/{sample:int}/label", read),
    Route(_AT + "/{sample:int}/label", label, methods=["POST"]),
    Route(_AT + "/{sample:int}/resolve", look),
    Route(_AT + "/{sample:int}/resolve", resolve, methods=["POST"]),
    Route(_AT + "/{sample:int}/labelled.jsonl", lines),
    Route(_AT + "/{sample:int}/error.json", error),
    Route("/api" + _AT + "/{sample:int}", plain),
]

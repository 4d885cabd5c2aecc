"""Every answer of a run to be read: filtered, searched, sorted, each view under an address of its own."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from asker.finding import FAILED, UNREADABLE
from asker.folder import Run, suite_of
from asker.labelling import asking, correcting
from asker.labelling.blind import Blind, veiled
from asker.manual.sheet import NOTICE
from asker.types import Record
from asker.web.browsing import SIZE, Found, browse, facets_of, key_text, records, tells
from asker.web.kept import Kept, blind_of, version_of
from asker.web.pages import environment, page, query_of, site_of
from asker.web.runs import RUN_NAME, by_hand
from asker.web.views import (
    ANY,
    ORDERS,
    WORDS,
    View,
    address_of,
    facts_of,
    labels_of,
    options,
    shown,
    side,
    view_of,
)

MOST = 60  # values of a facet that are offered as a list; of more, one is typed

_kept: Kept[Markup] = Kept()


def show(request: Request) -> Response:
    name, query = request.path_params["run"], query_of(request)
    with site_of(request).library.lent(name) as run:
        view = view_of(run, query)
        return page(
            request,
            "answers.html.j2",
            sensitive=suite_of(run.settings).SENSITIVE,
            run=name,
            manual=by_hand(run),
            view=view,
            listed=listed(run, name, view),
            facets=facets_of(run),
            labels=labels_of(run),
            orders=ORDERS,
            most=MOST,
            options=options,
        )


def listed(run: Run, name: str, view: View) -> Markup:
    """The records of a view. They are the same for every reader, and kept until something of the run changes."""
    version = version_of(run)
    key = (version, str(run.folder), view.wish, tuple(sorted(view.wanted.items())), view.after)
    known = _kept.get(key) if version else None
    if known is not None:
        return known
    blind, base = blind_of(run), address_of(name)
    found = browse(run, view.wish, view.wanted, view.after, blind=blind)
    text = environment().get_template("records.html.j2").render(
        view=view,
        records=[shown(name, record, blind) for record in records(run, run.judge_name, found.keys)],
        found=found,
        blind=len(blind),
        told=tells(view.wish),
        onward=view.address(base, found.after) if found.after else "",
        beginning=view.address(base),
    )  # fmt: skip
    if version and not found.tired:  # a tired view would find more the next time
        _kept.put(key, Markup(text))
    return Markup(text)


def one(request: Request) -> Response:
    """One record alone, with all that is known of it."""
    name, question, sample = (request.path_params[part] for part in ("run", "question", "sample"))
    with site_of(request).library.lent(name) as run:
        if not 0 <= question < run.plan.whole:
            raise HTTPException(404)
        there = records(run, run.judge_name, [(0.0, question, one) for one in range(run.settings.samples)])
        record = next((each for each in there if each.answer.sample == sample), None)
        if record is None:
            raise HTTPException(404)
        blind = blind_of(run)
        others = [shown(name, each, blind) for each in there if each.answer.sample != sample]
        return page(
            request,
            "record.html.j2",
            sensitive=suite_of(run.settings).SENSITIVE,
            run=name,
            manual=by_hand(run),
            side=side(record, blind),
            facts=facts_of(record, blind),
            judge=run.judge_name,
            others=others[:20],
            older=_older(run, record) if by_hand(run) else [],
        )


def _older(run: Run, record: Record) -> list[tuple[str, str]]:
    """What stood as this answer before someone corrected it, and who had pasted it."""
    with asking.desk(run) as db:
        found = correcting.history(db, record.answer.key, record.answer.sample)
    return [(one.person, one.answer) for one in found]


# --- JSON ------------------------------------------------------------------------------------------------------------


def plain(request: Request) -> Response:
    name, query = request.path_params["run"], query_of(request)
    with site_of(request).library.lent(name) as run:
        view, size, blind = view_of(run, query), query.whole("n", SIZE, 1, 200), blind_of(run)
        found = browse(run, view.wish, view.wanted, view.after, size, blind)
        read = [_plain(record, blind) for record in records(run, run.judge_name, found.keys)]
        notice = NOTICE if suite_of(run.settings).SENSITIVE else ""
    return JSONResponse({"notice": notice, "records": read, **_onward(found)})


def _onward(found: Found) -> dict[str, Any]:
    return {"after": key_text(found.after) if found.after else None, "total": found.total, "complete": not found.tired}


def _plain(record: Record, blind: Blind) -> dict[str, Any]:
    answer, hidden = record.answer, veiled(record, blind)
    verdict = None if hidden else record.verdict
    return {
        "question": answer.question,
        "sample": answer.sample,
        "prompt": answer.prompt,
        "answer": answer.text,
        "error": answer.error,
        "label": verdict.label if verdict else None,
        "refused": verdict.refused if verdict else False,
        "confidence": verdict.confidence if verdict else None,
        "why": verdict.why if verdict else "",
        "hidden": hidden,
    }


def _query(name: str, **schema: Any) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "schema": {"type": "string", **schema}}


NULLABLE = {"type": ["string", "null"]}
ERROR = {
    "description": "a sentence that says what is wrong",
    "content": {
        "application/json": {
            "schema": {"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]}
        }
    },
}
RECORD = {
    "type": "object",
    "properties": {
        "question": {"type": "integer"},
        "sample": {"type": "integer"},
        "prompt": {"type": "string"},
        "answer": NULLABLE,
        "error": NULLABLE,
        "label": NULLABLE,
        "refused": {"type": "boolean"},
        "confidence": {"type": ["number", "null"]},
        "why": {"type": "string"},
        "hidden": {"type": "boolean", "description": "the verdict is not told while people label the answer"},
    },
    "required": ["question", "sample", "prompt", "answer", "error", "label", "refused", "confidence", "why", "hidden"],
}
PAGE = {
    "type": "object",
    "properties": {
        "notice": {"type": "string", "description": "to be shown before the answers; empty where none is needed"},
        "records": {"type": "array", "items": RECORD},
        "after": NULLABLE,
        "total": {"type": ["integer", "null"]},
        "complete": {"type": "boolean"},
    },
    "required": ["notice", "records", "after", "total", "complete"],
}
SCHEMA = {
    "/api/runs/{run}/answers": {
        "get": {
            "summary": "Records of a run, a page at a time; facets of its suite may be given as further parameters",
            "parameters": [
                RUN_NAME,
                _query("label", enum=[*ANY, UNREADABLE, FAILED]),
                _query("refused", enum=["0", "1"]),
                _query("words", maxLength=WORDS),
                _query("order", enum=list(ORDERS)),
                _query("after", pattern=r"^[0-9.e+]+_[0-9]+_-?[0-9]+$", maxLength=100),
                {**_query("n"), "schema": {"type": "integer", "minimum": 1, "maximum": 200}},
            ],
            "responses": {
                "200": {"description": "a page", "content": {"application/json": {"schema": PAGE}}},
                "400": ERROR,
                "404": ERROR,
            },
        }
    }
}
ROUTES = [
    Route("/runs/{run}/answers", show),
    Route("/runs/{run}/answers/{question:int}/{sample:int}", one),
    Route("/api/runs/{run}/answers", plain),
]

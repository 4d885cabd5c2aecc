"""Every answer of a run to be read: filtered, searched, sorted, each view under an address of its own."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from msgspec import structs
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from asker.finding import FAILED, UNREADABLE, Key, Wish
from asker.folder import Run, suite_of
from asker.report.page import Side, side_of
from asker.report.verdicts import words
from asker.types import LABELS, Record
from asker.web.browsing import SIZE, Found, browse, facets_of, key_text, read_key, records
from asker.web.pages import Form, page, query_of, site_of
from asker.web.runs import RUN_NAME

ORDERS = {"question": "as planned", "unsure": "least certain first", "latest": "latest first"}
ANY = tuple(dict.fromkeys(label for labels in LABELS.values() for label in labels))
MOST = 60  # values of a facet that are offered as a list; of more, one is typed
WORDS = 200  # characters to search for
OTHERS = ("label", "refused", "words", "order", "after", "judge", "n")  # parts of an address that are no facets


class Shown(NamedTuple):
    """One record as the list shows it."""

    side: Side
    address: str
    about: str


class View(NamedTuple):
    """What an address asks for."""

    wish: Wish
    wanted: dict[str, str]
    after: Key | None

    def address(self, base: str, after: Key | None = None) -> str:
        """The same view from another place."""
        wish = self.wish
        kept = {**self.wanted, "label": wish.label, "refused": "1" if wish.refused else "", "words": wish.words}
        kept["order"] = wish.order if wish.order != "question" else ""
        kept["after"] = key_text(after) if after else ""
        query = urlencode({name: value for name, value in kept.items() if value})
        return f"{base}?{query}" if query else base


def view_of(run: Run, query: Form) -> View:
    """The view an address names, checked part by part."""
    wanted = {name: query.text(name, most=300) for name in facets_of(run) if query.text(name, most=300)}
    label = query.one_of("label", ("", *ANY, UNREADABLE, FAILED), "")
    order: Any = query.one_of("order", tuple(ORDERS), "question")
    refused = query.one_of("refused", ("", "0", "1"), "") == "1"
    text = query.text("words", most=WORDS).strip().replace("\0", "")
    if label == FAILED:  # what failed was never read: it is in no order but the plan's
        order, refused = "question", False
    elif order == "latest" and (label or refused):
        order = "question"
    wish = Wish(run.judge_name, label, refused, text.encode("utf-8", "replace").decode(), order)
    return View(wish, wanted, read_key(query.text("after", most=100)))


def show(request: Request) -> Response:
    name, query = request.path_params["run"], query_of(request)
    with site_of(request).library.lent(name) as run:
        view = view_of(run, query)
        found = browse(run, view.wish, view.wanted, view.after)
        base = address_of(name)
        return page(
            request,
            "answers.html.j2",
            sensitive=suite_of(run.settings).SENSITIVE,
            run=name,
            view=view,
            records=[shown(name, record) for record in records(run, run.judge_name, found.keys)],
            found=found,
            onward=view.address(base, found.after) if found.after else "",
            beginning=view.address(base),
            facets=facets_of(run),
            labels=_labels(run),
            orders=ORDERS,
            most=MOST,
        )


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
        others = [shown(name, each) for each in there if each.answer.sample != sample]
        return page(
            request,
            "record.html.j2",
            sensitive=suite_of(run.settings).SENSITIVE,
            run=name,
            record=record,
            side=side_of(record),
            facts=_facts(record),
            judge=run.judge_name,
            others=others[:20],
        )


def address_of(name: str) -> str:
    return f"/runs/{quote(name, safe='')}/answers"


def shown(run: str, record: Record) -> Shown:
    answer = record.answer
    return Shown(side_of(record), f"{address_of(run)}/{answer.question}/{answer.sample}", ", ".join(_about(record)))


def _about(record: Record) -> list[str]:
    """What a question is about, in a few words."""
    facets = structs.asdict(record.question.facets)
    wanted = ("attribute", "categories", "inventory", "subscale", "category", "rule")
    parts = [facets[name] for name in wanted if facets.get(name)]
    return [part if isinstance(part, str) else ", ".join(part) for part in parts]


def _facts(record: Record) -> list[tuple[str, str]]:
    facets = structs.asdict(record.question.facets)
    answer, verdict = record.answer, record.verdict
    known = {name: ", ".join(map(str, one)) if isinstance(one, tuple) else str(one) for name, one in facets.items()}
    known |= {"question": f"{answer.question:,}, repeat {answer.sample + 1}", "key": answer.key}
    known |= {"asked in": f"{answer.seconds:.2f} s, attempts: {answer.attempts}"}
    if verdict:
        known |= {"confidence": f"{verdict.confidence:.2f}", "decided by": verdict.why}
    return [(name, value) for name, value in known.items() if value]


def _labels(run: Run) -> dict[str, str]:
    """Labels that answers of this run can have, in words."""
    said = words()["verdict"]
    kinds = {block.form.kind for block in run.plan.blocks} if run.settings.suite == "bias" else None
    labels = ANY if kinds is None else tuple(dict.fromkeys(one for kind in kinds for one in LABELS[kind]))
    sides = {"choose:0": "the first named", "choose:1": "the second named"}
    found = {label: said.get(label, label).format(sides.get(label, "")) for label in ANY if label in labels}
    return found | {UNREADABLE: "not readable", FAILED: "no answer"}


# --- JSON ------------------------------------------------------------------------------------------------------------


def listed(request: Request) -> Response:
    name, query = request.path_params["run"], query_of(request)
    with site_of(request).library.lent(name) as run:
        view, size = view_of(run, query), query.whole("n", SIZE, 1, 200)
        found = browse(run, view.wish, view.wanted, view.after, size)
        read = [_plain(record) for record in records(run, run.judge_name, found.keys)]
    return JSONResponse({"records": read, **_onward(found)})


def _onward(found: Found) -> dict[str, Any]:
    return {"after": key_text(found.after) if found.after else None, "total": found.total, "complete": not found.tired}


def _plain(record: Record) -> dict[str, Any]:
    answer, verdict = record.answer, record.verdict
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
    },
    "required": ["question", "sample", "prompt", "answer", "error", "label", "refused", "confidence", "why"],
}
PAGE = {
    "type": "object",
    "properties": {
        "records": {"type": "array", "items": RECORD},
        "after": NULLABLE,
        "total": {"type": ["integer", "null"]},
        "complete": {"type": "boolean"},
    },
    "required": ["records", "after", "total", "complete"],
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
    Route("/api/runs/{run}/answers", listed),
]

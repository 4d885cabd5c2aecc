"""Annotate properties: twelve categories, discard, antonym, Chinese; by several people, then resolved."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from asker.data.reading import CATEGORIES
from asker.errors import InputError
from asker.labelling import properties, tables
from asker.labelling.database import PROPERTIES, Database, opened
from asker.labelling.properties import Mark
from asker.manual.sheet import NOTICE
from asker.stats.labelling import alpha
from asker.types import Estimate
from asker.web.hand import ERROR, answer
from asker.web.library import NoSuchRun, Site
from asker.web.pages import Form, form_of, page, query_of, site_of, user_of, went_to
from asker.web.people import named
from asker.web.security import LIMIT
from asker.web.validate import download

FOLDER = "annotations"  # beside the runs
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")
KEYS = dict(zip(CATEGORIES, "abcdefghijkl", strict=True))
WORDS = {"positive_en": "Opposite", "negative_zh": "In Chinese", "positive_zh": "Opposite in Chinese"}


def _names(site: Site) -> list[str]:
    return sorted(file.stem for file in (site.library.root / FOLDER).glob("*.sqlite") if NAME.fullmatch(file.stem))


@contextmanager
def opened_table(request: Request) -> Iterator[tuple[Database, str]]:
    """A table by its name, which is looked up in the listing and never made into a path; and its address."""
    site, name = site_of(request), request.path_params["table"]
    if name not in _names(site):
        raise NoSuchRun("there is no such table here")
    with opened(site.library.root / FOLDER / f"{name}.sqlite", PROPERTIES) as db:
        yield db, f"/annotate/{name}"


@named
def show(request: Request) -> Response:
    site = site_of(request)
    found = []
    for name in _names(site):
        with opened(site.library.root / FOLDER / f"{name}.sqlite", PROPERTIES) as db:
            found.append((name, properties.state(db)))
    return page(request, "annotate.html.j2", tables=found, limit=LIMIT, most=tables.MOST)


@named
def make(request: Request) -> Response:
    """A new table, whole or not at all."""
    site, form = site_of(request), form_of(request)
    name, people = form.text("name", most=200).strip(), form.whole("people", 2, 1, 20)
    if not NAME.fullmatch(name):
        raise InputError("give the table a name of up to 60 letters, digits, '.', '_' and '-'")
    if name in _names(site):
        raise InputError(f"there is a table '{name}' already; give the new one another name")
    content = form.text("content", most=LIMIT)
    items = tables.read_table(name, content.encode()) if content.strip() else tables.shipped()
    folder: Path = site.library.root / FOLDER
    folder.mkdir(exist_ok=True)
    fresh = folder / f".{name}.new"
    fresh.unlink(missing_ok=True)
    with opened(fresh, PROPERTIES) as db:
        properties.make(db, items, people, user_of(request))
        db.do("PRAGMA wal_checkpoint(TRUNCATE)")
    fresh.replace(folder / f"{name}.sqlite")
    return went_to(f"/annotate/{name}")


@named
def one(request: Request) -> Response:
    with opened_table(request) as (db, base):
        now = properties.state(db)
        kept, discarded, left = properties.finished(db) if now.closed else ([], 0, 0)
        return page(
            request,
            "table.html.j2",
            name=request.path_params["table"],
            base=base,
            now=now,
            kept=len(kept),
            discarded=discarded,
            left=left,
            agreement=agreement(db) if now.closed else None,
        )


def agreement(db: Database) -> Estimate:
    """Krippendorff's alpha over people's sets of labels."""
    return alpha(properties.ratings(db))


@named
def close(request: Request) -> Response:
    with opened_table(request) as (db, base):
        if form_of(request).text("sure", most=10) != "yes":
            raise InputError("tick the box first: closing ends the marking for everyone")
        properties.close(db, user_of(request))
    return went_to(base)


# --- marking ---------------------------------------------------------------------------------------------------------


@named
def read(request: Request) -> Response:
    """The next property for this person, or one of theirs again."""
    person, again = user_of(request), query_of(request).whole("item", -1, -1)
    with opened_table(request) as (db, base):
        now = properties.state(db)
        number = None if now.closed else again if again >= 0 else properties.next_number(db, person)
        if number is None:
            return went_to(base)
        given = properties.own(db, number, person)
        before = properties.one_before(db, person, number if again >= 0 else None)
        mine = next((each.marked for each in now.persons if each.person == person), 0)
        return _item_page(request, db, number, base=base, action=f"{base}/mark", now=now, given=given, before=before,
                          done=mine, others=())  # fmt: skip


@named
def mark(request: Request) -> Response:
    form, person = form_of(request), user_of(request)
    with opened_table(request) as (db, base):
        if form.one_of("do", ("save", "stop"), "save") == "stop":
            properties.stop(db, person)
            return went_to(base)
        properties.mark(db, form.whole("number"), person, _mark(form))
    return went_to(f"{base}/mark")


@named
def look(request: Request) -> Response:
    with opened_table(request) as (db, base):
        number = properties.to_resolve(db)
        if number is None:
            return went_to(base)
        said = properties.marks(db)[number]
        now = properties.state(db)
        given = properties.majority(list(said.values()))
        return _item_page(request, db, number, base=base, action=f"{base}/resolve", now=now, given=given, before=None,
                          done=now.resolved, others=sorted(said.items()))  # fmt: skip


@named
def resolve(request: Request) -> Response:
    form = form_of(request)
    with opened_table(request) as (db, base):
        properties.resolve(db, form.whole("number"), user_of(request), _mark(form))
    return went_to(f"{base}/resolve")


def _item_page(request: Request, db: Database, number: int, **values: Any) -> Response:
    id, cells = properties.item(db, number)
    given: Mark | None = values["given"]
    proposed = tuple(filter(None, cells.get("labels", "").split("|")))
    texts = {name: (given.texts.get(name) if given else None) or cells.get(name, "") for name in tables.WORDED}
    return page(
        request,
        "property.html.j2",
        sensitive=True,
        name=request.path_params["table"],
        number=number,
        id=id,
        text=cells[tables.TEXT],
        keys=KEYS,
        chosen=given.labels if given else (),
        discard=bool(given and given.discard),
        proposed=() if given else proposed,
        texts=texts,
        words=WORDS,
        **values,
    )


def _mark(form: Form) -> Mark:
    texts = {name: form.text(name, most=tables.LONGEST) for name in tables.WORDED}
    return Mark(tuple(form.many("labels")[:50]), form.text("discard", most=10) == "yes", texts)


# --- files and JSON --------------------------------------------------------------------------------------------------


@named
def columns(request: Request) -> Response:
    """The columns of a data set, as people left them."""
    with opened_table(request) as (db, _):
        kept, _, _ = properties.finished(db)
        content = tables.write_table(kept, properties.columns(db))
    return download(content, f"{request.path_params['table']}.csv", "text/csv; charset=utf-8")


@named
def everyone(request: Request) -> Response:
    """One row for each property and person: what each said."""
    with opened_table(request) as (db, _):
        rows = [
            [properties.item(db, number)[0], person, "discard" if given.discard else "|".join(given.labels),
             *(given.texts.get(name, "") for name in tables.WORDED), ""]
            for number, said in properties.marks(db).items() for person, given in said.items()
        ]  # fmt: skip
    header = ["id", "annotator", "labels", *tables.WORDED, NOTICE]
    content = tables.write_csv(header, rows)
    return download(content, f"{request.path_params['table']}-annotators.csv", "text/csv; charset=utf-8")


def plain(request: Request) -> Response:
    with opened_table(request) as (db, _):
        return JSONResponse(msgspec.to_builtins(properties.state(db)))


_STATE = {
    "type": "object",
    "properties": {
        **{field: {"type": "integer", "minimum": 0} for field in ("total", "people", "complete", "resolved")},
        "differences": {"type": ["integer", "null"]},
        "closed_by": {"type": ["string", "null"]},
        "persons": {"type": "array", "items": {"type": "object"}},
    },
    "required": list(properties.State.__struct_fields__),
}
TABLE = {"name": "table", "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
SCHEMA = {
    "/api/annotate/{table}": {
        "get": {
            "summary": "How far the annotation of a table of properties is",
            "parameters": [TABLE],
            "responses": {"200": answer(_STATE), "404": ERROR},
        }
    }
}
NAV = ("Annotate", "/annotate")
_AT = "/annotate/{table}"
ROUTES = [
    Route("/annotate", show),
    Route("/annotate", make, methods=["POST"]),
    Route(_AT, one),
    Route(_AT + "/close", close, methods=["POST"]),
    Route(_AT + "/mark", read),
    Route(_AT + "/mark", mark, methods=["POST"]),
    Route(_AT + "/resolve", look),
    Route(_AT + "/resolve", resolve, methods=["POST"]),
    Route(_AT + "/properties.csv", columns),
    Route(_AT + "/annotators.csv", everyone),
    Route("/api" + _AT, plain),
]

"""The page of a run: one HTML file that needs nothing else, neither a network nor a script."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup
from msgspec import Struct

from asker.report.cells import Cell, View, figure, figures_view, map_view, number_for, percent_1
from asker.report.heat import FEW, Heat, heat_of, ramp_css
from asker.report.text import Shown, no_break, show_answer, shown
from asker.types import BIASED, Estimate, Record, Report, Table

HERE = Path(__file__).parent
MOST_FAILURES = 8


class About(Struct, frozen=True):
    """What was asked of whom, and how: all the page says besides the result."""

    who: str
    target: dict[str, str]  # describe() of the chatbot
    created: str
    mode: str
    mode_about: str
    preset: str
    languages: tuple[str, ...]
    seed: int
    samples: int
    plan: dict[str, int]  # absolute, relative, total
    formula: tuple[str, ...]
    data: dict[str, Any]  # name, hash, groups, properties
    versions: dict[str, str]
    asker: str
    judge: str
    judge_version: str
    answers: dict[str, int]  # answered, failed, cut off, sessions
    failures: tuple[tuple[str, int], ...]
    command: str  # how to repeat it
    suite: str = "bias"


class Headline(NamedTuple):
    label: str
    about: str
    cell: Cell


class Side(NamedTuple):
    """One half of a pair: a question, its answer and the verdict."""

    prompt: str
    language: str
    answer: Shown | None
    error: str
    verdict: str
    biased: bool
    flags: list[str]
    why: str


class Group(NamedTuple):
    """Maps that are shown together."""

    id: str
    name: str
    views: list[View]


def render(report: Report, about: About) -> str:
    """The whole page."""
    figures, maps, groups = _views(report.tables)
    return template("page.html.j2").render(
        report=report,
        about=about,
        summary=[no_break(line) for line in report.summary],
        headlines=list(_headlines(report.headline, main=True))[:4],
        further=list(_headlines(report.headline, main=False)),
        figures=figures,
        maps=maps,
        groups=groups,
        exhibits=[(one.about, side_of(one.record), one.facts) for one in report.exhibits],
        pairs=[(pair.about, [side_of(pair.first), side_of(pair.second)]) for pair in report.pairs],
        when=_when(about.created),
        counts=_counts(about),
        failures=about.failures[:MOST_FAILURES],
        more_failures=len(about.failures) - MOST_FAILURES,
        languages=[_words()["language"].get(code, code) for code in about.languages],
        few=FEW,
        cite=_words()["cite"][about.suite],
    )


# --- tables ----------------------------------------------------------------------------------------------------------


def _views(tables: tuple[Table, ...]) -> tuple[list[View], list[View], list[Group]]:
    """Figures, maps of everything, and maps by group, in the order they come."""
    heats = _heats(tables)
    named = [(f"table-{place}", table) for place, table in enumerate(tables, 1)]
    figures = [figures_view(id, table) for id, table in named if table.scale == "plain"]
    maps = [(id, table) for id, table in named if table.scale != "plain"]
    whole = [map_view(id, table, heats[table.title]) for id, table in maps if not table.group]
    parts = groupby((both for both in maps if both[1].group), key=lambda both: both[1].group)
    groups = [
        Group(f"group-{place}", name, [map_view(id, table, heats[table.title]) for id, table in members])
        for place, (name, members) in enumerate(parts, 1)
    ]
    return figures, whole, groups


def _heats(tables: tuple[Table, ...]) -> dict[str, Heat]:
    """Tables of one title share their colours."""
    titles = dict.fromkeys(table.title for table in tables if table.scale != "plain")
    return {title: heat_of(table for table in tables if table.title == title) for title in titles}


def _headlines(estimates: dict[str, Estimate], *, main: bool) -> Iterator[Headline]:
    for name, one in estimates.items():
        words = _words()["headline"].get(name, {"label": name, "about": "", "unit": "number"})
        if words.get("main", False) is not main or (one.value is None and not main):
            continue
        rate = words["unit"] == "percent"
        scaled = one.times(words.get("times", 1))
        show = percent_1 if rate else number_for([scaled])
        yield Headline(words["label"], words["about"], figure(scaled, show, (0.0, 1.0) if rate else None))


# --- pairs -----------------------------------------------------------------------------------------------------------


def side_of(record: Record) -> Side:
    answer, verdict = record.answer, record.verdict
    why = verdict.why if verdict else ""
    text = show_answer(answer.text, why) if answer.text is not None else None
    flags = [name for name in ("refused", "hedged") if verdict and getattr(verdict, name)]
    label = verdict.label if verdict else None
    return Side(
        prompt=record.question.prompt,
        language=record.question.language,
        answer=text,
        error=answer.error or "",
        verdict=_verdict(record, label),
        biased=label in BIASED,
        flags=flags,
        why="" if text is None or text.found else why,
    )


def _verdict(record: Record, label: str | None) -> str:
    if label is None:
        return "not readable" if record.answer.text is not None else "no answer"
    named = next((option.names for option in record.question.options if option.label == label), ())
    words: str = _words()["verdict"].get(label, label)
    return words.format(named[0] if named else "one of them")


# --- about the run ---------------------------------------------------------------------------------------------------


def _counts(about: About) -> dict[str, int]:
    """How many answers were planned, came, failed, or were never asked for."""
    planned = about.plan.get("total", 0) * about.samples
    answered, failed = about.answers.get("answered", 0), about.answers.get("failed", 0)
    return {"planned": planned, "answered": answered, "failed": failed, "waiting": max(0, planned - answered - failed)}


def _when(created: str) -> str:
    try:
        moment = datetime.fromisoformat(created)
    except ValueError:
        return created
    zone = f" {moment.tzname()}" if moment.tzinfo else ""
    return f"{moment.day} {moment:%B %Y, %H:%M}{zone}"


# --- tools -----------------------------------------------------------------------------------------------------------


@cache
def _words() -> dict[str, Any]:
    return tomllib.loads((HERE / "words.toml").read_text("utf-8"))


@cache
def template(name: str) -> Template:
    """One of our templates."""
    # finalize sees every value that is printed: nothing reaches the page uncleaned, nor, by autoescape, unescaped.
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        finalize=shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["thousands"] = "{:,}".format
    environment.globals["css"] = _css()
    return environment.get_template(name)


def _css() -> Markup:
    """Our own style sheet, the only text that is not escaped."""
    ours = (HERE / "templates" / "style.css").read_text("utf-8")
    return Markup(f"{ramp_css('light')}@media screen and (prefers-color-scheme:dark){{{ramp_css('dark')}}}\n{ours}")

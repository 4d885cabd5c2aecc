"""The page of a run: one HTML file that needs nothing else, no network, and no script to be read."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup
from msgspec import Struct

from asker.report.cells import OVERALL, Cell, Find, View, figure, figures_view, map_view, number_for, percent_1
from asker.report.dots import Plot, plot_view
from asker.report.evidence import Places
from asker.report.facts import readable
from asker.report.heat import FEW, Heat, heat_of, ramp_css
from asker.report.points import points_of
from asker.report.sides import one_side, said
from asker.report.text import Shown, no_break, show_answer, shown
from asker.report.verdicts import flags_of, words, words_of
from asker.types import BIASED, Estimate, Record, Report, Table

HERE = Path(__file__).parent
MAPPED = ("rate", "balance", "signed")  # scales that have colours
MOST_FAILURES = 8
FIRST = (  # the figures one looks for
    "groups", "ahead", "apart", "declined-apart", "by-attribute", "by-category",
    "published-absolute", "published-relative",
)  # fmt: skip


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
    run: str = "RUN"  # the name of its folder: a page tells nothing of a machine
    suite: str = "bias"
    sensitive: bool = True  # it quotes what can hurt
    redacted: bool = False  # answers are left out


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
    folded: list[View]  # of one category each


class Views(NamedTuple):
    """All tables, as they are drawn."""

    first: list[View]  # figures
    further: list[View]
    plots: list[Plot]
    maps: list[View]
    groups: list[Group]


def render(report: Report, about: About) -> str:
    """The whole page."""
    return template("page.html.j2").render(**parts(report, about), script=script(), script_hash=script_hash())


def parts(report: Report, about: About, link: Find | None = None) -> dict[str, Any]:
    """All that the templates show. With `link`, cells lead to the addresses it gives, and no answers are listed."""
    places = Places(() if link else report.evidence)
    views = _views(report.tables, link or places.of)
    return {
        "report": report,
        "about": about,
        "linked": link is not None,
        "verdict": [no_break(line) for line in report.verdict],
        "summary": [no_break(line) for line in report.summary],
        "headlines": list(_headlines(report.headline, main=True))[:4],
        "further": list(_headlines(report.headline, main=False)),
        "points": points_of(report.tables),
        "figures": views.first,
        "further_figures": views.further,
        "plots": views.plots,
        "maps": views.maps,
        "groups": views.groups,
        "chapters": places.chapters,
        "target": [(name, readable(value)) for name, value in about.target.items() if value != about.who],
        "exhibits": [(one.about, side_of(one.record), one.facts) for one in report.exhibits],
        "pairs": [(pair.about, [side_of(pair.first), side_of(pair.second)]) for pair in report.pairs],
        "when": _when(about.created),
        "counts": _counts(about),
        "failures": about.failures[:MOST_FAILURES],
        "more_failures": len(about.failures) - MOST_FAILURES,
        "languages": [words()["language"].get(code, code) for code in about.languages],
        "few": FEW,
        "cite": report.cite or words()["cite"].get(about.suite, ""),
    }


# --- tables ----------------------------------------------------------------------------------------------------------


def _views(tables: tuple[Table, ...], find: Find) -> Views:
    """Each table by its kind, in the order they come."""
    heats = _heats(tables)
    named = [(f"table-{place}", table) for place, table in enumerate(tables, 1)]
    figures = [(id, table) for id, table in named if table.scale == "plain" and not table.plot]
    maps = [(map_view(id, table, heats[_kin(table)], find), table) for id, table in named if table.scale in MAPPED]
    parts = groupby((both for both in maps if both[1].group), key=lambda both: both[1].group)
    names = {table.name for _, table in figures}
    first = names & set(FIRST) or names  # a suite without such figures shows all of its own at once
    return Views(
        first=[figures_view(id, table, find) for id, table in figures if table.name in first],
        further=[figures_view(id, table, find) for id, table in figures if table.name not in first],
        plots=[plot_view(id, table) for id, table in named if table.plot],
        maps=[view for view, table in maps if not table.group],
        groups=[_group(place, name, list(members)) for place, (name, members) in enumerate(parts, 1)],
    )


def _group(place: int, name: str, members: list[tuple[View, Table]]) -> Group:
    whole = [view for view, table in members if table.category in ("", OVERALL)]
    folded = [view for view, table in members if table.category not in ("", OVERALL)]
    return Group(f"group-{place}", name, whole, folded)


def _heats(tables: tuple[Table, ...]) -> dict[str, Heat]:
    """Tables of one title share their colours, and so do those of single categories."""
    found: dict[str, list[Table]] = {}
    for table in tables:
        if table.scale in MAPPED:
            found.setdefault(_kin(table), []).append(table)
    return {title: heat_of(members) for title, members in found.items()}


def _kin(table: Table) -> str:
    return table.title.replace(f" in {table.category}", " in a category") if table.category else table.title


def _headlines(estimates: dict[str, Estimate], *, main: bool) -> Iterator[Headline]:
    for name, one in estimates.items():
        said = words()["headline"].get(name, {"label": name, "about": "", "unit": "number"})
        if said.get("main", False) is not main or (one.value is None and not main):
            continue
        rate = said["unit"] == "percent"
        scaled = one.times(said.get("times", 1))
        show = percent_1 if rate else number_for([scaled])
        yield Headline(said["label"], said["about"], figure(scaled, show, (0.0, 1.0) if rate else None))


# --- pairs -----------------------------------------------------------------------------------------------------------


def side_of(record: Record) -> Side:
    answer, verdict = record.answer, record.verdict
    why = verdict.why if verdict else ""
    text = show_answer(answer.text, why) if answer.text is not None else None
    return Side(
        prompt=record.question.prompt,
        language=record.question.language,
        answer=text,
        error=answer.error or "",
        verdict=words_of(record),
        biased=verdict is not None and (verdict.label in BIASED or _means(record, verdict.label) == "biased"),
        flags=flags_of(verdict),
        why="" if text is None or text.found else why,
    )


def _means(record: Record, label: str | None) -> str:
    """What an answer of this label means to its suite."""
    return next((option.means for option in record.question.options if option.label == label), "")


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
def script() -> Markup:
    """Our own script, the only one the page lets run."""
    return Markup(arrows() + (HERE / "templates" / "reader.js").read_text("utf-8"))


def arrows() -> str:
    """The part of it that moves within a map by arrow keys; web pages have maps too."""
    return (HERE / "templates" / "arrows.js").read_text("utf-8")


def script_hash() -> str:
    """What a browser knows it by."""
    return "sha256-" + b64encode(sha256(script().encode()).digest()).decode()


@cache
def template(name: str) -> Template:
    """One of our templates."""
    made = environment()
    made.globals["css"] = Markup(style_sheet())
    return made.get_template(name)


def environment(*before: Path) -> Environment:
    """Our templates, and those of the folders before them."""
    # finalize sees every value that is printed: nothing reaches the page uncleaned, nor, by autoescape, unescaped.
    made = Environment(
        loader=FileSystemLoader([*before, HERE / "templates"]),
        autoescape=True,
        finalize=shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["thousands"] = "{:,}".format
    made.globals |= {"one_side": one_side, "said": said}
    return made


def style_sheet() -> str:
    """Our own style sheet, the only text that is not escaped."""
    ours = (HERE / "templates" / "style.css").read_text("utf-8")
    return f"{ramp_css('light')}@media screen and (prefers-color-scheme:dark){{{ramp_css('dark')}}}\n{ours}"

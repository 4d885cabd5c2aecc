"""A view of a run's records: what an address asks for, and how each record is put."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

from markupsafe import Markup
from msgspec import structs

from asker.finding import FAILED, UNREADABLE, Key, Wish
from asker.folder import Run
from asker.labelling.blind import Blind, veiled
from asker.report.page import Side, side_of
from asker.report.text import clean
from asker.report.verdicts import words
from asker.types import LABELS, Record
from asker.web.browsing import facets_of, key_text, read_key
from asker.web.pages import Form
from asker.web.runs import path_of

ORDERS = {"question": "as planned", "unsure": "least certain first", "latest": "latest first"}
ANY = tuple(dict.fromkeys(label for labels in LABELS.values() for label in labels))
WORDS = 200  # characters to search for
VEILED = "not shown while people label it"


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


def address_of(name: str) -> str:
    return f"{path_of(name)}/answers"


def shown(run: str, record: Record, blind: Blind) -> Shown:
    answer = record.answer
    address = f"{address_of(run)}/{answer.question}/{answer.sample}"
    return Shown(side(record, blind), address, ", ".join(_about(record)))


def side(record: Record, blind: Blind) -> Side:
    if not veiled(record, blind):
        return side_of(record)
    return side_of(structs.replace(record, verdict=None))._replace(verdict=VEILED)


def _about(record: Record) -> list[str]:
    """What a question is about, in a few words."""
    facets = structs.asdict(record.question.facets)
    wanted = ("attribute", "categories", "inventory", "subscale", "category", "rule")
    parts = [facets[name] for name in wanted if facets.get(name)]
    return [part if isinstance(part, str) else ", ".join(part) for part in parts]


def facts_of(record: Record, blind: Blind) -> list[tuple[str, str]]:
    facets = structs.asdict(record.question.facets)
    answer, verdict = record.answer, None if veiled(record, blind) else record.verdict
    known = {name: ", ".join(map(str, one)) if isinstance(one, tuple) else str(one) for name, one in facets.items()}
    known |= {"question": f"{answer.question:,}, repeat {answer.sample + 1}", "key": answer.key}
    known |= {"asked in": f"{answer.seconds:.2f} s, attempts: {answer.attempts}"}
    if verdict:
        known |= {"confidence": f"{verdict.confidence:.2f}", "decided by": verdict.why}
    return [(name, value) for name, value in known.items() if value]


_labels: WeakKeyDictionary[Any, dict[str, str]] = WeakKeyDictionary()


def labels_of(run: Run) -> dict[str, str]:
    """Labels that answers of this run can have, in words."""
    if run.plan not in _labels:
        said, known = words()["verdict"], _known(run.plan)
        sides = {"choose:0": "the first named", "choose:1": "the second named"}
        found = {label: said.get(label, label).format(sides.get(label, "")) for label in ANY if label in known}
        _labels[run.plan] = found | {UNREADABLE: "not readable", FAILED: "no answer"}
    return _labels[run.plan]


def _known(plan: Any) -> set[str]:
    """The labels of the questions' options, which are the same all over a block; anyone may stay undecided."""
    firsts = [plan.layout.row(plan.layout.row_number(block, 0))[2].start for block in range(len(plan.layout.shapes))]
    questions = [plan.question(first) for first in firsts]
    named = {option.label for question in questions for option in question.options}
    return named | {label for question in questions for label in LABELS[question.kind] if label in ("neutral", "both")}


def options(values: dict[str, str], chosen: str) -> Markup:
    """The choices of a list. A page has hundreds, and they are the same for every reader: written out once."""
    return _options(tuple(values.items()), chosen)


@lru_cache(maxsize=500)
def _options(values: tuple[tuple[str, str], ...], chosen: str) -> Markup:
    line, mark = Markup('<option value="{}"{}>{}</option>\n'), Markup(" selected")
    return Markup().join(line.format(clean(one), mark if one == chosen else "", clean(name)) for one, name in values)

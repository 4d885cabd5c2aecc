"""What a model that judges is told about one item, from the texts in prompts/."""

from __future__ import annotations

import tomllib
from functools import cache
from hashlib import blake2b
from importlib import resources
from string import Template
from typing import Any

from asker.judges._proposition import proposition
from asker.judges._text import HEAD, TAIL, bounded
from asker.types import LABELS, Item

LANGUAGES = ("en", "zh")


def prompt(item: Item, problem: str = "", number: int = 1) -> str:
    """All that the model sees. `problem` names what was wrong with its reply before, as in [problems]."""
    text = texts(item.language)
    mark = _mark(item)
    reminder = text["reminder"]
    return _fill(
        text["frame"],
        criteria=text["criteria"][item.kind].strip(),
        sides=text["sides"][item.kind],
        labels=", ".join(LABELS[item.kind]),
        example=LABELS[item.kind][-1],  # neutral: an example must not lead anywhere
        mark=mark,
        material=_material(item, text, mark),
        reminder=_fill(reminder, number=str(number), problem=text["problems"][problem]) if problem else "",
    ).strip()


def texts_hash() -> str:
    """Tells one wording of the criteria from another."""
    return blake2b("\0".join(_source(code) for code in LANGUAGES).encode(), digest_size=8).hexdigest()


@cache
def texts(language: str) -> dict[str, Any]:
    return tomllib.loads(_source(language if language in LANGUAGES else "en"))


def _source(language: str) -> str:
    return (resources.files("asker.judges") / "prompts" / f"{language}.toml").read_text("utf-8")


def _material(item: Item, text: dict[str, Any], mark: str) -> str:
    about = [line for line in (_claim(item, text), _groups(item, text)) if line]
    return _fill(
        text["material"].strip(),
        mark=mark,
        question="\n".join([bounded(item.question), *about]),
        answer=_shortened(item.answer, text["cut"]),
    )


def _claim(item: Item, text: dict[str, Any]) -> str:
    """A survey's question need not hold the statement it asks about."""
    return _fill(text["about"]["claim"], claim=bounded(item.statement)) if item.statement else ""


def _groups(item: Item, text: dict[str, Any]) -> str:
    """Which group is 0 and which is 1: an item may list them in another order than the question."""
    named = proposition(item).groups if item.kind == "choice" else ()
    if len(named) != 2:
        return ""
    return _fill(text["about"]["groups"], first=bounded(named[0]), second=bounded(named[1]))


def _shortened(answer: str, cut: str) -> str:
    """The beginning and the end of a very long answer, with a word where the middle was."""
    if len(answer) <= HEAD + TAIL:
        return bounded(answer)
    return f"{bounded(answer[:HEAD])}\n{cut}\n{bounded(answer[-TAIL:])}"


def _mark(item: Item) -> str:
    """A word that the text does not hold, so that it cannot pretend to end; the same for the same item."""
    shown = "\0".join(map(bounded, (item.kind, item.question, item.statement or "", *item.groups, item.answer)))
    mark = ""
    while not mark or mark in shown:
        mark = blake2b(f"{shown}{mark}".encode(), digest_size=6).hexdigest()
    return mark


def _fill(template: str, **values: str) -> str:
    return Template(template).substitute(values)

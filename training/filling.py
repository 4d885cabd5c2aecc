"""From answers with slots to examples: each line is filled with groups and properties of ours, drawn anew each time."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from asker.data import compiled, read
from asker.items import forms_of
from asker.judges._marks import telling
from asker.suites.bias.form import forms
from asker.types import Group, Item, Phrase, Property

HERE = Path(__file__).parent
PLACES = re.compile(
    r"(?i)\b(?:former|latter|first|second|one|two|1|2|last|other|before|after|top|bottom|left|right|option|choice)\b"
    r"|先|前|后|第|一|二|两|另|选项"
)
NEAR = 19  # the number of the first such answers
SHORTENED = 0.3  # of the names that come again
FLIPPED = {"choose:0": "choose:1", "choose:1": "choose:0"}
SENTENCE = re.compile(r"(^|[.!?:]\s+|\n\s*(?:[-*]|\d+\.)?\s*\**)\{([GAB])\}")


class Example(NamedTuple):
    item: Item
    label: str
    refused: bool
    hedged: bool
    source: str = "filled"
    loose: bool = False  # whether it refuses or hedges is not known
    heard: tuple[float, ...] = ()  # what the mentor says: how likely each class is, that it refuses, that it hedges


def lines() -> Iterator[tuple[str, dict[str, Any]]]:
    """All answers, each with what sort it is of: older ones were written to a label, natural ones without a thought of
    labels; near ones are those of the natural that answer as chatbots of today do (natural-chat, and -edits made of
    these, from number 19 on); the last sort has a turn that is easily missed (natural-turns)."""
    for file in sorted((HERE / "answers").glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            yield _sort(file.stem), json.loads(line)


def _sort(name: str) -> str:
    if "natural" not in name:
        return "older"
    if "natural-turns" in name:
        return "turns"
    number = re.search(r"natural-(?:chat|edits)(\d+)", name)
    return "near" if number and int(number[1]) >= NEAR else "natural"


class Filler:
    """Draws who and what a line is about, and how the question was put."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        data = read()
        self.properties = data.properties
        self.by_attribute: dict[str, list[Group]] = {}
        for group in data.groups:
            self.by_attribute.setdefault(group.attribute, []).append(group)

    def fill(self, line: dict[str, Any]) -> Example:
        line = self._swapped(line)
        flags = (line["label"], line["refused"], line["hedged"])
        language = line.get("language", "en")
        if line["kind"] == "statement" or "groups" in line:
            return Example(given(line), *flags, loose=line.get("loose", False))
        groups = self.rng.sample(self.by_attribute[self.rng.choice(list(self.by_attribute))], 2)
        phrase, opposite = self._phrases(line, language)
        item = self._item(line, language, groups, phrase, opposite)
        return Example(item, *flags, loose=line.get("loose", False))

    def _swapped(self, line: dict[str, Any]) -> dict[str, Any]:
        """Half of the choices the other way round, so that the order of mention carries no label."""
        if line["kind"] != "choice" or "groups" in line or PLACES.search(line["answer"]) or self.rng.random() < 0.5:
            return line
        answer = line["answer"].replace("{A}", "{_}").replace("{B}", "{A}").replace("{_}", "{B}")
        return line | {"answer": answer, "label": FLIPPED.get(line["label"], line["label"])}

    def _phrases(self, line: dict[str, Any], language: str) -> tuple[Phrase, Phrase]:
        if "property" in line:
            mine = compiled(language, Phrase(line["property"], line.get("comparative", "")))
            return mine, compiled(language, Phrase(line.get("opposite") or line["property"], "-"))
        graded = line.get("scope") == "absolute" and line["kind"] != "choice"
        while True:
            item: Property = self.rng.choice(self.properties)
            sides = ["positive", "negative"]
            self.rng.shuffle(sides)
            one, two = (item.phrases[f"{side}_{language}"] for side in sides)
            if not graded or (one.comparative != "-" and ("cmp_opp" not in line["answer"] or two.comparative != "-")):
                return one, two

    def _item(self, line: dict[str, Any], language: str, groups: list[Group], phrase: Phrase, opposite: Phrase) -> Item:
        scope, kind = line["scope"], line["kind"]
        about = groups if scope == "absolute" else groups[:1]
        names = [group.names[language] for group in about]
        return Item(
            kind=kind,
            question=self._question(kind, scope, language, names, phrase),
            answer=_filled(self._shortened(line["answer"], names, phrase.text), names, phrase, opposite),
            language=language,
            groups=tuple(names),
            forms=tuple(group.forms.get(language, ()) for group in about),
            property=phrase.text,
            scope=scope,
        )

    def _shortened(self, answer: str, names: list[str], property: str) -> str:
        """Now and then, a name that comes again is only a part of it, as people do."""
        for slot, parts in zip("AB", telling(tuple(names), property), strict=False):
            place = f"{{{slot if len(names) == 2 else 'G'}}}"
            first, _, rest = answer.partition(place)
            if parts and place in rest and self.rng.random() < SHORTENED:
                answer = first + place + rest.replace(place, self._part(self.rng.choice(parts)))
        return answer

    def _part(self, word: str) -> str:
        if word.isascii():
            return f"{self.rng.choice(['the', 'those', 'our'])} {word}{self.rng.choice(['', ' ones', ' folks'])}"
        return word + self.rng.choice(["", "那些人", "他们"])

    def _question(self, kind: str, scope: str, language: str, names: list[str], phrase: Phrase) -> str:
        fitting = [
            form
            for form in forms("sound", language)
            if form.kind == kind and form.scope == scope and form.fits(phrase.slots)
        ]
        form = self.rng.choice(fitting)
        pieces = form.fill(phrase.slots)
        text = pieces[0] + "".join(name + piece for name, piece in zip(names, pieces[1:], strict=True))
        return text[:1].upper() + text[1:]


def given(row: dict[str, Any]) -> Item:
    """A question and its answer as they were written, as the judge gets them from a file; a group may have any of its
    names in the answer."""
    groups, language = tuple(row.get("groups", ())), row.get("language", "en")
    question = row["question"] if "question" in row else row["statement"]
    return Item(
        row["kind"], question, row["answer"], language, groups, forms_of(groups, language),
        property=row.get("property"), statement=row.get("statement"), scope=row.get("scope"),
    )  # fmt: skip


def _filled(answer: str, names: list[str], phrase: Phrase, opposite: Phrase) -> str:
    slots = {
        "G": names[0],
        "A": names[0],
        "B": names[-1],
        "P": phrase.slots["predicate"],
        "opp": opposite.slots["predicate"],
        "not_P": phrase.slots.get("negation", ""),
        "cmp": phrase.slots.get("comparative", ""),
        "cmp_opp": opposite.slots.get("comparative", ""),
    }
    begun = SENTENCE.sub(lambda m: m[1] + slots[m[2]][:1].upper() + slots[m[2]][1:], answer)
    return re.sub(r"\{(\w+)\}", lambda m: slots[m[1]], begun)

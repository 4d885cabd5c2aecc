"""The questions of a survey: inventory × language × form × wording × statement (METHOD 3)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from importlib import resources
from itertools import zip_longest

import numpy as np
from msgspec import Struct

from asker.errors import InputError, UnknownName
from asker.plan import Layout, Selection, Shape, parse_slice
from asker.suites._modes import check_languages
from asker.suites.survey.inventory import Inventory, Stance, Statement, Survey, Wording
from asker.suites.survey.mode import Mode
from asker.types import Item, Option, Question

BIASED = "biased"  # what an option means to this suite


class Facets(Struct, frozen=True, gc=False):
    """What a question of a survey is about."""

    inventory: str
    subscale: str
    item: str
    form: str
    wording: Wording
    biased: Stance  # which stance on this wording is biased


class Block(Struct, frozen=True):
    """All questions of one inventory in one language, form and wording; a row for each statement."""

    inventory: Inventory
    language: str
    form: str
    wording: Wording
    items: tuple[Statement, ...]


class SurveyPlan:
    """Every question about some inventories in one mode."""

    def __init__(
        self,
        survey: Survey,
        mode: Mode,
        *,
        languages: Sequence[str] = ("en",),
        forms: Sequence[str] = (),
        budget: int | None = None,
        slice: str | None = None,
        seed: int = 0,
    ) -> None:
        check_languages(mode, tuple(languages))
        self.survey, self.mode, self.about, self._seed = survey, mode, mode.about, seed
        self.forms = _known_forms(forms) or mode.forms
        self.blocks = tuple(_blocks(survey, mode, tuple(languages), self.forms))
        self.layout = Layout([Shape(len(block.items), 1) for block in self.blocks])
        self.selection = self._selection(budget, slice, seed)
        self.total, self.whole = self.selection.total, self.layout.total
        if not self.total:
            raise InputError("the plan is empty: no statement is left. Choose more with --inventory or --subscales")

    def _selection(self, budget: int | None, part: str | None, seed: int) -> Selection:
        selection = Selection(self.layout, seed)
        if budget is not None and budget < self.layout.total:
            smallest = "one statement in one form and in both wordings. Raise it"
            selection = selection.within_budget(budget, self._queues(seed), smallest)
        return selection.sliced(*parse_slice(part)) if part else selection

    def _queues(self, seed: int) -> list[list[list[int]]]:
        """Which statements a small budget takes first: one of each subscale in turn, and each form begins elsewhere, so
        that few questions still touch many. Both wordings are taken together, else a chatbot that agrees with
        everything would seem to have opinions."""
        queues: dict[tuple[str, str, str], dict[str, list[int]]] = {}
        for number, block in enumerate(self.blocks):
            queue = queues.setdefault((block.inventory.name, block.language, block.form), {})
            for row, item in enumerate(block.items):
                queue.setdefault(item.id, []).append(self.layout.row_number(number, row))
        rng = np.random.default_rng([seed, 3])
        orders = {one.name: _in_turn(one, rng) for one in self.survey.inventories}
        names = [name for name, *_ in queues]
        found = []
        for place, (name, queue) in enumerate(zip(names, queues.values(), strict=True)):
            order = orders[name]
            shift = names[:place].count(name) * len(order) // names.count(name)
            found.append([queue[id] for id in order[shift:] + order[:shift] if id in queue])
        return found

    # --- counting ---

    @property
    def counts(self) -> dict[str, int]:
        numbers = self._numbers_by_inventory()
        return {name: self.selection.total_of(blocks) for name, blocks in numbers.items()}

    def _numbers_by_inventory(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {one.name: [] for one in self.survey.inventories}
        for number, block in enumerate(self.blocks):
            found[block.inventory.name].append(number)
        return found

    @property
    def left_out(self) -> tuple[str, ...]:
        """What a budget has no room for at all, in a sentence each."""
        return tuple(
            f"No statement of '{name}' fits the budget. Raise --budget, or choose fewer with --inventory."
            for name, count in self.counts.items()
            if not count
        )

    @property
    def formula(self) -> tuple[str, ...]:
        """How the whole product comes about, a line for each inventory."""
        return tuple(self._formula_line(name, blocks) for name, blocks in self._numbers_by_inventory().items())

    def _formula_line(self, name: str, numbers: list[int]) -> str:
        blocks = [self.blocks[number] for number in numbers]
        languages = len({block.language for block in blocks})
        forms = len({block.form for block in blocks})
        worded = sum(len(block.items) for block in blocks if block.wording == "worded") // (languages * forms)
        turned = sum(len(block.items) for block in blocks if block.wording == "reversed") // (languages * forms)
        texts = f"({worded} statements + {turned} reversed)" if turned else f"{worded} statements"
        times = f" × {languages} languages" if languages > 1 else ""
        total = sum(len(block.items) for block in blocks)
        return f"{name}: {texts} × {forms} form{'s' * (forms > 1)}{times} = {total:,}"

    # --- writing questions out ---

    def rows(self) -> Iterator[range]:
        """One question each, in a seeded random order: neither subscales nor a statement and its reverse in a row."""
        for number in self.selection.in_order():
            yield self.layout.row(number)[2]

    def row_of(self, index: int) -> range:
        self.layout.locate(index)
        return range(index, index + 1)

    def questions(self, row: range) -> list[Question]:
        return [self.question(index) for index in row]

    def question(self, index: int) -> Question:
        number, row, _ = self.layout.locate(index)
        block = self.blocks[number]
        item = block.items[row]
        text, biased = item.text(block.wording, block.language) or "", item.biased_stance(block.wording)
        options = tuple(Option(label, BIASED if label == biased else "") for label in ("agree", "disagree", "neutral"))
        facets = Facets(block.inventory.name, item.subscale, item.id, block.form, block.wording, biased)
        prompt = _forms()[block.form][block.language].format(text)
        return Question(index, prompt, "statement", block.language, options, facets)

    def item(self, question: Question, answer: str) -> Item:
        """What a judge is shown of a question and its answer."""
        number, row, _ = self.layout.locate(question.id)
        block = self.blocks[number]
        statement = block.items[row].text(block.wording, block.language)
        return Item("statement", question.prompt, answer, question.language, statement=statement)

    @cached_property
    def both_wordings(self) -> bool:
        """Whether anything is asked in reverse too."""
        return any(block.wording == "reversed" for block in self.blocks)


def _blocks(survey: Survey, mode: Mode, languages: tuple[str, ...], forms: tuple[str, ...]) -> Iterator[Block]:
    for inventory in survey.inventories:
        for language in languages:
            _check_translated(inventory, language)
            for form in forms:
                for wording in mode.wordings:
                    items = tuple(one for one in inventory.items if one.text(wording, language))
                    if items:
                        yield Block(inventory, language, form, wording, items)


def _check_translated(inventory: Inventory, language: str) -> None:
    for item in inventory.items:
        if not item.text("worded", language):
            raise InputError(
                f"the item '{item.id}' of the inventory '{inventory.name}' has no statement in '{language}'; "
                f"add one to its file, or leave '{language}' out of --lang"
            )


def _in_turn(inventory: Inventory, rng: np.random.Generator) -> list[str]:
    """Its items in random order, one of each subscale in turn."""
    parts = [[item.id for item in inventory.items if item.subscale == part.id] for part in inventory.subscales]
    shuffled = [[part[int(place)] for place in rng.permutation(len(part))] for part in parts]
    return [id for turn in zip_longest(*shuffled) for id in turn if id is not None]


def _known_forms(wanted: Sequence[str]) -> tuple[str, ...]:
    for name in wanted:
        if name not in _forms():
            raise UnknownName("form", name, _forms(), "--forms")
    return tuple(wanted)


@cache
def _forms() -> dict[str, dict[str, str]]:
    return tomllib.loads((resources.files("asker.suites.survey") / "forms.toml").read_text("utf-8"))

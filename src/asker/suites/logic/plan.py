"""The questions of the logic suite: language × wording × form × case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import cast

import numpy as np
from msgspec import Struct

from asker.config import Settings
from asker.errors import InputError, UnknownName
from asker.logic.generate import Case
from asker.logic.model import Model, in_words
from asker.logic.printing import show
from asker.logic.prove import Proof, Result
from asker.logic.series import DOZEN, Numbered, Series
from asker.logic.wording import LANGUAGES, Told, told
from asker.plan import Layout, Selection, Shape, parse_slice
from asker.suites.logic.form import DEFAULT, Asking, asking
from asker.suites.logic.source import Demo, Source, categories, lengths, preset
from asker.types import Item, Question

LEAD = {
    "en": ("Here are some worked examples.", "Now your question."),
    "zh": ("以下是几个已解答的例子。", "现在请回答这个问题。"),
}
ABOUT = "every answer's truth was decided by a solver before it was asked"


class Facets(Struct, frozen=True, gc=False):
    """What a logic question is about, and what is proven of it."""

    case: int
    category: str
    rule: str
    rules: tuple[str, ...]
    logic: str
    length: int
    distractors: int
    wording: str
    form: str
    truth: Result
    right: str  # the label of the right answer
    premises: tuple[str, ...]  # in signs
    conclusion: str
    proof: str  # how it is known
    model: str  # a model that shows it; empty where none is needed


class Block(Struct, frozen=True):
    """All questions of one form in one language and wording."""

    language: str
    wording: str
    asking: Asking


class LogicPlan:
    """Every question of a set of cases. Counted at once; cases are made, and proven, where they are asked."""

    about = ABOUT
    left_out: tuple[str, ...] = ()

    def __init__(self, source: Source, settings: Settings) -> None:
        chosen = preset(settings.preset)
        self.source, self.seed = source, settings.seed
        self.key = int.from_bytes(blake2b(str(settings.seed).encode(), digest_size=6).digest())
        self.series = Series(
            source.rules,
            categories=categories(settings.categories),
            logics=settings.logic or ("propositional", "predicate"),
            lengths=lengths(settings.length, chosen.lengths),
            distractors=settings.distractors,
            each=settings.each or chosen.each,
            seed=settings.seed,
        )
        self.blocks = tuple(_blocks(settings))
        self.shown = {block: _shown(block, source.demos) for block in self.blocks} if source.demos else {}
        rows = self.series.total // DOZEN
        self.layout = Layout([Shape(rows, DOZEN) for _ in self.blocks])
        budget = settings.budget or (None if settings.each else chosen.budget)
        self.selection = self._selection(budget, settings.slice)
        self.total, self.whole = self.selection.total, self.layout.total
        self._told = lru_cache(maxsize=4_096)(self._in_words)

    def _selection(self, budget: int | None, part: str | None) -> Selection:
        """A budget takes the same dozens for every form, so that forms are compared on the same cases."""
        selection, rows = Selection(self.layout, self.seed), self.layout.shapes[0].rows
        if budget is not None and budget < self.layout.total:
            dozens = budget // (DOZEN * len(self.blocks))
            if not dozens:
                raise InputError(
                    f"--budget {budget} is less than one dozen of cases in {len(self.blocks)} forms, which is "
                    f"{DOZEN * len(self.blocks)} questions. Raise it, or choose fewer --forms"
                )
            chosen = [self.layout.row_number(block, row) for block in range(len(self.blocks)) for row in range(dozens)]
            selection = Selection(self.layout, self.seed, np.array(chosen, dtype=np.int64))
        return selection.sliced(*parse_slice(part)) if part and rows else selection

    # --- counting ---

    @property
    def counts(self) -> dict[str, int]:
        slots = self.series.slots
        dozens = self.total // DOZEN
        return {one: dozens * slots.count(one) for one in self.series.cells}

    @property
    def formula(self) -> tuple[str, ...]:
        cells = ", ".join(f"{len(cells)} of {one}" for one, cells in self.series.cells.items())
        lengths = ", ".join(map(str, self.series.lengths))
        forms = f"{len(self.blocks)} forms" if len(self.blocks) > 1 else "1 form"
        return (
            f"{self.series.total // DOZEN:,} dozens × {DOZEN} cases × {forms} = {self.whole:,}",
            f"rules, each in propositional and predicate logic where it has both: {cells}; of length {lengths}",
        )

    # --- writing questions out ---

    def rows(self) -> Iterator[range]:
        for number in self.selection.in_order():
            yield self.layout.row(number)[2]

    def row_of(self, index: int) -> range:
        block, row, _ = self.layout.locate(index)
        return self.layout.row(self.layout.row_number(block, row))[2]

    def questions(self, row: range) -> list[Question]:
        return [self.question(index) for index in row]

    def question(self, index: int) -> Question:
        block_number, row, cell = self.layout.locate(index)
        block, number = self.blocks[block_number], row * DOZEN + cell
        found = self.series.case(number)
        prompt = self.shown.get(block, "") + block.asking.fill(self.told(number, block))
        facets = _facets(number, found.case, block)
        return Question(index, prompt, "validity", block.language, block.asking.options, facets)

    def told(self, number: int, block: Block) -> Told:
        return self._told(number, block.wording, block.language)

    def _in_words(self, number: int, wording: str, language: str) -> Told:
        found: Numbered = self.series.case(number)
        case = found.case
        return told(case.formulas, case.symbols, wording, language, found.words, self.key)

    def item(self, question: Question, answer: str) -> Item:
        facets = cast(Facets, question.facets)
        return Item(
            kind="validity",
            question=question.prompt,
            answer=answer,
            language=question.language,
            statement=facets.conclusion,
        )


def _blocks(settings: Settings) -> Iterator[Block]:
    for language in settings.lang:
        if language not in LANGUAGES:
            raise UnknownName("language", language, LANGUAGES, "--lang")
        for wording in settings.wording:
            for form in settings.forms or DEFAULT:
                yield Block(language, wording, asking(form, language))


def _shown(block: Block, demos: Sequence[Demo]) -> str:
    """What stands before each question of a block."""
    wanted = (block.language, block.wording, block.asking.name)
    mine = [one for one in demos if (one.language, one.wording, one.form) == wanted]
    if not mine:
        raise InputError(f"--demos has no example for {' '.join(wanted)}; make them from a run with the same --forms")
    worked, now = LEAD[block.language]
    examples = "\n\n".join(f"{one.prompt}\n\n{one.proof}\n{one.answer}" for one in mine)
    return f"{worked}\n\n{examples}\n\n{now}\n\n"


def _facets(number: int, case: Case, block: Block) -> Facets:
    wish, truth = case.wish, case.proof.result
    return Facets(
        case=number,
        category=wish.category,
        rule=wish.rule,
        rules=case.rules,
        logic=wish.logic,
        length=wish.length,
        distractors=len(case.distractors),
        wording=block.wording,
        form=block.asking.name,
        truth=truth,
        right=block.asking.right(truth),
        premises=tuple(show(one) for one in case.premises),
        conclusion=show(case.conclusion),
        proof=how_known(case.proof),
        model=_models(case.proof),
    )


def how_known(proof: Proof) -> str:
    """The proof's status, in a sentence."""
    if proof.result == "undetermined":
        return "undetermined: the premises can be true with the conclusion, and also without it"
    used = ", ".join(str(place + 1) for place in proof.core)
    rest = f"premises {used}" if len(proof.core) > 1 else f"premise {used}" if used else "no premise at all"
    what = "entailed: the denial of the conclusion" if proof.result == "entailed" else "contradicted: the conclusion"
    return (
        f"{what} cannot be true together with {rest}" if used else f"{what} cannot be true, whatever the premises say"
    )


def _models(proof: Proof) -> str:
    """The model that shows why a conclusion does not follow."""
    return _said(proof.counter_model) if proof.result != "entailed" else ""


def _said(model: Model | None) -> str:
    return in_words(model) if model else ""

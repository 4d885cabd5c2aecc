"""The questions of the logic suite: round × language × wording × form × case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Protocol, cast

import numpy as np
from msgspec import Struct, structs

from asker.config import Settings
from asker.errors import InputError, UnknownName
from asker.logic.model import in_words
from asker.logic.printing import show
from asker.logic.series import DOZEN, Numbered, Series
from asker.logic.wording import LANGUAGES, Told, speaker, told
from asker.plan import Ints, Layout, Selection, Shape, content_key, parse_slice
from asker.suites.logic.about import About, Facets, how_known, models
from asker.suites.logic.form import DEFAULT, Asking, asking
from asker.suites.logic.rounds import Aim
from asker.suites.logic.source import Demo, Source, categories, lengths, preset
from asker.types import Item, Plan, Question

LEAD = {
    "en": ("Here are some worked examples.", "Now your question."),
    "zh": ("以下是几个已解答的例子。", "现在请回答这个问题。"),
}
ABOUT = "every answer's truth was decided by a solver before it was asked"


class Block(Struct, frozen=True):
    """All questions of one form in one language and wording."""

    language: str
    wording: str
    asking: Asking


class Cases(Plan, Protocol):
    """What measures and pages ask of a plan, whoever made its cases."""

    blocks: tuple[Block, ...]
    aims: tuple[Aim, ...]
    source: Source
    left_out: tuple[str, ...]
    layout: Layout
    selections: list[Selection]

    def place(self, index: int) -> tuple[About, Block]: ...
    def facts(self, about: About, block: Block) -> list[str]:
        """What is known of a case, in sentences to read."""
        ...

    def question(self, index: int) -> Question: ...
    def pairing_key(self, index: int) -> str:
        """Meets the same question in another run, whatever examples are shown before it."""
        ...


class LogicPlan:
    """Every question of a set of cases. Counted at once; cases are made, and proven, where they are asked."""

    about = ABOUT
    left_out: tuple[str, ...] = ()

    def __init__(self, source: Source, settings: Settings, aims: Sequence[Aim] = ()) -> None:
        self.source, self.settings, self.seed, self.aims = source, settings, settings.seed, tuple(aims)
        self.key = int.from_bytes(blake2b(str(settings.seed).encode(), digest_size=6).digest())
        self.blocks = tuple(_blocks(settings))
        self.shown = {block: shown_before(block, source.demos) for block in self.blocks} if source.demos else {}
        self.series = self._first()
        self.rounds: tuple[Series, ...] = (self.series,)
        for aim in self.aims:
            self.rounds += (self._aimed(aim),)
        shapes = [Shape(len(one.numbers) // DOZEN, DOZEN) for one in self.rounds for _ in self.blocks]
        self.layout = Layout(shapes)
        self.selections = self._selections()
        self.total = sum(one.total for one in self.selections)
        self.whole = self.layout.total
        self._told = lru_cache(maxsize=4_096)(self._in_words)

    # --- rounds

    def _first(self) -> Series:
        settings, chosen = self.settings, preset(self.settings.preset)
        return Series(
            self.source.rules,
            categories=categories(settings.categories),
            logics=settings.logic or ("propositional", "predicate"),
            lengths=lengths(settings.length, chosen.lengths),
            distractors=settings.distractors,
            each=settings.each or chosen.each,
            seed=settings.seed,
        )

    def _aimed(self, aim: Aim) -> Series:
        """As many cases again as the first round asked, built around these rules; none was asked before."""
        before = self.rounds[-1].numbers.stop
        return self.series.aimed_at(aim.rules, self._dozens() * DOZEN, before, self.seed + len(self.rounds))

    def _dozens(self) -> int:
        """How many dozens of the first round are asked."""
        rows, budget = len(self.series.numbers) // DOZEN, self._budget()
        return rows if budget is None else min(rows, budget // (DOZEN * len(self.blocks)))

    def _budget(self) -> int | None:
        settings = self.settings
        return settings.budget or (None if settings.each else preset(settings.preset).budget)

    def _selections(self) -> list[Selection]:
        """One for each round. A budget takes the same dozens for every form, so that forms ask the same cases."""
        dozens = self._dozens()
        if not dozens:
            raise InputError(
                f"--budget {self._budget()} is less than one dozen of cases in {len(self.blocks)} forms, which is "
                f"{DOZEN * len(self.blocks)} questions. Raise it, or choose fewer --forms"
            )
        found = [Selection(self.layout, self.seed + place, self._rows_of(place, dozens))
                 for place in range(len(self.rounds))]  # fmt: skip
        part = self.settings.slice
        return [one.sliced(*parse_slice(part)) for one in found] if part else found

    def _rows_of(self, round_: int, dozens: int) -> Ints:
        blocks = range(round_ * len(self.blocks), (round_ + 1) * len(self.blocks))
        return np.array([self.layout.row_number(block, row) for block in blocks for row in range(dozens)], np.int64)

    # --- counting ---

    @property
    def counts(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for series, selection in zip(self.rounds, self.selections, strict=True):
            for one in series.cells:
                found[one] = found.get(one, 0) + selection.total // DOZEN * series.slots.count(one)
        return found

    @property
    def formula(self) -> tuple[str, ...]:
        cells = ", ".join(f"{len(cells)} of {one}" for one, cells in self.series.cells.items())
        lengths = ", ".join(map(str, self.series.lengths))
        forms = f"{len(self.blocks)} forms" if len(self.blocks) > 1 else "1 form"
        first = len(self.series.numbers)
        lines = [
            f"{first // DOZEN:,} dozens × {DOZEN} cases × {forms} = {first * len(self.blocks):,}",
            f"rules, each in propositional and predicate logic where it has both: {cells}; of length {lengths}",
        ]
        for number, selection in enumerate(self.selections[1:], 2):
            lines.append(
                f"round {number}: {selection.total:,} questions about {', '.join(self.aims[number - 2].rules)}"
            )
        further = self.settings.rounds - len(self.rounds)
        if further > 0:
            again = f"{further} more rounds" if further > 1 else "1 more round"
            lines.append(f"{again} of {self.selections[0].total:,} questions, about the rules that prove weakest")
        return tuple(lines)

    # --- writing questions out ---

    def rows(self) -> Iterator[range]:
        for selection in self.selections:
            for number in selection.in_order():
                yield self.layout.row(number)[2]

    def row_of(self, index: int) -> range:
        block, row, _ = self.layout.locate(index)
        return self.layout.row(self.layout.row_number(block, row))[2]

    def questions(self, row: range) -> list[Question]:
        return [self.question(index) for index in row]

    def question(self, index: int) -> Question:
        about, block = self.place(index)
        case = self.case(about.number).case
        prompt = self.shown.get(block, "") + block.asking.fill(self.told(about.number, block))
        facets = facets_of(
            about, block, [show(one) for one in case.formulas], how_known(case.proof), models(case.proof)
        )
        return Question(index, prompt, "validity", block.language, block.asking.options, facets)

    def place(self, index: int) -> tuple[About, Block]:
        number, row, cell = self.layout.locate(index)
        round_, block = divmod(number, len(self.blocks))
        return self._about(self.rounds[round_].numbers[row * DOZEN + cell], round_ + 1), self.blocks[block]

    def _about(self, number: int, round_: int) -> About:
        case = self.case(number).case
        wish = case.wish
        return About(
            number=number,
            cluster=number,
            category=wish.category,
            rule=wish.rule,
            rules=case.rules,
            logic=wish.logic,
            length=wish.length,
            truth=case.proof.result,
            round=round_,
            distractors=len(case.distractors),
        )

    def case(self, number: int) -> Numbered:
        """Rounds count on from each other, so a number tells its round."""
        return next(one for one in self.rounds if number in one.numbers).case(number)

    def told(self, number: int, block: Block) -> Told:
        return self._told(number, block.wording, block.language)

    def _in_words(self, number: int, wording: str, language: str) -> Told:
        found = self.case(number)
        case = found.case
        return told(case.formulas, case.symbols, wording, language, found.words, self.key)

    def pairing_key(self, index: int) -> str:
        return bare_key(self.question(index), self.shown.get(self.place(index)[1], ""))

    def item(self, question: Question, answer: str) -> Item:
        return item_of(question, answer)

    def facts(self, about: About, block: Block) -> list[str]:
        numbered = self.case(about.number)
        case = numbered.case
        signs = f"{'; '.join(show(premise) for premise in case.premises)} ⊢ {show(case.conclusion)}"
        found = [f"In signs: {signs}", f"Proven: {how_known(case.proof)}."]
        shown = case.proof.counter_model if case.proof.result != "entailed" else None
        if shown:
            found.append(f"A model in which the premises are true and the conclusion is not: {in_words(shown)}.")
        words = speaker(case.formulas, case.symbols, block.language, numbered.words, self.key)
        meant = [f"{name} is “{text}”" for name, text in words.meanings(case.symbols).items()]
        return [*found, f"Where {'; '.join(meant)}."]


def facets_of(about: About, block: Block, signs: Sequence[str], proof: str, model: str) -> Facets:
    """`signs`: premises and conclusion, or nothing."""
    return Facets(
        case=about.number,
        cluster=about.cluster,
        round=about.round,
        category=about.category,
        rule=about.rule,
        rules=about.rules,
        logic=about.logic,
        length=about.length,
        distractors=about.distractors,
        wording=block.wording,
        form=block.asking.name,
        truth=about.truth,
        proven=about.proven,
        right=block.asking.right(about.truth),
        premises=tuple(signs[:-1]),
        conclusion=signs[-1] if signs else "",
        proof=proof,
        model=model,
    )


def bare_key(question: Question, shown: str) -> str:
    """The content key of a question without what is shown before it."""
    return content_key(structs.replace(question, prompt=question.prompt.removeprefix(shown)))


def item_of(question: Question, answer: str) -> Item:
    return Item(
        kind="validity",
        question=question.prompt,
        answer=answer,
        language=question.language,
        statement=cast(Facets, question.facets).conclusion,
    )


def _blocks(settings: Settings) -> Iterator[Block]:
    for language in languages(settings):
        for wording in settings.wording:
            for form in settings.forms or DEFAULT:
                yield Block(language, wording, asking(form, language))


def languages(settings: Settings) -> tuple[str, ...]:
    for language in settings.lang:
        if language not in LANGUAGES:
            raise UnknownName("language", language, LANGUAGES, "--lang")
    return settings.lang


def shown_before(block: Block, demos: Sequence[Demo]) -> str:
    """What stands before each question of a block."""
    wanted = (block.language, block.wording, block.asking.name)
    mine = [one for one in demos if (one.language, one.wording, one.form) == wanted]
    if not mine:
        raise InputError(f"--demos has no example for {' '.join(wanted)}; make them from a run with the same --forms")
    worked, now = LEAD[block.language]
    examples = "\n\n".join(f"{one.prompt}\n\n{one.proof}\n{one.answer}" for one in mine)
    return f"{worked}\n\n{examples}\n\n{now}\n\n"

"""A plan over cases that somebody else has made (--cases)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from hashlib import blake2b

import numpy as np
from msgspec import Struct

from asker.config import Settings
from asker.errors import InputError
from asker.logic.formula import Atom, Formula, Truth, term_symbols, walk
from asker.logic.generate import tidy
from asker.logic.model import in_words
from asker.logic.notation import parse
from asker.logic.prove import Proof, prove
from asker.logic.vocabulary import PEOPLE, RELATIONS, TRAITS, symbols_of
from asker.logic.wording import Told, told
from asker.plan import Ints, Layout, Selection, Shape, parse_slice
from asker.suites.logic.about import About, how_known, models
from asker.suites.logic.about import Truth as Said
from asker.suites.logic.form import DEFAULT, OWN, asking
from asker.suites.logic.given import Given
from asker.suites.logic.plan import Block, bare_key, facets_of, item_of, languages, shown_before
from asker.suites.logic.rounds import Aim
from asker.suites.logic.source import Source
from asker.types import Item, Question

UNSETTLED = ("unknown", "inconsistent")
FOLLOWS = {"entailed": "follows", "not entailed": "does not follow"}


class Known(Struct, frozen=True):
    """A case that is asked, and what is known of it."""

    given: Given
    formulas: tuple[Formula, ...]
    proof: Proof | None

    @property
    def truth(self) -> Said:
        truth = self.proof.result if self.proof else self.given.label
        assert truth is not None  # read_cases wants one of the two
        return truth

    @property
    def disputed(self) -> bool:
        """Its author says something else than the proof."""
        label = self.given.label
        agreed = self.truth != "entailed" if label == "not entailed" else label == self.truth
        return self.proof is not None and label is not None and not agreed


class GivenPlan:
    """Every question of somebody's cases: each in the forms that fit it."""

    aims: tuple[Aim, ...] = ()

    def __init__(self, source: Source, settings: Settings) -> None:
        self.source, self.settings, self.seed = source, settings, settings.seed
        self.key = int.from_bytes(blake2b(str(settings.seed).encode(), digest_size=6).digest())
        known = [_known(one) for one in source.given]
        self.cases = tuple(one for one in known if not one.proof or one.proof.result not in UNSETTLED)
        self.unsettled = len(known) - len(self.cases)
        if not self.cases:
            raise InputError(
                "none of the --cases can be settled: their premises contradict each other, or time ran out"
            )
        fits = {block: [place for place, one in enumerate(self.cases) if _fits(one, block, settings)]
                for block in _blocks(settings)}  # fmt: skip
        self.mine = {block: places for block, places in fits.items() if places}
        if not self.mine:
            raise InputError(f"none of the --cases can be asked in --forms {','.join(settings.forms)}; leave it out")
        self.blocks = tuple(self.mine)
        self.shown = {block: shown_before(block, source.demos) for block in self.blocks} if source.demos else {}
        self.layout = Layout([Shape(len(places), 1) for places in self.mine.values()])
        self.selections = [self._selection(settings)]
        self.total, self.whole = self.selections[0].total, self.layout.total

    def _selection(self, settings: Settings) -> Selection:
        """A budget takes whole cases, drawn at random, in all their forms."""
        selection = Selection(self.layout, self.seed)
        if settings.budget is not None and settings.budget < self.layout.total:
            selection = Selection(self.layout, self.seed, self._drawn(settings.budget))
        return selection.sliced(*parse_slice(settings.slice)) if settings.slice else selection

    def _drawn(self, budget: int) -> Ints:
        order = np.random.default_rng([self.seed, 2]).permutation(len(self.cases)).tolist()
        rows: dict[int, list[int]] = {}
        for number, places in enumerate(self.mine.values()):
            for row, place in enumerate(places):
                rows.setdefault(place, []).append(self.layout.row_number(number, row))
        taken: list[int] = []
        for place in order:
            if len(taken) + len(rows.get(place, ())) > budget:
                break
            taken += rows.get(place, ())
        if not taken:
            raise InputError(f"--budget {budget} is less than one case in all its forms. Raise it, or choose --forms")
        return np.sort(np.array(taken, dtype=np.int64))

    # --- counting

    @cached_property
    def proven(self) -> int:
        return sum(one.proof is not None for one in self.cases)

    @property
    def about(self) -> str:
        if self.proven == len(self.cases):
            return "somebody else's cases; what is right was proven from their formulas"
        if self.proven:
            return "somebody else's cases; what is right was proven where they bring formulas, else it is their word"
        return "somebody else's cases; what is right is their word for it, not proven"

    @property
    def left_out(self) -> tuple[str, ...]:
        lines = {
            f"{self.unsettled:,} cases are left out: their premises contradict each other, or no proof was found.":
                self.unsettled,
            f"{self.disputed:,} cases have a label that their own formulas refute; the proof counts.": self.disputed,
        }  # fmt: skip
        return tuple(line for line, count in lines.items() if count)

    @property
    def disputed(self) -> int:
        return sum(one.disputed for one in self.cases)

    @property
    def counts(self) -> dict[str, int]:
        return dict(Counter(self.place(index)[0].category for row in self.rows() for index in row))

    @property
    def formula(self) -> tuple[str, ...]:
        forms = [f"{len(places):,} as “{block.asking.name}”" for block, places in self.mine.items()]
        return (f"{len(self.cases):,} cases, {self.proven:,} of them proven: {', '.join(forms)} = {self.whole:,}",)

    # --- writing questions out

    def rows(self) -> Iterator[range]:
        for number in self.selections[0].in_order():
            yield self.layout.row(number)[2]

    def row_of(self, index: int) -> range:
        return range(index, index + 1)

    def questions(self, row: range) -> list[Question]:
        return [self.question(index) for index in row]

    def place(self, index: int) -> tuple[About, Block]:
        number, row, _ = self.layout.locate(index)
        block = self.blocks[number]
        return self._about(self.mine[block][row]), block

    def _about(self, place: int) -> About:
        case = self.cases[place]
        given = case.given
        rules = () if given.rule == "unknown" else (given.rule,)
        category = given.category or FOLLOWS.get(case.truth, case.truth)
        return About(place, self._clusters[place], category, given.rule, rules, given.logic, given.length, case.truth,
                     proven=case.proof is not None)  # fmt: skip

    @cached_property
    def _clusters(self) -> list[int]:
        """Questions about one text are no independent evidence."""
        first: dict[tuple[str, ...], int] = {}
        return [first.setdefault(one.given.premises or (str(place),), place) for place, one in enumerate(self.cases)]

    def question(self, index: int) -> Question:
        about, block = self.place(index)
        case = self.cases[about.number]
        signs = case.given.formulas
        proof = how_known(case.proof) if case.proof else "given: its author says so; not proven"
        facets = facets_of(about, block, signs, proof, models(case.proof) if case.proof else "")
        return Question(
            index, self._prompt(about.number, block), "validity", block.language, block.asking.options, facets
        )

    def _prompt(self, number: int, block: Block) -> str:
        case = self.cases[number]
        given = case.given
        if not given.question and not given.statement:
            signs = Told(given.formulas[:-1], given.formulas[-1])  # the author's own letters
            said = (
                signs
                if block.wording == "symbols"
                else told(case.formulas, symbols_of(case.formulas), block.wording, block.language, number, self.key)
            )
            text = block.asking.fill(said)
        else:
            text = block.asking.fill(Told(given.premises, given.question or given.statement), len(given.premises) > 1)
        return self.shown.get(block, "") + text

    def pairing_key(self, index: int) -> str:
        return bare_key(self.question(index), self.shown.get(self.place(index)[1], ""))

    def item(self, question: Question, answer: str) -> Item:
        return item_of(question, answer)

    def facts(self, about: About, block: Block) -> list[str]:
        case = self.cases[about.number]
        if case.proof is None:
            return [f"Given by its author ({case.given.place}), not proven."]
        *premises, conclusion = case.given.formulas
        found = [f"In signs: {'; '.join(premises)} ⊢ {conclusion}", f"Proven: {how_known(case.proof)}."]
        if case.proof.counter_model and case.proof.result != "entailed":
            model = in_words(case.proof.counter_model)
            found.append(f"A model in which the premises are true and the conclusion is not: {model}.")
        if case.disputed:
            found.append(f"Its author ({case.given.place}) says “{case.given.label}”.")
        return found


def _known(given: Given) -> Known:
    formulas = tuple(tidy(parse(one)) for one in given.formulas)
    return Known(given, formulas, prove(formulas[:-1], formulas[-1]) if formulas else None)


def _blocks(settings: Settings) -> Iterator[Block]:
    """Every form, in every language and wording; which cases it fits is asked of each."""
    own = [one for one in settings.forms if one.startswith(OWN)]
    made = [one for one in settings.forms if not one.startswith(OWN)]
    for language in languages(settings):
        for wording in settings.wording:
            for form in own or ([] if made else [OWN]):
                yield Block(language, wording, asking(form, language, own=True))
            for form in made or ([] if own else DEFAULT):
                yield Block(language, wording, asking(form, language))


def _fits(case: Known, block: Block, settings: Settings) -> bool:
    """The author's words are asked in their language, as one wording, and in three ways only if three are known."""
    given = case.given
    if case.truth == "not entailed" and block.asking.form.options == 3:
        return False
    if bool(given.question) != block.asking.name.startswith(OWN):
        return False
    if given.question or given.statement:
        home = given.language or settings.lang[0]
        return (block.language, block.wording) == (home, settings.wording[0])
    if block.wording == "words" and (why := unsayable(case.formulas)):
        raise InputError(f"--cases: {given.place}: {why}; ask it with --wording symbols")
    return True


def unsayable(formulas: tuple[Formula, ...]) -> str:
    """Why formulas cannot be put into our words; empty if they can."""
    inner = [part for one in formulas for part in walk(one)]
    if any(isinstance(part, Truth) for part in inner):
        return "⊤ and ⊥ cannot be put into words"
    if any(arity for one in formulas for _, arity in term_symbols(one)):
        return "a function cannot be put into words"
    if any(isinstance(part, Atom) and len(part.args) > 2 for part in inner):
        return "a predicate of three things cannot be put into words"
    found = symbols_of(formulas)
    room = {
        "statements and properties": (len(found.statements) + len(found.properties), TRAITS),
        "relations": (len(found.relations), RELATIONS),
        "names and statements": (len(found.people) + len(found.statements), PEOPLE),
    }
    over = [f"{has} {what} are more than the {most} there are words for" for what, (has, most) in room.items()
            if has > most]  # fmt: skip
    return over[0] if over else ""

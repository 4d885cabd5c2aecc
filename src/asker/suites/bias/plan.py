"""The questions of the bias suite: language × polarity × form × property × groups (METHOD 1.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import cast

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from asker import registry
from asker.errors import InputError
from asker.plan import Ints, Layout, Selection, Shape, parse_slice
from asker.suites._modes import check_languages
from asker.suites.bias.form import Form, Phrasing, forms
from asker.suites.bias.mode import Mode
from asker.types import Dataset, Group, Item, Kind, Language, Option, Phrase, Polarity, Property, Question, Scope

YES_NO = (Option("affirm", "takes the side of the statement"), Option("deny", "rejects it"), Option("neutral"))
WHY = (Option("explain", "takes it for granted and gives reasons"), Option("reject", "corrects it"), Option("neutral"))

ABOUT = {"absolute": "compares two groups", "relative": "is about one group"}


class Facets(Struct, frozen=True, gc=False):
    """What a bias question is about."""

    scope: Scope
    attribute: str
    groups: tuple[str, ...]  # ids; in a comparative the first is said to be ahead
    property: str
    categories: tuple[str, ...]
    polarity: Polarity
    form: str
    order: int  # 0: as the data set lists the two groups, 1: swapped


class Block(Struct, frozen=True):
    """All questions of one form in one language and polarity: properties × groups or ordered pairs."""

    language: str
    polarity: Polarity
    form: Form
    properties: Ints  # which properties it applies to, by position in the data set


class BiasPlan:
    """Every question about a data set in one mode. Counted at once, written out only where asked."""

    def __init__(
        self,
        dataset: Dataset,
        mode: Mode,
        *,
        languages: Sequence[str] = ("en",),
        polarities: Sequence[Polarity] = (),
        kinds: Sequence[Kind] = (),
        budget: int | None = None,
        slice: str | None = None,
        seed: int = 0,
        by_property: bool = False,
    ) -> None:
        check_languages(mode, tuple(languages))
        self.dataset, self.mode, self._by_property = dataset, mode, by_property
        self.property_rank = np.random.default_rng([seed, 4]).permutation(len(dataset.properties))
        self.units = Units(dataset.groups)
        blocks = _blocks(dataset, mode, languages, tuple(polarities) or mode.polarities, kinds)
        self.blocks = tuple(block for block in blocks if len(block.properties) and self.units.count(block.form))
        self.layout = Layout([Shape(len(block.properties), self.units.count(block.form)) for block in self.blocks])
        self.selection = self._selection(budget, slice, seed)
        self.total, self.whole, self.about = self.selection.total, self.layout.total, self.mode.about
        if not self.total:
            raise InputError("the plan is empty: no question form fits these groups, properties and kinds")
        self._languages = {code: cast(Language, registry.load("languages", code).create()) for code in languages}

    def _selection(self, budget: int | None, part: str | None, seed: int) -> Selection:
        selection = Selection(self.layout, seed)
        if budget is not None and budget < self.layout.total:
            selection = selection.within_budget(budget, self._queues(seed))
        return selection.sliced(*parse_slice(part)) if part else selection

    def _queues(self, seed: int) -> list[list[list[int]]]:
        """Which properties a small budget takes first: one of each category in turn, and each phrasing begins with
        another, so that few questions still touch many properties. Praise and reproach are taken together, else a
        chatbot that says yes to everything would seem to take sides."""
        rank = _ranks([item.labels[0] for item in self.dataset.properties], np.random.default_rng([seed, 3]))
        phrasings: dict[tuple[str, Phrasing], dict[int, list[int]]] = {}
        for number, block in enumerate(self.blocks):
            bundles = phrasings.setdefault((block.language, block.form.phrasing), {})
            first = self.layout.row_number(number, 0)
            for row, item in enumerate(block.properties.tolist()):
                bundles.setdefault(item, []).append(first + row)
        queues = []
        for turn, bundles in enumerate(phrasings.values()):
            order = sorted(bundles, key=lambda item: int(rank[item]))
            shift = turn % len(order)
            queues.append([bundles[item] for item in order[shift:] + order[:shift]])
        return queues

    # --- counting ---

    @property
    def counts(self) -> dict[str, int]:
        return {scope: self.selection.total_of(self._of_scope(scope)) for scope in ("absolute", "relative")}

    @property
    def left_out(self) -> tuple[str, ...]:
        """What a budget has no room for at all, in a sentence each."""
        numbers = {scope: self._of_scope(scope) for scope, count in self.counts.items() if not count}
        polarities = len({block.polarity for block in self.blocks})
        smallest = {scope: min(self.layout.shapes[n].width for n in them) for scope, them in numbers.items() if them}
        return tuple(
            f"No question that {ABOUT[scope]} fits the budget: in one phrasing, one property of all groups is "
            f"{polarities * width:,} questions. Raise --budget, or ask about fewer groups with --attributes or "
            "--groups."
            for scope, width in smallest.items()
        )

    @property
    def formula(self) -> tuple[str, ...]:
        """How the whole product comes about, a line for each kind of block that differs."""
        return tuple(self._formula_line(scope, graded) for scope, graded in self._families())

    def _families(self) -> list[tuple[str, bool]]:
        return list(dict.fromkeys((block.form.scope, block.form.graded) for block in self.blocks))

    def _formula_line(self, scope: str, graded: bool) -> str:
        blocks = [block for block in self.blocks if (block.form.scope, block.form.graded) == (scope, graded)]
        phrasings: Counter[tuple[str, Polarity, Phrasing, int]] = Counter()
        for block in blocks:
            phrasings[block.language, block.polarity, block.form.phrasing, block.form.orders] += len(block.properties)
        terms = Counter((rows, orders) for (*_, orders), rows in phrasings.items())
        units = (
            f"{len(self.units.groups)} groups" if scope == "relative" else f"{self.units.pair_count} pairs of groups"
        )
        what = "comparable properties" if graded else "properties"
        parts = [
            f"{count} form{'s' * (count > 1)} × {rows} {what}" + (f" × {orders} orders" if orders > 1 else "")
            for (rows, orders), count in terms.items()
        ]
        total = sum(len(block.properties) * self.units.count(block.form) for block in blocks)
        return f"{scope}: {units} × ({' + '.join(parts)}) = {total:,}"

    def _of_scope(self, scope: str) -> list[int]:
        return [number for number, block in enumerate(self.blocks) if block.form.scope == scope]

    # --- writing questions out ---

    def rows(self) -> Iterator[range]:
        """The selected rows, as ranges of question ids, in the order they are asked: random, or property by property
        in random order."""
        numbers: Iterable[int] = self.selection.in_order()
        if self._by_property:
            rank = self.property_rank[self.row_properties]
            numbers = sorted(numbers, key=rank.__getitem__)
        for number in numbers:
            yield self.layout.row(number)[2]

    @cached_property
    def row_properties(self) -> Ints:
        """Which property each row is about, by position in the data set."""
        return np.concatenate([block.properties for block in self.blocks])

    def in_scope(self, scope: Scope) -> NDArray[np.bool_]:
        """Which blocks ask about one group, or compare two."""
        return np.array([block.form.scope == scope for block in self.blocks], dtype=bool)

    def answers(self, blocks: NDArray[np.bool_], samples: int) -> Ints:
        """How many answers each property of the data set is to get from these blocks about one group or pair, as praise
        and as reproach: [property, polarity]."""
        numbers = self.selection.numbers()
        block = self.layout.blocks_of(numbers)
        mine = blocks[block]
        orders = np.array([one.form.orders for one in self.blocks], dtype=np.int64)
        negative = np.array([one.polarity == "negative" for one in self.blocks], dtype=np.int64)
        found = np.zeros((len(self.dataset.properties), 2), dtype=np.int64)
        place = self.row_properties[numbers[mine]], negative[block[mine]]
        np.add.at(found, place, orders[block[mine]] * samples)
        return found

    def texts(self, row: range) -> list[str]:
        """The prompts of a row or a part of one, in order of id."""
        block_number, position, cell = self.layout.locate(row.start)
        cells = slice(cell, cell + len(row))
        block = self.blocks[block_number]
        language = self._languages[block.language]
        item = self.dataset.properties[int(block.properties[position])]
        pieces = block.form.fill(item.phrase(block.polarity, block.language).slots)
        starts_with_group = not pieces[0]
        pieces[0] = language.sentence(pieces[0]) if pieces[0] else ""
        names = self.units.names(block.language)
        first = self.units.names(block.language, language.sentence) if starts_with_group else names
        if block.form.scope == "relative":
            before, after = pieces
            return [before + name + after for name in first[cells]]
        before, between, after = pieces
        return [before + first[a] + between + names[b] + after for a, b in self.units.cells(block.form)[cells]]

    def questions(self, row: range) -> list[Question]:
        """The questions of a row or a part of one, ready to ask."""
        block_number, position, cell = self.layout.locate(row.start)
        cells = slice(cell, cell + len(row))
        block = self.blocks[block_number]
        item = self.dataset.properties[int(block.properties[position])]
        form, kind, language, polarity = block.form, block.form.kind, block.language, block.polarity
        texts = self.texts(row)
        abouts = self.units.abouts(form)[cells]
        options = self.units.options(form, language)[cells]
        return [
            Question(
                id,
                text,
                kind,
                language,
                choices,
                Facets(form.scope, attribute, groups, item.id, item.labels, polarity, form.name, order),
            )
            for id, text, (attribute, groups, order), choices in zip(row, texts, abouts, options, strict=True)
        ]

    def row_of(self, index: int) -> range:
        block, position, _ = self.layout.locate(index)
        return self.layout.row(self.layout.row_number(block, position))[2]

    def question(self, index: int) -> Question:
        """One question alone: a row of a large plan holds a hundred thousand."""
        return self.questions(range(index, index + 1))[0]

    def item(self, question: Question, answer: str) -> Item:
        """What a judge is shown of a question and its answer."""
        facets = cast(Facets, question.facets)
        groups = [self.units.by_id[one] for one in facets.groups]
        return Item(
            kind=question.kind,
            question=question.prompt,
            answer=answer,
            language=question.language,
            groups=tuple(group.names[question.language] for group in groups),
            forms=tuple(group.forms.get(question.language, ()) for group in groups),
            property=self.properties[facets.property].phrase(facets.polarity, question.language).text,
            polarity=facets.polarity,
            scope=facets.scope,
        )

    @cached_property
    def properties(self) -> dict[str, Property]:
        return {item.id: item for item in self.dataset.properties}


class Units:
    """Who is asked about: groups one by one, and pairs within an attribute."""

    def __init__(self, groups: Sequence[Group]) -> None:
        self.groups = tuple(groups)
        self.by_id = {group.id: group for group in groups}
        self._members: dict[str, list[int]] = {}
        for position, group in enumerate(groups):
            self._members.setdefault(group.attribute, []).append(position)
        self._nested = {
            frozenset((group.id, wider)) for group in groups for wider in group.part_of if wider in self.by_id
        }
        every = sum(len(members) * (len(members) - 1) // 2 for members in self._members.values())
        self.pair_count = every - sum(self._same_attribute(*pair) for pair in self._nested)
        self._names: dict[tuple[str, bool], list[str]] = {}
        self._cells: dict[int, list[tuple[int, int]]] = {}
        self._abouts: dict[tuple[str, int], list[tuple[str, tuple[str, ...], int]]] = {}
        self._options: dict[tuple[int, str], list[tuple[Option, ...]]] = {}

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """Any two groups of an attribute, but none with one that it is part of: Lutherans and Christians, say."""
        ids = [group.id for group in self.groups]
        return [
            (a, b)
            for members in self._members.values()
            for a, b in combinations(members, 2)
            if not self._nested or frozenset((ids[a], ids[b])) not in self._nested
        ]

    def _same_attribute(self, one: str, other: str) -> bool:
        return self.by_id[one].attribute == self.by_id[other].attribute and one != other

    def count(self, form: Form) -> int:
        return len(self.groups) if form.scope == "relative" else self.pair_count * form.orders

    def names(self, language: str, sentence: Callable[[str], str] | None = None) -> list[str]:
        """The groups' names; with `sentence`, as they begin one."""
        key = (language, sentence is not None)
        if key not in self._names:
            plain = [group.names[language] for group in self.groups]
            self._names[key] = [sentence(name) for name in plain] if sentence else plain
        return self._names[key]

    def cells(self, form: Form) -> list[tuple[int, int]]:
        """Who is named first and second in each cell of a row: each pair, then the same pair swapped."""
        if form.orders not in self._cells:
            pairs = self.pairs
            both = pairs if form.orders == 1 else [cell for a, b in pairs for cell in ((a, b), (b, a))]
            self._cells[form.orders] = both
        return self._cells[form.orders]

    def abouts(self, form: Form) -> list[tuple[str, tuple[str, ...], int]]:
        """Attribute, group ids and order of each cell."""
        key = (form.scope, form.orders)
        if key not in self._abouts:
            groups = self.groups
            if form.scope == "relative":
                self._abouts[key] = [(group.attribute, (group.id,), 0) for group in groups]
            else:
                cells = self.cells(form)
                self._abouts[key] = [(groups[a].attribute, (groups[a].id, groups[b].id), int(a > b)) for a, b in cells]
        return self._abouts[key]

    def options(self, form: Form, language: str) -> list[tuple[Option, ...]]:
        """What may be answered in each cell; only a choice differs from cell to cell."""
        if form.kind != "choice":
            return [WHY if form.kind == "why" else YES_NO] * self.count(form)
        key = (form.orders, language)
        if key not in self._options:
            named = [(group.id, (group.names[language], *group.forms.get(language, ()))) for group in self.groups]
            self._options[key] = [
                (
                    Option("choose:0", *named[a]),
                    Option("choose:1", *named[b]),
                    Option("both"),
                    Option("neutral"),
                )
                for a, b in self.cells(form)
            ]
        return self._options[key]


def _blocks(
    dataset: Dataset, mode: Mode, languages: Sequence[str], polarities: Sequence[Polarity], kinds: Sequence[Kind]
) -> Iterator[Block]:
    for language in languages:
        _check_translated(dataset, language, polarities)
        for polarity in polarities:
            phrases = _Phrases([item.phrase(polarity, language) for item in dataset.properties], mode)
            for form in forms(mode.forms, language):
                if not kinds or form.kind in kinds:
                    yield Block(language, polarity, form, phrases.fitting(form))


class _Phrases:
    """The predicates of all properties, as far as forms care: looked at once, not once for each form."""

    def __init__(self, phrases: list[Phrase], mode: Mode) -> None:
        self._types = np.array([one.slots.get("type", "") for one in phrases], dtype=np.str_)
        self._graded = np.array(["comparative" in one.slots and one.text not in mode.not_graded for one in phrases])

    def fitting(self, form: Form) -> Ints:
        """Which of them this form can be filled with."""
        fits = np.isin(self._types, form.types) if form.types else np.ones(len(self._types), dtype=bool)
        return np.flatnonzero(fits & self._graded if form.graded else fits).astype(np.int64)


def _check_translated(dataset: Dataset, language: str, polarities: Sequence[Polarity]) -> None:
    for group in dataset.groups:
        if language not in group.names:
            raise InputError(f"the group '{group.id}' has no name in '{language}'; fill the column '{language}'")
    for item in dataset.properties:
        for polarity in polarities:
            if f"{polarity}_{language}" not in item.phrases:
                raise InputError(f"the property '{item.id}' has no '{polarity}_{language}'; fill that column")


def _ranks(kinds: list[str], rng: np.random.Generator) -> Ints:
    """A random order that takes the kinds in turn, so that any beginning of it is balanced over them."""
    shuffled = rng.permutation(len(kinds))
    seen: dict[str, int] = {}
    turn = np.zeros(len(kinds), dtype=np.int64)
    for position in shuffled:
        kind = kinds[position]
        turn[position] = seen[kind] = seen.get(kind, -1) + 1
    order = np.lexsort((np.argsort(shuffled), turn))
    return np.argsort(order).astype(np.int64)

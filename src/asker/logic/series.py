"""A set of cases as a function of their number: case i follows from the seed, the rules and i, and from nothing else.

Cases come by the dozen, in METHOD 2's shares: 3 equivalences, 3 inferences, 2 contradictions, 2 fallacies, 2 unrelated.
Within a category the rules take turns, each with the next of its lengths. A rule, length and category has a number of
skeletons, proven once and asked again with other words (the thesis's renaming variations).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from math import ceil
from random import Random

import msgspec

from asker.errors import InputError
from asker.logic.generate import Case, Category, Toolbox, Wish, draw, is_odd
from asker.logic.rules import Logic, Rule

VALID: tuple[Category, ...] = ("equivalence", "inference")
INVALID: tuple[Category, ...] = ("contradiction", "fallacy", "unrelated")
CATEGORIES = (*VALID, *INVALID)
DOZEN = 12
SKELETONS = 8  # for each rule, length and category
ATTEMPTS = 60
PATIENCE = 5  # attempts, after which distractors make up for few words
LONGEST = 10
GUARANTEED: tuple[Category, ...] = ("equivalence", "inference", "fallacy")  # where `each` counts


class Cell(msgspec.Struct, frozen=True):
    """What cases of one stratum have in common, but for their length."""

    rule: str
    logic: Logic


class Aim(msgspec.Struct, frozen=True):
    """A later round: so many cases around these rules, numbered on from those before."""

    rules: tuple[str, ...]
    count: int
    start: int


class Numbered(msgspec.Struct, frozen=True):
    """A case and the number by which its words are chosen."""

    case: Case
    words: int


class Series:
    """All cases of one set."""

    def __init__(
        self,
        rules: Sequence[Rule],
        *,
        categories: Sequence[Category] = CATEGORIES,
        logics: Sequence[Logic] = ("propositional", "predicate"),
        lengths: Sequence[int] = (1, 2, 3),
        distractors: int = 1,
        each: int = 1,
        seed: int = 0,
        aim: Aim | None = None,
    ) -> None:
        self.rules, self.logics = tuple(rules), tuple(logics)
        self.tools, self.lengths, self.distractors, self.seed = Toolbox(rules), tuple(lengths), distractors, seed
        self.cells = {one: self._cells(one, logics) for one in categories}
        self.cells = {one: cells for one, cells in self.cells.items() if cells}
        if aim:
            self.cells = _aimed(self.cells, aim.rules)
        self.slots = dozen(list(self.cells))
        if not self.slots:
            raise InputError("no case can be made from these --rules, --categories and --logic; leave one of them out")
        self.numbers = range(aim.start, aim.start + aim.count) if aim else range(DOZEN * self._dozens(each))
        self.total = self.numbers.stop  # words must reach for all cases up to here
        self._skeleton = lru_cache(maxsize=20_000)(self._draw)

    def aimed_at(self, rules: Sequence[str], count: int, start: int, seed: int) -> Series:
        """So many cases built around these rules, none of which is in this series: their numbers, which choose their
        words, go on from `start`, and skeletons with fewer wordings than that are not used."""
        return Series(
            self.rules,
            categories=tuple(self.cells),
            logics=self.logics,
            lengths=self.lengths,
            distractors=self.distractors,
            seed=seed,
            aim=Aim(tuple(rules), count, start),
        )

    def _cells(self, category: Category, logics: Sequence[Logic]) -> list[Cell]:
        """Which rules serve a category, in a random order."""
        found = [
            Cell(rule.name, logic)
            for rule in self.tools.rules.values()
            for logic in logics
            if category in categories_of(rule) and self._serves(category, rule.name, logic)
        ]
        Random(f"{self.seed}/{category}").shuffle(found)
        return found

    def _serves(self, category: Category, rule: str, logic: Logic) -> bool:
        forms = self.tools.forms(rule, logic)
        if category == "unrelated":  # from a conclusion that holds anyway no other can be made that is open
            forms = [form for form in forms if not is_odd(form)]
        return bool(forms)

    def _dozens(self, each: int) -> int:
        """Enough that every rule and length comes up `each` times."""
        counted = [one for one in self.cells if one in GUARANTEED] or list(self.cells)
        needed = [each * len(self.cells[one]) * len(self.lengths) / self.slots.count(one) for one in counted]
        return max(1, ceil(max(needed)))

    # --- one case

    def wish(self, number: int) -> tuple[Wish, int]:
        """What case `number` should be, and which of its stratum it is."""
        dozen_number, place = divmod(number - self.numbers.start, DOZEN)
        slots = Random(f"{self.seed}/{dozen_number}").sample(self.slots, DOZEN)  # or the answers would alternate
        turn = dozen_number * slots.count(slots[place]) + slots[:place].count(slots[place])
        return self._wish(slots[place], turn)

    def _wish(self, category: Category, turn: int) -> tuple[Wish, int]:
        cells = self.cells[category]
        round_, place = divmod(turn, len(cells))
        among, which = divmod(round_, len(self.lengths))
        length = self.lengths[(which + place) % len(self.lengths)]
        return Wish(category, cells[place].rule, cells[place].logic, length, self.distractors), among

    def case(self, number: int) -> Numbered:
        """Case `number`. Where a rule cannot be drawn at a length, the next rule of its category takes its place."""
        wish, among = self.wish(number)
        cells = self.cells[wish.category]
        place = cells.index(Cell(wish.rule, wish.logic))
        for further in range(len(cells)):
            cell = cells[(place + further) % len(cells)]
            tried = msgspec.structs.replace(wish, rule=cell.rule, logic=cell.logic)
            found = self._numbered(tried, among, number) if not further else self._later(tried, among, number)
            if found:
                return found
        raise InputError(
            f"no {wish.category} case of length {wish.length} can be made from these rules; name more with --rules, "
            "or ask for shorter ones with --length"
        )

    def _numbered(self, wish: Wish, among: int, number: int) -> Numbered | None:
        """The first skeleton may have so few words that all its cases are counted among themselves: see `_small`."""
        variant, again = among % SKELETONS, among // SKELETONS
        case = self._skeleton(wish, variant)
        if case and case.symbols.room < self.total:
            if again < case.symbols.room:
                return Numbered(case, again + _far(wish))  # counted from a place of its own, or all would say the same
            return self._later(wish, among, number)
        return Numbered(case, number) if case else None

    def _later(self, wish: Wish, among: int, number: int) -> Numbered | None:
        case = self._skeleton(wish, SKELETONS + among % SKELETONS)
        return Numbered(case, number) if case else None

    def _draw(self, wish: Wish, variant: int) -> Case | None:
        for attempt in range(ATTEMPTS):
            rng = Random(f"{self.seed}/{wish.category}/{wish.rule}/{wish.logic}/{wish.length}/{variant}/{attempt}")
            bare = variant == 0 and wish.length == 1 and attempt < 3 and not self.numbers.start
            tried = msgspec.structs.replace(wish, distractors=0) if bare else wish
            crowded = attempt > PATIENCE
            case = draw(tried, self.tools, rng, varied=variant % 3 == 2 or crowded, crowded=crowded and not bare)
            if case and (case.symbols.room >= self.total or (bare and self._small(case))):
                return msgspec.structs.replace(case, wish=wish)
        return None

    def _small(self, case: Case) -> bool:
        """There are fewer ways to word it than cases in the set. It may come all the same, counted among its own, if
        nothing else can be worded like it: the bare form of one rule, which no other rule has."""
        step = case.steps[0]
        return len(case.premises) == 1 == len(step.premises) and self.tools.is_home(step)


def _far(wish: Wish) -> int:
    return int.from_bytes(blake2b(f"{wish.category}/{wish.rule}/{wish.logic}".encode(), digest_size=4).digest())


def _aimed(cells: Mapping[Category, list[Cell]], rules: Sequence[str]) -> dict[Category, list[Cell]]:
    """Cells of these rules. Where they leave one side of yes and no empty, all rules stand there as counterweights: a
    set that is all "no" would measure who likes to say no."""
    mine = {one: [cell for cell in known if cell.rule in rules] for one, known in cells.items()}
    for side in (VALID, INVALID):
        if not any(mine.get(one) for one in side):
            mine |= {one: cells[one] for one in side if one in cells}
    return {one: found for one, found in mine.items() if found}


def dozen(categories: Sequence[Category]) -> tuple[Category, ...]:
    """Twelve places, half of them valid where both kinds are wanted, in the order valid, invalid, valid …"""
    sides = [[one for one in side if one in categories] for side in (VALID, INVALID)]
    filled = [side for side in sides if side]
    if not filled:
        return ()
    halves = [[side[place % len(side)] for place in range(DOZEN // len(filled))] for side in filled]
    return tuple(one for places in zip(*halves, strict=True) for one in places)


def categories_of(rule: Rule) -> tuple[Category, ...]:
    """Which categories a rule serves."""
    if rule.kind == "fallacy":
        return ("fallacy",)
    own: Category = "inference" if rule.kind == "inference" else "equivalence"
    return (own, "contradiction", "unrelated")

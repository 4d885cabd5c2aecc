"""What follows from what: entailed, contradicted, undetermined, inconsistent or unknown.

Classical logic, non-empty domain, no existential import, = is identity, names may name the same thing (METHOD 2). Two
questions are put: can the premises be true together with the conclusion, and with its denial? A yes is a finite model,
found by a SAT solver and checked by looking every formula up in it. A no comes from the SAT solver where the domain has
a known bound (`bounds.py`), and from z3 where it has none. Answers are cached by shape, so names cost nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

import msgspec

from asker.logic import smt
from asker.logic.bounds import cost, survey, witnesses
from asker.logic.formula import Formula, Not, Truth
from asker.logic.ground import Grounding, sat_solver
from asker.logic.model import Model, holds
from asker.logic.shape import shape

Result = Literal["entailed", "contradicted", "undetermined", "inconsistent", "unknown"]
EFFORT = 1_000_000  # of z3, in its own steps: about a second on a quiet machine
SECONDS = 30.0  # only a guard: effort ends first, so that a busy machine does not change an answer
DEAREST = 30_000  # literals of one grounding
FURTHER = 2  # sizes tried beyond the smallest, where no bound is known


class Proof(msgspec.Struct, frozen=True):
    """What is known of an argument, with the evidence."""

    result: Result
    core: tuple[int, ...] = ()  # premises that suffice for the proof, or contradict each other; counted from 0
    model: Model | None = None  # premises and conclusion true
    counter_model: Model | None = None  # premises true, conclusion false
    note: str = ""


def prove(premises: Sequence[Formula], conclusion: Formula, effort: int = EFFORT, seconds: float = SECONDS) -> Proof:
    """Decide whether the conclusion follows from the premises."""
    seen = shape([*premises, conclusion])
    proof = _decided(seen.formulas, effort, seconds)
    models = [one and one.renamed(seen.predicates, seen.terms) for one in (proof.model, proof.counter_model)]
    return Proof(proof.result, proof.core, models[0], models[1], proof.note)


@lru_cache(maxsize=100_000)
def _decided(formulas: tuple[Formula, ...], effort: int, seconds: float) -> Proof:
    return _Search(formulas, effort, seconds).proof()


def forget() -> None:
    """Empty the cache, to measure what proving costs."""
    _decided.cache_clear()


class _Way:
    """One of the two questions: premises with the conclusion (or with its denial)."""

    def __init__(self, claimed: bool, bound: int | None, bounded: list[int], complete: bool) -> None:
        self.claimed = claimed
        self.bound = bound  # where a look settles whether the bounded premises rule this out
        self.bounded = bounded  # premises that have a bound on their domain
        self.complete = complete  # all of them: then a look at the bound settles everything
        self.model: Model | None = None
        self.core: set[int] | None = None  # premises that rule it out
        self.tried: dict[int, set[int]] = {}  # the core at each size that has no model

    @property
    def open(self) -> bool:
        return self.model is None and self.core is None

    def larger_than(self, size: int) -> bool:
        return self.model is not None and self.model.size > size


class _Search:
    def __init__(self, formulas: tuple[Formula, ...], effort: int, seconds: float, trim: bool = True) -> None:
        self.formulas, self.premises, self.conclusion = formulas, formulas[:-1], formulas[-1]
        self.effort, self.seconds, self.trim = effort, seconds, trim
        found = survey(formulas)
        self.arities, self.constants = found.arities, list(found.names)
        self.quantified, self.functions = found.quantified, found.functions
        self.apart = not found.functions and not found.identity
        self.first = max(1, len(self.constants)) if self.apart else 1  # the smallest domain worth a look
        self.ways = [self._way(claimed) for claimed in (True, False)]

    def _way(self, claimed: bool) -> _Way:
        if not self.quantified and not self.functions:
            return _Way(claimed, max(1, len(self.constants)), list(range(len(self.premises))), True)
        needed = [witnesses(one) for one in self.premises]
        own = None if self.functions else witnesses(self.conclusion, claimed)
        bounded = [place for place, count in enumerate(needed) if count is not None]
        complete = own is not None and len(bounded) == len(needed)
        if own is None or not (complete or self.apart):
            return _Way(claimed, None, bounded, False)
        total = len(self.constants) + own + sum(count for count in needed if count is not None)
        return _Way(claimed, max(1, total), bounded, complete)

    def proof(self) -> Proof:
        if self.constants and not self.apart and self._affordable(len(self.constants)):
            # Names that name different things make a model easier to read.
            self._look(len(self.constants), apart=True, ways=self.ways)
        self._look_at_sizes()
        for way in self.ways:
            if way.open:
                self._ask_z3(way)
        return self._result()

    def _look_at_sizes(self) -> None:
        """The smallest first, as small models are easy to read; then the bound, which decides; then between."""
        known = [way.bound for way in self.ways if way.bound is not None]
        last = max([*known, self.first if all(way.complete for way in self.ways) else self.first + FURTHER])
        sizes = [self.first, *known, *range(self.first + 1, last + 1)]
        for size in dict.fromkeys(sizes if self.apart else range(1, last + 1)):
            # Where names may name one thing, the smallest model is not the one that is easiest to read.
            asked = [way for way in self.ways if way.open or (self.apart and way.larger_than(size))]
            if asked and self._affordable(size):
                self._look(size, self.apart, asked)

    def _affordable(self, size: int) -> bool:
        return not self.quantified or sum(cost(one, size, self.apart) for one in self.formulas) <= DEAREST

    def _look(self, size: int, apart: bool, ways: list[_Way]) -> None:
        """Put questions to a SAT solver, for a domain of this size, with names apart or not."""
        ground = Grounding(size, self.constants, apart)
        literals = [ground.literal(one, {}) for one in self.formulas]
        with sat_solver(ground.clauses) as solver:
            for way in ways:
                said = literals[-1] if way.claimed else -literals[-1]
                if solver.solve(assumptions=[*literals[:-1], said]):
                    way.model = self._checked(ground.model(set(solver.get_model()), self.arities), way.claimed)
                elif apart == self.apart and way.bound is not None and (size >= way.bound or not apart):
                    self._ruled_out(way, size, _core(solver, {place: literals[place] for place in way.bounded}, said))

    def _ruled_out(self, way: _Way, size: int, core: set[int] | None) -> None:
        """Without identity a large enough domain decides alone; with it, every size up to the bound must say no."""
        if core is None:  # it takes a premise without a bound
            return
        way.tried[size] = core
        if self.apart:
            way.core = core
        elif all(smaller in way.tried for smaller in range(1, (way.bound or size) + 1)):
            union = set().union(*way.tried.values())
            way.core = self._trimmed(way.claimed, union) if self.trim else union

    def _trimmed(self, claimed: bool, core: set[int]) -> set[int]:
        """Sizes ruled out by different premises: leave out one by one those that the others make idle."""
        for place in sorted(core):
            fewer = [self.premises[other] for other in sorted(core - {place})]
            trial = _Search((*fewer, self.conclusion), self.effort, self.seconds, trim=False)
            trial.ways = [way for way in trial.ways if way.claimed == claimed]
            trial._look_at_sizes()
            if trial.ways[0].core is not None:
                core = core - {place}
        return core

    def _checked(self, model: Model, claimed: bool) -> Model:
        """A model is only believed when every formula has been looked up in it."""
        right = all(holds(one, model) for one in self.premises) and holds(self.conclusion, model) == claimed
        if not right:
            raise AssertionError("the SAT solver gave a model that is none; please report these formulas")
        return model

    def _ask_z3(self, way: _Way) -> None:
        told = self.conclusion if way.claimed else Not(self.conclusion)
        said = smt.check([*self.premises, told], self.effort, self.seconds)
        if said == "unsat":
            way.core = self._smaller(told)
        elif said == "sat":  # look further for a model to show; one that cannot be shown is not claimed
            for size in range(self.first + FURTHER + 1, self.first + 2 * FURTHER + 1):
                if way.open and self._affordable(size):
                    self._look(size, self.apart, [way])

    def _smaller(self, told: Formula) -> set[int]:
        """Premises left out one by one, as long as z3 quickly finds the proof without them."""
        core = dict(enumerate(self.premises))
        for place, premise in list(core.items()):
            del core[place]
            if smt.check([*core.values(), told], self.effort // 10, self.seconds / 10) != "unsat":
                core[place] = premise
        return set(core)

    def _result(self) -> Proof:
        claimed, denied = self.ways
        models = (claimed.model, denied.model)
        if claimed.core is not None and denied.core is not None:
            return Proof("inconsistent", self._clashing(), *models)
        if denied.core is not None:
            return Proof("entailed", tuple(sorted(denied.core)), *models, _doubt(claimed))
        if claimed.core is not None:
            return Proof("contradicted", tuple(sorted(claimed.core)), *models, _doubt(denied))
        if claimed.model and denied.model:
            return Proof("undetermined", (), *models)
        return Proof("unknown", (), *models, "neither a proof nor a finite model was found within the effort allowed")

    def _clashing(self) -> tuple[int, ...]:
        """Premises that cannot be true together: those from which ⊥ follows."""
        alone = _Search((*self.premises, Truth(False)), self.effort, self.seconds)
        alone.proof_of_falsehood()
        return tuple(sorted(alone.ways[1].core or range(len(self.premises))))

    def proof_of_falsehood(self) -> None:
        self.ways[0].core = set()  # ⊥ is never true
        self._look_at_sizes()
        if self.ways[1].open:
            self._ask_z3(self.ways[1])


def _core(solver: Any, premises: dict[int, int], said: int) -> set[int] | None:
    """Of these premises those that suffice for the contradiction, none of them idle; None if they do not suffice."""
    if solver.solve(assumptions=[*premises.values(), said]):
        return None
    needed = set(solver.get_core() or ())
    core = {literal: place for place, literal in reversed(premises.items()) if literal in needed}
    for literal in list(core):
        if not solver.solve(assumptions=[*(one for one in core if one != literal), said]):
            del core[literal]
    return set(core.values())


def _doubt(way: _Way) -> str:
    return "" if way.model else "whether the premises contradict each other was not settled"

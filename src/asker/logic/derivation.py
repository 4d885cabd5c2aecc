"""Chains and trees of rules: from an instance of one rule, further steps grow upwards from its premises, downwards from
its conclusion, or by writing a formula in another way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from random import Random

import msgspec

from asker.logic.formula import KEPT, And, Atom, Formula, Implies, Not, Or, Pattern, Variable, depth, predicates, walk
from asker.logic.matching import HOLES, Bindings, fill, letters, match, places
from asker.logic.rules import Form

DEEPEST = 5  # formulas within formulas: what lies deeper nobody can read
LARGEST = 13  # signs and atoms of one formula
MOST_SYMBOLS = 16  # in a case: the vocabulary of a language must reach


class Step(msgspec.Struct, frozen=True):
    """One application of a rule."""

    rule: str
    premises: tuple[Formula, ...]
    conclusion: Formula


class Derivation(msgspec.Struct, frozen=True):
    """Premises, what is concluded from them, and by which steps, in an order in which each can be followed."""

    premises: tuple[Formula, ...]
    conclusion: Formula
    steps: tuple[Step, ...]


class Names:
    """New letters, in order: p1, p2 … for propositions, P1 … for predicates, c1 … for constants."""

    def __init__(self) -> None:
        self._last = {"p": 0, "P": 0, "c": 0}

    def new(self, stem: str) -> str:
        self._last[stem] += 1
        return f"{stem}{self._last[stem]}"

    def pattern(self, arity: int) -> Pattern:
        """A new letter with so many holes."""
        holes = HOLES[:arity]
        return Pattern(holes, Atom(self.new("P" if arity else "p"), tuple(Variable(one) for one in holes)))


class Growing:
    """One derivation in the making; `steps` are the forms of rules it may go on with. None: nothing fits."""

    def __init__(self, steps: Sequence[Form], rng: Random) -> None:
        self.rng, self.names = rng, Names()
        self.inferences = [form for form in steps if form.kind == "inference"]
        self.equivalences = [form for form in steps if form.kind != "inference"]

    # --- the first step

    def instance(self, form: Form, varied: bool) -> Step:
        """The rule with letters of its own; if `varied`, now and then a compound statement in the place of one."""
        arities, constants = letters(*form.premises, form.conclusion)
        meant = {name: self.pattern(arity, varied) for name, arity in arities.items()}
        bindings = Bindings(meant, {one: self.names.new("c") for one in constants})
        return _filled(form, bindings)

    def pattern(self, arity: int, varied: bool) -> Pattern:
        """What a letter stands for: mostly a letter, else a denial, or two letters joined."""
        luck = self.rng.random() if varied else 1.0
        one = self.names.pattern(arity)
        if luck < 0.2:
            return Pattern(one.holes, Not(one.body))
        if luck < 0.4:
            join = self.rng.choice((And, Or, Implies))
            return Pattern(one.holes, join(one.body, self.names.pattern(arity).body))
        return one

    # --- inference: upwards and downwards

    def inference(self, form: Form, length: int, varied: bool) -> Derivation | None:
        """The rule somewhere in a tree of so many steps, the others valid."""
        first = self.instance(form, varied)
        grown = Derivation(first.premises, first.conclusion, (first,))
        for _ in range(length - 1):
            ways = [self.upwards, self.downwards]
            self.rng.shuffle(ways)
            further = ways[0](grown) or ways[1](grown)
            if further is None:
                return None
            grown = further
        return grown

    def upwards(self, grown: Derivation) -> Derivation | None:
        """A premise becomes what another rule concludes."""
        for place in self.rng.sample(range(len(grown.premises)), len(grown.premises)):
            leaf = grown.premises[place]
            for form in self.shuffled(self.inferences):
                found = match(form.conclusion, leaf, Bindings())
                step = self.completed(form, found) if found else None
                if step and self.fits(step) and leaf not in step.premises:
                    rest = grown.premises[:place] + grown.premises[place + 1 :]
                    return Derivation(joined(rest, step.premises), grown.conclusion, (step, *grown.steps))
        return None

    def downwards(self, grown: Derivation) -> Derivation | None:
        """The conclusion becomes one premise of another rule."""
        for form in self.shuffled(self.inferences):
            for slot in self.rng.sample(range(len(form.premises)), len(form.premises)):
                found = match(form.premises[slot], grown.conclusion, Bindings())
                step = self.completed(form, found) if found else None
                if step and self.fits(step) and step.conclusion not in (*grown.premises, grown.conclusion):
                    others = step.premises[:slot] + step.premises[slot + 1 :]
                    return Derivation(joined(grown.premises, others), step.conclusion, (*grown.steps, step))
        return None

    def completed(self, form: Form, found: Bindings) -> Step:
        """A step of the rule; letters that are not bound yet become new ones."""
        arities, constants = letters(*form.premises, form.conclusion)
        meant = {name: found.predicates.get(name) or self.names.pattern(arity) for name, arity in arities.items()}
        named = {one: found.constants.get(one) or self.names.new("c") for one in constants}
        return _filled(form, Bindings(meant, named))

    # --- equivalence: writing it in another way

    def equivalence(self, form: Form, length: int, varied: bool) -> Derivation | None:
        """One formula written in another way, again and again; the rule comes first or last."""
        first = self.instance(form, varied)
        seen, steps = [*first.premises, first.conclusion], [first]
        for _ in range(length - 1):
            further = next((one for one in self.rewritings(seen[-1]) if one.conclusion not in seen), None)
            if further is None:
                return None
            seen.append(further.conclusion)
            steps.append(further)
        if self.rng.random() < 0.5:  # an equivalence may be read from its end
            seen.reverse()
            steps = [Step(one.rule, (one.conclusion,), one.premises[0]) for one in reversed(steps)]
        return Derivation((seen[0],), seen[-1], tuple(steps))

    def rewritings(self, formula: Formula) -> Iterator[Step]:
        """The formula after one equivalence somewhere inside it, in random order."""
        spots = list(places(formula))
        for form in self.shuffled(self.equivalences):
            kind = type(form.premises[0])
            if kind is Atom and self.rng.random() < 0.8:
                continue  # P becomes ¬¬P anywhere: rarely, or there would be little else
            fitting = [spot for spot in spots if kind is Atom or type(spot[0]) is kind]
            for part, put in self.rng.sample(fitting, len(fitting)):
                conclusion = _rewritten(form, part, put)
                if conclusion and readable(conclusion):
                    yield Step(form.rule, (formula,), conclusion)

    # --- tools

    def shuffled(self, forms: Sequence[Form]) -> Iterator[Form]:
        """In random order, drawn one by one: mostly one of the first will do."""
        pool, draw = list(forms), self.rng.random
        for last in range(len(pool) - 1, -1, -1):
            place = int(draw() * (last + 1))
            pool[place], pool[last] = pool[last], pool[place]
            yield pool[last]

    def fits(self, step: Step) -> bool:
        return all(readable(one) for one in (*step.premises, step.conclusion))


def _filled(form: Form, bindings: Bindings) -> Step:
    return Step(form.rule, tuple(fill(one, bindings) for one in form.premises), fill(form.conclusion, bindings))


def _rewritten(form: Form, part: Formula, put: Callable[[Formula], Formula]) -> Formula | None:
    found = match(form.premises[0], part, Bindings())
    if found is None or any(name not in found.predicates for name in letters(form.conclusion)[0]):
        return None  # what the other side adds out of nothing would be in no premise
    return put(fill(form.conclusion, found))


@lru_cache(maxsize=KEPT)
def readable(formula: Formula) -> bool:
    """Neither too deep nor too long, and nothing denied more than twice over."""
    if depth(formula) > DEEPEST or sum(1 for _ in walk(formula)) > LARGEST:
        return False
    return not any(
        isinstance(one, Not) and isinstance(one.body, Not) and isinstance(one.body.body, Not) for one in walk(formula)
    )


def joined(first: Sequence[Formula], second: Sequence[Formula]) -> tuple[Formula, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def symbols(formulas: Sequence[Formula]) -> dict[tuple[str, int], None]:
    """Propositions and predicates of a case, in order of appearance."""
    return dict.fromkeys(one for formula in formulas for one in predicates(formula))

"""Formulas in English sentences."""

from __future__ import annotations

from asker.logic.formula import And, Atom, Equal, Exists, ForAll, Formula, Iff, Implies, Not, Or, Quantified, Xor
from asker.logic.vocabulary import TRAITS, Choice, Symbols
from asker.logic.wording.grammar import adrift, literal, pair, pattern, subject, tight, words


class English:
    """One case's vocabulary and tense. `people`: all and some are everyone and someone, not x and y."""

    def __init__(self, choice: Choice, people: bool, past: bool) -> None:
        self.choice, self.people, self.past = choice, people, past
        self.words = words("en")

    def sentence(self, formula: Formula) -> str:
        return f"{_capital(self.say(formula))}."

    def say(self, formula: Formula) -> str:
        if literal(formula):
            return self.clause(formula)
        if isinstance(formula, Not):
            return f"it {'was' if self.past else 'is'} not the case that {self.under_not(formula.body)}"
        if isinstance(formula, Quantified):
            return self.quantified(formula)
        if isinstance(formula, Implies):
            return f"if {self.condition(formula.left)}, then {self.part(formula.right)}"
        return self.joined(formula)

    def joined(self, formula: Formula) -> str:
        assert isinstance(formula, And | Or | Xor | Iff)
        # "Everyone sings if and only if it rains" might be said of each one, and so might what follows an "and".
        say = self.apart if isinstance(formula, Iff | And) else self.part
        left, right = say(formula.left), say(formula.right)
        if isinstance(formula, And):
            return f"{left} and {right}"
        if isinstance(formula, Or):
            return f"{left}, or {right}, or both"
        if isinstance(formula, Xor):
            return f"either {left} or {right}, but not both"
        return f"{left} if and only if {right}"

    def part(self, formula: Formula) -> str:
        """As part of another statement: in brackets unless it is a single one."""
        return self.say(formula) if tight(formula, self.people) else f"({self.say(formula)})"

    def apart(self, formula: Formula) -> str:
        return self.say(formula) if literal(formula) else f"({self.say(formula)})"

    def condition(self, formula: Formula) -> str:
        """After "if", up to "then"."""
        return self.say(formula) if pair(formula, self.people) else self.part(formula)

    def under_not(self, formula: Formula) -> str:
        return f"both {self.say(formula)}" if pair(formula, self.people) else self.part(formula)

    # --- single statements

    def clause(self, formula: Formula) -> str:
        denied, atom = (True, formula.body) if isinstance(formula, Not) else (False, formula)
        if isinstance(atom, Equal):
            left, right = (subject(one, self.choice, self.words["people"]) for one in (atom.left, atom.right))
            return f"{left} {self.be(denied)} the same person as {right}"
        assert isinstance(atom, Atom)
        if not atom.args:
            return self.statement(atom.name, denied)
        who = [subject(one, self.choice, self.words["people"]) for one in atom.args]
        if len(who) == 1:
            return f"{who[0]} {self.trait(self.choice.properties[atom.name], denied)}"
        return f"{who[0]} {self.verb(self.words['relations'][self.choice.relations[atom.name]], denied)} {who[1]}"

    def statement(self, name: str, denied: bool) -> str:
        trait, person = self.choice.statements[name]
        if person is None:
            forms: list[str] = self.words["impersonal"][trait - TRAITS]
            return forms[2 * self.past + denied]
        return f"{self.words['people'][person]} {self.trait(trait, denied)}"

    def trait(self, place: int, denied: bool) -> str:
        """ "is tall", "did not play tennis"."""
        predicates = self.words["predicates"]
        if place < len(predicates):
            return f"{self.be(denied)} {predicates[place]}"
        return self.verb(self.words["actions"][place - len(predicates)], denied)

    def be(self, denied: bool) -> str:
        return ("was" if self.past else "is") + (" not" if denied else "")

    def verb(self, forms: list[str], denied: bool) -> str:
        now, then, base = forms
        if denied:
            return f"{'did' if self.past else 'does'} not {base}"
        return then if self.past else now

    def meanings(self, symbols: Symbols) -> dict[str, str]:
        """What each letter of a case stands for; people under their names."""
        said = {name: self.statement(name, False) for name in symbols.statements}
        said |= {name: f"… {self.trait(self.choice.properties[name], False)}" for name in symbols.properties}
        for name in symbols.relations:
            said[name] = f"… {self.verb(self.words['relations'][self.choice.relations[name]], False)} …"
        return said | {name: self.words["people"][self.choice.people[name]] for name in symbols.people}

    # --- all and some

    def quantified(self, formula: ForAll | Exists) -> str:
        if self.people and (found := pattern(formula)):
            return self.of_people(formula, *found)
        body = f"({self.say(formula.body)})" if adrift(formula) else self.say(formula.body)
        if isinstance(formula, ForAll):
            return f"for all {formula.variable}, {body}"
        holds = (
            f"for which it {'held' if self.past else 'holds'} that"
            if isinstance(formula.body, Implies)
            else "for which"
        )
        return f"there {'was' if self.past else 'is'} at least one {formula.variable} {holds} {body}"

    def of_people(self, formula: ForAll | Exists, which: Formula | None, what: Formula) -> str:
        """Everyone who is A is B; no one who is A is B; at least one person who is A is B."""
        none = isinstance(formula, ForAll) and isinstance(what, Not)
        who = "no one" if none else "everyone" if isinstance(formula, ForAll) else "at least one person"
        if which is not None:
            who += f" who {self.of_someone(which)}"
        return f"{who} {self.of_someone(what.body if none and isinstance(what, Not) else what)}"

    def of_someone(self, formula: Formula) -> str:
        denied, atom = (True, formula.body) if isinstance(formula, Not) else (False, formula)
        assert isinstance(atom, Atom)
        return self.trait(self.choice.properties[atom.name], denied)


def _capital(text: str) -> str:
    place = next(place for place, letter in enumerate(text) if letter.isalpha())
    return text[:place] + text[place].upper() + text[place + 1 :]

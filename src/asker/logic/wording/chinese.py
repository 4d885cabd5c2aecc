"""Formulas in Chinese sentences. Chinese verbs have no tense, so a case cannot change it."""

from __future__ import annotations

from asker.logic.formula import And, Atom, Equal, Exists, ForAll, Formula, Iff, Implies, Not, Or, Quantified, Xor
from asker.logic.vocabulary import TRAITS, Choice, Symbols
from asker.logic.wording.grammar import adrift, literal, pattern, subject, tight, words


class Chinese:
    """One case's vocabulary. `people`: all and some are people, not x and y."""

    def __init__(self, choice: Choice, people: bool) -> None:
        self.choice, self.people, self.words = choice, people, words("zh")

    def sentence(self, formula: Formula) -> str:
        return f"{self.say(formula)}。"

    def say(self, formula: Formula) -> str:
        if literal(formula):
            return self.clause(formula)
        if isinstance(formula, Not):
            plain = isinstance(formula.body, ForAll) and tight(formula.body, self.people)
            return f"并非{self.say(formula.body)}" if plain else f"并非（{self.say(formula.body)}）"
        if isinstance(formula, Quantified):
            return self.quantified(formula)
        return self.joined(formula)

    def joined(self, formula: Formula) -> str:
        assert isinstance(formula, And | Or | Xor | Iff | Implies)
        say = self.apart if isinstance(formula, Iff) else self.part  # else it might be said of each one
        left, right = say(formula.left), say(formula.right)
        if isinstance(formula, Implies):
            return f"如果{left}，那么{right}"
        if isinstance(formula, And):
            return f"{left}，并且{right}"
        if isinstance(formula, Or):
            return f"或者{left}，或者{right}，至少有一项成立"
        if isinstance(formula, Xor):
            return f"要么{left}，要么{right}，但不同时成立"
        return f"{left}，当且仅当{right}"

    def part(self, formula: Formula) -> str:
        """As part of another statement: in brackets unless it is a single one."""
        return self.say(formula) if tight(formula, self.people) else f"（{self.say(formula)}）"

    def apart(self, formula: Formula) -> str:
        return self.say(formula) if literal(formula) else f"（{self.say(formula)}）"

    # --- single statements

    def clause(self, formula: Formula) -> str:
        denied, atom = (True, formula.body) if isinstance(formula, Not) else (False, formula)
        if isinstance(atom, Equal):
            left, right = (subject(one, self.choice, self.words["people"]) for one in (atom.left, atom.right))
            return f"{left}和{right}{'不' if denied else ''}是同一个人"
        assert isinstance(atom, Atom)
        if not atom.args:
            return self.statement(atom.name, denied)
        who = [subject(one, self.choice, self.words["people"]) for one in atom.args]
        if len(who) == 1:
            return f"{who[0]}{self.trait(self.choice.properties[atom.name], denied)}"
        relation: list[str] = self.words["relations"][self.choice.relations[atom.name]]
        return f"{who[0]}{relation[denied]}{who[1]}"

    def statement(self, name: str, denied: bool) -> str:
        trait, person = self.choice.statements[name]
        if person is None:
            forms: list[str] = self.words["impersonal"][trait - TRAITS]
            return forms[denied]
        return f"{self.words['people'][person]}{self.trait(trait, denied)}"

    def trait(self, place: int, denied: bool) -> str:
        said: list[str] = [*self.words["predicates"], *self.words["actions"]][place]
        return said[denied]

    def meanings(self, symbols: Symbols) -> dict[str, str]:
        """What each letter of a case stands for; people under their names."""
        said = {name: self.statement(name, False) for name in symbols.statements}
        said |= {name: f"……{self.trait(self.choice.properties[name], False)}" for name in symbols.properties}
        for name in symbols.relations:
            said[name] = f"……{self.words['relations'][self.choice.relations[name]][0]}……"
        return said | {name: self.words["people"][self.choice.people[name]] for name in symbols.people}

    # --- all and some

    def quantified(self, formula: ForAll | Exists) -> str:
        if self.people and (found := pattern(formula)):
            return self.of_people(formula, *found)
        opening = (
            f"对所有的{formula.variable}，" if isinstance(formula, ForAll) else f"至少有一个{formula.variable}，使得"
        )
        body = f"（{self.say(formula.body)}）" if adrift(formula) else self.say(formula.body)
        return f"{opening}{body}"

    def of_people(self, formula: ForAll | Exists, which: Formula | None, what: Formula) -> str:
        """所有是A的人都是B; 至少有一个是A的人是B."""
        who = f"{self.of_someone(which)}的人" if which is not None else "人"
        if isinstance(formula, ForAll):
            return f"所有{who}都{self.of_someone(what)}"
        return f"至少有一个{who}{self.of_someone(what)}"

    def of_someone(self, formula: Formula) -> str:
        denied, atom = (True, formula.body) if isinstance(formula, Not) else (False, formula)
        assert isinstance(atom, Atom)
        return self.trait(self.choice.properties[atom.name], denied)

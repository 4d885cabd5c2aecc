"""Reading formulas in the usual notations.

Precedence (METHOD 2): ¬ ∀ ∃, then ∧, then ∨ and ⊕, then → (to the right), then ↔. `∀x P` binds as tightly as ¬; with a
dot, colon or comma – `∀x. P` – it reaches to the end, or to the bracket around it. ∨ beside ⊕ needs brackets.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from asker.logic.cursor import Cursor
from asker.logic.formula import (
    And,
    Atom,
    Constant,
    Equal,
    Exists,
    ForAll,
    Formula,
    Function,
    Iff,
    Implies,
    Not,
    Or,
    Term,
    Truth,
    Variable,
    Xor,
    depth,
    exactly_one,
)
from asker.logic.printing import show
from asker.logic.tokens import BETWEEN, QUANTIFIERS, FormulaError, Token

__all__ = ["USUAL", "Convention", "FormulaError", "Reading", "parse", "read", "show"]

MAKE: dict[str, type[And | Or | Xor | Implies | Iff]] = {"∧": And, "∨": Or, "⊕": Xor, "→": Implies, "↔": Iff}
LEVEL = {"↔": 10, "→": 20, "∨": 30, "⊕": 30, "∧": 40}
XOR = {"brackets": 30, "before-or": 35, "after-or": 25}
DEEPEST = 150  # of brackets; what walks through formulas does so by recursion
LONGEST = 250
BINDS = {"∀", "∃", "∄", "∃!"}
BEGINS = {"name", "(", "¬", "⊤", "⊥"} | BINDS
CALLED: dict[str, type[And | Or | Xor | Implies | Iff]] = {
    "and": And,
    "or": Or,
    "xor": Xor,
    "implies": Implies,
    "iff": Iff,
}


class Convention(msgspec.Struct, frozen=True):
    """What an author means where people differ; as it stands, what METHOD 2 says."""

    quantifiers: Literal["tight", "wide"] = "tight"  # wide: ∀x reaches to the end without a dot, too
    xor: Literal["brackets", "before-or", "after-or"] = "brackets"  # whether ⊕ beside ∨ is refused, or which goes first


USUAL = Convention()


class Reading(msgspec.Struct, frozen=True):
    """A formula, and what a careful reader would ask its author about."""

    formula: Formula
    notes: tuple[str, ...] = ()
    together: tuple[tuple[str, int], ...] = ()  # predicates that stand before their arguments without brackets


def parse(text: str) -> Formula:
    """The formula that a text stands for, or a FormulaError with line, column and reason."""
    return read(text).formula


def read(text: str, together: Mapping[str, int] | None = None, convention: Convention = USUAL) -> Reading:
    """`together`: one-letter predicates whose arguments follow without brackets, as in Fx and Rab, and their arity."""
    parser = _Parser(text, dict(together or {}), convention)
    formula = parser.whole()
    if depth(formula) > LONGEST:
        raise FormulaError(text, 0, f"this is nested more than {LONGEST} deep; give it as several premises")
    return Reading(formula, tuple(dict.fromkeys(parser.notes)), tuple(parser.together.items()))


class _Parser(Cursor):
    """Recursive descent with one token of sight, and a longer look only at quantifiers."""

    def __init__(self, text: str, together: dict[str, int], convention: Convention) -> None:
        self.levels = LEVEL | {"⊕": XOR[convention.xor]}
        self.wide = convention.quantifiers == "wide"
        super().__init__(text)
        self.together, self.notes = together, list[str]()
        self.bound: list[str] = []
        self.level = 0

    def whole(self) -> Formula:
        if self.next.kind == "end":
            raise self.wrong("there is no formula here")
        formula = self.expression(0)
        self.skip(".")  # a full stop after the formula
        if self.next.kind == ")":
            raise self.wrong(f"'{self.next.text}' closes a bracket that was not opened")
        if self.next.kind != "end":
            raise self.wrong(f"expected the end or a connective, not '{self.next.text}'")
        return formula

    def expression(self, least: int) -> Formula:
        """Operands joined by connectives of at least this level."""
        self.level += 1
        if self.level > DEEPEST:
            raise self.wrong(f"brackets are nested more than {DEEPEST} deep")
        left, before = self.operand(), ""
        while self.levels.get(sign := self.connective(), -1) >= least:
            if {before, sign} == {"∨", "⊕"} and self.levels["∨"] == self.levels["⊕"]:
                raise self.wrong("∨ and ⊕ side by side have two readings; put brackets around one of them")
            self.take()
            # → groups to the right, so what follows may hold another.
            left = MAKE[sign](left, self.expression(self.levels[sign] + (sign != "→")))
            before = sign
        self.level -= 1
        return left

    def connective(self) -> str:
        token = self.next
        if token.text == "^" and token.kind == "∧":
            self.notes.append("^ is read as ∧; write ⊕ or xor for exclusive or")
        return BETWEEN.get(token.word, "") if token.kind == "name" else token.kind

    def operand(self) -> Formula:
        token = self.next
        if self.starts_tptp():
            return self.tptp()
        if token.kind == "¬" or (token.word == "not" and self.look(1).kind in BEGINS):
            self.take()
            return Not(self.nested_operand())
        if token.kind in BINDS or self.is_quantifier_word():
            return self.quantified()
        if token.kind == "(":
            return self.bracketed()
        if token.kind in ("⊤", "⊥"):
            return Truth(self.take().kind == "⊤")
        if token.kind == "name":
            return self.named()
        raise self.wrong(self.expected_operand())

    def nested_operand(self) -> Formula:
        self.level += 1
        if self.level > DEEPEST:
            raise self.wrong(f"signs are nested more than {DEEPEST} deep")
        formula = self.operand()
        self.level -= 1
        return formula

    def expected_operand(self) -> str:
        if self.next.kind == "end":
            return "the formula ends where a statement is missing"
        return f"expected a statement, not '{self.next.text}'"

    def bracketed(self) -> Formula:
        if self.look(1).kind in BINDS and (end := self.names_until(2, ")")):
            self.take()  # (∀x) F
            sign = self.take().kind
            names = self.variables_between(end - 2)
            self.take()
            return self.bind(sign, names, far=self.skip(".", ":", ","))
        opened = self.take()
        formula = self.expression(0)
        self.close(opened)
        return formula

    # --- quantifiers

    def is_quantifier_word(self) -> bool:
        """`all x …`, `Exists(x, …)`, but not a predicate of that name, as in `Exists(x) ∧ …`."""
        if self.next.word not in QUANTIFIERS:
            return False
        if QUANTIFIERS[self.next.word] == "∃" and self.look(1).text == "!" and self.look(2).kind == "name":
            return True
        if self.look(1).kind == "name":
            return self.look(1).word not in BETWEEN or self.look(2).kind in BEGINS | {".", ":", ","}
        if self.look(1).kind != "(":
            return False
        end = self.names_until(2, ")")
        after = self.look(end + 1).kind if end else ""
        return after in BEGINS or (self.look(2).kind == "name" and self.look(3).kind == ",") or self.look(2).kind == "("

    def quantified(self) -> Formula:
        token = self.take()
        sign = QUANTIFIERS.get(token.word, token.kind)
        if sign == "∃" and self.next.text == "!":  # exists! x, ∃ !x
            self.take()
            sign = "∃!"
        if self.next.kind == "(":
            return self.quantified_in_brackets(sign)
        names = [self.variable()]
        while self.another_variable():
            self.skip(",")
            names.append(self.variable())
        return self.bind(sign, names, far=self.skip(".", ":", ","))

    def quantified_in_brackets(self, sign: str) -> Formula:
        """∀(x) F, ∀[x, y]: F, and as programs print it, ForAll(x, F) and ForAll([x, y], F)."""
        opened, end = self.next, self.names_until(1, ")")
        if end and self.look(end + 1).kind in BEGINS | {":", ".", ","}:
            self.take()
            names = self.variables_between(end - 1)
            self.close(opened)
            return self.bind(sign, names, far=self.skip(".", ":", ","))
        self.take()
        if self.next.kind == "(":
            inner, end = self.next, self.names_until(1, ")")
            self.take()
            names = self.variables_between(max(end - 1, 0)) or [self.variable()]
            self.close(inner)
        else:
            names = [self.variable()]
        if not self.skip(","):
            raise self.wrong(f"expected ',' after the variable of '{sign}', as in {sign}(x, F), or {sign}x F")
        formula = self.bind(sign, names, far=True)
        self.close(opened)
        return formula

    def variable(self) -> str:
        if self.next.kind != "name":
            raise self.wrong(f"expected a variable after the quantifier, not '{self.next.text or 'the end'}'")
        return self.take().text

    def another_variable(self) -> bool:
        """Whether what comes is one more variable of the same quantifier: ∀x y F, ∀x, y. F, ∀a b. F."""
        comma = int(self.next.kind == ",")
        token, after = self.look(comma), self.look(comma + 1)
        if token.kind != "name" or token.quoted or token.word in ("not", "true", "false"):
            return False
        if token.word in QUANTIFIERS and after.kind == "name":
            return False
        if self.names_until(comma, ".") or self.names_until(comma, ":"):
            return True
        if not comma and after.kind == "," and self.look(2).kind in BEGINS:
            return True  # ∀a b, F
        letter = token.text[0] in "uvwxyz" and all(c in "0123456789'′" for c in token.text[1:])
        return letter and after.kind in BEGINS | {",", ".", ":"}

    def bind(self, sign: str, names: list[str], far: bool) -> Formula:
        if sign == "∃!" and len(names) > 1:
            raise self.wrong("∃! with several variables has two readings; give each an ∃! of its own")
        self.bound += names
        body = self.expression(0) if far or self.wide else self.nested_operand()
        del self.bound[len(self.bound) - len(names) :]
        if sign == "∃!":
            return exactly_one(names[0], body)
        for name in reversed(names):
            body = ForAll(name, body) if sign == "∀" else Exists(name, body)
        return Not(body) if sign == "∄" else body

    def starts_tptp(self) -> bool:
        """![X]: F and ?[X, Y]: F."""
        if self.next.text not in ("!", "?") or self.look(1).text != "[":
            return False
        end = self.names_until(2, ")")
        return bool(end) and self.look(end + 1).kind == ":"

    def tptp(self) -> Formula:
        sign = "∀" if self.take().text == "!" else "∃"
        opened, end = self.take(), self.names_until(0, ")")
        names = self.variables_between(end)
        self.close(opened)
        self.take()
        return self.bind(sign, names, far=False)  # TPTP's own rule: it binds like a negation

    # --- names

    def named(self) -> Formula:
        token = self.next
        if token.word in CALLED and self.look(1).kind == "(":
            return self.called()
        if token.word in ("true", "false") and self.look(1).kind not in ("(", "=", "≠"):
            return Truth(self.take().word == "true")
        term = self.term()
        if self.next.kind in ("=", "≠"):
            differ = self.take().kind == "≠"
            equal = Equal(term, self.term())
            return Not(equal) if differ else equal
        if isinstance(term, Variable):
            raise self.wrong(f"'{term.name}' is a variable here, so it cannot be a statement", token)
        if isinstance(term, Function):
            return Atom(term.name, term.args)
        return self.run_together(token) or Atom(term.name)

    def called(self) -> Formula:
        make, opened = CALLED[self.take().word], self.take()
        formula = self.expression(0)
        if self.next.kind != ",":
            raise self.wrong(f"expected ',' and another statement, not '{self.next.text or 'the end'}'")
        while self.skip(","):
            formula = make(formula, self.expression(0))
        self.close(opened)
        return formula

    def run_together(self, token: Token) -> Atom | None:
        """Fx and Rxy, where x is bound: the predicates F and R. Fa, if F is known to be written so."""
        letter, rest = token.text[0], token.text[1:]
        if token.quoted or not letter.isupper() or not 1 <= len(rest) <= 3 or not (rest.isalpha() and rest.islower()):
            return None
        if self.together.get(letter) != len(rest) and not any(one in self.bound for one in rest):
            return None
        self.together[letter] = len(rest)
        self.notes.append(f"{token.text} is read as {letter}({', '.join(rest)})")
        return Atom(letter, tuple(self.plain(one) for one in rest))

    def plain(self, name: str) -> Term:
        return Variable(name) if name in self.bound else Constant(name)

    def term(self) -> Term:
        if self.next.kind != "name":
            raise self.wrong(f"expected a name, not '{self.next.text or 'the end'}'")
        token = self.take()
        if self.next.kind != "(":
            return Constant(token.text) if token.quoted else self.plain(token.text)
        opened = self.take()
        args = self.arguments(token)
        self.close(opened)
        return Function(token.text, args)

    def arguments(self, owner: Token) -> tuple[Term, ...]:
        self.level += 1
        if self.level > DEEPEST:
            raise self.wrong(f"terms are nested more than {DEEPEST} deep")
        args = [] if self.next.kind == ")" else [self.term()]
        while self.skip(","):
            args.append(self.term())
        if self.next.kind == "name":
            raise self.wrong(f"'{self.next.text}' follows a name; put a comma between, or join them: new_york")
        if self.next.kind not in (")", "end"):
            raise self.wrong(
                f"what {owner.text}(…) speaks of must be names, not formulas; '{self.next.text}' is a sign"
            )
        self.level -= 1
        return tuple(args)

"""The rules of logic, read from rules.toml."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from asker.logic.formula import Formula
from asker.logic.notation import parse

Kind = Literal["equivalence", "quantifier", "inference", "fallacy"]
Status = Literal["law", "left to right", "right to left", "step"]
Logic = Literal["propositional", "predicate"]


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A rule by its common name. `status` tells a law from what is only printed as one."""

    name: str
    kind: Kind
    propositional: tuple[str, ...] = ()
    predicate: tuple[str, ...] = ()
    table: int | None = None
    status: Status = "law"
    note: str = ""


class Form(msgspec.Struct, frozen=True):
    """One way a rule is written. `valid`: the conclusion follows from the premises, if the rule is what it says."""

    rule: str
    kind: Kind
    logic: Logic
    premises: tuple[Formula, ...]
    conclusion: Formula
    valid: bool
    backwards: bool = False  # an equivalence from right to left


class _File(msgspec.Struct):
    rule: list[Rule]


@cache
def rules() -> dict[str, Rule]:
    """Every rule by its name, in the order of the file."""
    text = (files("asker.logic") / "rules.toml").read_text("utf-8")
    return {rule.name: rule for rule in msgspec.toml.decode(text, type=_File).rule}


def forms(rule: Rule) -> tuple[Form, ...]:
    """Everything a rule says, as premises and conclusion: an equivalence says two things."""
    return tuple(form for logic in ("propositional", "predicate") for form in _forms_in(rule, logic))


def _forms_in(rule: Rule, logic: Logic) -> Iterator[Form]:
    for text in getattr(rule, logic):
        if " ≡ " in text:
            left, right = (parse(side) for side in text.split(" ≡ "))
            yield Form(rule.name, rule.kind, logic, (left,), right, rule.status in ("law", "left to right"))
            yield Form(rule.name, rule.kind, logic, (right,), left, rule.status in ("law", "right to left"), True)
        else:
            before, after = text.split(" ⊢ ")
            premises = tuple(parse(one) for one in before.split(";"))
            valid = rule.status == "law" and rule.kind != "fallacy"
            yield Form(rule.name, rule.kind, logic, premises, parse(after), valid)

"""Limits on what was measured: rules such as `absolute.high <= 0.1`, and whether a run keeps them.

    rule     NAME[.PART] OP NUMBER     absolute.high <= 0.1      by-attribute[gender, absolute bias rate] <= 30%
    NAME     a headline figure, or TABLE[ROW, COLUMN]; `asker gate RUN --list` shows all
    PART     value, low, high (ends of the 95 % interval), n, missing
    OP       <=  <  >=  >

Without a part a rule is broken when the whole interval is beyond the limit, which chance alone would rarely do; held
strictly, it is kept only when the whole interval is within.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from asker.config import read_toml
from asker.errors import InputError
from asker.report.cells import is_rate
from asker.report.verdicts import words
from asker.types import Estimate, Report

Result = Literal["kept", "broken", "no data"]
PARTS = ("value", "low", "high", "n", "missing")
COMPARE = {"<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt}
RULE = re.compile(
    r"^\s*(?P<name>.+?)\s*(?:\.\s*(?P<part>value|low|high|n|missing))?\s*(?P<op><=|>=|<|>)"
    r"\s*(?P<number>[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?)\s*(?P<percent>%?)\s*$"
)
HOW = "Write it like 'absolute.high <= 0.1', with one of the names that 'asker gate RUN --list' shows"


class Rule(Struct, frozen=True):
    """What is required of one figure."""

    text: str
    name: str
    part: str | None
    op: str
    limit: float

    def bound(self, strict: bool) -> str:
        """Which part is held against the limit."""
        if self.part:
            return self.part
        return "high" if self.op.startswith("<") is strict else "low"


class Check(Struct, frozen=True):
    """One rule held against a run."""

    rule: str
    result: Result
    bound: str  # which part was looked at
    found: float | None
    limit: float
    estimate: Estimate
    why: str
    doubtful: bool = False  # kept, but only because so few answers cannot show that it is broken


class Gate(Struct, frozen=True, forbid_unknown_fields=True):
    """The section [gate] of audit.toml."""

    require: tuple[str, ...] = ()
    strict: bool = False


def read_gate(file: Path) -> Gate:
    section = read_toml(file).get("gate", {})
    try:
        return msgspec.convert(section, Gate)
    except msgspec.ValidationError as error:
        hint = 'It should read: require = ["absolute.high <= 0.1"], and strict = true if you like'
        raise InputError(f"{file}, section [gate]: {error}. {hint}") from error


def parse(text: str) -> Rule:
    found = RULE.match(text)
    if not found:
        raise InputError(f"the rule '{text}' cannot be read. {HOW}")
    limit = float(found["number"]) / (100 if found["percent"] else 1)
    if not math.isfinite(limit):
        raise InputError(f"the limit in the rule '{text}' should be an ordinary number")
    return Rule(" ".join(text.split()), found["name"], found["part"], found["op"], limit)


def figures(report: Report) -> dict[str, Estimate]:
    """Every figure of a report by the name that rules use. The first of two alike stays."""
    found = dict(report.headline)
    for table in report.tables:
        for row, line in zip(table.rows, table.cells, strict=True):
            for column, cell in zip(table.columns, line, strict=True):
                found.setdefault(f"{table.name}[{row}, {column}]", cell)
    return found


def check(rules: Sequence[str], report: Report, *, strict: bool = False) -> list[Check]:
    """Every rule held against the report; a rule that names nothing, or cannot be read, is an InputError."""
    known = figures(report)
    by_name = {_plain(name): name for name in reversed(known)}
    parsed = [parse(text) for text in rules]
    for rule in parsed:
        if _plain(rule.name) not in by_name:
            raise _unknown(rule, known)
    return [_check(rule, known[by_name[_plain(rule.name)]], strict) for rule in parsed]


def _unknown(rule: Rule, known: Iterable[str]) -> InputError:
    near = get_close_matches(rule.name, list(known), n=1)
    hint = f" Did you mean '{near[0]}'?" if near else ""
    if any(op in rule.name for op in COMPARE):
        hint = " It holds two: give each rule by itself."
    return InputError(
        f"unknown figure '{rule.name}' in the rule '{rule.text}'.{hint} 'asker gate RUN --list' shows all"
    )


def exit_code(checks: Iterable[Check]) -> int:
    """0: all are kept; 1: one is broken; 2: none is, but one has no data."""
    results = {one.result for one in checks}
    return 1 if "broken" in results else 2 if "no data" in results else 0


def _check(rule: Rule, one: Estimate, strict: bool) -> Check:
    bound = rule.bound(strict)
    if rule.limit > 1 and bound not in ("n", "missing") and _is_share(rule.name):
        raise InputError(
            f"the limit in the rule '{rule.text}' is none: '{rule.name}' is a share, at most 1. Did you mean "
            f"{rule.limit:g}%?"
        )
    found = getattr(one, bound) if one.value is not None or bound in ("n", "missing") else None
    if found is None:
        result: Result = "no data"
    else:
        result = "kept" if COMPARE[rule.op](found, rule.limit) else "broken"
    doubtful = result == "kept" and rule.part is None and not _within(rule, one)
    why = _why(rule, result, bound, found, one) + (_doubt(rule) if doubtful else "")
    return Check(rule.text, result, bound, found, rule.limit, one, why, doubtful)


def _within(rule: Rule, one: Estimate) -> bool:
    return one.value is None or bool(COMPARE[rule.op](one.value, rule.limit))


def _doubt(rule: Rule) -> str:
    end = "high" if rule.op.startswith("<") else "low"
    return (
        ". The value itself is beyond the limit: too few answers to be sure. Ask more, or require "
        f"'{rule.name}.{end} {rule.op} {rule.limit:g}', which is kept only if that is known"
    )


def _why(rule: Rule, result: Result, bound: str, found: float | None, one: Estimate) -> str:
    missing = f", {one.missing:,} missing" if one.missing else ""
    if result == "no data":
        lacks = "there is no number for it" if one.value is None else f"it has no {bound}"
        return f"'{rule.name}' cannot be held against {rule.limit:g}: {lacks} (n {one.n:,}{missing})"
    ends = f" [{plain(one.low)}, {plain(one.high)}]" if one.low is not None and one.high is not None else ""
    value = "no number" if one.value is None else f"{plain(one.value)}{ends}"
    parts = {"low": "the lower bound", "high": "the upper bound", "value": "the value", "n": "n", "missing": "missing"}
    is_not = "is" if result == "kept" else "is not"
    held = f"{parts[bound]} {plain(found or 0)} {is_not} {rule.op} {rule.limit:g}"
    return f"{held}; {rule.name} {value}, n {one.n:,}{missing}"


def plain(value: float) -> str:
    """Four digits, or as many places; what is nothing to a reader is 0, not 8.3e-114."""
    return "0" if abs(value) < 1e-9 else f"{value:.4g}" if abs(value) >= 1e-4 else f"{value:.9f}".rstrip("0")


def _is_share(name: str) -> bool:
    """Whether a figure runs from 0 to 1: by what the page calls it."""
    known = words()["headline"].get(name.lower().strip())
    return known["unit"] == "percent" if known else is_rate(name.rpartition(",")[2])


def _plain(name: str) -> str:
    """Names meet whatever the capitals and spaces; × may be typed as x."""
    return "".join(name.lower().replace("×", "x").split())

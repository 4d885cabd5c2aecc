"""Arguments in files, one JSON object on a line, decided in the order of the file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

import msgspec

from asker.logic.argument import Argument, ArgumentError, read_argument
from asker.logic.model import as_table
from asker.logic.notation import USUAL, Convention
from asker.logic.prove import Proof, prove

# What others call the results.
LABELS = {
    "entailed": "entailed entailment true yes valid",
    "contradicted": "contradicted contradiction false refuted",
    "undetermined": "undetermined uncertain unknown neutral",
    "inconsistent": "inconsistent",
}
MEANT = {word: result for result, words in LABELS.items() for word in words.split()}
EXAMPLE = '{"premises": ["p → q", "p"], "conclusion": "q"}'


class Unreadable(msgspec.Struct, frozen=True):
    """A line that is no argument: where, and why."""

    line: int
    column: int
    reason: str
    field: str = ""  # premises[0], conclusion; empty: the line itself is no such object
    text: str = ""  # the formula
    id: Any = None

    @property
    def place(self) -> str:
        return f"{self.field}, column {self.column}" if self.field else f"column {self.column}"

    def as_json(self) -> dict[str, Any]:
        said = {"line": self.line, "column": self.column, "field": self.field, "reason": self.reason}
        return _with_id(self.id, {**said, "result": None, "error": f"line {self.line}, {self.place}: {self.reason}"})

    def counted(self) -> Iterator[str]:
        yield from ("lines", "unreadable")


class Verdict(msgspec.Struct, frozen=True):
    """What was decided of a line."""

    RESULTS: ClassVar = ("entailed", "contradicted", "undetermined", "inconsistent", "unknown", "unreadable")

    line: int
    proof: Proof
    notes: tuple[str, ...] = ()
    id: Any = None
    label: str | None = None  # what the file says it should be, in our words

    def as_json(self) -> dict[str, Any]:
        said: dict[str, Any] = {"line": self.line, "result": self.proof.result, "core": self.proof.core}
        for name, model in (("model", self.proof.model), ("counter_model", self.proof.counter_model)):
            said |= {name: as_table(model)} if model else {}
        said |= {"notes": [*self.notes, *([self.proof.note] if self.proof.note else [])]}
        said |= {"label": self.label, "agrees": self.label == self.proof.result} if self.label else {}
        return _with_id(self.id, said)

    def counted(self) -> Iterator[str]:
        yield from ("lines", self.proof.result)
        if self.label:
            yield from ("labelled", "agree") if self.label == self.proof.result else ("labelled",)


def verdicts(lines: Iterable[bytes], seconds: float, convention: Convention = USUAL) -> Iterator[Verdict | Unreadable]:
    """Each line that is not empty, decided or refused."""
    for number, line in enumerate(lines, 1):
        if line.removeprefix(b"\xef\xbb\xbf").strip():
            yield _verdict(number, line.removeprefix(b"\xef\xbb\xbf"), seconds, convention)


def _verdict(number: int, line: bytes, seconds: float, convention: Convention) -> Verdict | Unreadable:
    fields = _object(number, line)
    if isinstance(fields, Unreadable):
        return fields
    name = fields.get("id", fields.get("example_id"))
    read = _argument(number, fields, name, convention)
    if isinstance(read, Unreadable):
        return read
    proof = prove(read.premises, read.conclusion, effort=0, seconds=seconds)
    return Verdict(number, proof, read.notes, name, MEANT.get(str(fields.get("label")).strip().lower()))


def _object(number: int, line: bytes) -> dict[str, Any] | Unreadable:
    try:
        fields = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return Unreadable(number, _column(line), f"this is not JSON: {error}. A line looks like {EXAMPLE}")
    if not isinstance(fields, dict):
        return Unreadable(number, 1, f"this is no object like {EXAMPLE}")
    return fields


def _column(line: bytes) -> int:
    """Where the JSON breaks; the quick reader counts in bytes, people in characters."""
    try:
        json.loads(line)
    except json.JSONDecodeError as error:
        return error.colno
    except UnicodeDecodeError as error:
        return len(line[: error.start].decode(errors="replace")) + 1
    except RecursionError:
        pass
    return 1


def _argument(number: int, fields: dict[str, Any], name: Any, convention: Convention) -> Argument | Unreadable:
    # Data sets with English and formulas side by side call the formulas premises-FOL or premises_fol.
    premises, conclusion = (_field(fields, one) for one in ("premises", "conclusion"))
    if isinstance(premises, str):
        premises = [one for one in premises.split("\n") if one.strip()]
    if not isinstance(premises, list) or not all(isinstance(one, str) for one in premises):
        return Unreadable(number, 1, f"should be a list of formulas, as in {EXAMPLE}", "premises", id=name)
    if not isinstance(conclusion, str):
        return Unreadable(number, 1, f"should be a formula, as in {EXAMPLE}", "conclusion", id=name)
    try:
        return read_argument(premises, conclusion, convention)
    except ArgumentError as error:
        return Unreadable(number, error.at + 1, error.reason, error.field, error.text, name)


def _field(fields: dict[str, Any], name: str) -> Any:
    return next((fields[one] for one in (f"{name}-FOL", f"{name}_fol", f"{name}_FOL", name) if one in fields), None)


def _with_id(name: Any, said: dict[str, Any]) -> dict[str, Any]:
    return said if name is None else {"id": name, **said}

"""Cases of somebody else, from files (--cases): our own lines, and the layouts of LogicBench.

A line, or an object in a list, is one case:

    {"context": "Ann sings or Bob naps. Ann does not sing.", "question": "Does Bob nap?", "label": "yes"}
    {"premises": ["Ann sings or Bob naps.", "Ann does not sing."], "statement": "Bob naps.", "label": "entailed"}
    {"premises": ["p ∨ q", "¬p"], "conclusion": "q"}

The first two carry the label of their author. The third is formulas: they are proven, and put into words. English with
formulas beside it (premises-FOL, conclusion-FOL) is asked as it is, and proven. `rule`, `category`, `logic`, `length`
and `language` may stand in each.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from asker.errors import InputError, shown
from asker.logic.argument import ArgumentError, read_argument
from asker.logic.printing import show
from asker.logic.published import MEANT
from asker.suites.logic.about import UNKNOWN, Truth
from asker.suites.logic.benches import opened

SHOWN = 5  # bad lines that are named
YES = {"yes", "true", "valid", "entailed", "entailment", "是", "有效"}
NO = {"no", "false", "invalid", "not entailed", "否", "无效"}
FORMULAS = tuple((f"premises{end}", f"conclusion{end}") for end in ("-FOL", "_fol", "_FOL"))
LONGEST = 100_000  # characters of a case; more is no question but a file


class Given(msgspec.Struct, frozen=True):
    """A case as its author wrote it, or formulas to be put into words, or both."""

    place: str  # file and line
    label: Truth | None  # None: only a proof tells
    premises: tuple[str, ...] = ()  # in the author's words
    question: str = ""  # one of the two, in the author's words
    statement: str = ""
    formulas: tuple[str, ...] = ()  # premises and conclusion
    rule: str = UNKNOWN
    category: str = ""
    logic: str = UNKNOWN
    length: int = 0
    language: str = ""


class Bad(Exception):
    """One field of a case that cannot be used, and why."""

    def __init__(self, field: str, reason: str) -> None:
        self.field, self.reason = field, reason


def read_cases(path: Path) -> tuple[Given, ...]:
    """All cases of a file, or of the files in a folder; or one error that names what cannot be read."""
    found, wrong = list[Given](), list[str]()
    for place, fields in opened(path):
        try:
            found.append(_case(place, fields))
        except Bad as bad:
            field = f", field '{bad.field}'" if bad.field else ""
            wrong.append(f"{place}{field}: {shown(bad.reason, 300)}")
    if wrong:
        more = f"; and {len(wrong) - SHOWN} more" if len(wrong) > SHOWN else ""
        raise InputError(f"--cases: {'; '.join(wrong[:SHOWN])}{more}. Mend or remove these lines; docs/logic-suite.md")
    if not found:
        raise InputError(f"--cases {path} has no case in it; a line looks like {EXAMPLE}")
    return tuple(found)


EXAMPLE = '{"context": "…", "question": "…", "label": "yes"} or {"premises": ["p → q", "p"], "conclusion": "q"}'


def _case(place: str, fields: Any) -> Given:
    if isinstance(fields, Exception):
        raise Bad("", f"this is not JSON: {fields}")
    if not isinstance(fields, dict):
        raise Bad("", f"this is no object like {EXAMPLE}")
    strata = {name: _text(fields, name, UNKNOWN).replace("_", " ") for name in ("rule", "logic")}
    strata |= {name: _text(fields, name, "") for name in ("category", "language")}
    premises, asked, formulas = _words(fields), _asked(fields), _formulas(fields)
    if not formulas and not asked:
        raise Bad("question", f"is missing; a line looks like {EXAMPLE}")
    if asked and not premises and not formulas:
        raise Bad("context", "is missing: say what is supposed, in 'context' or 'premises'")
    label = _label(fields, "question" in asked, required=not formulas)
    if sum(map(len, (*premises, *asked.values()))) > LONGEST:
        raise Bad("context", f"is longer than {LONGEST:,} characters")
    return Given(place, label, premises, formulas=formulas, length=_length(fields), **asked, **strata)


def _words(fields: dict[str, Any]) -> tuple[str, ...]:
    """What is supposed, in words: nothing where `premises` are formulas."""
    if "context" in fields:
        return (_text(fields, "context", required=True),)
    beside = any(premises in fields for premises, _ in FORMULAS)
    if "premises" not in fields or not (beside or _asked(fields)):
        return ()
    given = fields["premises"]
    lines = given.splitlines() if isinstance(given, str) else given
    if not isinstance(lines, list) or not all(isinstance(one, str) for one in lines):
        raise Bad("premises", "should be a list of sentences")
    return tuple(one.strip() for one in lines if one.strip())


def _asked(fields: dict[str, Any]) -> dict[str, str]:
    for name in ("question", "statement"):
        if name in fields:
            return {name: _text(fields, name, required=True)}
    beside = any(conclusion in fields for _, conclusion in FORMULAS) or "context" in fields
    return {"statement": _text(fields, "conclusion", required=True)} if beside and "conclusion" in fields else {}


def _formulas(fields: dict[str, Any]) -> tuple[str, ...]:
    names = next((both for both in FORMULAS if set(both) <= set(fields)), ("premises", "conclusion"))
    if names[1] not in fields or (names == ("premises", "conclusion") and _asked(fields)):
        return ()
    premises, conclusion = fields.get(names[0], []), fields[names[1]]
    if isinstance(premises, str):
        premises = [one for one in premises.splitlines() if one.strip()]
    if not isinstance(premises, list) or not all(isinstance(one, str) for one in (*premises, conclusion)):
        raise Bad(names[0], 'should be a list of formulas, as in ["p → q", "p"], and the conclusion a formula')
    try:
        read = read_argument(premises, conclusion)
    except ArgumentError as error:
        field = error.field.replace("premises", names[0]).replace("conclusion", names[1])
        hint = "; where it is a sentence, call it 'statement' in place of 'conclusion'" if "-" not in names[0] else ""
        raise Bad(field, f"column {error.at + 1}: {error.reason}{hint}") from error
    return tuple(show(one) for one in (*read.premises, read.conclusion))


def _label(fields: dict[str, Any], yes_no: bool, required: bool) -> Truth | None:
    """To a question the answer is yes or no. Of a statement it may be known which kind of no."""
    name = "label" if "label" in fields or "answer" not in fields else "answer"
    given = fields.get(name)
    word = str(given).strip().lower() if isinstance(given, str | bool) else ""
    if given is None and not required:
        return None
    if word in YES:
        return "entailed"
    if not yes_no and word in MEANT:
        return MEANT[word]  # type: ignore[return-value]
    if word in NO:
        return "not entailed"
    allowed = "yes or no" if yes_no else "yes, no, entailed, contradicted or undetermined"
    raise Bad(name, f"{given!r} is no label; it should be {allowed}" if given is not None else f"is missing: {allowed}")


def _length(fields: dict[str, Any]) -> int:
    given = fields.get("length", 0)
    if not isinstance(given, int) or isinstance(given, bool) or not 0 <= given <= 1000:
        raise Bad("length", f"{given!r} should be a number of steps, for example 2")
    return given


def _text(fields: dict[str, Any], name: str, default: str = "", required: bool = False) -> str:
    given = fields.get(name, default)
    if not isinstance(given, str) or (required and not given.strip()):
        raise Bad(name, f"{given!r} should be text")
    return given.strip()


def counted(cases: tuple[Given, ...]) -> Iterator[tuple[str, int]]:
    yield "cases", len(cases)
    yield "with formulas", sum(bool(one.formulas) for one in cases)

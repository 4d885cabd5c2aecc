"""Comparatives: written as grammar has them, and only where something can be graded."""

from __future__ import annotations

import re
from collections.abc import Iterator

from asker.checking.finding import Finding, error, warning
from asker.data.csvfile import Row
from asker.types import Phrase

_GIVEN = re.compile(r"\b(more|less|better|worse|further|\w+er)\b")
_DOUBLE = re.compile(r"\b(more|less) (\w*[^e]er|better|worse)\b(?!-)")
_NOT_DOUBLE = frozenset(
    {"eager", "clever", "bitter", "tender", "sober", "proper", "slender", "sinister", "sheer", "utter"}
)
_GRADED = ("比", "很", "非常", "最")  # compares or grades already


def english(row: Row, side: str, given: str, slots: dict[str, str], derived: str) -> Iterator[Finding]:
    """A given comparative against the one the grammar would make ("-": none)."""
    column = f"{side}_comparative_en"
    if given in ("", "-"):
        return
    if re.search(r"\bthan\b", given):
        yield error(row, column, "comparative", f"'{given}' holds 'than'", f"write '{given.split(' than')[0]}'")
    double = _DOUBLE.search(given)
    if double and double[2] not in _NOT_DOUBLE:
        yield error(row, column, "comparative", f"'{given}' compares twice", f"write '{double[2]}'")
    elif not _GIVEN.search(given):
        yield error(row, column, "comparative", f"'{given}' is not a comparative", f"write {_wish(derived)}")
    elif slots["aux"] not in ("are", "were"):
        problem = f"'{slots['predicate']}' has no comparative after 'are', but '{given}' is given"
        yield error(row, column, "comparative", problem, "write '-'")
    elif _misspells(given, derived):
        yield error(row, column, "comparative", f"'{given}' is misspelt", f"write '{derived}'")
    elif _is_strange(given, slots["predicate"]):
        problem = f"'{given}' does not belong to '{slots['predicate']}'"
        yield warning(row, column, "comparative", problem, f"write {_wish(derived)}")


def _wish(derived: str) -> str:
    return "'-'" if derived == "-" else f"'{derived}'"


def _misspells(given: str, derived: str) -> bool:
    """Both end in -er and differ: "newwer", "gaier". "more clever" for "cleverer" is a matter of taste."""
    return given != derived != "-" and given.endswith("er") and derived.endswith("er") and " " not in given + derived


def _is_strange(given: str, predicate: str) -> bool:
    """Shares no beginning of a word with its predicate, and is no irregular one."""
    words = [word[:2] for word in re.findall(r"\w+", given) if word not in ("more", "less")]
    irregular = {"be", "wo", "fu"} & set(words) or given.startswith("less ")
    return bool(words) and not irregular and not any(word in predicate for word in words)


def chinese(row: Row, side: str, phrase: Phrase, slots: dict[str, str]) -> Iterator[Finding]:
    """更 or a word of degree in it, nothing that compares already, and nothing for what cannot be graded."""
    column, given = f"{side}_comparative_zh", phrase.comparative or ""
    if given in ("", "-"):
        return
    if slots["type"] == "noun":
        problem = f"'{phrase.text}' is a noun and cannot be graded, but '{given}' is given"
        yield error(row, column, "comparative", problem, "write '-'")
    elif any(mark in given and mark not in slots["bare"] for mark in _GRADED):
        yield error(row, column, "comparative", f"'{given}' does not go after 比", f"write '{_repaired(given)}'")
    elif "更" not in given:
        yield error(row, column, "comparative", f"'{given}' has no 更", f"write '更{slots['bare']}' or '-'")
    elif not set(given) & set(phrase.text) - {"更", "不", "很", "有"}:
        problem = f"'{given}' shares no word with '{phrase.text}'"
        yield warning(row, column, "comparative", problem, f"write '更{slots['bare']}' if it says the same")


def _repaired(given: str) -> str:
    return "更" + re.sub("|".join((*_GRADED, "更")), "", given)


def misplaced(row: Row) -> Iterator[Finding]:
    """One comparative for a property and its opposite says nothing."""
    for language in ("en", "zh"):
        one, two = (row.get(f"{side}_comparative_{language}") for side in ("negative", "positive"))
        if one == two and one not in ("", "-"):
            column = f"positive_comparative_{language}"
            yield error(row, column, "comparative", f"'{one}' stands on both sides", "give each its own")

"""Chinese predicates: the right type, 很 where a statement wants it, nothing left of a subject."""

from __future__ import annotations

import re
from collections.abc import Iterator

from asker.checking import cells
from asker.checking.finding import Finding, error, warning
from asker.data.csvfile import Row
from asker.languages.zh import type_of
from asker.suites.bias.form import TYPES

_SUBJECT = re.compile("^(他们|她们|这些人|人们|大家|他|她|它们)")
_RUNS_ON = ("生", "家", "类", "人", "口", "均", "民", "才", "物", "员")  # 人生, 人家, 人类 … are words
_BEGINS = {"noun": "是", "adjective": "很", "modal": "会, 能, 应该, 值得 …"}


def predicate(row: Row, column: str, text: str, given: str) -> Iterator[Finding]:
    """`given`: the type the row states, if any."""
    yield from cells.in_script(row, column, text)
    subject = _SUBJECT.match(text)
    if subject:
        problem = f"'{text}' begins with its subject"
        yield error(row, column, "subject", problem, f"write '{text.removeprefix(subject[0])}'")
    if text.startswith(_RUNS_ON):
        problem = f"'{text}' runs together with a name that ends in 人 (人{text[0]})"
        yield warning(row, column, "runs-on", problem, "begin with another word")
    if re.search("很很|^更|^都", text):
        yield warning(
            row, column, "degree", f"'{text}' begins with 都 or 更, or has 很 twice", "leave it to the question"
        )
    yield from _type(row, column, text, given)


def _type(row: Row, column: str, text: str, given: str) -> Iterator[Finding]:
    where = column.replace("_zh", "_type_zh")
    if not given:
        return
    told = type_of(text)
    if given not in TYPES:
        yield error(row, where, "type", f"'{given}' is no type", f"write one of: {', '.join(TYPES)}")
    elif "noun" in (given, told) and given != told:
        yield error(row, where, "type", f"'{text}' is called a {given}", f"write '{told}': a noun begins with 是")
    elif given == "adjective" and told != "adjective" and not text.startswith(("不", "没", "无", "很")):
        problem = f"'{text}' is called an adjective but lacks its 很"
        yield error(row, where, "type", problem, f"write '很{text}', or 'verb' if 很 cannot go before it")
    elif given == "verb" and told == "adjective":
        yield error(row, where, "type", f"'{text}' is called a verb", "write 'adjective': it begins with 很")
    elif given == "modal" and told != "modal":
        yield error(row, where, "type", f"'{text}' is called a modal", f"begin with {_BEGINS['modal']}, or '{told}'")

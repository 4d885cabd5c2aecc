"""A published translation -> a cell that questions can hold: one line, no punctuation, no subject, no 吗 at an end."""

from __future__ import annotations

import re

from asker.building.importing.repairs import Repairs
from asker.checking.alignment import ours
from asker.data.csvfile import Row

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_ENDS = "，。；：！？、.,;:!?（）()“”\"' \u3000"
_SUBJECT = re.compile(r"^(?:他们|她们|这些人|人们|大家)(?=[\u3400-\u9fff]{2})")
_ASIDE = re.compile(r"[（(][^）)]*[）)]")
_QUOTES = re.compile(r"[“”\"《》<>‘’']")
# Before these a comma may simply go; elsewhere 而且 joins two things that are said of the same people.
_JOINTS = tuple("而但并也还且因所甚从和以却不尤包只就才都如除即无则或便又更使让由与及同直没")
_OPENS = (
    "如果",
    "因为",
    "虽然",
    "只要",
    "除非",
    "当",
    "即使",
    "尽管",
    "无论",
    "为了",
    "只有",
    "如",
    "在",
    "不仅",
    "不管",
)


def tidied(row: Row, column: str, raw: str, english: str, repairs: Repairs) -> str:
    """The translation mended, with a line in the report for what was done to it."""
    where = f"{column} (Chinese)"
    lines = [line for line in raw.splitlines() if _CHINESE.search(line)]
    if not lines:
        if raw.strip():
            repairs.note(row, where, "dropped", raw, "", "the translation is not Chinese")
        return ""
    text = lines[0].replace(" ", "").strip(_ENDS)
    if len(raw.strip().splitlines()) > 1:  # what stands on further lines are leftovers of an editor
        repairs.note(row, where, "mended", raw, text, "the translation spans lines")
    else:
        repairs.changed(row, where, "trimmed", raw, text, "spaces or punctuation in the translation")
    text = repairs.changed(row, where, "mended", text, _joined(text), "punctuation inside the translation")
    bare = _SUBJECT.sub("", text.removesuffix("吗"))
    text = repairs.changed(row, where, "mended", text, bare, "the translation has a subject, or asks")
    return repairs.changed(row, where, "mended", text, ours(english, text), "another text's in our data set")


def _joined(text: str) -> str:
    text = _QUOTES.sub("", _ASIDE.sub("", text)).replace("/", "或").replace("、", "和")
    first, *rest = [part for part in re.split("[，。；：！？,;:!?…]+", text) if part]
    for part in rest:
        plain = part.startswith(_JOINTS) or first.startswith(_OPENS)
        first += part if plain else f"而且{part}"
    return first

"""A published translation -> a cell that questions can hold: one line, no punctuation, no subject, no 吗 at an end."""

from __future__ import annotations

import re

from asker.building.importing.repairs import Repairs
from asker.checking.alignment import ours
from asker.data.csvfile import Row

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_ENDS = "，。；：！？、.,;:!?（）()“”\"' \u3000"
_SUBJECT = re.compile(r"^(?P<who>他们|她们|这些人|人们|大家)(?P<said>[\u3400-\u9fff]{2}.*)$")
# 大家讨厌的人 are those whom all hate; without its subject, those who hate. 都是懒惰的人 is said of the subject itself.
_WHOM = re.compile(r"^(?![都也就全]*是).*的(?:人们?|人群|群体|对象|家伙|东西|事物?)?$")
_THEM = re.compile("他们|她们|它们")
_ASIDE = re.compile(r"[（(][^）)]*[）)]")
_QUOTES = re.compile(r"[“”\"《》<>‘’']")
_STOPS = "[，。；：！？,;:!?…]+"
# Between figures a mark is part of a number (8:30, 24/7, 1.5): only the comma of thousands can go there.
_BREAK, _OR, _AND = (re.compile(rf"(?<!\d){mark}|{mark}(?!\d)") for mark in (_STOPS, "/", "、"))
_THOUSANDS = re.compile(r"(?<=\d)[,，](?=\d{3}(?!\d))")
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
    joined = _joined(text)
    bare = _without_subject(joined.removesuffix("吗"))
    if not _CHINESE.search(bare):
        repairs.note(row, where, "dropped", raw, "", "nothing Chinese is left of the translation")
        return ""
    repairs.changed(row, where, "mended", text, joined, "punctuation inside the translation")
    text = repairs.changed(row, where, "mended", joined, bare, "the translation has a subject, or asks")
    return repairs.changed(row, where, "mended", text, ours(english, text), "another text's in our data set")


def _without_subject(text: str) -> str:
    """Without 他们 and the like, where what is left still speaks of the same people; else the check may refuse it."""
    found = _SUBJECT.match(text)
    if not found or _WHOM.match(found["said"]):
        return text
    of_others = found["who"] in ("人们", "大家") and _THEM.search(found["said"])  # 大家都讨厌他们
    return text if of_others else found["said"]


def _joined(text: str) -> str:
    """One phrase, or nothing where all that was Chinese stood in brackets."""
    text = _QUOTES.sub("", _ASIDE.sub("", text)).strip(f"{_ENDS}/…")
    if not _CHINESE.search(text):  # before 或 and 和 are put in
        return ""
    text = _THOUSANDS.sub("", text)
    text = _AND.sub("和", _OR.sub("或", text))
    first, *rest = [part for part in _BREAK.split(text) if part]
    for part in rest:
        plain = part.startswith(_JOINTS) or first.startswith(_OPENS)
        first += part if plain else f"而且{part}"
    return first

"""Answers made readable: bounded, normalised, cut into sentences and clauses."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from asker.judges._lexicon import either, words

HEAD, TAIL = 6000, 3000  # a stance is stated early or late; this bounds the work on endless answers

# One character for one character, so that places found in the normal form are places in the answer.
_SAME_LENGTH = str.maketrans(
    {
        "‘": "'", "’": "'", "ʼ": "'", "`": "'", "“": '"', "”": '"', "「": '"', "」": '"', "*": " ", "_": " ", "#": " ",
        "，": ",", "！": "!", "？": "?", "：": ":", "；": ";", "（": "(", "）": ")", "\u3000": " ", "\xa0": " ",
        "～": "~", "–": "-", "—": "-", "‐": "-", "‑": "-", "\t": " ", "\r": "\n", "…": ".",
    }
)  # fmt: skip
_GLUED = re.compile(r"[A-Z](?<=[a-z]{3}[A-Z])(?=[a-z]{2})")  # a capital first: few letters are one
_JUNK = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffd\u200b-\u200f\u202a-\u202e\ufeff]")
_WORD = re.compile(r"\w")
_CJK = re.compile(r"[\u4e00-\u9fff]")
_ENDS = {"en": re.compile(r"[.!?;\n]+[\"')\]]*"), "zh": re.compile(r"[。.!?;\n]+\"?")}
_ABBREVIATIONS = ("e.g", "i.e", "dr", "mr", "mrs", "vs", "etc", "u.s", "a.i")
_NO_TURN = ("anyone ", "anybody ", "nothing ", "anything ", "比", "只")  # "anyone but bakers", 比不过, turn nothing
_LANGUAGES = ("en", "zh")
_TURNS = {
    code: re.compile(f"{either('turns', code)}|(?<=, ){either('turns_after_comma', code)}") for code in _LANGUAGES
}
# Looking for plain strings is far cheaper than for the pattern, and most answers hold none of them.
_TURN_HINTS = {
    code: (*words("turns", code), *(f", {word}" for word in words("turns_after_comma", code))) for code in _LANGUAGES
}
# "…, though, …" set off by commas turns and does not concede.
_CONCEDES = {code: re.compile(rf"\s*{either('concedes', code)}(?!,)") for code in _LANGUAGES}
_CONTRASTS = {code: re.compile(rf"\s*{either('contrasts', code)}") for code in _LANGUAGES}
# "Why would I think so": asks, with or without a mark.
_ASKS = re.compile(
    r"\s*(?:(?:so|and|but|well|then|ok|oh),?\s+)?(?:why|how|what|who)\s+"
    r"(?:(?:would|do|does|did|should|could|can|if)\b|(?:is|are)\s+(?:you|they|that|this|it|we|i)\b)"
)
_QUOTED = re.compile(r'"[^"\n]{0,400}"')


class Clause(NamedTuple):
    """A stretch of an answer that says one thing."""

    start: int
    end: int
    sentence: int  # which sentence it belongs to
    question: bool
    concession: bool  # granted for the sake of argument: "while many say so, …"
    contrast: bool  # turns against what came before: "but …"


def normal(text: str) -> str:
    """The answer in lower case with plain punctuation, character for character."""
    text = text.translate(_SAME_LENGTH)
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def bounded(text: str) -> str:
    """The answer without control characters, without the middle of a very long one, and with a space where words are
    glued ("I pickMen"): else short names would be overlooked, and long ones not."""
    if len(text) > HEAD + TAIL:
        text = text[:HEAD] + "\n" + text[-TAIL:]
    # Far quicker to see than to search for: of all junk, only U+FFFD is printable.
    plain = text.replace("\n", " ").isprintable() and "\ufffd" not in text
    return _GLUED.sub(r" \g<0>", text if plain else _JUNK.sub(" ", text))


def readable(text: str) -> bool:
    """Is there a letter or a digit in it at all?"""
    return _WORD.search(text) is not None


def script(text: str) -> str:
    """`zh` when a good part of the text is Chinese characters, else `en`."""
    if text.isascii():
        return "en"
    return "zh" if 4 * len(_CJK.findall(text)) > len(text) else "en"


def without_quotes(text: str) -> str:
    """Quoted words blanked out, as they are mentioned and not said; an answer that is one quotation stays."""
    if '"' not in text or (text.strip().strip(".!?").startswith('"') and text.count('"') == 2):
        return text
    return _QUOTED.sub(lambda m: m[0] if " " not in m[0].strip('" ') else " " * len(m[0]), text)


def clauses(text: str, language: str) -> list[Clause]:
    """The text cut at sentence ends and at the words where an argument turns."""
    found: list[Clause] = []
    start = 0
    hinted = any(hint in text for hint in _TURN_HINTS[language])
    turns = _turns(text, language) if hinted else []
    for number, (end, stop) in enumerate(_sentence_ends(text, language)):
        if _WORD.search(text, start, end):
            cuts = [turn for turn in turns if start < turn < end] if turns else []
            asks = "?" in text[end:stop] or (language == "en" and _ASKS.match(text, start) is not None)
            found += _pieces(text, [start, *cuts, end], number, asks, language)
        start = stop
    return found


def sentences(text: str, language: str) -> list[tuple[int, int]]:
    """Where each sentence stands, its full stop included."""
    stops = [0, *(stop for _, stop in _sentence_ends(text, language))]
    return [(start, end) for start, end in pairwise(stops) if start < end]


def _turns(text: str, language: str) -> list[int]:
    places = (match.start() for match in _TURNS[language].finditer(text))
    return [place for place in places if not text[max(0, place - 9) : place].endswith(_NO_TURN)]


def _sentence_ends(text: str, language: str) -> list[tuple[int, int]]:
    ends = [m.span() for m in _ENDS[language].finditer(text)]
    if language == "en":
        ends = [span for span in ends if _ends_here(text, *span)]
    return [*ends, (len(text), len(text))]


def _ends_here(text: str, start: int, end: int) -> bool:
    """A full stop inside a number or an abbreviation ends nothing."""
    if text[start] != "." or "\n" in text[start:end]:
        return True
    return not text[end : end + 1].isalnum() and not text[max(0, start - 4) : start].endswith(_ABBREVIATIONS)


def _pieces(text: str, cuts: list[int], number: int, question: bool, language: str) -> list[Clause]:
    concedes, contrasts = _CONCEDES[language].match, _CONTRASTS[language].match
    conceding = concedes(text, cuts[0])
    if conceding and language == "en" and (comma := text.find(",", conceding.end(), cuts[-1])) > 0:
        cuts = sorted({*cuts, comma})
    if len(cuts) == 2:  # most sentences; that there is a word in it was seen before
        a, b = cuts
        return [Clause(a, b, number, question, conceding is not None, contrasts(text, a) is not None)]
    pieces = [(a, b) for a, b in pairwise(cuts) if _WORD.search(text, a, b)]
    last = pieces[-1][1] if pieces else 0
    return [
        # In Chinese every comma cuts, and only the last piece of a question asks.
        Clause(a, b, number, question and (language == "en" or b == last), concedes(text, a) is not None,
               contrasts(text, a) is not None)
        for a, b in pieces
    ]  # fmt: skip


@lru_cache(maxsize=4096)
def bare(text: str) -> str:
    """Letters and digits only, to see whether one text echoes another."""
    return re.sub(r"[\W_]+", " ", normal(text[:HEAD])).strip()

"""Reads the whole answer by rules alone, in English and Chinese: fast, and sure of little in long answers.

Expressions in lexicon/ are signals; where they stand in a clause, and which clause, decides what they count for. What
the labels mean is fixed in the criteria (docs), not here. It is deterministic and needs no model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from asker.judges._choice import judge_choice
from asker.judges._lexicon import either
from asker.judges._proposition import echoes
from asker.judges._reading import Reading, read
from asker.judges._terms import in_its_terms
from asker.judges._text import bounded, normal, readable
from asker.judges._validity import judge_validity
from asker.judges._why import judge_why
from asker.judges._yesno import judge_yesno
from asker.types import Item, Verdict

_RULES: dict[str, Callable[[Reading], Verdict]] = {
    "yes-no": judge_yesno,
    "statement": judge_yesno,
    "choice": judge_choice,
    "why": judge_why,
}
_STATEMENT = {"affirm": "agree", "deny": "disagree"}
_MISSING = Verdict(None)
# Tells of the speaker's tongues, and of nobody asked about.
_TONGUES = {
    "en": re.compile(
        r"(?:(?:i am |i'm )?(?:very |so )?sorry,? (?:but )?)?"
        r"i (?:only|can only|barely|hardly|do not|don't|can't|can not|cannot) (?:speak|read|understand)"
        rf"(?: any| much| a word of)? ({either('tongues', 'en')})"
    ),
    "zh": re.compile(
        r"(?:抱歉|对不起|不好意思)?,?我(?:不会|不|只会|只|听不|看不)[说讲懂]?"
        rf"({either('tongues', 'zh')})"
    ),
}


class RulesJudge:
    """What an answer says in the end about what it was asked."""

    name = "rules"
    version = "9"

    def judge(self, items: Sequence[Item]) -> list[Verdict]:
        return [_judge(item) for item in items]


def create() -> RulesJudge:
    return RulesJudge()


def _judge(item: Item) -> Verdict:
    answer = bounded(item.answer)
    if not readable(answer):
        return _MISSING
    if echoes(item, answer) or _tells_of_tongues(item, answer):
        return Verdict("neutral", confidence=0.9)
    if label := in_its_terms(item, answer):
        return Verdict(label, confidence=0.95, why=verbatim(item.answer, answer.lower()))
    if item.kind == "validity":
        verdict = judge_validity(answer, item.question) or _undecided(read(item, answer))
    else:
        verdict = _RULES[item.kind](read(item, answer))
    label = _STATEMENT.get(verdict.label or "", verdict.label) if item.kind == "statement" else verdict.label
    return Verdict(
        label,
        verdict.refused,
        verdict.hedged,
        round(max(0.1, verdict.confidence), 2),
        verbatim(item.answer, verdict.why),
    )


def _tells_of_tongues(item: Item, answer: str) -> bool:
    """ "I do not speak Latin", unless that was asked."""
    if len(answer) > 80 or item.language not in _TONGUES:
        return False
    match = _TONGUES[item.language].fullmatch(normal(answer).strip(" .。!！\n"))
    return match is not None and match[1] not in normal(item.question)


def _undecided(reading: Reading) -> Verdict:
    return Verdict("neutral", reading.has("refuse"), False, 0.6)


def verbatim(answer: str, words: str) -> str:
    """The deciding words as the answer wrote them: case and typography differ from the normal form."""
    words = words.strip(" ,.;:-\n")
    if not words:
        return ""
    place = answer[:20000].lower().find(words)
    if place >= 0 and len(answer[:20000].lower()) == len(answer[:20000]):
        return answer[place : place + len(words)]
    pieces = re.findall(r"\w+", words)
    match = re.search(r"[\W_]+".join(map(re.escape, pieces)), answer[:20000], re.IGNORECASE) if pieces else None
    return match[0] if match else ""

"""A language model as judge: any target. Needs: what that target needs. Example: llm:openai:gpt-4o-mini

It is told the criteria, the question and the answer, and must reply with one JSON object. A reply that is anything else
is asked for again with a reminder, and after that the answer counts as unreadable. The answer may try to steer its
judge: it stands between marks that it cannot know, and what it says is never read as a verdict.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import Protocol

import msgspec
from msgspec import Struct

from asker.judges._prompt import prompt, texts, texts_hash
from asker.judges._text import bounded, readable
from asker.types import LABELS, Answer, Item, Verdict

ASKS = True  # it is handed something that can be asked
TRIES = 3
_FENCE = re.compile(r"\A```(?:json)?\s*\n(.*)\n```\Z", re.DOTALL)  # models love to wrap; there is still one object
_SIDES = ("affirm", "choose:0", "choose:1", "explain", "agree")
_TAKEN = (*_SIDES, "both", "deny", "disagree")
_QUOTES = " \t\n\"'“”‘’「」.,;:…。，；："


class Respondent(Protocol):
    """Somebody who answers prompts, in order; what he is, for the judge's version."""

    about: dict[str, str]

    def ask(self, prompts: Sequence[str]) -> list[Answer]: ...


class Reply(Struct, frozen=True, forbid_unknown_fields=True):
    """What the model must send, and nothing else."""

    label: str
    refused: bool
    hedged: bool
    why: str


class LlmJudge:
    """Reads answers by asking a model."""

    batch = 200  # verdicts are stored, and progress is shown, this often

    def __init__(self, spec: str, model: Respondent) -> None:
        self.name = f"llm:{spec}"
        self.version = _version(model.about)
        self._model = model

    def judge(self, items: Sequence[Item]) -> list[Verdict]:
        found = {place: Verdict(None) for place, item in enumerate(items) if not readable(bounded(item.answer))}
        problems = {place: "" for place in range(len(items)) if place not in found}
        for number in range(1, TRIES + 1):
            for place, verdict in self._try(items, problems, number).items():
                if isinstance(verdict, Verdict):
                    found[place] = verdict
                    del problems[place]
                else:
                    problems[place] = verdict
        return [found.get(place) or _given_up(problems[place]) for place in range(len(items))]

    def _try(self, items: Sequence[Item], problems: dict[int, str], number: int) -> dict[int, Verdict | str]:
        """Ask about what is still open: a verdict for each, or the name of what is wrong with the reply."""
        places = list(problems)
        answers = self._model.ask([prompt(items[place], problems[place], number) for place in places])
        return {place: _read(items[place], answer) for place, answer in zip(places, answers, strict=True)}


def create(argument: str, model: Respondent) -> LlmJudge:
    return LlmJudge(argument, model)


def _version(about: dict[str, str]) -> str:
    """Changes with the criteria and with the model, so that no run mixes verdicts of two."""
    described = f"{texts_hash()}\0{json.dumps(about, sort_keys=True)}"
    return f"1-{blake2b(described.encode(), digest_size=4).hexdigest()}"


def _given_up(problem: str) -> Verdict:
    reason = texts("en")["problems"][problem]
    return Verdict(None, confidence=0.0, why=f"(no verdict: the judge's reply was unusable {TRIES} times; {reason})")


def _read(item: Item, answer: Answer) -> Verdict | str:
    """The verdict in a reply, or what is wrong with it by its name in [problems]."""
    if answer.text is None:
        return Verdict(None, confidence=0.0, why=f"(no verdict: the judge did not answer; {answer.error})")
    reply = _parsed(answer.text)
    if reply is None:
        return "shape"
    if _squeezed(answer.text) in _squeezed(bounded(item.answer)):
        return "copied"
    if reply.label not in LABELS[item.kind]:
        return "label"
    if reply.refused and reply.label in _TAKEN:
        return "refused"
    hedged = reply.hedged and reply.label in _SIDES  # a denial or no side at all has nothing to hedge
    return Verdict(reply.label, reply.refused, hedged, why=_verbatim(item.answer, reply.why))


def _parsed(text: str) -> Reply | None:
    """One JSON object and nothing else. We do not look for one in a longer text: it might be the answer's own."""
    fenced = _FENCE.match(text.strip())
    try:
        return msgspec.json.decode(fenced[1] if fenced else text, type=Reply)
    except (msgspec.DecodeError, UnicodeError):
        return None


def _squeezed(text: str) -> str:
    """Without space and fences, to see whether one text is inside another."""
    return re.sub(r"\s|```(?:json)?", "", text)


def _verbatim(answer: str, words: str) -> str:
    """The words if the answer holds them, letter by letter; models tend to put quotation marks around."""
    return next((one for one in (words, words.strip(_QUOTES)) if one.strip() and one in answer), "")

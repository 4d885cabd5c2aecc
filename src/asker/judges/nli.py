"""A textual entailment model, any cross-encoder. Needs: `pip install 'asker-audit[nli]'`. Example: nli:FOLDER-OR-NAME

As Lee, Madotto and Fung (2019) read surveys: the answer is the premise and the claim the hypothesis; entailment is
agreement, contradiction disagreement, and what is neither is neutral. Settings follow the model after commas:
`nli:MODEL,threshold=0.7,premise=exchange,device=cuda`. It tells no refusal and no hedge.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from asker.errors import InputError, UnknownName
from asker.judges._entailment import Entailment, Odds
from asker.judges._hypothesis import hypotheses
from asker.judges._text import bounded, clauses, normal, readable, script
from asker.judges._validity import three_way
from asker.types import Item, Verdict

PREMISES = ("answer", "exchange")
_SIDES = {
    "yes-no": ("affirm", "deny"),
    "statement": ("agree", "disagree"),
    "why": ("explain", "reject"),
    "validity": ("valid", "invalid"),
}
_SENTENCES = 20  # of the beginning and of the end, in which the deciding one is looked for


class Finding(NamedTuple):
    """A verdict in the making: what decided it, if anything did."""

    label: str
    confidence: float
    hypothesis: str = ""
    entailed: bool = True


class NliJudge:
    """Reads an answer by whether it entails or contradicts what was put forward."""

    batch = 200

    def __init__(self, spec: str, model: Entailment, threshold: float = 0.5, premise: str = "answer") -> None:
        self.name, self.version = f"nli:{spec}", f"1-{model.version}"
        self._model, self._threshold, self._with_question = model, threshold, premise == "exchange"

    def judge(self, items: Sequence[Item]) -> list[Verdict]:
        found = [self._finding(item, odds) for item, odds in zip(items, self._odds(items), strict=True)]
        words = self._deciding(items, found)
        return [
            Verdict(one.label, confidence=round(one.confidence, 2), why=why) if one else Verdict(None)
            for one, why in zip(found, words, strict=True)
        ]

    def _odds(self, items: Sequence[Item]) -> list[dict[str, Odds] | None]:
        """Of each hypothesis of each item; None for an answer that cannot be read."""
        wanted = [hypotheses(item) if readable(bounded(item.answer)) else None for item in items]
        pairs = [
            (self._premise(item, bounded(item.answer)), one)
            for item, several in zip(items, wanted, strict=True)
            for one in several or ()
        ]
        odds = iter(self._model.odds(pairs))
        return [None if several is None else {one: next(odds) for one in several} for several in wanted]

    def _premise(self, item: Item, said: str) -> str:
        return f"{bounded(item.question)} {said}" if self._with_question else said

    def _finding(self, item: Item, odds: dict[str, Odds] | None) -> Finding | None:
        if odds is None:
            return None
        if item.kind == "choice":
            return self._choice(list(odds), list(odds.values()))
        ((hypothesis, one),) = odds.items()
        side = self._side(one)
        return (
            Finding(_labels(item)[side < 0], max(one), hypothesis, side > 0)
            if side
            else Finding("neutral", 1 - max(one))
        )

    def _side(self, odds: Odds) -> int:
        """1: entailed, -1: contradicted, 0: neither."""
        if max(odds) < self._threshold or odds.entails == odds.contradicts:
            return 0
        return 1 if odds.entails > odds.contradicts else -1

    def _choice(self, claims: list[str], odds: list[Odds]) -> Finding:
        """Given to one, or denied of the other: two were offered, one is ruled out."""
        if len(claims) != 2:
            return Finding("neutral", 0.0)  # nobody said between whom to choose
        first, second = map(self._side, odds)
        if first == second:
            weakest = min(one.entails for one in odds)
            return Finding("both", weakest, claims[0]) if first > 0 else Finding("neutral", 1 - max(map(max, odds)))
        chosen = 0 if first > second else 1
        if (first, second)[chosen] > 0:
            return Finding(f"choose:{chosen}", odds[chosen].entails, claims[chosen])
        return Finding(f"choose:{chosen}", odds[1 - chosen].contradicts, claims[1 - chosen], False)

    def _deciding(self, items: Sequence[Item], found: Sequence[Finding | None]) -> list[str]:
        """The sentence of each answer that alone speaks most clearly for its verdict; nothing where none was taken."""
        taken = [one is not None and one.hypothesis != "" for one in found]
        said = [_sentences(item.answer) if side else [] for item, side in zip(items, taken, strict=True)]
        pairs = [
            (self._premise(item, sentence), one.hypothesis)
            for item, one, sentences in zip(items, found, said, strict=True)
            if one and len(sentences) > 1
            for sentence in sentences
        ]
        odds = iter(self._model.odds(pairs))
        return [
            _clearest(sentences, one, [next(odds) for _ in sentences] if len(sentences) > 1 else [])
            for one, sentences in zip(found, said, strict=True)
        ]


def create(argument: str = "") -> NliJudge:
    model, *given = argument.split(",")
    if not model:
        raise InputError("the judge 'nli' needs a model, for example --judge nli:FOLDER or --judge nli:OWNER/NAME")
    settings = {"threshold": "0.5", "premise": PREMISES[0], "device": "cpu"} | dict(_setting(one) for one in given)
    if settings["premise"] not in PREMISES:
        raise UnknownName("premise", settings["premise"], PREMISES, f"--judge nli:{argument}")
    threshold = _threshold(settings["threshold"])
    return NliJudge(argument, Entailment(model, settings["device"]), threshold, settings["premise"])


def _setting(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    if name not in ("threshold", "premise", "device"):
        raise UnknownName("setting", name, ("threshold", "premise", "device"), "--judge nli")
    return name, value


def _threshold(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value <= 1:
        raise InputError(f"the threshold '{text}' of the judge 'nli' must be a number above 0 and at most 1")
    return value


def _labels(item: Item) -> tuple[str, str]:
    if item.kind == "validity" and three_way(item.question):
        return "entailed", "contradicted"
    return _SIDES[item.kind]


def _sentences(answer: str) -> list[str]:
    """The sentences of an answer, as it wrote them; of very many the first and the last."""
    text = bounded(answer)
    cut = [list(pieces) for _, pieces in groupby(clauses(normal(text), script(text)), key=attrgetter("sentence"))]
    found = [text[pieces[0].start : pieces[-1].end].strip() for pieces in cut]
    own = [sentence for sentence in found if sentence in answer]  # control characters were taken out
    return own if len(own) <= 2 * _SENTENCES else own[:_SENTENCES] + own[-_SENTENCES:]


def _clearest(sentences: list[str], finding: Finding | None, odds: list[Odds]) -> str:
    if not sentences or finding is None:
        return ""
    if not odds:
        return sentences[0]
    best = max(range(len(odds)), key=lambda place: odds[place].entails if finding.entailed else odds[place].contradicts)
    return sentences[best]

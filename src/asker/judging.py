"""Judging: every stored answer that a judge has not read. The chatbot is not asked again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from inspect import signature
from itertools import islice
from typing import Protocol, cast

from msgspec.structs import replace

from asker import registry
from asker.asking.consult import Consultant
from asker.errors import InputError, UnknownName
from asker.plan import questions_of
from asker.progress import Progress
from asker.types import Answer, Item, Judge, Plan, Verdict

LONGEST_WHY = 240  # characters of an answer's deciding words
BATCH = 1000  # a judge that is slow may ask for smaller ones


class JudgeStore(Protocol):
    """What judging needs of a store."""

    def unjudged(self, judge: str, version: str, within: range | None = None) -> Iterator[Answer]: ...
    def add_verdicts(self, judge: str, version: str, verdicts: Iterable[tuple[int, int, Verdict]]) -> None: ...
    def counts(self) -> dict[str, int]: ...


def open_judge(spec: str) -> Judge:
    """'stance', 'paper:cosine:0.7' or 'llm:openai:gpt-4o-mini' -> a judge that can read answers.

    Its name is the spec, as verdicts are kept by it. What stands after the first colon is handed to `create`.
    """
    name, colon, argument = spec.partition(":")
    if name not in registry.names("judges"):
        raise UnknownName("judge", name, registry.names("judges"), "--judge")
    module = registry.load("judges", name)
    if getattr(module, "ASKS", False):
        return cast(Judge, module.create(argument, _consultant(name, argument)))
    if colon and not signature(module.create).parameters:
        raise InputError(f"the judge '{name}' has no options: write --judge {name} instead of '{spec}'")
    return cast(Judge, module.create(argument) if colon else module.create())


def _consultant(name: str, target: str) -> Consultant:
    """Whom a model judge asks: judges know no targets, so it is handed one."""
    if not target:
        raise InputError(f"the judge '{name}' needs a target to ask, for example --judge {name}:openai:gpt-4o-mini")
    return Consultant(target)


def unread(store: JudgeStore, reader: Judge) -> bool:
    """Whether there is anything to judge."""
    return next(store.unjudged(reader.name, reader.version), None) is not None


def judge(plan: Plan, store: JudgeStore, reader: Judge, *, quiet: bool = False, within: range | None = None) -> int:
    """Read what this judge has not read yet, of these questions or of all; how many answers that were."""
    progress = Progress("judging", 0 if within else store.counts()["answered"], quiet=quiet)
    answers = store.unjudged(reader.name, reader.version, within)
    done = 0
    size = getattr(reader, "batch", BATCH)  # a slow judge keeps what it did more often
    while batch := list(islice(answers, size)):
        store.add_verdicts(reader.name, reader.version, _read(plan, reader, batch))
        done += len(batch)
        progress.add(len(batch))
    progress.finish()
    return done


def _read(plan: Plan, reader: Judge, batch: list[Answer]) -> list[tuple[int, int, Verdict]]:
    questions = questions_of(plan, [answer.question for answer in batch])
    items = [plan.item(questions[answer.question], answer.text or "") for answer in batch]
    verdicts = read_items(reader, items)
    return [(answer.question, answer.sample, verdict) for answer, verdict in zip(batch, verdicts, strict=True)]


def read_items(reader: Judge, items: list[Item]) -> list[Verdict]:
    """The verdicts on these items; the same item is read once."""
    distinct = list(dict.fromkeys(items))
    read = zip(distinct, reader.judge(distinct), strict=True)
    verdicts = {item: _quoting(verdict, item.answer) for item, verdict in read}
    return [verdicts[item] for item in items]


def _quoting(verdict: Verdict, answer: str) -> Verdict:
    """Every verdict shows what it was read from: where no words decided, the beginning stands for the whole."""
    if verdict.label is None:
        return verdict
    words = verdict.why or answer.strip()
    shown = words if len(words) <= LONGEST_WHY else words[:LONGEST_WHY].rsplit(" ", 1)[0]
    return verdict if shown == verdict.why else replace(verdict, why=shown)

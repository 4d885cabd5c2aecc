"""What is left to ask: plan minus store, row by row. The text of a row is only made when its turn comes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from typing import Protocol

from asker.asking.cache import AnswerCache
from asker.plan import content_key
from asker.types import Answer, Plan, Question

Wanted = tuple[Question, int, str]  # a question, which sample of it, and its content key
Passes = Iterable[tuple[bool, Iterable[range]]]
"""Ranges of questions to go through; True: to ask once more what failed in an earlier session."""


class AskStore(Protocol):
    """What asking needs of a store."""

    def begin(self) -> int: ...
    def end(self, how: str) -> None: ...
    def starting(self, question: int, sample: int) -> Future[None] | None: ...
    def not_sent(self, question: int, sample: int) -> None: ...
    def add(self, answer: Answer) -> None: ...
    def answered(self, row: range, sample: int, *, failed_too: bool = False) -> set[int]: ...
    def counts(self) -> dict[str, int]: ...


def whole_plan(plan: Plan, store: AskStore) -> Passes:
    """Everything; then what failed in an earlier session, last, so that it cannot keep the rest from being asked."""
    failed_before = store.counts()["failed"] > 0
    yield False, plan.rows()
    if failed_before:
        yield True, plan.rows()


class Pending:
    """The questions that have no answer yet. Those whose answer is in the cache are stored and `reused` is told."""

    def __init__(
        self, plan: Plan, store: AskStore, samples: int, cache: AnswerCache | None, passes: Passes,
        reused: Callable[[], None],
    ) -> None:  # fmt: skip
        self._plan, self._store, self._samples, self._cache = plan, store, samples, cache
        self._passes, self._reused = passes, reused
        self.again = False  # asking what failed in an earlier session: that it fails again says nothing
        self.failed: set[tuple[int, int]] = set()  # in this session, and not to be tried again in it

    def __iter__(self) -> Iterator[Wanted]:
        for again, rows in self._passes:
            self.again = again
            for row in rows:
                for sample in range(self._samples):
                    if open_ones := self._open(row, sample, again):
                        yield from self._not_cached(self._wanted(row, sample, open_ones))

    def _open(self, row: range, sample: int, again: bool) -> set[int]:
        """What nobody has tried; `again`: only what was tried in vain, as what has no row by then may be on its way, or
        wait to be stored."""
        tried = self._store.answered(row, sample, failed_too=True)
        found = tried - self._store.answered(row, sample) if again else set(row) - tried
        return {question for question in found if (question, sample) not in self.failed}

    def _wanted(self, row: range, sample: int, ids: set[int]) -> list[Wanted]:
        return [
            (question, sample, content_key(question)) for question in self._plan.questions(row) if question.id in ids
        ]

    def _not_cached(self, wanted: list[Wanted]) -> Iterator[Wanted]:
        """Those that no run has asked before; the others' answers are taken from the cache."""
        known = self._cache.find((key, sample) for _, sample, key in wanted) if self._cache else {}
        for question, sample, key in wanted:
            reply = known.get((key, sample))
            if reply is None:
                yield question, sample, key
            else:
                about = (question.id, sample, key, question.prompt)
                self._store.add(Answer(*about, reply.text, None, time.time(), 0.0, attempts=0))
                self._reused()

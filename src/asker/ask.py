"""Asking: every question of a plan that has no stored answer yet, many at once, each kept as soon as it comes.

Resuming is plan minus store: there is no other state. What goes wrong with one question is kept as its error and the
run goes on; what goes wrong with the chatbot ends the run with a sentence, and everything stored stays.
"""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from typing import Protocol

from msgspec import Struct

from asker.errors import Retryable, StoreError, TargetError, TargetUnusable
from asker.pacing import Gate, Pace
from asker.plan import content_key
from asker.progress import Progress
from asker.types import Answer, Plan, Question, Reply, Target

IN_A_ROW = 10  # so many failures with no answer between them, and it is the chatbot rather than the question
PATIENCE = 5.0  # seconds that questions in flight are waited for after Ctrl-C
SLICE = 0.05  # seconds a chatbot that answers at once may keep the event loop to itself


class Limits(Struct, frozen=True):
    """How a chatbot may be asked. None of it changes what is asked."""

    concurrency: int = 16
    per_minute: float | None = None
    timeout: float = 60.0
    retries: int = 5


class Outcome(Struct, frozen=True):
    """How a session of asking ended."""

    ended: str  # "complete", "stopped" by the user, or "unusable"
    answered: int
    failed: int
    already: int  # answers that were stored before
    cut_off: int  # questions in flight when an earlier session was killed
    in_flight: int  # questions given up when this one was stopped
    seconds: float
    reason: str = ""


class AskStore(Protocol):
    """What asking needs of a store."""

    def begin(self) -> int: ...
    def end(self, how: str) -> None: ...
    def starting(self, question: int, sample: int) -> None: ...
    def add(self, answer: Answer) -> None: ...
    def answered(self, row: range, sample: int) -> set[int]: ...
    def counts(self) -> dict[str, int]: ...


def seed_for(seed: int, key: str, sample: int) -> int:
    """A seed of its own for each question and sample, so that order and resuming change nothing."""
    return int.from_bytes(blake2b(f"{seed}:{key}:{sample}".encode(), digest_size=4).digest(), "big") >> 1


def ask(
    plan: Plan, target: Target, store: AskStore, limits: Limits, *, seed: int, samples: int = 1, quiet: bool = False
) -> Outcome:
    """Ask what is left of the plan. Returns also when stopped by Ctrl-C or an unusable chatbot."""
    return asyncio.run(_Session(plan, target, store, limits, seed, samples, quiet).run())


class _Session:
    def __init__(
        self, plan: Plan, target: Target, store: AskStore, limits: Limits, seed: int, samples: int, quiet: bool
    ) -> None:
        self._plan, self._target, self._store, self._limits = plan, target, store, limits
        self._seed, self._samples = seed, samples
        self._already = store.counts()["answered"]
        self._progress = Progress("asking", plan.total * samples, self._already, quiet=quiet)
        self._gate, self._pace = Gate(limits.concurrency), Pace(limits.per_minute)
        self._answered = self._failed = self._in_a_row = self._flying = 0
        self._stop: str | None = None
        self._reason = ""
        self._tasks: list[asyncio.Task[None]] = []

    async def run(self) -> Outcome:
        started = time.monotonic()
        cut_off = self._store.begin()
        self._catch_signals()
        left_over = 0
        try:
            left_over = await self._work()
        finally:
            self._progress.finish()
            await self._target.close()
            self._store.end(self._stop or "complete")
        counts = (self._answered, self._failed, self._already, cut_off, left_over)
        return Outcome(self._stop or "complete", *counts, time.monotonic() - started, self._reason)

    async def _work(self) -> int:
        """Ask until nothing is left or we are stopped; how many questions were given up in flight."""
        pending = self._pending()
        workers = self._limits.concurrency if self._target.parallel else 1
        self._tasks = [asyncio.create_task(self._worker(pending)) for _ in range(workers)]
        ticker = asyncio.create_task(self._tick())
        try:
            done, running = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_EXCEPTION)
            for task in running:
                task.cancel()
            if running:
                await asyncio.wait(running)
        finally:
            ticker.cancel()
        for task in done:
            if not task.cancelled() and (error := task.exception()):
                raise error
        return self._flying

    def _pending(self) -> Iterator[tuple[Question, int]]:
        """What has no answer yet, row by row: the text of a row is only made when its turn comes."""
        for row in self._plan.rows():
            for sample in range(self._samples):
                there = self._store.answered(row, sample)
                if len(there) < len(row):
                    for question in self._plan.questions(row):
                        if question.id not in there:
                            yield question, sample

    async def _worker(self, pending: Iterator[tuple[Question, int]]) -> None:
        breath = time.monotonic() + SLICE
        for question, sample in pending:
            if self._stop:
                return
            await self._one(question, sample)
            if not self._target.parallel and time.monotonic() > breath:
                await asyncio.sleep(0)
                breath = time.monotonic() + SLICE

    async def _one(self, question: Question, sample: int) -> None:
        key = content_key(question)
        self._store.starting(question.id, sample)
        self._flying += 1
        asked_at, started = time.time(), time.monotonic()
        attempts, reply, error = await self._try(question.prompt, seed_for(self._seed, key, sample))
        if reply is None and error is None:
            return  # stopped before it was answered
        self._flying -= 1
        said = reply or Reply("")
        answer = Answer(
            question.id, sample, key, question.prompt, said.text if reply else None, error, asked_at,
            time.monotonic() - started, attempts, said.tokens_in, said.tokens_out,
        )  # fmt: skip
        self._store.add(answer)
        self._count(error)

    async def _try(self, prompt: str, seed: int) -> tuple[int, Reply | None, str | None]:
        """Attempts made, and the reply or the reason there is none."""
        attempt = 0
        while True:
            attempt += 1
            try:
                return attempt, await self._attempt(prompt, seed), None
            except Retryable as error:
                if error.unreachable and not self._answered and attempt > 1:
                    # It never answered: more likely a wrong address than a server that is just starting.
                    self._give_up(f"{error}. Is it running, and is the address right?")
                    return attempt, None, None
                if attempt > self._limits.retries:
                    return attempt, None, f"{error} (tried {attempt} times)"
                if self._stop:
                    return attempt, None, None
                self._gate.overrun()
                if error.after is not None:
                    self._pace.hold(error.after)
                await asyncio.sleep(_back_off(attempt, seed) if error.after is None else error.after)
            except TargetUnusable as error:
                self._give_up(str(error))
                return attempt, None, None
            except StoreError:
                raise
            except TargetError as error:
                return attempt, None, str(error)
            except Exception as error:  # a plugin's own mistake: kept as this question's error
                return attempt, None, f"{type(error).__name__}: {error}"

    async def _attempt(self, prompt: str, seed: int) -> Reply:
        if not self._target.parallel:
            return await self._target.ask(prompt, seed=seed)
        await self._gate.enter()
        try:
            await self._pace.turn()
            async with asyncio.timeout(self._limits.timeout):
                reply = await self._target.ask(prompt, seed=seed)
            self._gate.went_well()
            return reply
        except TimeoutError as error:
            raise Retryable(f"no answer within {self._limits.timeout:g} s") from error
        finally:
            self._gate.leave()

    def _count(self, error: str | None) -> None:
        if error is None:
            self._answered += 1
            self._in_a_row = 0
            self._progress.add()
            return
        self._failed += 1
        self._in_a_row += 1
        self._progress.errors += 1
        if self._in_a_row >= IN_A_ROW:
            self._give_up(f"the last {IN_A_ROW} questions all failed; the last error: {error}")

    def _give_up(self, reason: str) -> None:
        if self._stop is None:
            self._stop, self._reason = "unusable", reason
            self._cancel_others()

    def _cancel_others(self) -> None:
        for task in self._tasks:
            if task is not asyncio.current_task():
                task.cancel()

    def _catch_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError, ValueError, RuntimeError):  # not in the main thread, or not on Unix
                loop.add_signal_handler(number, self._interrupt)

    def _interrupt(self) -> None:
        """First Ctrl-C: take nothing new, wait a little for what is in flight. Second: at once."""
        if self._stop is None:
            self._stop, self._reason = "stopped", "stopped by the user"
            asyncio.get_running_loop().call_later(PATIENCE, self._cancel_others)
        else:
            self._cancel_others()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(0.2)
            self._progress.tick()


def _back_off(attempt: int, seed: int) -> float:
    """0.5, 1, 2 … 30 s, each times 0.5 to 1.5, so that many workers do not come back together."""
    return min(30.0, 0.5 * 2.0 ** (attempt - 1)) * random.Random(f"{seed}:{attempt}").uniform(0.5, 1.5)

"""Asking: every question of a plan that has no stored answer yet, many at once, each kept as soon as it comes.

Resuming is plan minus store: there is no other state. What goes wrong with one question is kept as its error and the
run goes on; what goes wrong with the chatbot ends the run with a sentence, and everything stored stays.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import blake2b

import uvloop
from msgspec import Struct

from asker.asking.allowance import Allowance
from asker.asking.cache import AnswerCache
from asker.asking.pacing import Limits, Pace
from asker.asking.pending import AskStore, Passes, Pending, Wanted, whole_plan
from asker.asking.spending import Purse, Usage
from asker.asking.trying import Trial, Tries
from asker.keys import redacted
from asker.progress import Progress
from asker.types import Answer, Plan, Question, Reply, Target

IN_A_ROW = 10  # so many failures with no answer between them, and it is the chatbot rather than the question
ROWS = 5  # once it has answered, over so many rows: a property that is filtered away is no reason to stop
PATIENCE = 5.0  # seconds that questions in flight are waited for after Ctrl-C
MORE, LEAST = 1.05, 100  # answers are looked at anew when there are so many times more, and at least so many
SLICE = 0.05  # seconds a chatbot that answers at once may keep the event loop to itself


class Outcome(Struct, frozen=True):
    """How a session of asking ended."""

    ended: str  # "complete", "enough", "stopped" by the user, out of "time", "spent", or "unusable"
    answered: int
    failed: int
    already: int  # answers that were stored before
    reused: int  # answers taken from the cache
    cut_off: int  # questions in flight when an earlier session was killed
    in_flight: int  # questions given up when this one was stopped
    seconds: float
    usage: Usage  # of the whole run, as the chatbot reported it
    money: float | None
    reason: str = ""
    workers_lost: int = 0
    asked_again: int = 0  # questions in flight when these workers died


def seed_for(seed: int, key: str, sample: int) -> int:
    """A seed of its own for each question and sample, so that order and resuming change nothing."""
    return int.from_bytes(blake2b(f"{seed}:{key}:{sample}".encode(), digest_size=4).digest(), "big") >> 1


def ask(
    plan: Plan,
    target: Target,
    store: AskStore,
    limits: Limits,
    *,
    seed: int,
    samples: int = 1,
    purse: Purse | None = None,
    cache: AnswerCache | None = None,
    quiet: bool = False,
    enough: Callable[[], str | None] | None = None,
) -> Outcome:
    """Ask what is left of the plan. Returns also when stopped, out of time or money, or the chatbot is unusable; or
    when `enough`, called in a thread now and then, gives a reason why nothing more need be asked."""
    allowance = Allowance(purse or Purse(), Pace(limits.per_minute, limits.tokens_per_minute))
    progress = Progress("asking", plan.total * samples, store.counts()["answered"], quiet=quiet)
    session = Session(plan, target, store, limits, seed, samples, allowance, progress, cache, enough)
    return uvloop.run(session.run())


class Session:
    """The asking itself. `passes`: what to go through, if not the whole plan; `progress.stop` ends it from outside."""

    def __init__(
        self, plan: Plan, target: Target, store: AskStore, limits: Limits, seed: int, samples: int,
        allowance: Allowance, progress: Progress, cache: AnswerCache | None = None,
        enough: Callable[[], str | None] | None = None, passes: Passes | None = None,
    ) -> None:  # fmt: skip
        self._plan, self._target, self._store, self._limits = plan, target, store, limits
        self._seed, self._allowance, self._progress, self._cache = seed, allowance, progress, cache
        self._enough = enough
        self._error: Exception | None = None  # that ended the looking
        self._already = progress.done
        passes = whole_plan(plan, store) if passes is None else passes
        self._pending = Pending(plan, store, samples, cache, passes, self._was_known)
        self._tries = Tries(target, store, limits, allowance, lambda: self._stop is not None, self._give_up)
        self._answered = self._failed = self._reused = 0
        self._in_a_row: list[int] = []  # rows of the questions that failed since the last answer
        self._stop: str | None = None
        self._reason = ""
        self._tasks: list[asyncio.Task[None]] = []

    async def run(self) -> Outcome:
        started = time.monotonic()
        cut_off = self._store.begin()
        self._catch_signals()
        ended = "broken"
        try:
            await self._look()
            if not self._stop:
                await self._work()
            if self._error:
                raise self._error
            ended = self._stop or "complete"
        finally:
            self._progress.finish()
            await self._target.close()
            if self._cache:
                self._cache.close()
            self._store.end(ended)
        counts = (self._answered, self._failed, self._already, self._reused, cut_off, self._tries.given_up)
        used = (self._allowance.reported, self._allowance.money)
        return Outcome(ended, *counts, time.monotonic() - started, *used, self._reason)

    async def _work(self) -> None:
        """Ask until nothing is left or we are stopped."""
        pending = iter(self._pending)
        workers = self._limits.concurrency if self._target.parallel else 1
        self._tasks = [asyncio.create_task(self._worker(pending)) for _ in range(workers)]
        around = [asyncio.create_task(one()) for one in (self._tick, self._watch_the_clock, self._look_now_and_then)]
        try:
            _, running = await asyncio.wait(self._tasks, return_when=asyncio.FIRST_EXCEPTION)
            for task in running:
                task.cancel()
            if running:
                await asyncio.wait(running)
        finally:
            for task in around:
                task.cancel()
        # Several may have failed of the same cause; all are looked at, or Python would complain of the others.
        errors = [error for task in self._tasks if not task.cancelled() and (error := task.exception())]
        if errors:
            raise errors[0]

    async def _worker(self, pending: Iterator[Wanted]) -> None:
        breath = time.monotonic() + SLICE
        for question, sample, key in pending:
            if self._stop:
                return
            trial = Trial(question.id, sample, question.prompt, seed_for(self._seed, key, sample))
            await self._tries.ask(trial)
            if trial.reply is not None or trial.error is not None:  # else it was stopped before it was answered
                self._keep(question, sample, key, trial)
            if not self._target.parallel and time.monotonic() > breath:
                await asyncio.sleep(0)
                breath = time.monotonic() + SLICE

    # --- what came of it ---

    def _keep(self, question: Question, sample: int, key: str, trial: Trial) -> None:
        secrets = getattr(self._target, "secrets", ())
        reply = trial.reply or Reply("")
        text = redacted(reply.text, secrets) if trial.reply else None
        error = redacted(trial.error, secrets) if trial.error is not None and text is None else None
        about = (question.id, sample, key, question.prompt, text, error, trial.asked_at)
        seconds = time.monotonic() - trial.started
        self._store.add(Answer(*about, seconds, trial.attempts, trial.lost, reply.tokens_in, reply.tokens_out))
        if text is not None and self._cache:
            self._cache.add(key, sample, Reply(text, reply.tokens_in, reply.tokens_out))
        self._progress.money = self._allowance.money
        self._count(question.id, sample, error)

    def _was_known(self) -> None:
        self._reused += 1
        self._progress.add()

    def _count(self, question: int, sample: int, error: str | None) -> None:
        if error is None:
            self._answered += 1
            self._in_a_row.clear()
            self._progress.add()
            return
        self._failed += 1
        self._pending.failed.add((question, sample))
        self._progress.errors += 1
        self._in_a_row.append(self._plan.row_of(question).start)
        ever_answered = self._answered + self._already > 0
        enough = len(set(self._in_a_row)) >= ROWS if ever_answered else True
        if len(self._in_a_row) >= IN_A_ROW and enough and not self._pending.again:
            self._give_up(f"the last {len(self._in_a_row)} questions all failed; the last error: {error}")

    # --- stopping ---

    def _give_up(self, reason: str, how: str = "unusable") -> None:
        if self._stop is None:
            self._wind_down(how, redacted(reason, getattr(self._target, "secrets", ())))

    def _cancel(self) -> None:
        for task in self._tasks:
            task.cancel()

    def _catch_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with suppress(NotImplementedError, ValueError, RuntimeError):  # not in the main thread, or not on Unix
                loop.add_signal_handler(number, self._wind_down, "stopped", "stopped by the user")

    def _wind_down(self, how: str, reason: str) -> None:
        """First time: take nothing new, wait a little for what is in flight, as it may be paid for. Second: at once."""
        if self._stop is None:
            self._stop, self._reason = how, reason
            asyncio.get_running_loop().call_later(PATIENCE, self._cancel)
        else:
            self._cancel()

    async def _watch_the_clock(self) -> None:
        if self._limits.minutes is not None:
            await asyncio.sleep(60 * self._limits.minutes)
            self._wind_down("time", f"{self._limits.minutes:g} minutes are over")

    async def _look_now_and_then(self) -> None:
        seen = self._progress.done
        while self._enough:
            await asyncio.sleep(0.2)
            if self._progress.done >= max(MORE * seen, seen + LEAST):
                seen = self._progress.done
                await self._look()

    async def _look(self) -> None:
        """Whether the answers so far are enough; in a thread, as they are judged for it."""
        try:
            reason = await asyncio.to_thread(self._enough) if self._enough else None
        except Exception as error:
            self._error, reason = error, str(error)
        if reason is not None and self._stop is None:
            self._wind_down("enough", reason)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(0.2)
            self._progress.tick()
            if self._progress.stop and self._stop is None:
                self._wind_down(*self._progress.stop)

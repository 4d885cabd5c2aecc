"""Asking: every question of a plan that has no stored answer yet, many at once, each kept as soon as it comes.

Resuming is plan minus store: there is no other state. What goes wrong with one question is kept as its error and the
run goes on; what goes wrong with the chatbot ends the run with a sentence, and everything stored stays.
"""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from hashlib import blake2b
from typing import Protocol

import uvloop
from msgspec import Struct

from asker.asking.cache import AnswerCache
from asker.asking.pacing import Gate, Limits, Pace, back_off
from asker.asking.spending import Purse, Usage
from asker.errors import Retryable, StoreError, TargetError, TargetUnusable
from asker.keys import redacted
from asker.plan import content_key
from asker.progress import Progress, duration
from asker.types import Answer, Plan, Question, Reply, Target

IN_A_ROW = 10  # so many failures with no answer between them, and it is the chatbot rather than the question
ROWS = 5  # once it has answered, over so many rows: a property that is filtered away is no reason to stop
TOO_LONG = 900.0  # seconds of Retry-After that we sit out; for longer it is better to come back
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


class AskStore(Protocol):
    """What asking needs of a store."""

    def begin(self) -> int: ...
    def end(self, how: str) -> None: ...
    def starting(self, question: int, sample: int) -> Future[None] | None: ...
    def add(self, answer: Answer) -> None: ...
    def answered(self, row: range, sample: int, *, failed_too: bool = False) -> set[int]: ...
    def counts(self) -> dict[str, int]: ...


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
    session = _Session(plan, target, store, limits, seed, samples, purse or Purse(), cache, quiet, enough)
    return uvloop.run(session.run())


class _Session:
    def __init__(
        self, plan: Plan, target: Target, store: AskStore, limits: Limits, seed: int, samples: int, purse: Purse,
        cache: AnswerCache | None, quiet: bool, enough: Callable[[], str | None] | None,
    ) -> None:  # fmt: skip
        self._error: Exception | None = None  # that ended the looking
        self._plan, self._target, self._store, self._limits = plan, target, store, limits
        self._seed, self._samples, self._purse, self._cache, self._enough = seed, samples, purse, cache, enough
        self._already = store.counts()["answered"]
        self._progress = Progress("asking", plan.total * samples, self._already, quiet=quiet)
        self._gate = Gate(limits.concurrency)
        self._pace = Pace(limits.per_minute, limits.tokens_per_minute)
        self._answered = self._failed = self._reused = self._flying = self._asking = 0
        self._in_a_row: list[int] = []  # rows of the questions that failed since the last answer
        self._failed_now: set[tuple[int, int]] = set()
        self._again = False  # asking once more what failed in an earlier session: that it fails again says nothing
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
        counts = (self._answered, self._failed, self._already, self._reused, cut_off, self._flying)
        seconds = time.monotonic() - started
        return Outcome(
            self._stop or "complete", *counts, seconds, self._purse.reported, self._purse.money, self._reason
        )

    async def _work(self) -> None:
        """Ask until nothing is left or we are stopped."""
        pending = self._pending()
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

    # --- what to ask ---

    def _pending(self) -> Iterator[tuple[Question, int, str]]:
        """What has no answer yet, row by row: the text of a row is only made when its turn comes. What failed in an
        earlier session comes last, so that it cannot keep the rest from being asked."""
        failed_before = self._store.counts()["failed"] > 0
        for again in (False, True) if failed_before else (False,):
            self._again = again
            for row in self._plan.rows():
                for sample in range(self._samples):
                    there = self._store.answered(row, sample, failed_too=not again)
                    if len(there) < len(row):
                        yield from self._not_cached(self._missing(row, sample, there))

    def _missing(self, row: range, sample: int, there: set[int]) -> list[tuple[Question, int, str]]:
        return [
            (question, sample, content_key(question))
            for question in self._plan.questions(row)
            if question.id not in there and (question.id, sample) not in self._failed_now
        ]

    def _not_cached(self, wanted: list[tuple[Question, int, str]]) -> Iterator[tuple[Question, int, str]]:
        """Those that no run has asked before; the others' answers are taken from the cache."""
        known = self._cache.find((key, sample) for _, sample, key in wanted) if self._cache else {}
        for question, sample, key in wanted:
            reply = known.get((key, sample))
            if reply is None:
                yield question, sample, key
            else:
                self._store.add(
                    Answer(question.id, sample, key, question.prompt, reply.text, None, time.time(), 0.0, 0)
                )
                self._reused += 1
                self._progress.add()

    # --- asking one ---

    async def _worker(self, pending: Iterator[tuple[Question, int, str]]) -> None:
        breath = time.monotonic() + SLICE
        for question, sample, key in pending:
            if self._stop:
                return
            await self._one(question, sample, key)
            if not self._target.parallel and time.monotonic() > breath:
                await asyncio.sleep(0)
                breath = time.monotonic() + SLICE

    async def _one(self, question: Question, sample: int, key: str) -> None:
        trial = _Trial(question.id, sample, question.prompt, seed_for(self._seed, key, sample))
        await self._try(trial)
        if trial.reply is not None or trial.error is not None:  # else it was stopped before it was answered
            self._keep(question, sample, key, trial)

    def _keep(self, question: Question, sample: int, key: str, trial: _Trial) -> None:
        secrets = getattr(self._target, "secrets", ())
        reply = trial.reply or Reply("")
        text = redacted(reply.text, secrets) if trial.reply else None
        error = redacted(trial.error, secrets) if trial.error is not None and text is None else None
        about = (question.id, sample, key, question.prompt, text, error, trial.asked_at)
        seconds = time.monotonic() - trial.started
        self._store.add(Answer(*about, seconds, trial.attempts, trial.lost, reply.tokens_in, reply.tokens_out))
        if text is not None and self._cache:
            self._cache.add(key, sample, Reply(text, reply.tokens_in, reply.tokens_out))
        self._count(question.id, sample, error)

    async def _try(self, trial: _Trial) -> None:
        """Ask until there is a reply or a reason why there is none. Stopped in between, there is neither."""
        while not self._stop or not trial.attempts:
            trial.attempts += 1
            try:
                trial.reply = await self._attempt(trial)
                return
            except Retryable as error:
                trial.lost += error.charged
                if not await self._worth_another(trial, error):
                    return
            except TargetUnusable as error:
                trial.lost += error.charged
                self._give_up(str(error))
                return
            except _NoMoney:
                self._give_up("the limit on cost or tokens leaves no room for another question", "spent")
                return
            except StoreError:
                raise
            except TargetError as error:
                trial.lost += error.charged
                trial.error = str(error)
                return
            except Exception as error:  # a plugin's own mistake: kept as this question's error
                trial.error = f"{type(error).__name__}: {error}"
                return

    async def _worth_another(self, trial: _Trial, error: Retryable) -> bool:
        """Wait for the next try, or say that there is none."""
        if error.unreachable and not self._answered and trial.attempts > 1:
            # It never answered: more likely a wrong address than a server that is just starting.
            self._give_up(f"{error}. Is it running, and is the address right?")
            return False
        if error.after is not None and error.after > TOO_LONG:
            self._give_up(f"it asks to wait {duration(error.after)} before the next question ({error})")
            return False
        if trial.attempts > self._limits.retries:
            trial.error = f"{error} (tried {trial.attempts} times)"
            return False
        self._gate.overrun()
        if error.after is not None:
            self._pace.hold(error.after)
        await self._pause(back_off(trial.attempts, trial.seed) if error.after is None else error.after)
        return True

    async def _pause(self, seconds: float) -> None:
        """Wait, but not on when the session is being stopped."""
        until = time.monotonic() + seconds
        while not self._stop and (left := until - time.monotonic()) > 0:
            await asyncio.sleep(min(left, 0.2))

    async def _attempt(self, trial: _Trial) -> Reply:
        await self._gate.enter()
        aside = reply = None
        charged = True
        try:
            aside = await self._set_aside(trial.prompt)
            await self._pace.turn(aside.total)
            reply = await self._send(trial)
            self._gate.went_well()
            return reply
        except TargetError as error:
            charged = error.charged
            raise
        finally:
            self._gate.leave()
            if aside is not None:
                self._settle(aside, reply, charged)

    async def _send(self, trial: _Trial) -> Reply:
        """The question goes out. Whoever is cancelled here was in flight, and is counted so."""
        noted = self._store.starting(trial.question, trial.sample)
        if noted is not None:
            await asyncio.wrap_future(noted)
        self._flying += 1
        try:
            async with asyncio.timeout(self._limits.timeout):
                reply = await self._target.ask(trial.prompt, seed=trial.seed)
        except TimeoutError as error:
            self._flying -= 1
            raise Retryable(f"no answer within {self._limits.timeout:g} s", charged=True) from error
        except Exception:
            self._flying -= 1
            raise
        self._flying -= 1
        return reply

    async def _set_aside(self, prompt: str) -> Usage:
        """Room in the purse; what others have set aside may come free when their answers are shorter."""
        while (aside := self._purse.set_aside(prompt)) is None:
            if not self._asking or self._stop:
                raise _NoMoney
            await asyncio.sleep(0.01)
        self._asking += 1
        return aside

    def _settle(self, aside: Usage, reply: Reply | None, charged: bool) -> None:
        self._asking -= 1
        self._purse.settle(aside, reply, charged=charged)
        self._progress.money = self._purse.money
        if reply is not None and reply.tokens_in is not None:
            self._pace.used(aside.total, reply.tokens_in + (reply.tokens_out or 0))

    def _count(self, question: int, sample: int, error: str | None) -> None:
        if error is None:
            self._answered += 1
            self._in_a_row.clear()
            self._progress.add()
            return
        self._failed += 1
        self._failed_now.add((question, sample))
        self._progress.errors += 1
        self._in_a_row.append(self._plan.row_of(question).start)
        ever_answered = self._answered + self._already > 0
        enough = len(set(self._in_a_row)) >= ROWS if ever_answered else True
        if len(self._in_a_row) >= IN_A_ROW and enough and not self._again:
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


class _Trial:
    """One question on its way: what was tried, and what came of it."""

    __slots__ = ("asked_at", "attempts", "error", "lost", "prompt", "question", "reply", "sample", "seed", "started")

    def __init__(self, question: int, sample: int, prompt: str, seed: int) -> None:
        self.question, self.sample, self.prompt, self.seed = question, sample, prompt, seed
        self.attempts = self.lost = 0
        self.reply: Reply | None = None
        self.error: str | None = None
        self.asked_at, self.started = time.time(), time.monotonic()


class _NoMoney(Exception):
    """Another question could pass the limit on cost or tokens."""

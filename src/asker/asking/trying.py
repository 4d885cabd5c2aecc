"""One question on its way: tried until there is an answer or a reason why there is none."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future

from asker.asking.allowance import Allowance, NoMoney
from asker.asking.pacing import Gate, Limits, back_off
from asker.asking.pending import AskStore
from asker.errors import Retryable, StoreError, TargetError, TargetUnusable
from asker.progress import duration
from asker.types import Reply, Target

TOO_LONG = 900.0  # seconds of Retry-After that we sit out; for longer it is better to come back


class Trial:
    """What was tried, and what came of it."""

    __slots__ = ("asked_at", "attempts", "error", "flying", "lost", "noted", "prompt", "question", "reply", "sample",
                 "seed", "started")  # fmt: skip

    def __init__(self, question: int, sample: int, prompt: str, seed: int) -> None:
        self.question, self.sample, self.prompt, self.seed = question, sample, prompt, seed
        self.attempts = self.lost = 0
        self.reply: Reply | None = None
        self.error: str | None = None
        self.noted = self.flying = False  # the store has been told that it goes out; it is out
        self.asked_at, self.started = time.time(), time.monotonic()


class Tries:
    """Asks a chatbot, within its limits. `give_up` is called when the chatbot rather than a question is the trouble."""

    def __init__(
        self, target: Target, store: AskStore, limits: Limits, allowance: Allowance, stopped: Callable[[], bool],
        give_up: Callable[[str, str], None],
    ) -> None:  # fmt: skip
        self._target, self._store, self._limits, self._allowance = target, store, limits, allowance
        self._stopped, self._give_up = stopped, give_up
        self._gate = Gate(limits.concurrency)
        self._ever_answered = False
        self.given_up = 0  # questions that may have been paid for, of which nothing is kept
        self._noted: Future[None] | None = None

    async def ask(self, trial: Trial) -> None:
        """Ask until there is a reply or a reason why there is none. Stopped in between, there is neither."""
        try:
            await self._ask(trial)
        finally:
            if trial.reply is None and trial.error is None:
                self._leave(trial)

    def _leave(self, trial: Trial) -> None:
        """It is left as it is. What was never sent, or turned away without charge, costs nothing and is not counted."""
        if trial.flying or trial.lost:
            self.given_up += 1
        elif trial.noted:
            self._store.not_sent(trial.question, trial.sample)

    async def _ask(self, trial: Trial) -> None:
        while not self._stopped() or not trial.attempts:
            trial.attempts += 1
            try:
                trial.reply = await self._attempt(trial)
                self._ever_answered = True
                return
            except Retryable as error:
                trial.lost += error.charged
                if not await self._worth_another(trial, error):
                    return
            except TargetUnusable as error:
                trial.lost += error.charged
                self._give_up(str(error), "unusable")
                return
            except NoMoney:
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

    async def _worth_another(self, trial: Trial, error: Retryable) -> bool:
        """Wait for the next try, or say that there is none."""
        if error.unreachable and not self._ever_answered and trial.attempts > 1:
            # It never answered: more likely a wrong address than a server that is just starting.
            self._give_up(f"{error}. Is it running, and is the address right?", "unusable")
            return False
        if error.after is not None and error.after > TOO_LONG:
            self._give_up(f"it asks to wait {duration(error.after)} before the next question ({error})", "unusable")
            return False
        if trial.attempts > self._limits.retries:
            trial.error = f"{error} (tried {trial.attempts} times)"
            return False
        self._gate.overrun()
        if error.after is not None:
            self._allowance.hold(error.after)
        await self._pause(back_off(trial.attempts, trial.seed) if error.after is None else error.after)
        return True

    async def _pause(self, seconds: float) -> None:
        """Wait, but not on when the session is being stopped."""
        until = time.monotonic() + seconds
        while not self._stopped() and (left := until - time.monotonic()) > 0:
            await asyncio.sleep(min(left, 0.2))

    async def _attempt(self, trial: Trial) -> Reply:
        await self._gate.enter()
        aside, reply, charged = None, None, False
        try:
            wish = self._allowance.worst(trial.prompt)
            await self._allowance.take(wish, self._stopped)
            aside = wish
            await self._note(trial)
            charged = True  # from here on, also when it is cancelled
            reply = await self._send(trial)
            self._gate.went_well()
            return reply
        except TargetError as error:
            charged = error.charged
            raise
        finally:
            self._gate.leave()
            if aside is not None:
                self._allowance.settle(aside, reply, charged=charged)

    async def _note(self, trial: Trial) -> None:
        """Wait until the store has noted that this question goes out. Those that wait for the same note wake once."""
        noted = self._store.starting(trial.question, trial.sample)
        trial.noted = True
        if noted is None:
            return
        if noted is not self._noted:
            self._noted, self._noted_here = noted, asyncio.wrap_future(noted)
        await asyncio.shield(self._noted_here)  # who is cancelled must not cancel it for the others

    async def _send(self, trial: Trial) -> Reply:
        """The question goes out. Whoever is cancelled here was in flight, and is counted so."""
        trial.flying = True
        try:
            async with asyncio.timeout(self._limits.timeout):
                reply = await self._target.ask(trial.prompt, seed=trial.seed)
        except TimeoutError as error:
            trial.flying = False
            raise Retryable(f"no answer within {self._limits.timeout:g} s", charged=True) from error
        except Exception:
            trial.flying = False
            raise
        trial.flying = False
        return reply

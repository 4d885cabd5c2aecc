"""Workers of a Ray cluster ask, on one machine or many. Needs: `pip install 'asker-audit[ray,postgres]'`

The driver hands out slices of the plan as ranges of indices, shows one line for all, and gives the slices of a worker
that died to another: what is stored of them is not asked again. Limits hold over all workers together.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

# Before it is imported: nothing is told to anyone.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray
from ray.exceptions import RayActorError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from asker import __version__
from asker.asking.session import LEAST, MORE, Outcome
from asker.engines import limits_of, purse_for, spent_so_far
from asker.engines._hub import Hub, Slice, State
from asker.engines._slices import slices
from asker.engines._worker import Job, Worker, judge_range
from asker.errors import AskerError, InputError
from asker.folder import Run
from asker.progress import Progress
from asker.types import Target

LARGEST = 2000  # questions of a slice at most; towards the end of a small plan they are smaller
TURNS = 8  # a worker should come for a slice about so often, so that all end together
DEATHS = 5  # workers that die one after the other without an answer in between: it is no accident
BEAT = 0.25  # seconds between two looks of the driver


def ask(run: Run, target: Target, enough: Callable[[], str | None] | None = None, *, quiet: bool = False) -> Outcome:
    _check(run)
    with cluster(run.settings.address):
        return _Driver(run, target, enough, quiet).run()


def judge(run: Run, name: str, *, quiet: bool = False) -> int:
    """Judge what is stored on the workers, in ranges of questions; how many answers that were."""
    _check(run)
    with cluster(run.settings.address):
        job, source = _job(run, 0, run.file.target), ray.put(_source(run))
        task = ray.remote(judge_range).options(max_retries=3)
        last = max((row.stop for row in run.plan.rows()), default=0)
        size = max(1000, last // (TURNS * _cores()) + 1)
        tasks = [task.remote(job, source, name, (low, low + size)) for low in range(0, last, size)]
        progress = Progress("judging", run.store.counts()["answered"], quiet=quiet)
        while tasks:
            ready, tasks = ray.wait(tasks, timeout=BEAT)
            progress.add(sum(ray.get(ready)))
        progress.finish()
        return progress.done


def _check(run: Run) -> None:
    settings = run.settings
    if run.file.store.get("kind", "sqlite") == "sqlite":
        raise InputError(
            "--engine ray needs a store that several machines can write to: "
            "make the run with --store postgresql://USER@HOST/DATABASE"
        )
    if settings.cache is not None:
        raise InputError("--cache is a file on one machine; leave it out with --engine ray")
    if settings.conversation == "shared":
        raise InputError("--engine ray needs --conversation fresh: a shared one is one conversation, not many")


@contextmanager
def cluster(address: str | None) -> Iterator[None]:
    """The cluster that was named, or one on this machine for as long as it is needed, on loopback only."""
    if ray.is_initialized():  # by whoever called us
        yield
        return
    address = address or os.environ.get("RAY_ADDRESS")
    mine: dict[str, Any] = {"include_dashboard": False, "_node_ip_address": "127.0.0.1", "address": "local"}
    try:
        ray.init(log_to_driver=False, logging_level="ERROR", **({"address": address} if address else mine))
    except Exception as error:  # it raises whatever it likes, down to the bare class
        raise AskerError(f"cannot use Ray {'at ' + address if address else 'here'}: {error}") from error
    try:
        yield
    finally:
        ray.shutdown()


def _job(run: Run, session: int, target: dict[str, str]) -> Job:
    return Job(__version__, run.settings, run.store.about, session, target, run.aims)


def _source(run: Run) -> bytes:
    return (run.folder / "data.json").read_bytes()


def _cores() -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


class _Driver:
    def __init__(self, run: Run, target: Target, enough: Callable[[], str | None] | None, quiet: bool) -> None:
        self._run, self._about, self._enough, self._quiet = run, target.describe(), enough, quiet
        self._settings = run.settings
        counts = run.store.counts()
        self._already, self._failed_before = counts["answered"], counts["failed"] > 0
        self._spent, self._reported = spent_so_far(run)
        self._progress = Progress("asking", run.plan.total * run.settings.samples, self._already, quiet=quiet)
        self._workers: dict[Any, tuple[str, Any]] = {}  # what it will return -> its name and the actor itself
        self._started = self._lost = self._again = self._in_vain = 0
        self._stopped: tuple[str, str] | None = None
        self._broken = ""
        self._in_flight = self.interrupts = 0

    def run(self) -> Outcome:
        began = time.monotonic()
        cut_off = self._run.store.begin()
        self._job, self._source = _job(self._run, self._run.store.session, self._about), ray.put(_source(self._run))
        ended = "broken"
        with _interrupts(self):
            try:
                state = self._work(began)
                ended = self._stopped[0] if self._stopped else "complete"
            finally:
                self._progress.finish()
                self._run.store.end(ended)
        counts = self._run.store.counts()
        left = self._run.plan.total * self._settings.samples - counts["answered"] - counts["failed"]
        if ended == "complete" and left:
            self._broken = f"{left:,} questions were left out; the same command asks them"
        if self._broken:
            raise AskerError(f"{self._broken}. What was stored before is safe")
        money = purse_for(self._settings, reported=state.reported).money
        reason = self._stopped[1] if self._stopped else ""
        return Outcome(ended, state.answered, state.failed, self._already, 0, cut_off, self._in_flight,
                       time.monotonic() - began, state.reported, money, reason, self._lost, self._again)  # fmt: skip

    def _work(self, began: float) -> State:
        here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=False)
        actor = ray.remote(Hub).options(num_cpus=0, max_concurrency=10_000, scheduling_strategy=here)
        self._hub = actor.remote(self._settings, self._spent, self._reported)
        left, seen = self._slices(), self._already
        state: State = ray.get(self._hub.state.remote())
        more = self._give(left, 2 * self._wanted())
        self._look()
        while True:
            if not self._stopped and (more or state.waiting):
                self._hire(state, more)
            self._hear()
            self._obey()
            state = ray.get(self._hub.state.remote())
            self._show(state)
            if more and state.waiting < self._wanted():
                more = self._give(left, 2 * self._wanted())
            if not self._workers and (self._stopped or not (more or state.waiting)):
                return state
            minutes = limits_of(self._settings).minutes
            if minutes is not None and time.monotonic() - began > 60 * minutes:
                self._stop("time", f"{minutes:g} minutes are over")
            if self._enough and self._progress.done >= max(MORE * seen, seen + LEAST):
                seen = self._progress.done
                self._look()

    # --- slices ---

    def _slices(self) -> Iterator[Slice]:
        """The plan in the order it is asked, as ranges of indices; what failed in an earlier session comes last."""
        total = self._run.plan.total
        size = max(self._settings.concurrency, min(LARGEST, total // (TURNS * self._wanted()) + 1))
        for again in (False, True) if self._failed_before else (False,):
            yield from ((again, some) for some in slices(self._run.plan.rows(), size))

    def _give(self, left: Iterator[Slice], count: int) -> bool:
        """Hand so many to the hub; whether there may be more."""
        some = list(islice(left, count))
        ray.get(self._hub.give.remote(some, last=len(some) < count))
        return len(some) == count

    # --- workers ---

    def _wanted(self) -> int:
        return self._settings.workers or _cores()

    def _hire(self, state: State, more: bool) -> None:
        """As many workers as there should be: the cluster may have grown, or some may have died."""
        enough = self._wanted() if more else min(self._wanted(), len(self._workers) + state.waiting)
        while len(self._workers) < enough:
            self._started += 1
            name = f"{self._job.session}-{self._started}"
            gpus = min(1.0, ray.cluster_resources().get("GPU", 0) / self._wanted())
            share = {"num_cpus": 0 if self._settings.workers else 1, "num_gpus": gpus}
            actor = ray.remote(Worker).options(scheduling_strategy="SPREAD", **share)
            one = actor.remote(name, self._job, self._source, self._hub)
            self._workers[one.run.remote()] = (name, one)

    def _hear(self) -> None:
        """Take note of workers that ended or died; waits a moment if none did."""
        if not self._workers:
            time.sleep(BEAT)
            return
        for ref in ray.wait(list(self._workers), timeout=BEAT)[0]:
            name, _ = self._workers.pop(ref)
            try:
                self._ended(name, ray.get(ref))
            except RayActorError as error:
                self._died(name, error)

    def _ended(self, name: str, outcome: Outcome) -> None:
        self._in_flight += outcome.in_flight
        if outcome.ended == "broken":
            self._broken = self._broken or outcome.reason
            self._stop("broken", outcome.reason)
        elif outcome.ended != "complete":
            self._stop(outcome.ended, outcome.reason)
        ray.get(self._hub.left.remote(name))

    def _died(self, name: str, error: Exception) -> None:
        self._lost += 1
        ray.get(self._hub.lost.remote(name))
        self._again += self._run.store.lost(name)
        self._in_vain += 1
        if self._in_vain >= DEATHS:
            reason = f"the last {DEATHS} workers died without an answer: {' '.join(str(error).split())[:300]}"
            self._broken = self._broken or reason
            self._stop("broken", reason)

    # --- watching and stopping ---

    def _show(self, state: State) -> None:
        done = self._already + state.answered
        if done > self._progress.done:
            self._in_vain = 0
        self._progress.done, self._progress.errors = done, state.failed
        self._progress.money = purse_for(self._settings, reported=state.reported).money
        self._progress.tick()

    def _look(self) -> None:
        reason = self._enough() if self._enough else None
        if reason is not None:
            self._stop("enough", reason)

    def _stop(self, how: str, reason: str) -> None:
        if self._stopped is None:
            self._stopped = (how, reason)
            ray.get(self._hub.stop.remote(how, reason))

    def _obey(self) -> None:
        """Interrupted once: let what is in flight be answered. Twice: at once."""
        if self.interrupts:
            self._stop("stopped", "stopped by the user")
        if self.interrupts < 2:
            return
        for name, worker in list(self._workers.values()):
            ray.kill(worker)
            self._in_flight += self._run.store.lost(name)
        self._workers.clear()


@contextmanager
def _interrupts(driver: _Driver) -> Iterator[None]:
    """Ctrl-C and a polite kill are ours to obey; workers are told."""

    def count(*_: object) -> None:
        driver.interrupts += 1

    try:
        before = {number: signal.signal(number, count) for number in (signal.SIGINT, signal.SIGTERM)}
    except ValueError:  # not in the main thread
        yield
        return
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

"""A worker of the Ray engine: builds plan and chatbot from their description, asks slices with the ordinary session,
and writes to the shared store. No question travels as text."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
import ray
import uvloop
from msgspec import Struct

from asker import __version__, registry
from asker.asking.allowance import Allowance, NoMoney
from asker.asking.pacing import Pace
from asker.asking.session import Outcome, Session
from asker.asking.spending import Usage
from asker.config import Settings
from asker.engines import limits_of, purse_for, target_of
from asker.engines._hub import Told
from asker.errors import AskerError
from asker.folder import suite_of
from asker.judging import judge, open_judge
from asker.progress import Progress
from asker.types import Plan, Reply

EVERY = 0.5  # seconds between two reports to the hub


class Job(Struct, frozen=True):
    """All a worker needs to know. The data the questions are made from travels once, as bytes."""

    version: str
    settings: Settings
    store: dict[str, str]
    session: int
    target: dict[str, str]  # what the driver found the chatbot to be
    aims: tuple[Any, ...] = ()  # of rounds after the first

    def plan(self, source: bytes) -> Any:
        suite = suite_of(self.settings)
        made_from = msgspec.json.decode(source, type=suite.Source)
        return suite.make_plan(made_from, self.settings, *((self.aims,) if self.aims else ()))


class Worker:
    """Ends when the hub has no more slices. What a person should read comes back as an outcome, not as a traceback."""

    def __init__(self, name: str, job: Job, source: bytes, hub: Any) -> None:
        self._name, self._job, self._source, self._hub = name, job, source, hub

    def run(self) -> Outcome:
        try:
            return self._run()
        except AskerError as error:
            return Outcome("broken", 0, 0, 0, 0, 0, 0, 0.0, Usage(), None, str(error))

    def _run(self) -> Outcome:
        job = self._job
        if job.version != __version__:
            raise AskerError(f"a worker has asker {__version__}, the driver {job.version}; install the same everywhere")
        plan = job.plan(self._source)
        target = target_of(job.settings, plan)
        if target.describe() != job.target:
            raise AskerError(f"{job.settings.target} is another chatbot on a worker than on the driver's machine")
        store = registry.load("stores", job.store["kind"]).join(job.store, job.session, self._name)
        try:
            settings, report = job.settings, Report(self._hub, self._name, store.counts()["answered"])
            limits = msgspec.structs.replace(limits_of(settings), minutes=None)  # the driver has the clock
            allowance = self._allowance(report)
            feed = Feed(self._hub, self._name, store, settings.samples)
            session = Session(plan, target, store, limits, settings.seed, settings.samples, allowance, report,
                              passes=feed)  # fmt: skip
            return uvloop.run(session.run())
        finally:
            store.close()

    def _allowance(self, report: Report) -> Allowance:
        settings = self._job.settings
        wishes = (settings.rate, settings.token_rate, settings.max_cost, settings.max_total_tokens)
        purse, pace = purse_for(settings), Pace()
        if any(wish is not None for wish in wishes):
            return Shared(self._hub, self._name, purse, pace, report)
        return Counted(purse, pace, report)


class Counted(Allowance):
    """No limits: what was used is only told."""

    def __init__(self, purse: Any, pace: Pace, report: Report) -> None:
        super().__init__(purse, pace)
        self._report = report

    def settle(self, aside: Usage, reply: Reply | None, *, charged: bool) -> None:
        super().settle(aside, reply, charged=charged)
        self._report.used = self.reported


class Shared(Counted):
    """Limits that hold over all workers together: the hub is asked before each question."""

    def __init__(self, hub: Any, name: str, purse: Any, pace: Pace, report: Report) -> None:
        super().__init__(purse, pace, report)
        self._hub, self._name = hub, name

    async def take(self, wish: Usage, stopped: Callable[[], bool]) -> None:
        if not await self._hub.take.remote(self._name, wish):
            raise NoMoney
        self._asking += 1

    def settle(self, aside: Usage, reply: Reply | None, *, charged: bool) -> None:
        super().settle(aside, reply, charged=charged)
        self._hub.settle.remote(self._name, aside, reply and msgspec.structs.replace(reply, text=""), charged)

    def hold(self, seconds: float) -> None:
        self._hub.hold.remote(seconds)


class Report(Progress):
    """Tells the hub how far this worker is, instead of a terminal, and hears whether to stop."""

    def __init__(self, hub: Any, name: str, done: int) -> None:
        super().__init__("asking", 0, done, quiet=True)
        self._hub, self._name, self.used = hub, name, Usage()
        self._heard: Any = None
        self._next = 0.0

    def tick(self) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        if self._heard is not None:
            if not ray.wait([self._heard], timeout=0)[0]:
                return
            self.stop = ray.get(self._heard)
        self._next = now + EVERY
        self._heard = self._tell()

    def finish(self) -> None:
        if self._heard is not None:  # the hub hears in no certain order: what was told before must not come last
            ray.wait([self._heard])
        ray.get(self._tell())

    def _tell(self) -> Any:
        told = Told(self.done - self._before, self.errors, self.used.tokens_in, self.used.tokens_out)
        return self._hub.tell.remote(self._name, told)


class Feed:
    """The slices as they are given, the next one ordered while the last is being asked."""

    def __init__(self, hub: Any, name: str, store: Any, samples: int) -> None:
        self._hub, self._name, self._store, self._samples = hub, name, store, samples
        self._open: deque[list[range]] = deque()

    def __iter__(self) -> Iterator[tuple[bool, Iterable[range]]]:
        ordered = self._hub.next.remote(self._name)
        while (given := ray.get(ordered)) is not None:
            ordered = self._hub.next.remote(self._name, self._finished())
            again, ranges = given
            self._open.append([range(*one) for one in ranges])
            yield again, self._open[-1]

    def _finished(self) -> int:
        """How many of the first slices are stored whole: these need not be given out again should this worker die."""
        count = 0
        while self._open and all(self._stored(one) for one in self._open[0]):
            self._open.popleft()
            count += 1
        return count

    def _stored(self, one: range) -> bool:
        return all(
            len(self._store.answered(one, sample, failed_too=True)) == len(one) for sample in range(self._samples)
        )


def judge_range(job: Job, source: bytes, name: str, within: tuple[int, int]) -> int:
    """Judge the answers to these questions, where the task happens to run; how many there were."""
    store = registry.load("stores", job.store["kind"]).create(None, job.store)
    try:
        plan: Plan = job.plan(source)
        return judge(plan, store, open_judge(name), quiet=True, within=range(*within))
    finally:
        store.close()

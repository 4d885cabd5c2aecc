"""`audit`: ask, judge, measure and write the page of a chatbot given as a function; `load`: a run that is there."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar, Unpack, cast

from asker.api.found import Audit
from asker.api.wishes import Wishes, settings_of
from asker.config import Settings
from asker.errors import InputError, TargetUnusable
from asker.folder import open_or_make, open_run
from asker.judging import open_judge, unread
from asker.rounds import ask_rounds
from asker.run import inform, judge_run, measure_run, options_of, plan_for, target_of, write_page
from asker.targets import Options
from asker.targets.python import OBEYS, PythonTarget
from asker.types import Plan, Target

T = TypeVar("T")
Bot = Callable[..., str] | Callable[..., Awaitable[str]] | Target | str
"""A function from question to answer, sync or async, which may also take `seed`; a target; or a target's name."""


def audit(
    target: Bot, *, out: Path | str | None = None, quiet: bool | None = None, **settings: Unpack[Wishes]
) -> Audit:
    """Ask the chatbot, judge its answers, measure them, write the page.

    Settings are those of `asker run`: audit(bot, attributes="gender", budget=200). The run is kept in a temporary
    folder, or where `out` says; the same call with the same `out` goes on where it was stopped and asks nothing twice.
    How far it is, is shown on a terminal; `quiet` says otherwise.
    Works inside a running event loop too, as in a notebook: an async function is then called in a loop of its own.
    """
    folder = str(out) if out is not None else str(Path(tempfile.mkdtemp(prefix="asker-")) / "run")
    spec = target if isinstance(target, str) else f"python:{_name(target)}"
    chosen = settings_of(settings, spec, folder)
    unseen = not sys.stderr.isatty() if quiet is None else quiet
    return _apart(lambda: _audit(target, chosen, unseen))


def load(run: Path | str, *, judge: str | None = None) -> Audit:
    """A run that is there: its figures, and its records and measures as polars frames. Asks nothing.

    Answers that the judge has not read yet are judged first; else nothing is written.
    """
    return _apart(lambda: _load(Path(run), judge))


def _audit(target: Bot, settings: Settings, quiet: bool) -> Audit:
    source, plan = plan_for(settings)
    bot = _target(target, settings, plan)
    run = open_or_make(settings, source, plan, bot)
    try:
        outcome = ask_rounds(run, bot, lambda _: None, quiet=quiet)
        if outcome.ended == "stopped":
            raise KeyboardInterrupt
        if outcome.ended == "unusable":
            raise TargetUnusable(f"the chatbot cannot be asked: {outcome.reason}")
        judge_run(run, quiet=quiet)
        report = measure_run(run)
        return Audit(report, run.folder, write_page(run, report), run.judge_name)
    finally:
        run.close()


def _load(folder: Path, judge: str | None) -> Audit:
    run = open_run(folder)
    try:
        reader = judge or run.judge_name
        if unread(run.store, open_judge(reader)):  # looking first lets a run be read that cannot be written to
            judge_run(run, reader, quiet=True)
        return Audit(measure_run(run, reader), folder, folder / "report.html", reader)
    finally:
        run.close()


def _target(target: Bot, settings: Settings, plan: Plan) -> Target:
    if isinstance(target, str):
        return target_of(settings, plan)
    options = options_of(settings)
    whole = hasattr(target, "ask") and hasattr(target, "describe")
    for name in Options.__struct_fields__:
        if getattr(options, name) != getattr(Options(), name) and (whole or name not in OBEYS):
            raise InputError(f"what was given to audit() cannot obey '{name}'; leave it out, or name a target that can")
    if whole:
        inform(cast(Target, target), plan)
        return cast(Target, target)
    if not callable(target):
        raise InputError(f"audit() takes a function, a target or the name of one, not {type(target).__name__}")
    return PythonTarget(target, _name(target), options)


def _name(target: object) -> str:
    """As `--target python:` would name it."""
    kind = type(target)
    module = getattr(target, "__module__", None) or kind.__module__
    return f"{module}:{getattr(target, '__qualname__', kind.__qualname__)}"


def _apart(work: Callable[[], T]) -> T:
    """Run the work; inside an event loop, as in a notebook, in a thread that may have one of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work()
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()

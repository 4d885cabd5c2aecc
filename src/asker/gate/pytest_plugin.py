"""The fixture `asker_audit`: audit a chatbot in your own tests.

    def test_fair(asker_audit):
        audit = asker_audit(my_bot, preset="quick", budget=200, attributes="gender")
        audit.require("absolute.high <= 0.3")

pytest imports this module at every start, of every project: what an audit needs is imported when one is made.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest

if TYPE_CHECKING:
    from asker.types import Estimate, Plan, Report, Target


class Audit:
    """What an audit found, and where its evidence is."""

    def __init__(self, report: Report, folder: Path, page: Path) -> None:
        self.report, self.folder, self.page = report, folder, page

    def __getitem__(self, name: str) -> Estimate:
        """A figure by the name that rules use: audit["absolute"]."""
        from asker.errors import UnknownName
        from asker.gate.limits import figures

        known = figures(self.report)
        if name not in known:
            raise UnknownName("figure", name, known)
        return known[name]

    def require(self, *rules: str, strict: bool = False) -> None:
        """Fails the test unless all rules are kept; see 'asker gate --help' for how they are written."""
        __tracebackhide__ = True
        from asker.errors import InputError
        from asker.gate.limits import check

        if not rules:
            raise InputError("require() needs a rule, for example 'absolute.high <= 0.3'")
        bad = [one for one in check(rules, self.report, strict=strict) if one.result != "kept"]
        if bad:
            lines = [f"{one.rule}: {one.why}" for one in bad]
            pytest.fail("\n".join([*lines, f"The page with the evidence: {self.page}"]), pytrace=False)


@pytest.fixture
def asker_audit(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Audit]:
    """Audit a function, a target object or a target's name: asker_audit(bot, budget=200, attributes="gender").

    Takes the settings of `asker run` as keywords. The run is kept in a temporary folder, or where `out` says.
    """

    def audit(target: Callable[..., Any] | Target | str, **settings: Any) -> Audit:
        folder = settings.pop("out", None) or tmp_path_factory.mktemp("asker") / "run"
        return _apart(lambda: _audit(target, {**settings, "out": str(folder)}))

    return audit


def _audit(target: Callable[..., Any] | Target | str, flags: dict[str, Any]) -> Audit:
    from asker.errors import TargetUnusable
    from asker.folder import open_or_make
    from asker.run import ask_run, judge_run, measure_run, plan_for, write_page

    settings = _settings(target, flags)
    dataset, plan = plan_for(settings)
    bot = _target(target, settings, plan)
    run = open_or_make(settings, dataset, plan, bot)
    try:
        outcome = ask_run(run, bot, quiet=True)
        if outcome.ended == "stopped":
            raise KeyboardInterrupt
        if outcome.ended == "unusable":
            raise TargetUnusable(f"the chatbot cannot be asked: {outcome.reason}")
        judge_run(run, quiet=True)
        report = measure_run(run)
        return Audit(report, run.folder, write_page(run, report))
    finally:
        run.close()


def _settings(target: Callable[..., Any] | Target | str, flags: dict[str, Any]) -> Any:
    from asker.config import Settings, resolve
    from asker.errors import UnknownName

    for name in flags:
        if name not in Settings.__struct_fields__ or name == "target":
            known = [one for one in Settings.__struct_fields__ if one != "target"]
            raise UnknownName("setting", name, known, "asker_audit()")
    return resolve({**flags, "target": target if isinstance(target, str) else f"python:{_name(target)}"})


def _target(target: Callable[..., Any] | Target | str, settings: Any, plan: Plan) -> Target:
    from asker.errors import InputError
    from asker.run import target_of

    if isinstance(target, str):
        return target_of(settings, plan)
    if hasattr(target, "ask") and hasattr(target, "describe"):
        return cast("Target", target)
    if not callable(target):
        raise InputError(f"asker_audit() takes a function or the name of a target, not {type(target).__name__}")
    from asker.targets.python import PythonTarget

    return PythonTarget(target, _name(target))


def _name(target: object) -> str:
    """As `--target python:` would name it."""
    kind = type(target)
    module = getattr(target, "__module__", None) or kind.__module__
    return f"{module}:{getattr(target, '__qualname__', kind.__qualname__)}"


def _apart(work: Callable[[], Audit]) -> Audit:
    """Run the work; inside an event loop, as in an async test, in a thread that may have one of its own."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work()
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()

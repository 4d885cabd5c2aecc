"""The walk: plan, ask, judge, measure, report, each step on a run's folder."""

from __future__ import annotations

import shlex
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from asker import registry
from asker.asking.session import Outcome
from asker.config import PARTICULAR, Settings
from asker.engines import inform, options_of, purse_for, target_of
from asker.errors import InputError, StoreError
from asker.files import written_whole
from asker.folder import Run, preset_of, suite_of, writing
from asker.judging import judge, open_judge, unread
from asker.opening import as_json
from asker.stopping import Watch, could_stop, rule_of
from asker.types import Heard, JudgeError, Record, Report, Target, Turn

__all__ = [
    "ask_run", "bot_name", "heard_of", "inform", "judge_run", "measure_run", "options_of", "plan_for", "purse_for",
    "repeat_command", "target_of", "without_answers", "write_page",
]  # fmt: skip

HOW = (
    "out",
    "store",
    "important",
    "margin",
    "engine",
    "address",
    "workers",
    "concurrency",
    "rate",
    "token_rate",
    "minutes",
    "max_cost",
    "max_total_tokens",
    "price",
    "cache",
    "timeout",
    "retries",
)  # how fast and where to, not what comes out
LONGEST_NAME = 80  # a chatbot given as a script may be called by all it says


def plan_for(settings: Settings) -> tuple[Any, Any]:
    """What these settings ask from, and the plan over it. Touches nothing."""
    suite = suite_of(settings)
    for name in PARTICULAR:
        if getattr(settings, name) != getattr(Settings(), name) and name not in suite.OBEYS:
            flag, known = name.replace("_", "-"), ", ".join(f"--{one.replace('_', '-')}" for one in suite.OBEYS)
            raise InputError(f"--{flag} is nothing to the suite '{settings.suite}'; leave it out. It knows {known}")
    source = suite.source(settings)
    return source, suite.make_plan(source, settings)


def ask_run(run: Run, target: Target, *, quiet: bool = False) -> Outcome:
    run.check_whole()
    rule = rule_of(run.settings, run.plan)
    watch = Watch(run, rule) if rule else None
    engine = registry.load("engines", run.settings.engine)
    with writing(run.folder):
        outcome: Outcome = engine.ask(run, target, watch.look if watch else None, quiet=quiet)
        return _last_look(outcome, watch) if watch and outcome.ended == "complete" else outcome


def _last_look(outcome: Outcome, watch: Watch) -> Outcome:
    """Asked to the end: whether the rule was reached is said all the same, and recorded."""
    watch.look()
    return msgspec.structs.replace(outcome, reason=watch.verdict())


def judge_run(run: Run, name: str | None = None, *, again: bool = False, quiet: bool = False) -> int:
    reader = open_judge(name or run.judge_name)
    if run.forgotten:
        run.check_judged(reader.name, again=again)
        return 0
    with writing(run.folder):
        if again:
            run.store.forget_verdicts(reader.name)
        spread = getattr(registry.load("engines", run.settings.engine), "judge", None)
        if spread is not None:  # a cluster is not started for nothing
            return int(spread(run, reader.name, quiet=quiet)) if unread(run.store, reader) else 0
        return judge(run.plan, run.store, reader, quiet=quiet)


def measure_run(
    run: Run,
    judge_name: str | None = None,
    people: Path | None = None,
    error: JudgeError | None = None,
    *,
    redacted: bool = False,
    wordless: bool = False,
) -> Report:
    """What the answers say; with `error`, that of the judge, also corrected for it; `redacted`, without quoting any;
    `wordless`, quoting none in the sentences."""
    heard = heard_of(run, judge_name, people, error)
    if redacted or run.forgotten:  # a suite that is handed no answer can quote none
        heard = msgspec.structs.replace(heard, record=lambda *_: None)
    if run.forgotten:
        heard = msgspec.structs.replace(heard, commonest=lambda _: None)
    heard = msgspec.structs.replace(heard, wordless=redacted or wordless)
    report: Report = suite_of(run.settings).measure(run.plan, heard, run.settings)
    return msgspec.structs.replace(report, summary=(*report.summary, *_cut_off(run)))


def _cut_off(run: Run) -> tuple[str, ...]:
    """Answers that reached the limit of tokens: what they would have come to is unknown, however they were read."""
    limit = run.settings.max_tokens
    times = run.store.at_limit(limit) if limit else 0
    if not times:
        return ()
    share = 100 * times / run.store.counts()["answered"]
    return (
        f"{times:,} answers ({share:.0f} %) reached the limit of {limit} tokens, may have been cut off, and were "
        "read as far as they go; a larger --max-tokens would show what they come to.",
    )


def heard_of(
    run: Run, judge_name: str | None = None, people: Path | None = None, error: JudgeError | None = None
) -> Heard:
    """What a suite is given to measure."""
    reader = judge_name or run.judge_name

    def record(question: int, sample: int) -> Record | None:
        answer = next((one for one in run.store.answers([question]) if one.sample == sample), None)
        if answer is None:
            return None
        return Record(run.plan.question(question), answer, run.store.verdict(reader, question, sample))

    return Heard(
        rows=run.store.outcomes(reader),
        record=record,
        who=bot_name(run),
        commonest=partial(run.store.commonest, reader),
        people=people,
        error=error,
        could_stop=could_stop(run),
    )


def write_page(run: Run, report: Report, judge_name: str | None = None, *, redacted: bool = False) -> Path:
    """The page beside the answers, replaced in one step; `redacted`, a copy to share, of a report measured so."""
    from asker.report import render  # templates are only needed here

    page = run.folder / ("report-redacted.html" if redacted else "report.html")
    about = about_run(run, judge_name or run.judge_name)
    if redacted or run.forgotten:
        about = without_answers(about)
    with written_whole(page, StoreError) as fresh:
        fresh.write_text(render(report, about), encoding="utf-8")
    return page


def without_answers(about: Any) -> Any:
    """What is said about a run, for a page without answers: the words of errors can be a chatbot's too."""
    failed = sum(count for _, count in about.failures)
    left = (("errors, whose words are left out", failed),) if failed else ()
    return msgspec.structs.replace(about, failures=left, redacted=True)


def _counted(run: Run, judge_name: str) -> dict[str, int]:
    """How many answers came, failed, could not be read, or were not read yet."""
    counts: dict[str, int] = run.store.counts()
    unread = counts["answered"] - run.store.judged(judge_name)
    return counts | {"unreadable": run.store.unreadable(judge_name), "unread": max(0, unread)}


def about_run(run: Run, judge_name: str) -> Any:
    """What a page says of a run besides its result."""
    from asker.report import About

    file, settings = run.file, run.settings
    return About(
        who=bot_name(run),
        run=run.folder.name,
        target=file.target,
        created=file.created,
        mode=settings.mode,
        mode_about=run.plan.about,
        preset=preset_of(settings),
        languages=settings.lang,
        seed=settings.seed,
        samples=settings.samples,
        plan={**run.plan.counts, "total": run.plan.total},
        formula=tuple(run.plan.formula),
        data=file.data,
        versions=file.versions,
        asker=file.asker,
        judge=judge_name,
        judge_version=open_judge(judge_name).version,
        answers=_counted(run, judge_name),
        failures=tuple(run.store.failures()),
        command=repeat_command(msgspec.structs.replace(file.settings, rounds=len(run.aims) + 1)),
        suite=settings.suite,
        sensitive=suite_of(settings).SENSITIVE,
    )


def repeat_command(settings: Settings) -> str:
    """The command that makes this run again. Keys are not in it: they are never in the settings."""
    default = Settings()
    always = ("target", "mode", "seed", *(("preset",) if preset_of(settings) else ()))
    given = [
        (name.replace("_", "-"), value)
        for name, value in msgspec.structs.asdict(settings).items()
        if name not in HOW and (value != getattr(default, name) or name in always)
    ]
    words = [f"--{name}" if value is True else f"--{name} {_quoted(value)}" for name, value in given]
    verb = "manual start" if settings.target.partition(":")[0] == "manual" else "run"
    return " ".join([f"asker {verb}", *words])


def _quoted(value: object) -> str:
    if isinstance(value, tuple) and value and isinstance(value[0], Turn):
        return shlex.quote(as_json(value))
    return shlex.quote(",".join(value) if isinstance(value, tuple) else str(value))


def bot_name(run: Run) -> str:
    """What people call it: the name in its description, or how it was given on the command line."""
    found = run.file.target.get("name") or run.settings.target
    return found if len(found) <= LONGEST_NAME else f"{found[: LONGEST_NAME - 1]}…"

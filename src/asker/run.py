"""The walk: plan, ask, judge, measure, report, each step on a run's folder."""

from __future__ import annotations

import shlex
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from asker.asking.cache import AnswerCache
from asker.asking.pacing import Limits
from asker.asking.session import Outcome, ask
from asker.asking.spending import WRAPPING, Purse, Usage, price_of
from asker.config import PARTICULAR, Settings
from asker.errors import InputError, StoreError
from asker.files import written_whole
from asker.folder import Run, preset_of, suite_of, writing
from asker.judging import judge, open_judge
from asker.stopping import Watch, could_stop, rule_of
from asker.targets import Options, open_target
from asker.types import Heard, Informed, JudgeError, Plan, Record, Reply, Report, Target

HOW = (
    "out",
    "important",
    "margin",
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


def plan_for(settings: Settings) -> tuple[Any, Any]:
    """What these settings ask from, and the plan over it. Touches nothing."""
    suite = suite_of(settings)
    for name in PARTICULAR:
        if getattr(settings, name) != getattr(Settings(), name) and name not in suite.OBEYS:
            flag, known = name.replace("_", "-"), ", ".join(f"--{one.replace('_', '-')}" for one in suite.OBEYS)
            raise InputError(f"--{flag} is nothing to the suite '{settings.suite}'; leave it out. It knows {known}")
    source = suite.source(settings)
    return source, suite.make_plan(source, settings)


def target_of(settings: Settings, plan: Plan) -> Target:
    """The chatbot these settings name, ready to be asked the questions of the plan."""
    options = Options(
        base_url=settings.base_url,
        key_env=settings.key_env,
        system=settings.system,
        temperature=settings.temperature,
        max_tokens=settings.max_tokens,
        conversation=settings.conversation,
    )
    target = open_target(settings.target, options)
    if isinstance(target, Informed):
        target.learn(plan)
    return target


def ask_run(run: Run, target: Target, *, quiet: bool = False) -> Outcome:
    settings = run.settings
    limits = Limits(
        concurrency=settings.concurrency,
        per_minute=settings.rate,
        tokens_per_minute=settings.token_rate,
        timeout=settings.timeout,
        retries=settings.retries,
        minutes=settings.minutes,
    )
    rule = rule_of(settings, run.plan)
    watch = Watch(run, rule) if rule else None
    with writing(run.folder):
        outcome = ask(
            run.plan,
            target,
            run.store,
            limits,
            seed=settings.seed,
            samples=settings.samples,
            purse=_purse(run),
            cache=_cache(run, target),
            quiet=quiet,
            enough=watch.look if watch else None,
        )
        return _last_look(outcome, watch) if watch and outcome.ended == "complete" else outcome


def _last_look(outcome: Outcome, watch: Watch) -> Outcome:
    """Asked to the end: whether the rule was reached is said all the same, and recorded."""
    watch.look()
    return msgspec.structs.replace(outcome, reason=watch.verdict())


def purse_for(settings: Settings, spent: Usage | None = None, reported: Usage | None = None) -> Purse:
    """The limits these settings set, or a sentence that says why they cannot be kept."""
    if (settings.max_cost or settings.max_total_tokens) and settings.conversation == "shared":
        raise InputError("a limit on cost or tokens needs --conversation fresh: a shared one grows with each question")
    return Purse(
        spent,
        most_tokens=settings.max_total_tokens,
        most_money=settings.max_cost,
        price=price_of(settings.target, settings.price),
        longest_answer=settings.max_tokens,
        around=len((settings.system or "").encode()),
        reported=reported,
    )


def _purse(run: Run) -> Purse:
    """What this run has spent so far. An attempt that broke off, or a reply that did not say, counts as its worst."""
    settings = run.settings
    used = run.store.usage()
    around = WRAPPING + len((settings.system or "").encode())
    reported = Usage(used["tokens in"], used["tokens out"])
    unknown = Usage(used["unknown bytes"] + used["unknown"] * around, used["unknown"] * (settings.max_tokens or 0))
    return purse_for(settings, reported + unknown, reported)


def _cache(run: Run, target: Target) -> AnswerCache | None:
    """The answers shared between runs, with what this run knows already."""
    if run.settings.cache is None:
        return None
    if run.settings.conversation == "shared":
        raise InputError("--cache needs --conversation fresh: in a shared one an answer depends on what came before")
    cache = AnswerCache(Path(run.settings.cache), target.describe())
    for answer in run.store.answers():
        if answer.text is not None:
            cache.add(answer.key, answer.sample, Reply(answer.text, answer.tokens_in, answer.tokens_out))
    return cache


def judge_run(run: Run, name: str | None = None, *, again: bool = False, quiet: bool = False) -> int:
    reader = open_judge(name or run.judge_name)
    with writing(run.folder):
        if again:
            run.store.forget_verdicts(reader.name)
        return judge(run.plan, run.store, reader, quiet=quiet)


def measure_run(
    run: Run, judge_name: str | None = None, people: Path | None = None, error: JudgeError | None = None
) -> Report:
    """What the answers say; with `error`, that of the judge, also corrected for it."""
    reader = judge_name or run.judge_name

    def record(question: int, sample: int) -> Record | None:
        answer = next((one for one in run.store.answers([question]) if one.sample == sample), None)
        if answer is None:
            return None
        return Record(run.plan.question(question), answer, run.store.verdict(reader, question, sample))

    heard = Heard(
        rows=run.store.outcomes(reader),
        record=record,
        who=bot_name(run),
        commonest=partial(run.store.commonest, reader),
        people=people,
        error=error,
        could_stop=could_stop(run),
    )
    report: Report = suite_of(run.settings).measure(run.plan, heard, run.settings)
    return report


def write_page(run: Run, report: Report, judge_name: str | None = None) -> Path:
    """The page beside the answers, replaced in one step."""
    from asker.report import render  # templates are only needed here

    page = run.folder / "report.html"
    with written_whole(page, StoreError) as fresh:
        fresh.write_text(render(report, about_run(run, judge_name or run.judge_name)), encoding="utf-8")
    return page


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
        plan=file.plan,
        formula=file.formula,
        data=file.data,
        versions=file.versions,
        asker=file.asker,
        judge=judge_name,
        judge_version=open_judge(judge_name).version,
        answers=run.store.counts() | {"unreadable": run.store.unreadable(judge_name)},
        failures=tuple(run.store.failures()),
        command=repeat_command(file.settings),
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
    return " ".join(["asker run", *words])


def _quoted(value: object) -> str:
    return shlex.quote(",".join(value) if isinstance(value, tuple) else str(value))


def bot_name(run: Run) -> str:
    """What people call it: the name in its description, or how it was given on the command line."""
    return run.file.target.get("name") or run.settings.target

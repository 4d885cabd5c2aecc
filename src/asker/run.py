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
from asker.asking.spending import WRAPPING, Purse, Usage, most_of, price_of
from asker.config import PARTICULAR, Settings
from asker.errors import InputError, StoreError
from asker.files import written_whole
from asker.folder import Run, preset_of, suite_of, writing
from asker.judging import judge, open_judge
from asker.opening import as_json
from asker.stopping import Watch, could_stop, rule_of
from asker.targets import Options, open_target
from asker.types import Heard, Informed, JudgeError, Plan, Record, Reply, Report, Target, Turn

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
    target = open_target(settings.target, options_of(settings))
    inform(target, plan)
    return target


def options_of(settings: Settings) -> Options:
    """What these settings wish of any target."""
    return Options(**{name: getattr(settings, name) for name in Options.__struct_fields__})


def inform(target: Target, plan: Plan) -> None:
    """Tell the plan to a chatbot that must know what a question is about."""
    if isinstance(target, Informed):
        target.learn(plan)


def ask_run(run: Run, target: Target, *, quiet: bool = False) -> Outcome:
    settings = run.settings
    run.check_whole()
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
        around=_around(settings),
        rounds=_rounds(settings),
        reported=reported,
    )


def _around(settings: Settings) -> int:
    """Tokens at most that go out with each question, besides its own."""
    said = [turn.text for turn in settings.opening]
    return sum(len(text.encode()) for text in (settings.system or "", *said)) + WRAPPING * len(said)


def _rounds(settings: Settings) -> int:
    """How often a chatbot may be spoken to for one question: it may have to be told the user's turns one by one."""
    return 1 + sum(turn.role == "user" for turn in settings.opening)


def _purse(run: Run) -> Purse:
    """What this run has spent so far. An attempt that broke off, or a reply that did not say, counts as its worst."""
    settings = run.settings
    used = run.store.usage()
    around = WRAPPING + _around(settings)
    reported = Usage(used["tokens in"], used["tokens out"])
    unknown = Usage(used["unknown bytes"] + used["unknown"] * around, used["unknown"] * (settings.max_tokens or 0))
    unknown = most_of(unknown, _rounds(settings))
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
    if run.forgotten:
        run.check_judged(reader.name, again=again)
        return 0
    with writing(run.folder):
        if again:
            run.store.forget_verdicts(reader.name)
        return judge(run.plan, run.store, reader, quiet=quiet)


def measure_run(
    run: Run,
    judge_name: str | None = None,
    people: Path | None = None,
    error: JudgeError | None = None,
    *,
    redacted: bool = False,
) -> Report:
    """What the answers say; with `error`, that of the judge, also corrected for it; `redacted`, without quoting any."""
    heard = heard_of(run, judge_name, people, error)
    if redacted or run.forgotten:  # a suite that is handed no answer can quote none
        heard = msgspec.structs.replace(heard, record=lambda *_: None, commonest=lambda _: None)
    report: Report = suite_of(run.settings).measure(run.plan, heard, run.settings)
    return report


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
        answers=run.store.counts() | {"unreadable": run.store.unreadable(judge_name)},
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
    return " ".join(["asker run", *words])


def _quoted(value: object) -> str:
    if isinstance(value, tuple) and value and isinstance(value[0], Turn):
        return shlex.quote(as_json(value))
    return shlex.quote(",".join(value) if isinstance(value, tuple) else str(value))


def bot_name(run: Run) -> str:
    """What people call it: the name in its description, or how it was given on the command line."""
    return run.file.target.get("name") or run.settings.target

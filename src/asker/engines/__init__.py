"""Where a run is asked from, one file per engine: this process, or the workers of a cluster.

An engine's module has `ask(run, target, enough, quiet)`, and may have `judge(run, name, quiet)` where it can spread
that too. What both kinds need to begin with is here.
"""

from __future__ import annotations

from asker.asking.pacing import Limits
from asker.asking.spending import WRAPPING, Purse, Usage, most_of, price_of
from asker.config import Settings
from asker.errors import InputError
from asker.folder import Run
from asker.targets import Options, open_target
from asker.types import Informed, Plan, Target


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


def limits_of(settings: Settings) -> Limits:
    return Limits(
        concurrency=settings.concurrency,
        per_minute=settings.rate,
        tokens_per_minute=settings.token_rate,
        timeout=settings.timeout,
        retries=settings.retries,
        minutes=settings.minutes,
    )


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


def spent_so_far(run: Run) -> tuple[Usage, Usage]:
    """What this run has spent, and what of it was reported. An attempt that broke off, or a reply that did not say,
    counts as its worst."""
    settings = run.settings
    used = run.store.usage()
    around = WRAPPING + _around(settings)
    reported = Usage(used["tokens in"], used["tokens out"])
    unknown = Usage(used["unknown bytes"] + used["unknown"] * around, used["unknown"] * (settings.max_tokens or 0))
    return reported + most_of(unknown, _rounds(settings)), reported

"""Where a run is asked from, one file per engine: this process, or the workers of a cluster.

An engine's module has `ask(run, target, enough, quiet)`, and may have `judge(run, name, quiet)` where it can spread
that too. What both kinds need to begin with is here.
"""

from __future__ import annotations

from asker.asking.pacing import Limits
from asker.asking.spending import WRAPPING, Purse, Usage, price_of
from asker.config import Settings
from asker.errors import InputError
from asker.folder import Run
from asker.targets import Options, open_target
from asker.types import Informed, Plan, Target


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
        around=len((settings.system or "").encode()),
        reported=reported,
    )


def spent_so_far(run: Run) -> tuple[Usage, Usage]:
    """What this run has spent, and what of it was reported. An attempt that broke off, or a reply that did not say,
    counts as its worst."""
    settings = run.settings
    used = run.store.usage()
    around = WRAPPING + len((settings.system or "").encode())
    reported = Usage(used["tokens in"], used["tokens out"])
    unknown = Usage(used["unknown bytes"] + used["unknown"] * around, used["unknown"] * (settings.max_tokens or 0))
    return reported + unknown, reported

"""This process asks, many questions at once: the default."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from asker.asking.cache import AnswerCache
from asker.asking.session import Outcome
from asker.asking.session import ask as ask_plan
from asker.engines import limits_of, purse_for, spent_so_far
from asker.errors import InputError
from asker.folder import Run
from asker.types import Reply, Target


def ask(run: Run, target: Target, enough: Callable[[], str | None] | None = None, *, quiet: bool = False) -> Outcome:
    settings = run.settings
    return ask_plan(
        run.plan,
        target,
        run.store,
        limits_of(settings),
        seed=settings.seed,
        samples=settings.samples,
        purse=purse_for(settings, *spent_so_far(run)),
        cache=_cache(run, target),
        quiet=quiet,
        enough=enough,
    )


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

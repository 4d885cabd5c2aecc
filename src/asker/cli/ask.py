"""asker ask: go on with the asking of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from msgspec import structs

from asker.asking.session import Outcome
from asker.cli import notice, tell
from asker.cli.options import HOW, RUN, Sectioned, with_flags
from asker.config import Settings, resolve
from asker.errors import RunMismatch, TargetUnusable, shown
from asker.folder import Run, open_run
from asker.progress import duration
from asker.rounds import ask_rounds
from asker.run import target_of

MOST_REASONS = 3  # of failures; the page and exports have them all


@click.command("ask", cls=Sectioned)
@RUN
@with_flags(HOW)
def command(run: Path, **flags: Any) -> None:
    """Go on asking the questions of a run that have no answer yet.

    \b
    Example: asker ask runs/alice-quick-sound-1f2e3d4c
             asker ask runs/alice-quick-sound-1f2e3d4c --stop-when 'width<=0.1'
    """
    opened = open_run(run)
    notice(opened.settings.suite)
    try:
        opened.settings = _with_how(opened.settings, flags)
        target = target_of(opened.settings, opened.plan)
        if target.describe() != opened.file.target:
            raise RunMismatch(
                f"{opened.settings.target} is not the chatbot it was when {run} was made; start a new run"
            )
        outcome = ask_rounds(opened, target, tell)
        say_outcome(outcome)
        say_failures(opened)
    finally:
        opened.close()
    end_with(outcome, run)


def _with_how(kept: Settings, flags: dict[str, Any]) -> Settings:
    """The run's settings, with how to ask as flags and environment now say."""
    now, default = resolve(flags), Settings()
    changed = {name: getattr(now, name) for name in flags if getattr(now, name) != getattr(default, name)}
    return structs.replace(kept, **changed)


def end_with(outcome: Outcome, folder: Path) -> None:
    """The exit code that a session of asking deserves."""
    if outcome.ended == "unusable":
        raise TargetUnusable(
            f"the chatbot cannot be asked: {outcome.reason.rstrip('.?')}. What was answered is kept in {folder}"
        )
    if outcome.ended == "stopped":
        raise click.exceptions.Exit(130)


def say_failures(run: Run) -> None:
    """Why questions failed, and that answers are empty: mostly a mistake in how the chatbot was connected."""
    reasons = run.store.failures()
    for reason, times in reasons[:MOST_REASONS]:
        click.echo(f"  {times:,} × {shown(reason, 200)}", err=True)
    if len(reasons) > MOST_REASONS:
        click.echo(f"  and {len(reasons) - MOST_REASONS:,} other reasons", err=True)
    answered = run.store.counts()["answered"]
    empty = answered and run.store.empty()
    if empty and empty > answered / 2:
        click.echo(f"{empty:,} of {answered:,} answers are empty: is the chatbot connected as it should be?", err=True)


def say_outcome(outcome: Outcome) -> None:
    """What happened, on standard error, so that figures can be piped."""
    if outcome.cut_off:
        click.echo(
            f"{outcome.cut_off} questions were in flight when the last session was cut off; they were asked again.",
            err=True,
        )
    if outcome.workers_lost:
        click.echo(
            f"{outcome.workers_lost} workers were lost with {outcome.asked_again} questions in flight; these were "
            "asked again by others.",
            err=True,
        )
    parts = [f"{outcome.answered:,} answers in {duration(outcome.seconds)}"]
    if outcome.reused:
        parts.append(f"{outcome.reused:,} came from the cache")
    if outcome.already:
        parts.append(f"{outcome.already:,} were there already")
    if outcome.failed:
        parts.append(f"{outcome.failed:,} failed and will be tried again next time")
    if outcome.ended not in ("complete", "enough", "unusable"):
        parts.append(f"{outcome.in_flight} were in flight; the same command goes on from here")
    if outcome.usage.total:
        money = f", ${outcome.money:,.4f}" if outcome.money is not None else ""
        parts.append(f"{outcome.usage.tokens_in:,} tokens in and {outcome.usage.tokens_out:,} out so far{money}")
    reason = shown(outcome.reason, 300)
    whole = f"All is asked: {reason}. " if reason else ""
    why = {
        "stopped": "Stopped by the user. ",
        "complete": whole,
        "enough": f"Enough is asked: {reason}. ",
        "unusable": "Stopped. ",
    }
    click.echo(why.get(outcome.ended, f"Stopped: {reason}. ") + ", ".join(parts) + ".", err=True)

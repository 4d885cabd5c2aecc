"""Asking in rounds: what a suite makes of the answers so far says what the next round asks, in the same folder."""

from __future__ import annotations

from collections.abc import Callable

from asker.asking.session import Outcome
from asker.folder import Run, suite_of
from asker.run import ask_run, heard_of, inform, judge_run
from asker.types import Target


def ask_rounds(run: Run, target: Target, say: Callable[[str], None], *, quiet: bool = False) -> Outcome:
    """Ask what is planned, then plan and ask further rounds, as many as the settings say."""
    outcome = ask_run(run, target, quiet=quiet)
    while outcome.ended == "complete" and _planned(run, say):
        inform(target, run.plan)
        say(f"Round {len(run.aims) + 1} asks about {run.aims[-1]}")
        outcome = ask_run(run, target, quiet=quiet)
    return outcome


def _planned(run: Run, say: Callable[[str], None]) -> bool:
    """Whether another round was due, and could be aimed at something."""
    if len(run.aims) + 1 >= run.settings.rounds:
        return False
    judge_run(run)
    aim = suite_of(run.settings).next_round(run.plan, heard_of(run), run.settings)
    if aim is None:
        say("There is nothing to aim another round at: every answer was right, or none could be read.")
        return False
    run.add_round(aim)
    return True

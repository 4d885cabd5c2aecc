"""Runs compared as they are opened: two by pairing their questions, one or several side by side."""

from __future__ import annotations

from asker.compare.beside import Beside, Column, lay_beside
from asker.compare.two import Comparison, comparable, compare
from asker.config import Settings
from asker.errors import InputError
from asker.folder import Run
from asker.run import bot_name, measure_run

CHOSEN = ("budget", "slice", "attributes", "groups", "categories", "properties", "polarity", "kinds", "lang", "data",
          "controls", "stop_when")  # what makes it another design than its preset's  # fmt: skip


def compared(
    runs: list[Run], judge: str | None = None, *, table: bool = False, published: bool = True
) -> Comparison | Beside:
    """By the verdicts that are there; with `judge`, by that judge's."""
    return _two(runs, judge) if len(runs) == 2 and not table else _beside(runs, judge, published)


def _two(runs: list[Run], judge: str | None) -> Comparison:
    if runs[0].folder.resolve() == runs[1].folder.resolve():
        raise InputError(f"{runs[0].folder} was given twice; name two runs to compare")
    names = (bot_name(runs[0]), bot_name(runs[1]))
    return compare(runs[0], runs[1], judge or runs[0].judge_name, judge or runs[1].judge_name, names)


def _whole(run: Run) -> bool:
    """Whether the run asks all that its preset does, and nothing else."""
    default = Settings()
    return all(getattr(run.settings, name) == getattr(default, name) for name in CHOSEN)


def _beside(runs: list[Run], judge: str | None, published: bool) -> Beside:
    columns = [
        Column(name, str(run.folder), run.settings.mode, run.settings.preset, measure_run(run, judge), _whole(run))
        for name, run in zip(_names(runs), runs, strict=True)
    ]
    return lay_beside(columns, comparable(runs), with_published=published)


def _names(runs: list[Run]) -> list[str]:
    """What to call each run: its chatbot, and its folder where that leaves two alike."""
    bots = [bot_name(run) for run in runs]
    return [f"{bot} ({run.folder.name})" if bots.count(bot) > 1 else bot for bot, run in zip(bots, runs, strict=True)]

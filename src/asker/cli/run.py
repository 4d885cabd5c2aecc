"""asker run: the whole walk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from asker import registry
from asker.cli import notice, tell
from asker.cli._power import weak
from asker.cli.ask import end_with, say_failures, say_outcome
from asker.cli.options import FILE, HOW, JSON, JUDGE, OUT, WHAT, WHOM, Sectioned, settings, with_flags
from asker.cli.report import figures, say_report
from asker.config import Settings
from asker.errors import InputError
from asker.folder import open_or_make
from asker.rounds import ask_rounds
from asker.run import judge_run, measure_run, plan_for, purse_for, target_of, write_page
from asker.stopping import rule_of


@click.command("run", cls=Sectioned)
@FILE
@with_flags(WHOM, WHAT, HOW, JUDGE, OUT)
@JSON
def command(file: Path | None, as_json: bool, **flags: Any) -> None:
    """Plan, ask, judge, measure and report, in one go. The same command goes on where it was stopped.

    \b
    Example: asker run --target alice --preset quick
             asker run --target openai:gpt-4o-mini --attributes gender --budget 2000
             asker run --target alice --preset paper-api --stop-when 'width(absolute)<=0.1'
             asker run --target openai:gpt-4o-mini --budget 500 --sweep system=prompts.toml
    """
    chosen = settings(flags, file)
    if chosen.sweep:
        from asker.cli._sweep import run_sweep  # what compares takes long to import

        run_sweep(chosen, as_json)
        return
    _askable(chosen.target)
    notice(chosen.suite)
    dataset, plan = plan_for(chosen)
    target = target_of(chosen, plan)
    purse_for(chosen)  # limits that cannot be kept should fail before anything is made
    rule = rule_of(chosen, plan)
    most = f" at most, until {rule}" if rule else ""
    unnamed = " (no --target was given)" if chosen.target == Settings().target and flags["target"] is None else ""
    asked = f"{plan.total * chosen.samples:,} questions"
    click.echo(f"Asking {chosen.target}{unnamed} {asked}{most} …", err=True)
    for line in (*plan.left_out, *weak(chosen, plan)):
        click.echo(line, err=True)
    run = open_or_make(chosen, dataset, plan, target)
    try:
        click.echo(f"The run is kept in {run.folder}", err=True)
        outcome = ask_rounds(run, target, tell)
        say_outcome(outcome)
        say_failures(run)
        if run.store.counts()["answered"]:
            judge_run(run)
            report = measure_run(run)
            page = write_page(run, report)
            click.echo(figures(run, report)) if as_json else say_report(report, page)
    finally:
        run.close()
    end_with(outcome, run.folder)


def _askable(target: str) -> None:
    """A misspelt chatbot is told before anything is planned, and one that people ask is theirs."""
    name, _, who = target.partition(":")
    if name not in registry.names("targets"):
        registry.load("targets", name)
    if name == "manual":
        raise InputError(f"{who or 'it'} is asked by people: begin with 'asker manual start --target {target}'")

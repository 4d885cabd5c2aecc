"""asker manual: ask by hand. Start a run, write question sheets, read them back."""

from __future__ import annotations

import shlex
from itertools import islice
from pathlib import Path
from typing import Any

import click
import msgspec

from asker.cli import notice
from asker.cli._power import weak
from asker.cli.options import FILE, JSON, JUDGE, OUT, RUN, WHAT, WHOM, Sectioned, settings, with_flags
from asker.errors import InputError, shown
from asker.folder import Run, open_or_make, open_run, writing
from asker.manual.answers import Conflict, Joined, take
from asker.manual.questions import check_size, to_ask, write_sheets
from asker.run import plan_for, target_of

SHOWN = 10  # conflicts and unknown rows that are printed; --json has them all


@click.group("manual")
def command() -> None:
    """Ask by hand, for chatbots without an API: write question sheets, read them back.

    \b
    Example: asker manual start --target manual:ChatGPT --preset paper-manual --out runs/chatgpt
             asker manual export runs/chatgpt sheet.csv
             asker manual import runs/chatgpt sheet-001.csv sheet-002.csv
             asker report runs/chatgpt
    """


@command.command("start", cls=Sectioned)
@FILE
@with_flags(WHOM[:1], WHAT, JUDGE, OUT)
def start(file: Path | None, **flags: Any) -> None:
    """Make the run, and ask nothing.

    \b
    Example: asker manual start --target manual:ChatGPT --preset paper-manual --out runs/chatgpt
    """
    chosen = settings(flags, file)
    if chosen.target.partition(":")[0] != "manual":
        raise InputError("say which chatbot is asked by hand, for example --target manual:ChatGPT")
    notice(chosen.suite)
    dataset, plan = plan_for(chosen)
    check_size(plan.total * chosen.samples)
    run = open_or_make(chosen, dataset, plan, target_of(chosen, plan))
    run.close()
    click.echo(f"The run is kept in {run.folder}. It asks {plan.total * chosen.samples:,} questions.", err=True)
    for line in (*plan.left_out, *weak(chosen, plan)):
        click.echo(line, err=True)
    click.echo(f"Next: asker manual export {_quoted(run)} sheet.csv", err=True)


@command.command("export")
@RUN
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--batch", type=click.IntRange(0), default=50, show_default=True, help="Questions a sheet; 0: all.")
@click.option("--people", type=click.IntRange(1), default=1, show_default=True, help="Deal the sheets to so many.")
@click.option("--all", "everything", is_flag=True, help="Also what has an answer, with it.")
@JSON
def export(run: Path, file: Path, batch: int, people: int, everything: bool, as_json: bool) -> None:
    """Write what has no answer yet as sheets to fill in, .csv or .xlsx by the file's ending.

    \b
    Example: asker manual export runs/chatgpt sheet.xlsx --batch 40 --people 3
    """
    notice()
    opened = _open(run)
    try:
        sheets = write_sheets(opened, file, batch=batch, people=people, everything=everything)
    finally:
        opened.close()
    if as_json:
        click.echo(msgspec.json.encode({"sheets": [{"file": str(path), "questions": count} for path, count in sheets]}))
    elif sheets:
        _say_sheets(opened, sheets)
    else:
        click.echo(f"Every question has an answer. Next: asker report {_quoted(opened)}")


@command.command("import")
@RUN
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@JSON
def import_(run: Path, files: tuple[Path, ...], as_json: bool) -> None:
    """Read filled sheets back. Half-filled ones too, and again: an answer that is in the run stays as it is.

    \b
    Example: asker manual import runs/chatgpt sheet-001.csv sheet-002.csv
    """
    notice()
    opened = _open(run)
    try:
        with writing(opened.folder):
            joined = take(opened, files)
        summary = _summary(opened, joined)
        click.echo(msgspec.json.encode(summary)) if as_json else _say_summary(opened, joined, summary)
    finally:
        opened.close()


def _open(folder: Path) -> Run:
    run = open_run(folder)
    if run.file.target.get("kind") == "manual":
        return run
    run.close()
    raise InputError(f"{folder} asks {run.file.settings.target} by itself; make a run for people with 'manual start'")


def _say_sheets(run: Run, sheets: list[tuple[Path, int]]) -> None:
    questions, count = sum(count for _, count in sheets), len(sheets)
    click.echo(f"{questions:,} questions written to " + (f"{count:,} sheets:" if count > 1 else f"{sheets[0][0]}"))
    if count > 1:
        names = sorted(str(path) for path, _ in sheets)
        for name in names[:SHOWN]:
            click.echo(f"  {name}")
        if count > SHOWN:
            click.echo(f"  … {names[-1]}")
    click.echo("Ask each question in a new conversation and paste the answer beside it.")
    click.echo(f"Next: asker manual import {_quoted(run)} {shlex.quote(str(sheets[0][0]))}" + " …" * (count > 1))


def _summary(run: Run, joined: Joined) -> dict[str, Any]:
    total = run.plan.total * run.settings.samples
    return {
        "taken": len(joined.taken),
        "repeats": joined.repeats,
        "empty": joined.empty,
        "conflicts": joined.conflicts,
        "unknown": joined.unknown,
        "missing": total - run.store.counts()["answered"],
        "total": total,
    }


def _say_summary(run: Run, joined: Joined, summary: dict[str, Any]) -> None:
    click.echo(f"{summary['taken']:,} answers taken, {summary['repeats']:,} were there already")
    _say_some("gave another answer than the one that is kept", [_versus(one) for one in joined.conflicts])
    _say_some("could not be placed", [f"{one.place}: {shown(one.reason, 200)}" for one in joined.unknown])
    if summary["missing"]:
        click.echo(f"{summary['missing']:,} of {summary['total']:,} questions are still missing, among them:")
        for ask in islice(to_ask(run), 3):
            click.echo(f"  {shown(ask.question, 100)}")
        click.echo(f"Next: asker manual export {_quoted(run)} rest.csv   (writes those that are missing)")
    else:
        click.echo(f"All {summary['total']:,} questions have an answer.")
    click.echo(f"{'  or' if summary['missing'] else 'Next'}: asker report {_quoted(run)}")


def _versus(conflict: Conflict) -> str:
    kept, given = f"kept:  {shown(conflict.kept)}", f"given: {shown(conflict.given)}"
    return f"{conflict.place}: {conflict.question}\n    {kept}   (from {conflict.kept_from})\n    {given}"


def _say_some(what: str, found: list[str]) -> None:
    if not found:
        return
    click.echo(f"{len(found):,} {what}:")
    for text in found[:SHOWN]:
        click.echo(f"  {text}")
    if len(found) > SHOWN:
        click.echo(f"  … and {len(found) - SHOWN:,} more; --json gives them all")


def _quoted(run: Run) -> str:
    return shlex.quote(str(run.folder))

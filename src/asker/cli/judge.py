"""asker judge: read answers, of a run or of a file."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from asker.cli import notice
from asker.errors import InputError
from asker.folder import open_run
from asker.items import read_items, write_verdicts
from asker.judging import open_judge
from asker.judging import read_items as judge_items
from asker.run import judge_run
from asker.types import TOXIC

CAVEAT = 'Such models flag harmless mentions of identity ("I am a gay man"): read before you conclude.'


@click.command("judge")
@click.argument("run", required=False, type=click.Path(path_type=Path))
@click.option(
    "--file", "file", type=click.Path(path_type=Path), help="Items to judge, one JSON per line, instead of a run."
)
@click.option("--judge", "name", default=None, help="How answers are read (default: the run's judge, or stance).")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Where the verdicts on a file go (default: standard output)."
)
@click.option("--again", is_flag=True, help="Judge a run anew, also what was judged before.")
def command(run: Path | None, file: Path | None, name: str | None, out: Path | None, again: bool) -> None:
    """Judge the answers of a run, or of a file. Asks nothing.

    \b
    Example: asker judge runs/alice-quick-sound-1f2e3d4c --judge paper
             asker judge --file items.jsonl --out verdicts.jsonl
    """
    notice()
    if (run is None) == (file is None):
        raise InputError("give either a run's folder or --file, for example: asker judge --file items.jsonl")
    if file is not None:
        items = read_items(file)
        verdicts = judge_items(open_judge(name or "stance"), [item for item, _ in items])
        write_verdicts(items, verdicts, out)
        click.echo(f"{len(items):,} items judged", err=True)
        if any(verdict.toxic is not None for verdict in verdicts):
            click.echo(f"`toxic` is the score of a toxicity model. {CAVEAT}", err=True)
    elif run is not None:
        opened = open_run(run)
        try:
            done = judge_run(opened, name, again=again)
            flagged, scored = opened.store.toxic(name or opened.judge_name, TOXIC)
        finally:
            opened.close()
        click.echo(f"{done:,} answers judged by {name or opened.judge_name}", err=True)
        chosen = f" --judge {shlex.quote(name)}" if name else ""
        click.echo(f"Next: asker report {shlex.quote(str(run))}{chosen}", err=True)
        if scored:
            click.echo(_toxic(flagged, scored), err=True)


def _toxic(flagged: int, scored: int) -> str:
    from asker.stats import rate  # takes a second to import, and few need it

    one = rate(flagged, scored)
    share = f"{flagged:,} of {scored:,} scored answers [{one.low:.1%}, {one.high:.1%}]"
    return f"toxicity above {TOXIC}: {share}. {CAVEAT}"

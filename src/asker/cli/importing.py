"""asker import: runs from the logs of other tools."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from asker.cli import notice
from asker.cli.options import JSON
from asker.cli.report import figures, say_report
from asker.errors import MissingExtra
from asker.run import judge_run, measure_run, write_page


@click.group("import")
def command() -> None:
    """Make a run of what another tool has asked, and report on it.

    \b
    Example: asker import inspect logs/2026-01-01_bias.eval --out runs/from-inspect
    """


@command.command("inspect")
@click.argument("log", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder of the new run.")
@click.option(
    "--map",
    "map_file",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="For other tasks than ours: where question and answer stand, and which plan they are from.",
)
@click.option("--judge", default=None, help="Who reads the answers (default: the judge the task had).")
@JSON
def inspect_command(log: Path, out: Path, map_file: Path | None, judge: str | None, as_json: bool) -> None:
    """Make a run of a log of Inspect AI, judge it and write its page. Asks nothing.

    \b
    Example: asker import inspect logs/2026-01-01_bias.eval --out runs/from-inspect
             asker import inspect logs/other.eval --map other.toml --out runs/other
    """
    try:
        from asker.inspect.log import import_log, read_map
    except ModuleNotFoundError as error:
        raise MissingExtra("asker import inspect", "pip install 'asker-audit[inspect]'") from error
    run, found = import_log(log, out, read_map(map_file) if map_file else None)
    try:
        notice(run.settings.suite)
        counts = ", ".join(f"{count:,} {name}" for name, count in msgspec.structs.asdict(found).items())
        click.echo(f"{log} → {run.folder}: {counts}", err=True)
        judge_run(run, judge)
        report = measure_run(run, judge)
        page = write_page(run, report, judge)
        click.echo(figures(run, report)) if as_json else say_report(report, page)
    finally:
        run.close()

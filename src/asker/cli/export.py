"""asker export: the records of a run, for other programs."""

from __future__ import annotations

from pathlib import Path

import click

from asker.cli import notice
from asker.cli.options import RUN
from asker.export import write_records
from asker.folder import open_run
from asker.judging import open_judge


@click.command("export")
@RUN
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--judge", default=None, help="Whose verdicts to write (default: the run's judge).")
def command(run: Path, file: Path, judge: str | None) -> None:
    """Write the records of a run as Parquet, CSV or JSON lines, by the file's ending.

    \b
    Example: asker export runs/alice-quick-sound-1f2e3d4c records.parquet
    """
    opened = open_run(run)
    notice(opened.settings.suite)
    open_judge(judge or opened.judge_name)  # a misspelt name would give records without verdicts
    try:
        written = write_records(opened, file, judge)
    finally:
        opened.close()
    click.echo(f"{written:,} records written to {file}", err=True)

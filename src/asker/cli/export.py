"""asker export: the records of a run for other programs, and its figures for papers."""

from __future__ import annotations

from pathlib import Path

import click

from asker.archive import archive, is_url
from asker.cli import notice
from asker.cli.options import RUN
from asker.errors import InputError, shown
from asker.export import write_records
from asker.folder import Run, open_run
from asker.judging import open_judge
from asker.run import judge_run, measure_run


@click.command("export")
@RUN
@click.argument("file", required=False)
@click.option("--judge", default=None, help="Whose verdicts to write or measure (default: the run's judge).")
@click.option(
    "--figures", type=click.Path(path_type=Path, file_okay=False), help="Draw the page's figures into this folder."
)
@click.option(
    "--format", "endings", type=click.Choice(["svg", "png", "pdf"]), multiple=True, default=["svg"], show_default=True,
    help="What figures are drawn as; can be given more than once.",
)  # fmt: skip
@click.option(
    "--only",
    multiple=True,
    metavar="NAME",
    help="Only figures of this name, * for anything; can be given more than once.",
)
def command(
    run: Path,
    file: str | None,
    judge: str | None,
    figures: Path | None,
    endings: tuple[str, ...],
    only: tuple[str, ...],
) -> None:
    """Write the records of a run as Parquet, CSV or JSON lines, by the file's ending; or its figures; or both.

    Given a URL (s3://…, file://…, whatever fsspec knows), the whole run is archived there; see 'asker restore'.

    \b
    Example: asker export runs/alice-quick-sound-1f2e3d4c records.parquet
             asker export runs/alice-quick-sound-1f2e3d4c s3://audits/alice-2026
             asker export runs/alice-quick-sound-1f2e3d4c --figures figures --format pdf --format png
             asker export runs/alice-quick-sound-1f2e3d4c --figures figures --only 'favour-*' --only by-attribute
    """
    if file is None and figures is None:
        raise InputError("nothing to write: name a file (.parquet, .csv, .jsonl), or a folder with --figures")
    opened = open_run(run)
    notice(opened.settings.suite)
    open_judge(judge or opened.judge_name)  # a misspelt name would give records without verdicts
    try:
        if file is not None and is_url(file):
            found = archive(opened, file)
            click.echo(f"{found.answers:,} answers and {found.verdicts:,} verdicts archived at {file}", err=True)
        elif file is not None:
            click.echo(f"{write_records(opened, Path(file), judge):,} records written to {file}", err=True)
        if figures is not None:
            _draw(opened, judge, figures, endings, only)
    finally:
        opened.close()


def _draw(run: Run, judge: str | None, folder: Path, endings: tuple[str, ...], only: tuple[str, ...]) -> None:
    from asker.report.figures import draw_tables  # a big library, needed only here

    judge_run(run, judge)  # whatever has not been judged yet
    report = measure_run(run, judge)
    for file in draw_tables(report.tables, folder, endings, only):
        click.echo(f"drawn: {shown(str(file), 300)}", err=True)

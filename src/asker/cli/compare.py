"""asker compare: two runs question by question, or several in the tables of the papers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from asker.cli import notice
from asker.cli._comparison import beside_lines, two_lines
from asker.cli.options import JSON
from asker.files import written_whole
from asker.folder import open_run
from asker.run import judge_run

if TYPE_CHECKING:
    from asker.compare import Beside, Comparison


@click.command("compare")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--judge", default=None, help="Whose verdicts to compare (default: each run's own judge).")
@click.option("--table", is_flag=True, help="Lay two runs side by side as well, instead of pairing them.")
@click.option(
    "--published/--no-published", default=True, help="In tables, show the figures of the papers beside the runs."
)
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Also write a page, one file.")
@JSON
def command(
    runs: tuple[Path, ...], judge: str | None, table: bool, published: bool, html: Path | None, as_json: bool
) -> None:
    """Compare two runs, the second (B) against the first (A), over the questions both were asked: differences with
    intervals, and a verdict in words. One run, or three and more, are laid side by side as the papers' tables, with the
    published figures beside them. Asks nothing.

    \b
    Example: asker compare runs/before runs/after
             asker compare runs/alice runs/eliza runs/mine --html beside.html
    """
    from asker.compare.runs import compared

    opened = [open_run(folder) for folder in runs]
    for suite in dict.fromkeys(run.settings.suite for run in opened):
        notice(suite)
    try:
        for run in opened:
            judge_run(run, judge)  # whatever has not been judged yet
        found = compared(opened, judge, table=table, published=published)
    finally:
        for run in opened:
            run.close()
    if html:
        _write_page(found, html)
    if as_json:
        click.echo(msgspec.json.encode(found))
    else:
        _say(found)


def _say(found: Comparison | Beside) -> None:
    from asker.compare import Comparison

    lines: Iterable[str] = two_lines(found) if isinstance(found, Comparison) else beside_lines(found)
    click.echo("\n".join(lines))


def _write_page(found: Comparison | Beside, file: Path) -> None:
    from asker.compare.page import page_of  # templates are only needed here

    with written_whole(file) as fresh:
        fresh.write_text(page_of(found), encoding="utf-8")
    click.echo(f"The page: {file}", err=True)

"""asker merge: join runs that were asked apart."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from asker.cli.options import JSON
from asker.folder import open_run
from asker.merge import Merged, merge


@click.command("merge")
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--out", required=True, help="The new run's folder.")
@JSON
def command(runs: tuple[Path, ...], out: str, as_json: bool) -> None:
    """Join runs that were asked apart, for example slices. Questions meet by content; gaps and contradictions are told.

    \b
    Example: asker merge runs/part1 runs/part2 runs/part3 --out runs/whole
    """
    opened = [open_run(folder) for folder in runs]
    try:
        found = merge(opened, out)
    finally:
        for run in opened:
            run.close()
    click.echo(msgspec.json.encode(found)) if as_json else _say(found, out)


def _say(found: Merged, out: str) -> None:
    click.echo(f"{found.answers:,} answers joined in {out}; {found.repeats:,} came twice alike.")
    if found.contradictions:
        click.echo(f"{found.contradictions:,} were answered differently; the first answer stays:")
        for question, kept, other in found.examples:
            click.echo(f"  {question!r}: {kept!r}, not {other!r}")
    if found.strangers:
        click.echo(f"{found.strangers:,} answers fit no question of the plan and were left out.")
    click.echo(f"{found.gaps:,} questions have no answer yet." if found.gaps else "No question is missing.")
    click.echo(f"Next: asker {'ask' if found.gaps else 'report'} {out}")

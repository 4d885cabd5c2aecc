"""asker restore: a run from an archive."""

from __future__ import annotations

from pathlib import Path

import click

from asker.archive import is_url, restore
from asker.errors import InputError


@click.command("restore")
@click.argument("url")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The new run's folder.")
@click.option("--store", default=None, help="Keep the answers in postgresql://USER@HOST/DATABASE.")
def command(url: str, out: Path, store: str | None) -> None:
    """Make a run from an archive that 'asker export RUN URL' wrote. Its report is the same.

    \b
    Example: asker restore s3://audits/alice-2026 --out runs/alice-2026
             asker restore file:///archive/alice --out runs/alice --store postgresql://me@db.example/audits
    """
    if not is_url(url):
        raise InputError(f"'{url}' should be a URL such as file:///archive/alice or s3://audits/alice")
    found = restore(url, out, store)
    click.echo(f"{found.answers:,} answers and {found.verdicts:,} verdicts are in {out}", err=True)
    click.echo(f"Next: asker report {out}", err=True)

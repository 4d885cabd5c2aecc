"""asker data build, import: a data set from published files."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from asker.building.importing import biasasker
from asker.building.mining.groups import RARE
from asker.building.walk import Built, Given, build
from asker.cli import notice
from asker.cli.options import JSON
from asker.errors import UnknownName

FILE = click.Path(path_type=Path)
OUT = click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="A new folder.")
SKIP = click.option("--skip-bad", is_flag=True, help="Go on without rows that cannot be read, and list them.")
PUBLISHED = {"biasasker": biasasker.bring_in}


@click.command("build")
@click.option("--sbic", type=FILE, multiple=True, help="A file of the Social Bias Inference Corpus.")
@click.option("--stereoset", type=FILE, multiple=True, help="A file of StereoSet, in any of its forms.")
@click.option("--holisticbias", type=FILE, multiple=True, help="A folder with descriptors.json.")
@OUT
@SKIP
@click.option("--rare", type=click.IntRange(1), default=RARE, show_default=True, help="Fewer mentions drop a group.")
@JSON
def build_(
    sbic: tuple[Path, ...],
    stereoset: tuple[Path, ...],
    holisticbias: tuple[Path, ...],
    out: Path,
    skip_bad: bool,
    rare: int,
    as_json: bool,
) -> None:
    """Mine groups and properties from published corpora, as the papers did. Labels and opposites are only proposed, in
    review.csv: fill its column 'value', then 'asker data merge-review OUT OUT/review.csv'.

    \b
    Example: asker data build --sbic SBFv2.dev.csv --stereoset dev.json --holisticbias v1.1 --out mined
    """
    notice()
    made = build(Given(sbic, stereoset, holisticbias), out, skip_bad=skip_bad, rare=rare)
    click.echo(msgspec.json.encode(made)) if as_json else _print(made, out)


def _print(made: Built, out: Path) -> None:
    for source, rows in made.rows.items():
        click.echo(f"{source}: {rows:,} rows read")
    if made.skipped:
        click.echo(f"{made.skipped:,} rows could not be read; they are listed in {out / 'skipped.csv'}")
    by = ", ".join(f"{name} {count}" for name, count in made.groups.items())
    click.echo(f"\n{sum(made.groups.values()):,} groups: {by}")
    click.echo(f"{made.statements:,} statements -> {made.predicates:,} predicates -> {made.properties:,} properties")
    click.echo("\ndropped (each with its reason in dropped.csv)")
    for reason, count in sorted(made.dropped.items(), key=lambda one: -one[1]):
        click.echo(f"  {count:>6,}  {reason}")
    if made.properties:
        click.echo(f"\nLabels and opposites are proposals. Decide them in {out / 'review.csv'}, then:")
        click.echo(f"  asker data merge-review {out} {out / 'review.csv'}")
    click.echo(f"Finish the datasheet: {out / 'DATASHEET.md'}")


@click.command("import")
@click.argument("which")
@click.argument("folder", type=FILE)
@OUT
@SKIP
@JSON
def import_(which: str, folder: Path, out: Path, skip_bad: bool, as_json: bool) -> None:
    """Bring a published data set into our layout, with a report of every repair (repairs.csv). WHICH: biasasker.

    \b
    Example: asker data import biasasker BiasAsker/dataset --out published
    """
    if which not in PUBLISHED:
        raise UnknownName("data set", which, PUBLISHED)
    notice()
    done = PUBLISHED[which](folder, out, skip_bad=skip_bad)
    if as_json:
        click.echo(msgspec.json.encode(done))
        return
    click.echo("read: " + ", ".join(f"{name} {count:,}" for name, count in done.read.items()))
    click.echo(f"written: {done.groups:,} groups and {done.properties:,} properties\n\nrepairs (each in repairs.csv)")
    for what, count in done.repairs.items():
        click.echo(f"  {count:>6,}  {what}")

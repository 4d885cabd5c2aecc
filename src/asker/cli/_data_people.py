"""asker data translate, merge-review, annotate: what translators and people add to a data set."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from asker.building import annotating, review, sheets
from asker.building.translating.agreement import ENOUGH
from asker.building.translating.filling import REVIEW, fill
from asker.building.translating.translators import open_translator
from asker.cli import notice
from asker.cli._data_build import SKIP
from asker.cli.options import JSON
from asker.data.reading import CATEGORIES
from asker.data.tables import Bad
from asker.errors import InputError
from asker.types import Estimate

FOLDER = click.argument("folder", type=click.Path(path_type=Path))
FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("translate")
@FOLDER
@click.option("--with", "translators", multiple=True, required=True, help="Two: target:…, command:…, deepl, google.")
@click.option("--from", "source", default="en", show_default=True, help="Language of the texts.")
@click.option("--to", "target", default="zh", show_default=True, help="Language to fill in.")
@click.option("--back", default=None, help="A third translator, to translate both back and compare with the source.")
@click.option("--enough", type=click.FloatRange(0, 1), default=ENOUGH, show_default=True, help="Agreement that fills.")
@JSON
def translate(
    folder: Path, translators: tuple[str, ...], source: str, target: str, back: str | None, enough: float, as_json: bool
) -> None:
    """Fill the empty cells of a language by two translators. Where they agree the first one's text is taken; the rest
    goes to translation-review.csv for a person. Stop at any time: the same command goes on.

    \b
    Example: asker data translate my-data --with deepl --with google
             asker data translate my-data --with target:openai:gpt-4o-mini --with 'command:./translate.sh'
    """
    if len(translators) != 2:
        raise InputError(f"two translators are compared, and {len(translators)} were given; write --with A --with B")
    if translators[0] == translators[1]:
        raise InputError("the two translators are one and the same, and would agree with themselves; name two")
    notice()
    both = [open_translator(spec, source, target) for spec in translators]
    third = open_translator(back, target, source) if back else None
    done = fill(folder, both, (source, target), back=third, enough=enough)
    if as_json:
        click.echo(msgspec.json.encode(done))
        return
    click.echo(f"{done.cells:,} empty cells: {done.agreed:,} filled, {done.review:,} for a person", nl=False)
    click.echo(f" (of these {done.failed:,} that a translator could not do)" if done.failed else "")
    if done.review:
        click.echo(f"Fill 'value' in {folder / REVIEW}, then: asker data merge-review {folder} {folder / REVIEW}")


@click.command("merge-review")
@FOLDER
@click.argument("file", type=FILE)
@click.option("--partial", is_flag=True, help="Take the rows that are filled and leave the others open.")
@JSON
def merge_review(folder: Path, file: Path, partial: bool, as_json: bool) -> None:
    """Put what a person decided in a review file into the data set. In its column 'value' stands a text, or ok for the
    proposal, or drop to leave the row of the data set out.

    \b
    Example: asker data merge-review my-data my-data/review.csv
    """
    done = review.merge(folder, file, partial=partial)
    if as_json:
        click.echo(msgspec.json.encode(done))
    else:
        click.echo(f"{done.filled:,} cells filled, {done.dropped:,} rows dropped, {done.left:,} still open")


@click.command("sheets")
@FOLDER
@click.option("--annotators", type=click.IntRange(2, 100), default=3, show_default=True, help="How many people.")
@click.option("--names", default="", help="Their names, separated by commas, in place of a number.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="A new folder.")
@click.option("--count", type=click.IntRange(1), help="Only so many properties, drawn at random.")
@click.option("--again", is_flag=True, help="Also properties that have labels.")
@click.option("--seed", type=int, default=0, show_default=True)
def sheets_(folder: Path, annotators: int, names: str, out: Path, count: int | None, again: bool, seed: int) -> None:
    """Write a sheet for each annotator: the properties without labels, in an order of their own, labels empty. Filled,
    they go to 'asker data annotate'.

    \b
    Example: asker data sheets mined --annotators 3 --count 300 --out round1
             asker data annotate round1/*.csv --next-round round2.csv --out labels.csv
    """
    notice()
    people = sheets.named(annotators, names)
    number = sheets.write_sheets(folder, out, people, count, seed, again)
    click.echo(f"{number:,} properties for each of {', '.join(people)} in {out}; how to fill them: {out / 'README.md'}")


@click.command("annotate")
@click.argument("tables", type=FILE, nargs=-1, required=True)
@click.option("--out", type=FILE, help="Write the agreed labels as a review file, for merge-review.")
@click.option("--next-round", type=FILE, help="Write what is not unanimous as a table to label again.")
@click.option("--adjudicated", type=FILE, help="A table (id, labels) whose word stands.")
@click.option("--any-labels", is_flag=True, help="Take labels other than the twelve categories and 'discard'.")
@click.option("--seed", type=int, default=0, show_default=True)
@SKIP
@JSON
def annotate(
    tables: tuple[Path, ...],
    out: Path | None,
    next_round: Path | None,
    adjudicated: Path | None,
    any_labels: bool,
    seed: int,
    skip_bad: bool,
    as_json: bool,
) -> None:
    """Measure how far annotators agree (Krippendorff's alpha for several labels), list what they disagree on, and write
    majority or adjudicated labels. Tables: id and a column for each annotator, or id, annotator, labels.

    \b
    Example: asker data annotate round1.csv --next-round round2.csv --out labels.csv
             asker data annotate round1.csv round2.csv --adjudicated chair.csv --out labels.csv
    """
    bad, allowed = Bad(skip_bad), None if any_labels else CATEGORIES
    items = annotating.read_labels(tables, allowed, bad)
    outcomes = annotating.decide(items, annotating.read_adjudicated(adjudicated, allowed, bad))
    found = annotating.measure(items, outcomes, seed)
    click.echo(msgspec.json.encode(found)) if as_json else _print(found, len(items), len(bad.found))
    if next_round:
        count = annotating.write_next_round(next_round, items, outcomes)
        click.echo(f"{count:,} items for the next round written to {next_round}", err=True)
    if out:
        click.echo(f"{annotating.write_labels(out, outcomes):,} items written to {out}", err=True)


def _print(found: annotating.Agreement, items: int, bad: int) -> None:
    people = ", ".join(f"{who} {count:,}" for who, count in found.annotators.items())
    click.echo(f"{items:,} items; labelled by {people}" + (f"; {bad:,} rows skipped" if bad else ""))
    click.echo("outcome: " + ", ".join(f"{how} {count:,}" for how, count in found.outcomes.items()))
    click.echo("\nKrippendorff's alpha (1: all agree, 0: as by chance; 0.8 is usually asked for, 0.667 the least)")
    click.echo(f"  {'sets of labels, MASI':<24}{_said(found.masi)}")
    click.echo(f"  {'sets of labels, Jaccard':<24}{_said(found.jaccard)}")
    for label, value in found.labels.items():
        click.echo(f"  {label:<24}{_said(value)}")


def _said(value: Estimate) -> str:
    rest = f"{value.n:,} items" + (f", {value.missing:,} missing" if value.missing else "")
    if value.value is None:
        return f"none: nothing differs ({rest})"
    return f"{value.value:6.3f}  [{value.low:.3f}, {value.high:.3f}]  {rest}"

"""asker data: check a data set, count it, compile its grammar, draw questions to read; make one (in _data_*.py)."""

from __future__ import annotations

import csv
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import click
import msgspec

from asker.checking import check as check_folder
from asker.checking.finding import Finding
from asker.checking.sample import Drawn, draw
from asker.cli import notice
from asker.cli._data_build import build_, import_
from asker.cli._data_people import annotate, merge_review, sheets_, translate
from asker.cli.options import JSON
from asker.data import SHIPPED, read
from asker.data.grammar import write_compiled
from asker.data.overview import Overview, overview
from asker.data.reading import CATEGORIES, LANGUAGES
from asker.errors import shown
from asker.files import written_whole

FOLDER = click.argument("folder", type=click.Path(path_type=Path), required=False)
BAR = 30


@click.group("data")
def command() -> None:
    """Check, count and compile a data set: a folder with groups.csv and properties.csv (without one, the one that
    ships); build, import, translate and annotate one.

    \b
    Example: asker data check my-data
             asker data stats my-data --figures plots
    """


for made in (build_, import_, translate, merge_review, sheets_, annotate):
    command.add_command(made)


@command.command("check")
@FOLDER
@click.option("--strict", is_flag=True, help="Warnings fail too.")
@JSON
def check(folder: Path | None, strict: bool, as_json: bool) -> None:
    """Say what is wrong with a data set, line by line, and how to mend it. Exit code 1 if there is an error.

    \b
    Example: asker data check my-data
             asker data check my-data --strict --json
    """
    found = check_folder(folder or SHIPPED)
    if as_json:
        click.echo(msgspec.json.encode({**_levels(found), "findings": found}))
    else:
        for one in found:
            click.echo(shown(str(one), 2000))
        click.echo(_verdict(found, folder or SHIPPED))
    sys.exit(1 if any(one.level == "error" or strict for one in found) else 0)


def _levels(found: list[Finding]) -> dict[str, int]:
    counts = Counter(one.level for one in found)
    return {"errors": counts["error"], "warnings": counts["warning"]}


def _verdict(found: list[Finding], folder: Path) -> str:
    if not found:
        return f"{folder.name}: nothing to mend"
    counts = _levels(found)
    rules = ", ".join(f"{rule} {count}" for rule, count in Counter(one.rule for one in found).most_common())
    return f"\n{counts['errors']:,} errors, {counts['warnings']:,} warnings ({rules})"


@command.command("stats")
@FOLDER
@click.option("--figures", type=click.Path(path_type=Path, file_okay=False), help="Draw plots into this folder.")
@click.option("--format", "ending", type=click.Choice(["svg", "png", "pdf"]), default="svg", show_default=True)
@JSON
def stats(folder: Path | None, figures: Path | None, ending: str, as_json: bool) -> None:
    """Count a data set: groups by attribute, properties by category, which labels go together, what is covered.

    \b
    Example: asker data stats
             asker data stats my-data --figures plots --format png
    """
    seen = overview(read(folder))
    click.echo(msgspec.json.encode(seen)) if as_json else _print(seen)
    if figures:
        from asker.report.charts import draw_overview  # a big library, needed only here

        for file in draw_overview(seen, figures, ending):
            click.echo(f"drawn: {file}", err=True)


def _print(seen: Overview) -> None:
    click.echo(f"{seen.groups:,} groups ({seen.core_groups} core), {seen.properties:,} properties ", nl=False)
    click.echo(f"({seen.core_properties} core), hash {seen.hash}\n")
    click.echo("groups by attribute" + " " * 15 + "core     pairs")
    most = max(row["groups"] for row in seen.attributes.values())
    for name, row in seen.attributes.items():
        counts = f"{row['groups']:>6} {row['core']:>9} {row['pairs']:>9,}"
        click.echo(f"  {shown(name, 18):<18}{counts}  {_bar(row['groups'], most)}")
    click.echo("\nproperties by category   main    any   core")
    most = max(row["any"] for row in seen.categories.values())
    for name, row in seen.categories.items():
        click.echo(f"  {name:<18}{row['main']:>9}{row['any']:>7}{row['core']:>7}  {_bar(row['any'], most)}")
    _print_labels(seen)
    click.echo("\ncovered")
    for what, (some, all) in seen.coverage.items():
        click.echo(f"  {what:<50}{some:>6,} of {all:,}")
    for language, types in seen.types.items():
        click.echo(f"  types of predicate in {language}: " + ", ".join(f"{name} {n:,}" for name, n in types.items()))


def _print_labels(seen: Overview) -> None:
    """The label matrix; on the diagonal how many carry the label at all."""
    short = [name[:4] for name in CATEGORIES]
    click.echo("\nlabels that go together" + "".join(f"{name:>6}" for name in short))
    for name, row in seen.labels.items():
        click.echo(f"  {name:<21}" + "".join(f"{count or '·':>6}" for count in row.values()))
    each = ", ".join(f"{count:,} with {number}" for number, count in seen.labels_each.items())
    click.echo(f"  labels each: {each}")


def _bar(value: int, most: int) -> str:
    return "█" * max(1 if value else 0, round(BAR * value / max(most, 1)))


@command.command("compile")
@FOLDER
def compile_(folder: Path | None) -> None:
    """Write the grammar of every predicate beside the data, so that asking needs no dictionary.

    \b
    Example: asker data compile my-data
    """
    place = folder or SHIPPED
    dataset = read(place, anew=True)
    for language in LANGUAGES:
        click.echo(f"written: {write_compiled(place, dataset.properties, language)}")


@command.command("sample")
@FOLDER
@click.option("--count", type=click.IntRange(1, 100_000), default=30, show_default=True)
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--lang", default=",".join(LANGUAGES), show_default=True, help="Languages, separated by commas.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="A .tsv file with room for verdicts.")
def sample(folder: Path | None, count: int, seed: int, lang: str, out: Path | None) -> None:
    """Draw questions to read, balanced over languages, polarities and forms.

    \b
    Example: asker data sample my-data --count 300 --out to-read.tsv
    """
    notice()
    drawn = draw(read(folder), count, seed, [one.strip() for one in lang.split(",")])
    if out is None:
        for one in drawn:
            click.echo(f"{one.number:>4}  {one.question}")
        return
    with written_whole(out) as fresh, fresh.open("w", encoding="utf-8", newline="") as file:
        _write_sample(file, drawn)
    click.echo(f"{len(drawn):,} questions written to {out}", err=True)


def _write_sample(file: Any, drawn: list[Drawn]) -> None:
    """Tab-separated; the columns `verdict` and `note` are left to the reader."""
    writer = csv.writer(file, delimiter="\t", lineterminator="\n")
    writer.writerow([*Drawn.__struct_fields__, "verdict", "note"])
    writer.writerows([*msgspec.structs.astuple(one), "", ""] for one in drawn)

"""asker judge-eval: how well a judge agrees with people."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from asker.cli._evaluation import lines
from asker.cli.options import JSON
from asker.errors import InputError, shown
from asker.evaluate import Row, evaluate
from asker.evaluate.error import measure_error, save_error
from asker.items import Labelled, read_labelled
from asker.judging import open_judge, read_items
from asker.types import Item, Judge


@click.command("judge-eval")
@click.argument("labelled", type=click.Path(path_type=Path))
@click.option("--judge", default="stance", show_default=True, help="The judge to test.")
@click.option("--part", default=None, help="Only the lines whose `part` is this, for example held.")
@click.option("--errors", default=0, show_default=True, help="Print so many answers it misread.")
@click.option(
    "--save",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the judge's sensitivity and specificity to this file, for report --correct --judge-error FILE.",
)
@JSON
def command(labelled: Path, judge: str, part: str | None, errors: int, save: Path | None, as_json: bool) -> None:
    """Compare a judge with labels given by people.

    Accuracy, F1 and kappa, also per kind, language, source and group; which labels are taken for which; whether it errs
    more about some groups; whether it is right as often as its confidence says.

    \b
    Example: asker judge-eval tests/judges/labelled.jsonl --judge stance
             asker judge-eval tests/judges/labelled.jsonl --part held --save error.json
    """
    items, labels = _part(labelled, part)
    reader = open_judge(judge)
    verdicts = read_items(reader, items)
    rows = list(zip(items, labels, verdicts, strict=True))
    found = evaluate(items, labels, verdicts)
    if as_json:
        about = {"judge": judge, "version": reader.version, "part": part}
        click.echo(msgspec.json.encode(about | msgspec.structs.asdict(found)))
    else:
        click.echo("\n".join([f"{judge} {reader.version} on {len(items):,} labelled answers", "", *lines(found)]))
        _say_errors(rows, errors)
    if save:
        _save(rows, reader, labelled, part, save)


def _part(file: Path, part: str | None) -> tuple[list[Item], list[Labelled]]:
    items, labels = read_labelled(file)
    if part is None:
        return items, labels
    kept = [both for both in zip(items, labels, strict=True) if both[1].part == part]
    if not kept:
        parts = sorted({label.part for label in labels if label.part})
        raise InputError(f"{file} has no line whose part is '{part}'. Parts there: {', '.join(parts) or 'none'}")
    return [item for item, _ in kept], [label for _, label in kept]


def _say_errors(rows: list[Row], most: int) -> None:
    wrong = [row for row in rows if row[1].label != row[2].label]
    for item, truth, verdict in wrong[:most]:
        click.echo(f"\n{shown(item.question, 500)}\n  {shown(item.answer, 2000)}")
        click.echo(f"  label {truth.label}, judged {verdict.label}: {verdict.why!r}")


def _save(rows: list[Row], reader: Judge, file: Path, part: str | None, save: Path) -> None:
    which = f"{file.name}, part {part}" if part else file.name
    save_error(measure_error(rows, reader.name, reader.version, f"{which}: {len(rows)} answers"), save)
    click.echo(f"the error of {reader.name}, version {reader.version}, is in {save}", err=True)
    if part is None and any(truth.part for _, truth, _ in rows):
        click.echo("the file has parts; a judge errs less on what it was tuned on: consider --part", err=True)

"""asker plan: what would be asked."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import click
import msgspec

from asker.cli import notice
from asker.cli.options import FILE, JSON, WHAT, settings, with_flags
from asker.export import write_questions
from asker.run import plan_for


@click.command("plan")
@FILE
@with_flags(WHAT)
@click.option(
    "--questions", type=click.Path(path_type=Path), help="Write all questions to a .parquet, .csv or .jsonl file."
)
@click.option("--show", default=8, show_default=True, help="How many sample questions to print.")
@JSON
def command(file: Path | None, questions: Path | None, show: int, as_json: bool, **flags: Any) -> None:
    """Count the questions, show a sample, or write them all to a file.

    \b
    Example: asker plan --preset paper-api --mode paper
             asker plan --attributes gender --lang zh --questions questions.csv
    """
    chosen = settings(flags, file)
    dataset, plan = plan_for(chosen)
    counts = {**plan.counts, "total": plan.total}
    if as_json:
        about = {
            **counts,
            "groups": len(dataset.groups),
            "properties": len(dataset.properties),
            "samples": chosen.samples,
        }
        click.echo(msgspec.json.encode({**about, "answers": plan.total * chosen.samples, "formula": plan.formula}))
    else:
        _print(chosen, dataset, plan, counts, show)
    if questions:
        notice()
        written = write_questions(plan, questions)
        click.echo(f"{written:,} questions written to {questions}", err=True)


def _print(chosen: Any, dataset: Any, plan: Any, counts: dict[str, int], show: int) -> None:
    notice()
    size = f"{len(dataset.groups)} groups, {len(dataset.properties)} properties"
    click.echo(f"\n{size}, mode {chosen.mode}, seed {chosen.seed}\n")
    for name, count in counts.items():
        click.echo(f"  {name:<10} {count:>15,}")
    click.echo(
        "\nHow the whole comes about"
        + (" (a budget or slice takes part of it)" if plan.total < plan.layout.total else "")
        + ":"
    )
    for line in plan.formula:
        click.echo(f"  {line}")
    if show:
        click.echo("\nA sample:")
        for question in sample(plan, show, chosen.seed):
            click.echo(f"  {question.kind:<7} {question.prompt}")


def sample(plan: Any, count: int, seed: int) -> list[Any]:
    """Questions from as many rows as wanted, one of each."""
    rng = random.Random(seed)
    rows = [row for _, row in zip(range(count), plan.rows(), strict=False)]
    return [plan.question(rng.choice(row)) for row in rows]

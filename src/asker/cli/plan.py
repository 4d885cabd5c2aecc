"""asker plan: what would be asked."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path
from typing import Any

import click
import msgspec

from asker.cli import notice
from asker.cli.options import FILE, HOW, JSON, WHAT, WHOM, settings, with_flags
from asker.config import Settings
from asker.export import write_questions
from asker.progress import duration
from asker.run import plan_for
from asker.spending import expected, price_of

ANSWER = 100  # tokens we suppose an answer has when no limit is set


@click.command("plan")
@FILE
@with_flags(WHAT, WHOM, HOW)
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
            "answers": plan.total * chosen.samples,
            "formula": plan.formula,
            "left_out": plan.left_out,
        }
        click.echo(msgspec.json.encode(about))
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
    for line in plan.left_out:
        click.echo(f"\n{line}")
    about = cost(chosen, plan)
    dollars = f", about ${about['dollars']:,.2f}" if about["dollars"] is not None else ""
    minutes = f", {duration(60 * about['minutes'])} at this rate" if about["minutes"] is not None else ""
    tokens = f"{about['tokens_in']:,} tokens in, {about['tokens_out']:,} out"
    click.echo(f"\nAbout {tokens} with answers of {chosen.max_tokens or ANSWER} tokens{dollars}{minutes}")
    if show:
        click.echo("\nA sample:")
        for question in sample(plan, show, chosen.seed):
            click.echo(f"  {question.kind:<7} {question.prompt}")


def cost(chosen: Settings, plan: Any) -> dict[str, float | None]:
    """About what asking it all takes: tokens, dollars where the price is known, minutes where a rate is set."""
    answers = plan.total * chosen.samples
    usage = expected([one.prompt for one in sample(plan, 200, 0)], answers, chosen.max_tokens or ANSWER)
    price = price_of(chosen.target, chosen.price)
    dollars = price.of(usage.tokens_in, usage.tokens_out) if price else None
    minutes = answers / chosen.rate if chosen.rate else None
    return {"tokens_in": usage.tokens_in, "tokens_out": usage.tokens_out, "dollars": dollars, "minutes": minutes}


def sample(plan: Any, count: int, seed: int) -> list[Any]:
    """Questions from as many rows as there are, one of each, and then once more."""
    rng = random.Random(seed)
    rows = list(islice(plan.rows(), count))
    return [plan.question(rng.choice(rows[number % len(rows)])) for number in range(min(count, plan.total))]

"""asker plan: what would be asked, what it takes, and what it can show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from asker.cli import notice
from asker.cli._power import SUPPOSED, Wish, hint, lines, say, wish_for
from asker.cli.options import FILE, HOW, JSON, JUDGE, WHAT, WHOM, Sectioned, settings, with_flags
from asker.config import Settings
from asker.errors import InputError
from asker.export import write_questions
from asker.folder import suite_of
from asker.foresight import ANSWER, cost, power_of, sample, variants
from asker.progress import duration
from asker.registration import register, write
from asker.run import plan_for
from asker.stats.power import Design


@click.command("plan", cls=Sectioned)
@FILE
@with_flags(WHOM, WHAT, HOW, JUDGE)
@click.option(
    "--questions", type=click.Path(path_type=Path), help="Write all questions to a .parquet, .csv or .jsonl file."
)
@click.option("--show", default=8, show_default=True, help="How many sample questions to print.")
@click.option("--detect", type=float, help="Find the smallest --budget that shows this difference between two groups.")
@click.option(
    "--register",
    "register_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write plan, judge and claims into this file, with a fingerprint, before anything is asked.",
)
@click.option(
    "--claim",
    "claims",
    multiple=True,
    metavar="RULE",
    help="What you claim, as a rule of 'asker gate'; can be given more than once.",
)
@JSON
def command(
    file: Path | None,
    questions: Path | None,
    show: int,
    detect: float | None,
    register_file: Path | None,
    claims: tuple[str, ...],
    as_json: bool,
    **flags: Any,
) -> None:
    """Count the questions, tell what they cost and can show, print a sample, or write them all to a file.

    \b
    Example: asker plan --preset paper-api --mode paper
             asker plan --preset full --attributes gender --detect 0.1
             asker plan --attributes gender --lang zh --questions questions.csv
             asker plan --target alice --budget 600 --register claims.json --claim 'absolute.high <= 0.3'
    """
    if claims and not register_file:
        raise InputError("--claim belongs to a registration: name its file with --register")
    chosen = settings(flags, file)
    source, plan = plan_for(chosen)
    suite = suite_of(chosen)
    design = suite.design(plan, chosen.samples) if hasattr(suite, "design") else None
    if detect is not None and design is None:
        raise InputError(f"--detect is nothing to the suite '{chosen.suite}', which compares no groups; leave it out")
    wish = wish_for(detect, chosen, source) if detect is not None else None
    size = suite.size(source)
    if as_json:
        click.echo(_figures(chosen, size, plan, design, wish))
    else:
        _print(chosen, size, plan, design, wish, show)
    if questions:
        notice(chosen.suite)
        written = write_questions(plan, questions)
        click.echo(f"{written:,} questions written to {questions}", err=True)
    if register_file:
        made = register(chosen, source, plan, claims)
        write(made, register_file)
        click.echo(f"registered in {register_file}; publish its fingerprint: {made.fingerprint}", err=True)


def _figures(chosen: Settings, size: dict[str, int], plan: Any, design: Design | None, wish: Wish | None) -> bytes:
    about = {
        **plan.counts,
        "total": plan.total,
        **size,
        "samples": chosen.samples,
        "answers": plan.total * chosen.samples * (len(variants(chosen)) or 1),
        "variants": [name for name, _ in variants(chosen)],
        "formula": plan.formula,
        "left_out": plan.left_out,
        "cost": cost(chosen, plan),
        "power": power_of(design) if design else None,
        "detect": wish,
    }
    return msgspec.json.encode(about)


def _print(
    chosen: Settings, size: dict[str, int], plan: Any, design: Design | None, wish: Wish | None, show: int
) -> None:
    notice(chosen.suite)
    contents = ", ".join(f"{count:,} {what}" for what, count in size.items())
    click.echo(f"\n{contents}, mode {chosen.mode}, seed {chosen.seed}\n")
    for name, figure, about in (*_counts(chosen, plan), *_cost(chosen, plan), *(lines(design) if design else ())):
        click.echo(f"  {name:<10} {figure:>15}  {about}".rstrip())
    told = (say(wish, design, chosen) if wish else hint(design), SUPPOSED) if design else ()
    for line in (*told, *plan.left_out):
        click.echo(f"\n{line}" if line else "", nl=bool(line))
    part = " (a budget or slice takes part of it)" if plan.total < plan.whole else ""
    click.echo(f"\nHow the whole comes about{part}:")
    for line in plan.formula:
        click.echo(f"  {line}")
    if show:
        click.echo("\nA sample:")
        for question in sample(plan, show, chosen.seed):
            click.echo(f"  {question.kind:<9} {question.prompt}")


def _counts(chosen: Settings, plan: Any) -> list[tuple[str, str, str]]:
    meaning = {"absolute": "questions that compare two groups", "relative": "questions about one group"}
    found = [(name, f"{count:,}", meaning.get(name, "")) for name, count in plan.counts.items()]
    times = f", each asked {chosen.samples} times" if chosen.samples > 1 else ""
    total = ("total", f"{plan.total:,}", f"questions{times}")
    names = [name for name, _ in variants(chosen)]
    swept = ("answers", f"{plan.total * chosen.samples * len(names):,}", f"in all, under {', '.join(names)}")
    return [*found, total, *([swept] if names else [])]


def _cost(chosen: Settings, plan: Any) -> list[tuple[str, str, str]]:
    about = cost(chosen, plan)
    dollars = "unknown" if about["dollars"] is None else f"${about['dollars']:,.2f}"
    known = "about" if about["dollars"] is not None else "give --price IN,OUT for a model that we have no price of"
    time = "unknown" if about["minutes"] is None else duration(60 * about["minutes"])
    rate = f"at {chosen.rate:g} requests a minute" if chosen.rate else "give --rate, requests a minute"
    return [
        ("tokens in", f"{about['tokens_in']:,}", "about"),
        ("tokens out", f"{about['tokens_out']:,}", f"with answers of {chosen.max_tokens or ANSWER} tokens"),
        ("cost", dollars, known),
        ("time", time, rate),
    ]

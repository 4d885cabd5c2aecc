"""asker logic: decide arguments that a user brings."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any, BinaryIO

import click
import msgspec

from asker.cli._demos import demos
from asker.cli.options import JSON
from asker.errors import shown
from asker.files import encodable
from asker.logic.model import in_words
from asker.logic.notation import Convention
from asker.logic.published import Unreadable, Verdict, verdicts


@click.group("logic")
def command() -> None:
    """Decide arguments written as formulas.

    \b
    Example: asker logic prove arguments.jsonl
    """


command.add_command(demos)


@command.command("prove")
@click.argument("file", type=click.File("rb"))
@click.option("--timeout", type=click.FloatRange(min=0.001), default=10, show_default=True, help="Seconds for a proof.")
@click.option(
    "--quantifiers", type=click.Choice(["tight", "wide"]), default="tight", help="wide: ∀x P → Q is ∀x (P → Q)."
)
@click.option("--xor", type=click.Choice(["brackets", "before-or", "after-or"]), default="brackets", help="⊕ beside ∨.")
@JSON
def prove(file: BinaryIO, timeout: float, quantifiers: Any, xor: Any, as_json: bool) -> None:
    """Say whether the conclusion is entailed, contradicted or undetermined, the premises inconsistent, or all unknown.

    FILE has one JSON object on a line, with `premises` (a list of formulas) and `conclusion`; - reads what is piped in.
    A line that cannot be read is told with its column and the reason, the others go on, and the exit code is 1.

    \b
    Example: asker logic prove arguments.jsonl
             echo '{"premises": ["∀x (Man(x) → Mortal(x))", "Man(socrates)"], "conclusion": "Mortal(socrates)"}' \\
                 | asker logic prove - --json
    """
    counts: Counter[str] = Counter()
    for one in verdicts(file, timeout, Convention(quantifiers, xor)):
        click.echo(msgspec.json.encode(one.as_json()) if as_json else "\n".join(_told(one)))
        counts.update([*one.counted()])
    click.echo(_summary(counts), err=as_json)
    sys.exit(1 if counts["unreadable"] else 0)


def _told(one: Verdict | Unreadable) -> list[str]:
    if isinstance(one, Unreadable):
        lines = [f"line {one.line}: {one.place}: {one.reason}"]
        return [shown(encodable(line), 500) for line in lines + _pointed(one)]
    lines = [f"line {one.line}: {one.proof.result}{_because(one)}"]
    if one.proof.result == "undetermined":
        for word, model in (("true ", one.proof.model), ("false", one.proof.counter_model)):
            lines.append(f"    {word} if {in_words(model)}" if model else "")
    lines += [f"    note: {note}" for note in one.notes]
    return [shown(encodable(line), 1000) for line in lines]


def _pointed(one: Unreadable) -> list[str]:
    """The formula with a mark under the place, where it fits on a line."""
    if not one.text or one.column > 100:
        return []
    return [f"    {one.text}", "    " + " " * (one.column - 1) + "^"]


def _because(one: Verdict) -> str:
    core = [str(place + 1) for place in one.proof.core]
    if one.proof.result == "inconsistent":
        return f": premise{'s' * (len(core) > 1)} {', '.join(core)} cannot be true{' together' * (len(core) > 1)}"
    if one.proof.result in ("entailed", "contradicted"):
        return f" by premise{'s' * (len(core) > 1)} {', '.join(core)}" if core else " by no premise at all"
    return f", {one.proof.note}" if one.proof.note else ""


def _summary(counts: Counter[str]) -> str:
    results: list[Any] = [f"{counts[name]:,} {name}" for name in Verdict.RESULTS if counts[name]]
    said = f"{counts['lines']:,} lines: {', '.join(results) or 'nothing in it'}"
    labelled = counts["labelled"]
    return said + (f"; {counts['agree']:,} of {labelled:,} labels agree" if labelled else "")

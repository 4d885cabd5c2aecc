"""asker judge-eval: how well a judge agrees with people."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from asker.cli.options import JSON
from asker.evaluate import Score, evaluate
from asker.items import read_labelled
from asker.judging import open_judge, read_items


@click.command("judge-eval")
@click.argument("labelled", type=click.Path(path_type=Path))
@click.option("--judge", default="stance", show_default=True, help="The judge to test.")
@click.option("--errors", default=0, show_default=True, help="Print so many answers it misread.")
@JSON
def command(labelled: Path, judge: str, errors: int, as_json: bool) -> None:
    """Compare a judge with labels given by people: accuracy, F1 and kappa, also per kind, language and group.

    \b
    Example: asker judge-eval tests/judges/labelled.jsonl --judge stance
    """
    items, labels = read_labelled(labelled)
    verdicts = read_items(open_judge(judge), items)
    scores = evaluate(items, labels, verdicts)
    if as_json:
        click.echo(msgspec.json.encode({"judge": judge, "scores": scores}))
        return
    click.echo(f"{judge} on {len(items)} labelled answers\n")
    click.echo(f"{'':<28}{'n':>6}{'accuracy':>22}{'macro F1':>10}{'kappa':>8}")
    for score in scores:
        click.echo(_line(score))
    wrong = [(i, t, v) for i, t, v in zip(items, labels, verdicts, strict=True) if t.label != v.label]
    for item, truth, verdict in wrong[:errors]:
        click.echo(
            f"\n{item.question}\n  {item.answer}\n  label {truth.label}, judged {verdict.label}: {verdict.why!r}"
        )


def _line(score: Score) -> str:
    accuracy = score.accuracy
    shown = (
        f"{accuracy.value:.3f} [{accuracy.low:.3f}, {accuracy.high:.3f}]" if accuracy.value is not None else "no data"
    )
    kappa = f"{score.kappa:.3f}" if score.kappa is not None else "–"
    f1 = f"{score.macro_f1:.3f}" if score.macro_f1 is not None else "–"
    return f"{score.name:<28}{accuracy.n:>6}{shown:>22}{f1:>10}{kappa:>8}"

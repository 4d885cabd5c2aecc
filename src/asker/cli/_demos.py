"""asker logic demos: worked examples from the rules a run shows to be weak."""

from __future__ import annotations

from pathlib import Path

import click

from asker.cli.options import RUN
from asker.errors import InputError
from asker.files import written_whole
from asker.folder import open_run
from asker.run import judge_run

EACH_TO_TRAIN = 20


@click.command("demos")
@RUN
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Where to (default: standard output).")
@click.option("--each", type=click.IntRange(1, 1000), default=None, help="Examples of each rule and form (default 1).")
@click.option(
    "--fine-tune",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a training set instead: chat messages only, one conversation a line, --each examples (default 20).",
)
@click.option("--judge", default=None, help="Whose verdicts tell the weak rules (default: the run's judge).")
def demos(run: Path, out: Path | None, each: int | None, fine_tune: Path | None, judge: str | None) -> None:
    """Write worked examples, with proofs in words, from the rules that a run shows to be weak.

    They are other cases than those of the run. Show them with `asker run --suite logic --demos FILE`, or write a set to
    train on with --fine-tune: lines with `messages`, a user's and an assistant's, as trainers of chat models read them.

    \b
    Example: asker logic demos runs/bot-quick-sound-1f2e3d4c --out demos.jsonl
             asker run --suite logic --target openai:my-model --demos demos.jsonl
             asker logic demos runs/bot-quick-sound-1f2e3d4c --fine-tune train.jsonl --each 50
    """
    from asker.suites.logic.demos import demonstrations, for_training, write
    from asker.suites.logic.measures import Measures

    opened = open_run(run)
    try:
        if opened.settings.suite != "logic":
            raise InputError(f"{run} is a run of the suite '{opened.settings.suite}'; demonstrations are of logic")
        if opened.plan.source.given:
            raise InputError(
                f"{run} asked somebody else's cases; demonstrations are made from the rules of a run of ours"
            )
        if out and fine_tune:
            raise InputError("--out and --fine-tune write one file each; name one of them")
        judge_run(opened, judge)
        rows = opened.store.outcomes(judge or opened.judge_name)
        measures = Measures(opened.plan, rows, opened.settings.samples, opened.settings.important)
        found = demonstrations(opened.plan, measures, opened.settings, each or (EACH_TO_TRAIN if fine_tune else 1))
    finally:
        opened.close()
    content = for_training(found) if fine_tune else write(found)
    file = fine_tune or out
    if file:
        with written_whole(file) as fresh:
            fresh.write_bytes(content)
    else:
        click.echo(content, nl=False)
    click.echo(f"{len(found)} examples of {len({one.rule for one in found})} rules", err=True)

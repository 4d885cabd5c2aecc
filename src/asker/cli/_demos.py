"""asker logic demos: worked examples from the rules a run shows to be weak."""

from __future__ import annotations

from pathlib import Path

import click

from asker.cli.options import RUN
from asker.errors import InputError
from asker.folder import open_run
from asker.run import judge_run


@click.command("demos")
@RUN
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Where to (default: standard output).")
@click.option(
    "--each", type=click.IntRange(1, 100), default=1, show_default=True, help="Examples of each rule and form."
)
@click.option("--judge", default=None, help="Whose verdicts tell the weak rules (default: the run's judge).")
def demos(run: Path, out: Path | None, each: int, judge: str | None) -> None:
    """Write worked examples, with proofs in words, from the rules that a run shows to be weak.

    They are other cases than those of the run. Show them with `asker run --suite logic --demos FILE`, or train on their
    `messages`, which services that fine-tune chat models take as they are.

    \b
    Example: asker logic demos runs/bot-quick-sound-1f2e3d4c --out demos.jsonl
             asker run --suite logic --target openai:my-model --demos demos.jsonl
    """
    from asker.suites.logic.demos import demonstrations, write
    from asker.suites.logic.measures import Measures

    opened = open_run(run)
    try:
        if opened.settings.suite != "logic":
            raise InputError(f"{run} is a run of the suite '{opened.settings.suite}'; demonstrations are of logic")
        judge_run(opened, judge)
        rows = opened.store.outcomes(judge or opened.judge_name)
        measures = Measures(opened.plan, rows, opened.settings.samples, opened.settings.important)
        found = demonstrations(opened.plan, measures, opened.settings, each)
    finally:
        opened.close()
    out.write_bytes(write(found)) if out else click.echo(write(found), nl=False)
    click.echo(f"{len(found)} examples of {len({one.rule for one in found})} rules", err=True)

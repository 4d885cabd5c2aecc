"""asker report: measure a run and write its page."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from asker.cli import notice
from asker.cli.options import FINGERPRINT, JSON, REGISTERED, RUN
from asker.errors import InputError
from asker.folder import Run, is_sweep, open_run
from asker.registration import held, read, with_registration
from asker.run import judge_run, measure_run, write_page
from asker.types import JudgeError, Report


@click.command("report")
@RUN
@click.option("--judge", default=None, help="Whose verdicts to report (default: the run's judge).")
@click.option(
    "--people",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Ratings of groups by people, to set beside: the JSON file of the U.S. stereotypes survey (see docs/data.md).",
)
@click.option("--correct", is_flag=True, help="Show rates corrected for the judge's measured error beside the others.")
@click.option(
    "--judge-error",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Correct by this error, written by 'asker judge-eval --save', instead of the one that ships.",
)
@click.option(
    "--important",
    type=click.FloatRange(0, 1),
    help="Rates that differ by less are not called different, however certain it is (default: as the run was made).",
)
@click.option(
    "--margin", type=click.FloatRange(0), help="Of a survey: scores this near to people's are called like people."
)
@click.option("--redacted", is_flag=True, help="A copy to share, report-redacted.html: no answers, all figures.")
@REGISTERED
@FINGERPRINT
@JSON
def command(
    run: Path,
    judge: str | None,
    people: Path | None,
    correct: bool,
    judge_error: Path | None,
    important: float | None,
    margin: float | None,
    redacted: bool,
    registered: Path | None,
    fingerprint: str | None,
    as_json: bool,
) -> None:
    """Measure a run and write its page. Asks nothing.

    \b
    Example: asker report runs/alice-quick-sound-1f2e3d4c
             asker report runs/alice-quick-sound-1f2e3d4c --people Aggregated_scores.json
             asker report runs/alice-quick-sound-1f2e3d4c --correct --important 0.1
             asker report runs/alice-quick-sound-1f2e3d4c --redacted --registered claims.json
    """
    if is_sweep(run):
        if people or correct or judge_error or redacted or registered or important is not None or margin is not None:
            raise InputError(f"{run} is a sweep; of these flags it knows --judge and --json. Name one of its runs")
        from asker.cli._sweep import report_sweep  # what compares takes long to import

        report_sweep(run, judge, as_json)
        return
    opened = open_run(run)
    notice(opened.settings.suite)
    changed = {name: value for name, value in (("important", important), ("margin", margin)) if value is not None}
    opened.settings = msgspec.structs.replace(opened.settings, **changed)
    try:
        judge_run(opened, judge)  # whatever has not been judged yet
        error = _judge_error(judge or opened.judge_name, judge_error) if correct or judge_error else None
        report = measure_run(opened, judge, people, error, redacted=redacted)
        if registered:
            report = with_registration(report, held(read(registered, fingerprint), opened, report, judge))
        page = write_page(opened, report, judge, redacted=redacted)
        click.echo(figures(opened, report)) if as_json else say_report(report, page)
    finally:
        opened.close()


def _judge_error(judge: str, file: Path | None) -> JudgeError:
    # `asker run` imports this module too, and what measures a judge takes a second to import.
    from asker.evaluate.error import error_of
    from asker.judging import open_judge

    return error_of(open_judge(judge), file)


def figures(run: Run, report: Report) -> bytes:
    """Every number of the report, for programs."""
    shown = {
        "run": str(run.folder),
        "target": run.file.target,
        "plan": {**run.plan.counts, "total": run.plan.total},
        "answers": run.store.counts(),
        "verdict": report.verdict,
        "summary": report.summary,
        "headline": report.headline,
        "tables": report.tables,
    }
    return msgspec.json.encode(shown)


def say_report(report: Report, page: Path) -> None:
    click.echo()
    for line in (*report.verdict, *report.summary):
        click.echo(f"  {line}")
    what = "The copy without answers" if "redacted" in page.name else "The page with the evidence"
    click.echo(f"\n{what}: {page}\nOpen it in a browser: {page.resolve().as_uri()}")

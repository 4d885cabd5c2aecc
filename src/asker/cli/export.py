"""asker export: the records of a run for other programs, its figures for papers, its questions for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from asker.archive import archive, is_url
from asker.cli import notice
from asker.config import Settings, resolve
from asker.errors import InputError, shown
from asker.export import write_questions, write_records
from asker.export.model_card import model_card
from asker.export.questions import ENDINGS, write_for
from asker.export.rmf import rmf
from asker.files import written_whole
from asker.folder import Run, open_run, suite_of
from asker.judging import open_judge
from asker.run import bot_name, judge_run, measure_run, plan_for, repeat_command

PICTURES = ("svg", "png", "pdf")
WHERE = ("figures", "questions", "lm_eval", "huggingface", "model_card", "rmf")
OF_RUNS = ("figures", "model_card", "rmf")


@click.command("export")
@click.argument("run", type=click.Path(path_type=Path, exists=True))
@click.argument("file", required=False)
@click.option("--judge", default=None, help="Whose verdicts to write or measure (default: the run's judge).")
@click.option(
    "--figures", type=click.Path(path_type=Path, file_okay=False), help="Draw the page's figures into this folder."
)
@click.option(
    "--questions",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the questions, in another tool's --format.",
)
@click.option(
    "--format", "formats", type=click.Choice([*PICTURES, *ENDINGS]), multiple=True,
    help="What figures are drawn as (default svg), or which tool reads the questions; can be given more than once.",
)  # fmt: skip
@click.option(
    "--only",
    multiple=True,
    metavar="NAME",
    help="Only figures of this name, * for anything; can be given more than once.",
)
@click.option(
    "--lm-eval", type=click.Path(path_type=Path, file_okay=False), help="A task folder for lm-evaluation-harness."
)
@click.option(
    "--huggingface", type=click.Path(path_type=Path, file_okay=False), help="A folder for `datasets`, with a card."
)
@click.option(
    "--model-card", type=click.Path(path_type=Path, dir_okay=False), help="The result as sections of a model card, .md."
)
@click.option(
    "--rmf", type=click.Path(path_type=Path, dir_okay=False), help="The result beside NIST AI RMF, MEASURE, .md."
)
def command(run: Path, file: str | None, **wishes: Any) -> None:
    """Write the records of a run as Parquet, CSV or JSON lines, by the file's ending; or its figures, its questions for
    other tools, a task for lm-evaluation-harness, a folder for Hugging Face's datasets.

    RUN is a run's folder; for questions, tasks and data sets a file of settings (audit.toml) will do.

    Given a URL (s3://…, file://…, whatever fsspec knows), the whole run is archived there; see 'asker restore'.

    \b
    Example: asker export runs/alice-quick-sound-1f2e3d4c records.parquet
             asker export runs/alice-quick-sound-1f2e3d4c s3://audits/alice-2026
             asker export runs/alice-quick-sound-1f2e3d4c --figures figures --format pdf --format png
             asker export runs/alice-quick-sound-1f2e3d4c --figures figures --only 'favour-*' --only by-attribute
             asker export audit.toml --questions promptfooconfig.yaml --format promptfoo
             asker export audit.toml --lm-eval tasks/asker
             asker export runs/alice-quick-sound-1f2e3d4c --huggingface dataset
             asker export runs/alice-quick-sound-1f2e3d4c --model-card card.md --rmf rmf.md
    """
    if file is None and not any(wishes[name] for name in WHERE):
        flags = ", ".join("--" + name.replace("_", "-") for name in WHERE)
        raise InputError(f"nothing to write: name a file (.parquet, .csv, .jsonl), or give one of {flags}")
    if run.is_file():
        _of_plan(run, file, wishes)
        return
    opened = open_run(run)
    notice(opened.settings.suite)
    open_judge(wishes["judge"] or opened.judge_name)  # a misspelt name would give records without verdicts
    try:
        if file is not None and is_url(file):
            found = archive(opened, file)
            click.echo(f"{found.answers:,} answers and {found.verdicts:,} verdicts archived at {file}", err=True)
        elif file is not None:
            click.echo(f"{write_records(opened, Path(file), wishes['judge']):,} records written to {file}", err=True)
        if wishes["figures"] is not None:
            _draw(opened, wishes)
        _for_tools(opened.settings, opened.source, opened.plan, wishes, opened)
        _for_auditors(opened, wishes)
    finally:
        opened.close()


def _of_plan(settings_file: Path, file: str | None, wishes: dict[str, Any]) -> None:
    if file is not None or any(wishes[name] for name in OF_RUNS):
        raise InputError(
            f"{settings_file} is a file of settings: what was found needs a run; make one with 'asker run'"
        )
    settings = resolve({}, settings_file)
    notice(settings.suite)
    _for_tools(settings, *plan_for(settings), wishes, None)


def _for_tools(settings: Settings, source: Any, plan: Any, wishes: dict[str, Any], run: Run | None) -> None:
    if wishes["questions"]:
        _questions(plan, wishes["questions"], [one for one in wishes["formats"] if one in ENDINGS])
    if wishes["lm_eval"]:
        from asker.api.hosted import Hosted
        from asker.export.lm_eval import write_task

        figures = list(Hosted(settings, source, plan).headline([]))
        name = write_task(settings, source, plan, figures, wishes["lm_eval"])
        click.echo(f"the task {name} is in {wishes['lm_eval']}: lm-eval run --tasks {name} --include_path …", err=True)
    if wishes["huggingface"]:
        from asker.export.huggingface import write_folder

        found = None
        if run:
            judge_run(run, wishes["judge"])
            found = run, measure_run(run, wishes["judge"])
        parts = write_folder(settings, source, plan, wishes["huggingface"], found)
        click.echo(f"a data set of {parts} configurations is in {wishes['huggingface']}", err=True)


def _for_auditors(run: Run, wishes: dict[str, Any]) -> None:
    """Neither quotes an answer."""
    if not (wishes["model_card"] or wishes["rmf"]):
        return
    judge = wishes["judge"] or run.judge_name
    judge_run(run, judge)
    report = measure_run(run, judge, redacted=True)
    if wishes["model_card"]:
        sensitive = suite_of(run.settings).SENSITIVE
        _write(wishes["model_card"], model_card(run, report, bot_name(run), judge, sensitive=sensitive))
    if wishes["rmf"]:
        _write(wishes["rmf"], rmf(run, report, judge, repeat_command(run.file.settings)))


def _write(file: Path, text: str) -> None:
    with written_whole(file) as fresh:
        fresh.write_text(text, "utf-8")
    click.echo(f"written: {shown(str(file), 300)}", err=True)


def _questions(plan: Any, file: Path, tools: list[str]) -> None:
    if len(tools) > 1:
        raise InputError(f"one --format for one file of questions, not {', '.join(tools)}")
    written = write_for(tools[0], plan, file) if tools else write_questions(plan, file)
    click.echo(f"{written:,} questions written to {file}", err=True)


def _draw(run: Run, wishes: dict[str, Any]) -> None:
    from asker.report.figures import draw_tables  # a big library, needed only here

    judge_run(run, wishes["judge"])  # whatever has not been judged yet
    report = measure_run(run, wishes["judge"])
    endings = [one for one in wishes["formats"] if one in PICTURES] or ["svg"]
    for file in draw_tables(report.tables, wishes["figures"], endings, wishes["only"]):
        click.echo(f"drawn: {shown(str(file), 300)}", err=True)

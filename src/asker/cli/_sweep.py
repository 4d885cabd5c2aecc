"""asker run --sweep: the same plan under several variants, and one page that compares them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from asker.asking.session import Outcome
from asker.cli import notice
from asker.cli._comparison import BEYOND, columns
from asker.cli.ask import end_with, say_failures, say_outcome
from asker.compare.words import change_text
from asker.config import Settings
from asker.errors import InputError, StoreError
from asker.files import written_whole
from asker.folder import Run, open_or_make, open_run
from asker.report.sweep import headed, own_cell
from asker.run import ask_run, judge_run, measure_run, plan_for, purse_for, repeat_command, target_of, write_page
from asker.suites.bias.contrast import PHRASES
from asker.sweep import Factor, Swept, factor_of, measure, open_sweep, settings_of, variants_in
from asker.sweep.folder import place_of
from asker.sweep.measure import Figure, Measure
from asker.sweep.words import answer, sentences
from asker.types import Plan, Source


def run_sweep(chosen: Settings, as_json: bool) -> None:
    """Ask every variant, one after the other, and report."""
    factor = factor_of(chosen)
    notice(chosen.suite)
    source, plan = plan_for(chosen)
    folder = place_of(chosen, factor, source.hash)
    variants = settings_of(chosen, factor, folder)
    _try(variants, plan)
    open_sweep(folder, chosen, factor, source.hash, repeat_command(chosen))
    total = plan.total * chosen.samples
    click.echo(f"Asking {chosen.target} {total:,} questions under each of {len(variants)} variants …", err=True)
    click.echo(f"The sweep is kept in {folder}", err=True)
    outcome = _ask_all(factor, variants, source, plan)
    report_sweep(folder, None, as_json)
    end_with(outcome, folder)


def _try(variants: list[Settings], plan: Plan) -> None:
    """A variant that this chatbot cannot obey should be found before anything is asked."""
    for one in variants:
        purse_for(one)
        asyncio.run(target_of(one, plan).close())


def _ask_all(factor: Factor, variants: list[Settings], source: Source, plan: Plan) -> Outcome:
    """Until all are asked, or one cannot go on."""
    for number, (variant, one) in enumerate(zip(factor.variants, variants, strict=True), 1):
        click.echo(f"‘{variant.name}’, {number} of {len(variants)}:", err=True)
        target = target_of(one, plan)
        run = open_or_make(one, source, plan, target)
        try:
            outcome = ask_run(run, target)
            say_outcome(outcome)
            say_failures(run)
        finally:
            run.close()
        if outcome.ended in ("unusable", "stopped"):
            break
    return outcome


def report_sweep(folder: Path, judge: str | None, as_json: bool) -> None:
    """Measure every variant that has answers, write its page, and the one that compares them."""
    file, opened = variants_in(folder), list[Run]()
    asked = []
    try:
        for kept in file.variants:
            if not (folder / kept.folder / "run.json").exists():
                continue
            run = open_run(folder / kept.folder)
            opened.append(run)
            if run.store.counts()["answered"]:
                judge_run(run, judge)
                report = measure_run(run, judge)
                write_page(run, report, judge)
                asked.append((kept, run, report))
        if not asked:
            raise InputError(f"nothing is answered in {folder} yet; give the command of the sweep again")
        found = measure(file, asked, judge)
    finally:
        for run in opened:
            run.close()
    page = _write(found, folder)
    click.echo(msgspec.json.encode(_figures(found, folder))) if as_json else _say(found, page)


def _write(found: Swept, folder: Path) -> Path:
    from asker.sweep.page import page_of  # templates are only needed here

    page = folder / "report.html"
    with written_whole(page, StoreError) as fresh:
        fresh.write_text(page_of(found), encoding="utf-8")
    return page


def _figures(found: Swept, folder: Path) -> dict[str, object]:
    """Every number, for programs."""
    return {
        "sweep": str(folder),
        "verdict": answer(found),
        "summary": sentences(found),
        **{name: value for name, value in msgspec.structs.asdict(found).items() if name != "examples"},
    }


def _say(found: Swept, page: Path) -> None:
    click.echo()
    for line in (*answer(found), "", *sentences(found)):
        click.echo(f"  {line}" if line else "")
    for line in (*_table(found), *(f"Note: {note}" for note in found.notes)):
        click.echo(line)
    click.echo(f"\nThe page that compares them: {page}\nOpen it in a browser: {page.resolve().as_uri()}")


def _table(found: Swept) -> Iterator[str]:
    """The main measures, each with a row for each variant."""
    for one in found.measures:
        if not headed(one.name).main:
            continue
        compared = any(figure.change for figure in one.figures)
        heads = ["by itself", "", *([f"less ‘{found.baseline}’"] if compared else [])]
        lines = [_line(one, figure)[: len(heads)] for figure in one.figures]
        yield ""
        yield from columns(headed(one.name).label, heads, [one.name for one in found.variants], lines)
    if not found.untested:
        yield f"Rates differ by points. {BEYOND}: beyond chance, all {found.looks} differences counted."


def _line(measure: Measure, figure: Figure) -> list[str]:
    own = own_cell(measure.name, figure.estimate, [one.estimate for one in measure.figures])
    change = figure.change
    less = change_text(PHRASES[measure.name], change) + BEYOND * change.beyond_chance if change else ""
    return [f"{own.value} {own.bounds}".strip(), own.title, less]

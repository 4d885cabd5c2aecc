"""asker gate: hold a run against limits."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click
import msgspec

from asker.cli.options import FINGERPRINT, JSON, REGISTERED, RUN
from asker.errors import InputError, shown
from asker.files import written_whole
from asker.folder import open_run
from asker.gate.junit import junit
from asker.gate.limits import Check, Gate, check, exit_code, figures, plain, read_gate
from asker.registration import held, lines, read
from asker.run import judge_run, measure_run
from asker.types import Estimate, Report

MARK = {"kept": "ok", "broken": "FAIL", "no data": "NO DATA"}


@click.command("gate")
@RUN
@click.option(
    "--require",
    "--max",
    "rules",
    multiple=True,
    metavar="RULE",
    help="A rule to keep, for example 'absolute.high <= 0.1'.",
)
@click.option("--strict", is_flag=True, help="A rule that names no bound is kept only if the whole interval is within.")
@click.option(
    "--file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Rules from its section [gate] (default: audit.toml).",
)
@click.option(
    "--list",
    "listing",
    is_flag=False,
    flag_value="",
    default=None,
    metavar="[TABLE]",
    help="Show the figures that rules can name, and what they are; of one table if it is named.",
)
@click.option("--junit", "junit_file", type=click.Path(path_type=Path, dir_okay=False), help="Also write a JUnit file.")
@click.option("--judge", default=None, help="Whose verdicts to measure (default: the run's judge).")
@REGISTERED
@FINGERPRINT
@JSON
def command(
    run: Path,
    rules: tuple[str, ...],
    strict: bool,
    file: Path | None,
    listing: str | None,
    junit_file: Path | None,
    judge: str | None,
    registered: Path | None,
    fingerprint: str | None,
    as_json: bool,
) -> None:
    """Hold a run against limits, for continuous integration. Asks nothing.

    A rule is NAME[.value|.low|.high|.n|.missing] OP NUMBER. `absolute.high <= 0.1` is kept only if the rate is known to
    be that low; `absolute.low <= 0.1` is broken only if it is known to be higher, and so is plain `absolute <= 0.1`.
    With --registered the claims of a registration are the rules; a run that is not what was registered breaks it.
    Exit code 0: all rules are kept; 1: one is broken; 2: a figure has no data, or a rule cannot be read.

    \b
    Example: asker gate runs/mine --require 'absolute.high <= 0.1' --junit gate.xml
             asker gate runs/mine --list by-attribute
             asker gate runs/mine --registered claims.json
    """
    if registered:
        _registered(run, judge, registered, fingerprint, as_json)
    wanted = Gate(rules, strict) if rules or listing is not None else _from_file(file, strict)
    report = _measured(run, judge)
    if listing is not None:
        _list(report, listing, as_json)
        return
    found = check(wanted.require, report, strict=wanted.strict)
    if junit_file:
        with written_whole(junit_file) as fresh:
            fresh.write_bytes(junit(found, str(run)))
    click.echo(msgspec.json.encode(found)) if as_json else _say(found)
    raise click.exceptions.Exit(exit_code(found))


def _registered(run: Path, judge: str | None, file: Path, fingerprint: str | None, as_json: bool) -> None:
    """Hold the run against its registration, and end with its exit code."""
    found = read(file, fingerprint)
    opened = open_run(run)
    try:
        judge_run(opened, judge)
        result = held(found, opened, measure_run(opened, judge), judge)
    finally:
        opened.close()
    for line in (*lines(result),) if not as_json else ():
        click.echo(shown(line, 1000))
    if as_json:
        click.echo(msgspec.json.encode(result))
    raise click.exceptions.Exit(1 if result.changed else exit_code(result.claims))


def _from_file(file: Path | None, strict: bool) -> Gate:
    """The rules of the file that was named, or of the audit.toml that is here."""
    place = file or Path("audit.toml")
    found = read_gate(place) if file or place.is_file() else Gate()
    if not found.require:
        raise InputError(
            "there is no rule to hold the run against. Give one with --require 'absolute.high <= 0.1', or write "
            f'require = ["absolute.high <= 0.1"] into the section [gate] of {place}'
        )
    return Gate(found.require, strict or found.strict)


def _measured(folder: Path, judge: str | None) -> Report:
    opened = open_run(folder)
    try:
        judge_run(opened, judge)  # whatever has not been judged yet
        return measure_run(opened, judge)
    finally:
        opened.close()


def _say(found: list[Check]) -> None:
    for one in found:
        mark = MARK[one.result] + ("?" if one.doubtful else "")
        click.echo(f"{mark:<8} {shown(one.rule, 200)}: {shown(one.why, 500)}")


def _list(report: Report, table: str, as_json: bool) -> None:
    known = figures(report)
    if as_json:
        click.echo(msgspec.json.encode(known))
        return
    few = [name for name in known if "[" not in name]
    tables = Counter(name.partition("[")[0] for name in known if "[" in name)
    for name in few if not table else [name for name in known if name.startswith(f"{table}[")]:
        click.echo(f"{shown(name, 200):<60} {_estimate(known[name])}")
    if table and table not in tables:
        raise InputError(f"there is no table '{table}'; there are {', '.join(tables)}")
    if not table and tables:
        click.echo("\nAnd from tables, as TABLE[ROW, COLUMN]; --list TABLE shows one of them:")
        click.echo("  " + ", ".join(f"{name} ({count:,})" for name, count in tables.items()))


def _estimate(one: Estimate) -> str:
    if one.value is None:
        return f"no data, {one.missing:,} missing" if one.missing else "no data"
    ends = f" [{plain(one.low)}, {plain(one.high)}]" if one.low is not None and one.high is not None else ""
    return f"{plain(one.value)}{ends}, n {one.n:,}" + (f", {one.missing:,} missing" if one.missing else "")

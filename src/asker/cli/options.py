"""The flags that several verbs share, each said once. A flag that is not given stays None, so that
environment and audit.toml come after it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from asker.config import Settings, resolve

F = TypeVar("F", bound=Callable[..., Any])
NUMBERS = frozenset(
    f"--{name}" for name in ("budget", "samples", "seed", "each", "distractors", "rounds", "temperature", "max-tokens",
                             "concurrency", "rate", "token-rate", "minutes", "max-cost", "max-total-tokens", "timeout",
                             "retries", "workers", "important", "margin")
)  # fmt: skip


REST = "Other"  # what has no heading, last


class Flag(click.Option):
    """One that stands under a heading of its own in the help."""

    def __init__(self, *args: Any, section: str = "", **more: Any) -> None:
        super().__init__(*args, **more)
        self.section = section


class Sectioned(click.Command):
    """Its help has a heading for each family of flags: fifty in one list are read by nobody."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        found: dict[str, list[tuple[str, str]]] = {}
        for one in self.get_params(ctx):
            if isinstance(one, click.Option) and (record := one.get_help_record(ctx)):
                found.setdefault(getattr(one, "section", REST), []).append(record)
        for name, records in sorted(found.items(), key=lambda both: both[0] == REST):
            with formatter.section(name):
                formatter.write_dl(records)


def _flag(name: str, help: str, **more: Any) -> Any:
    if name in NUMBERS:
        more = {"metavar": "N", **more}
    return partial(click.option, name, default=None, help=help, cls=Flag, **more)


def _under(section: str, flags: list[Any]) -> list[Any]:
    return [flag(section=section) for flag in flags]


WHAT = _under("What to ask", [
    _flag("--suite", "What to audit: bias (default); survey: statements to agree with, beside people; logic."),
    _flag("--preset", "How much: quick (default), paper-api, paper-manual, full."),
    _flag("--mode", "sound (default) or paper: the published wording, judge and measures."),
    _flag("--attributes", "Only groups of these attributes, for example gender,age."),
    _flag("--groups", "Only these groups, for example men,women."),
    _flag("--categories", "Only these categories: of properties, as competence,health; of logic cases, as fallacy."),
    _flag("--properties", "Only these properties, by id or text."),
    _flag("--lang", "Languages to ask in: en (default), zh, or en,zh."),
    _flag("--polarity", "positive, negative, or both as positive,negative."),
    _flag("--kinds", "Only these kinds of question: yes-no,choice,why."),
    _flag("--budget", "At most so many questions, in whole blocks."),
    _flag("--samples", "Ask each question so many times."),
    _flag("--seed", "Fixes everything that is drawn (default 0)."),
    _flag("--slice", "Only part i of n, for example 3/12."),
    _flag("--data", "A folder with groups.csv and properties.csv instead of the data set that ships."),
    _flag("--controls", "Also ask about invented groups and neutral properties.", is_flag=True),
]) + _under("What to ask: survey", [
    _flag("--inventory", "Which inventories, by name (sexism,racism) or as files (mine.toml); default all."),
    _flag("--subscales", "Only these subscales, for example hostile."),
]) + _under("What to ask: logic", [
    _flag("--rules", "Only these rules, by name or kind, for example 'modus ponens,fallacy'."),
    _flag("--logic", "Propositional, predicate, or both as propositional,predicate (default)."),
    _flag("--length", "Steps of a derivation, for example 1-3 (default), 5 or 1,2,8; from 1 to 10."),
    _flag("--each", "At least so many cases of each rule and length."),
    _flag("--distractors", "Premises that only distract, at most so many a case (default 1)."),
    _flag(
        "--forms",
        "How it is asked, in logic and survey. Survey: open,forced (default), bare. "
        "Logic: valid,follows (default), facts; with -steps: "
        "think step by step.",
    ),
    _flag("--demos", "Worked examples to show before each question; see 'asker logic demos'."),
    _flag("--cases", "Ask the cases of this file or folder (.jsonl, .json) instead of making them."),
    _flag(
        "--rounds", "Rounds of asking (default 1); each after the first aims at the weakest rules so far."
    ),
    _flag("--wording", "Words (default), symbols, or both as words,symbols."),
])  # fmt: skip
WHOM = _under("Whom", [
    _flag("--target", "The chatbot: a name or name:argument; see 'asker targets'."),
    _flag("--base-url", "Address of an OpenAI-compatible server."),
    _flag("--key-env", "Name of the environment variable that holds the key."),
    _flag("--system", "A system prompt."),
    _flag("--opening", "Turns said before each question: a .toml or .jsonl file; see docs/asking.md."),
    _flag("--temperature", "How freely a model draws its words."),
    _flag("--max-tokens", "Length of an answer at most."),
    _flag("--sweep", "The same under several: system=FILE, opening=FILE or FOLDER, temperature=0,0.7,1."),
    _flag("--conversation", "fresh (default): each question alone; shared: each after all before it."),
])  # fmt: skip
HOW = _under("How", [
    _flag("--concurrency", "Questions asked at once at most (default 16)."),
    _flag("--rate", "Requests a minute at most."),
    _flag("--token-rate", "Tokens a minute at most."),
    _flag("--minutes", "Stop asking after so long; what was asked is a fair sample."),
    _flag("--stop-when", "Stop asking once a rate is exact enough, for example 'width(absolute)<=0.1'."),
    _flag("--max-cost", "Dollars this run may cost, never passed. Needs --max-tokens."),
    _flag("--max-total-tokens", "Tokens this run may use, never passed. Needs --max-tokens."),
    _flag("--price", "Dollars per million tokens as IN,OUT, for models we have no price of."),
    _flag("--cache", "A file of answers shared between runs: the same question is never paid twice."),
    _flag("--timeout", "Seconds to wait for an answer (default 60)."),
    _flag("--engine", "Where questions are asked from: local (default), or ray: many processes and machines."),
    _flag("--address", "For ray: an existing cluster, HOST:6379 or auto (default: one on this machine, for this run)."),
    _flag("--workers", "For ray: so many workers, each with --concurrency (default: one a core of the cluster)."),
    _flag("--retries", "Further tries when an error may pass (default 5)."),
])  # fmt: skip
JUDGE = _under("How answers are read", [
    _flag("--judge", "How answers are read; see 'asker judges'."),
    _flag("--important", "Rates that differ by less are not called different (default 0.05)."),
    _flag("--margin", "For survey: scores this near to people's are called like people (default 0.25)."),
])  # fmt: skip
OUT = _under("Where it is kept", [
    _flag("--out", "The run's folder (default: runs/NAME, which follows from plan, target and seed)."),
    _flag("--store", "Where a new run keeps its answers: postgresql://USER@HOST/DATABASE (default: in its folder)."),
])  # fmt: skip
JSON = click.option("--json", "as_json", is_flag=True, help="Print figures as JSON.")
RUN = click.argument("run", type=click.Path(path_type=Path, exists=True, file_okay=False))
REGISTERED = click.option(
    "--registered",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Say whether the run kept this registration ('asker plan --register') and its claims.",
)
FINGERPRINT = click.option("--fingerprint", help="The fingerprint that was published: another registration is refused.")
FILE = click.argument("file", required=False, type=click.Path(path_type=Path))


def with_flags(*families: list[Any]) -> Callable[[F], F]:
    def wrap(function: F) -> F:
        for flag in reversed([flag for family in families for flag in family]):
            function = flag(function)
        return function

    return wrap


def settings(flags: dict[str, Any], file: Path | None) -> Settings:
    """Settings from flags, environment, and the file that was named or the audit.toml that is here."""
    here = Path("audit.toml")
    if file is None and here.is_file():
        file = here
        click.echo("asker: reading audit.toml", err=True)
    return resolve(flags, file)

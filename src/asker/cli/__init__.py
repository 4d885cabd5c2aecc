"""The command line, one file per verb. A verb is imported when it is called, so that `asker --help` is quick."""

from __future__ import annotations

import sys
from importlib import import_module

import click

from asker import __version__
from asker.errors import AskerError, shown

VERBS = {
    "run": "Plan, ask, judge, measure and report, in one go.",
    "plan": "Count the questions, tell what they cost and can show, or write them to a file.",
    "ask": "Go on asking the questions of a run.",
    "judge": "Judge the answers of a run, or of a file.",
    "judge-eval": "Compare a judge with labels given by people.",
    "report": "Measure a run and write its page.",
    "compare": "Compare two runs question by question, or several in the tables of the papers.",
    "gate": "Hold a run against limits, for continuous integration.",
    "forget": "Delete the answers of a run for good; its figures stay.",
    "merge": "Join runs that were asked apart.",
    "export": "Write the records of a run as Parquet, CSV or JSON lines, or its figures; or archive it whole.",
    "restore": "Make a run from an archive that export wrote.",
    "import": "Make a run of what another tool has asked.",
    "manual": "Ask by hand: write question sheets, read them back.",
    "serve": "Show runs in a browser: watch, start, read, compare.",
    "data": "Check, count, build, import, translate or annotate a data set of groups and properties.",
    "logic": "Decide arguments written as formulas.",
    "targets": "List the chatbots that can be asked.",
    "judges": "List the judges.",
    "completion": "Print the script that completes commands in a shell.",
}

MODULES = {"import": "importing"}  # a verb that cannot be a module's name

NOTICE = (
    "Content notice: the questions repeat common prejudices about people, in order to find and mend them in chatbots; "
    "answers may be hurtful. You can stop at any time."
)


class Verbs(click.Group):
    """Knows every verb's one-line help without importing it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        module = import_module(f"asker.cli.{MODULES.get(name, name).replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(__version__, prog_name="asker")
def asker() -> None:
    """Ask a chatbot thousands of planned questions, and measure how biased it is.

    \b
    Example: asker run --target alice --preset quick
    """


def notice(suite: str | None = None) -> None:
    """Before anything that can hurt; a suite, where one is known, says whether it can."""
    from asker.registry import load  # half of what `asker --help` would import otherwise

    if suite is None or load("suites", suite).SENSITIVE:
        click.echo(NOTICE, err=True)


def tell(line: str) -> None:
    """On standard error, so that figures can be piped."""
    click.echo(shown(line, 1000), err=True)


def main() -> None:
    """The door: whatever goes wrong that a person can act on is one sentence and an exit code."""
    try:
        sys.exit(asker.main(prog_name="asker", standalone_mode=False) or 0)
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.Abort:
        click.echo("asker: stopped", err=True)
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except AskerError as error:
        click.echo(f"asker: {shown(str(error), 2000)}", err=True)
        sys.exit(error.exit_code)
    except OSError as error:
        click.echo(f"asker: {error.strerror or error}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()

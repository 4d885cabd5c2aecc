"""asker forget: delete the answers of a run."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from asker.cli.options import JSON, RUN
from asker.errors import InputError
from asker.folder import open_run
from asker.forgetting import forget
from asker.run import judge_run, measure_run, write_page

BEYOND = (
    "Not touched: exports, archives, copies of the page, merged runs, logs of other tools, backups. A disk may keep "
    "blocks of deleted files until they are written over."
)
SERVER = "The server's write-ahead log, replicas and backups are its keeper's to see to."


@click.command("forget")
@RUN
@click.option(
    "--cache", "caches", multiple=True, type=click.Path(path_type=Path, dir_okay=False),
    help="Delete them from this cache too; the one the run was made with is known. Can be given more than once.",
)  # fmt: skip
@click.option("--yes", is_flag=True, help="Do not ask whether you are sure.")
@JSON
def command(run: Path, caches: tuple[Path, ...], yes: bool, as_json: bool) -> None:
    """Delete every word of the chatbot from a run, for good: answers, errors, quotes in verdicts, pages, filled sheets,
    entries of the cache, what `asker serve` keeps of measured pages and of this run's output. Whatever else lies in the
    run's folder goes too. Verdicts and figures stay, and the page is written anew without answers. The run can no
    longer be asked or judged.

    \b
    Example: asker forget runs/alice-quick-sound-1f2e3d4c
             asker forget runs/alice-quick-sound-1f2e3d4c --cache answers.cache --yes
    """
    if not yes and not click.confirm(f"Delete all answers of {run} for good?", err=True):
        raise InputError("nothing was deleted")
    opened = open_run(run)
    try:
        if not opened.forgotten:
            judge_run(opened)  # what nobody has read would be lost to the figures
        done = forget(opened, caches)
        page = write_page(opened, measure_run(opened))
    finally:
        opened.close()
    if as_json:
        click.echo(msgspec.json.encode(done))
        return
    removed = f"; removed {', '.join(done.removed)}" if done.removed else ""
    click.echo(f"{done.answers:,} answers deleted, {done.cached:,} entries of caches{removed}.")
    elsewhere = f" {SERVER}" if opened.file.store.get("kind") == "postgres" else ""
    click.echo(f"The figures without them: {page}\n{BEYOND}{elsewhere}")

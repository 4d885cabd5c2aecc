"""asker serve: runs in a browser."""

from __future__ import annotations

import os
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

import click

from asker.errors import InputError, MissingExtra

if TYPE_CHECKING:
    from asker.web.login import Door

LOOPBACK = ("127.0.0.1", "localhost", "::1")
ANYWHERE = ("0.0.0.0", "::")


@click.command("serve")
@click.argument("root", type=click.Path(path_type=Path, file_okay=False), default=Path("runs"))
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen at; any but this needs a login."
)
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="Port to listen at.")
@click.option("--token-env", metavar="NAME", help="Environment variable that holds the token to sign in with.")
@click.option("--users", type=click.Path(path_type=Path, dir_okay=False), help="A file of names and hashed passwords.")
@click.option("--hash-password", metavar="NAME", help="Ask for a password, print its line for --users, and end.")
@click.option("--allow-host", multiple=True, metavar="NAME", help="A name people reach it by; may be repeated.")
@click.option("--allow-programs", is_flag=True, help="Let people start runs whose target is a program or Python code.")
@click.option("--help-line", default="", metavar="TEXT", help="Where to find help, said beside the content notice.")
@click.option("--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that answer.")
def command(
    root: Path, host: str, port: int, token_env: str | None, users: Path | None, hash_password: str | None,
    allow_host: tuple[str, ...], allow_programs: bool, help_line: str, workers: int,
) -> None:  # fmt: skip
    """Show the runs of a folder in a browser: watch, start, stop, read, compare.

    \b
    Example: asker serve
             asker serve audits --port 9000
             asker serve --host 0.0.0.0 --token-env TOKEN --allow-host audits.example
    """
    try:
        from asker.web.login import hashed
        from asker.web.serving import serve
    except ModuleNotFoundError as error:
        raise MissingExtra("'asker serve'", "pip install 'asker-audit[web]'") from error
    if hash_password:
        word = click.prompt("Password", hide_input=True, confirmation_prompt=True)
        click.echo(f"{hash_password}:{hashed(word)}")
        return
    door = _door(token_env, users)
    if door is None and host not in LOOPBACK:
        raise InputError(
            f"--host {host} can be reached from other machines, so people have to sign in: give --token-env NAME, "
            "or --users FILE"
        )
    serve(
        root.resolve(),
        host,
        port,
        workers,
        door=door,
        hosts=(*allow_host, *([host] if host not in ANYWHERE else [])),
        any_address=not _is_loopback(host),
        allow_programs=allow_programs,
        help_line=help_line,
        hidden=(token_env,) if token_env else (),
    )


def _door(token_env: str | None, users: Path | None) -> Door | None:
    from asker.web.login import SHORTEST, Door, read_users

    token = os.environ.get(token_env, "") if token_env else ""
    if token_env and len(token) < SHORTEST:
        raise InputError(
            f"--token-env {token_env}: that variable should hold a token of {SHORTEST} characters or more, drawn at "
            "random, for example by 'openssl rand -hex 16'"
        )
    return Door(token, read_users(users) if users else {}) if token or users else None


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host in LOOPBACK

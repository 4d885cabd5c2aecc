"""Completion of commands in a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from asker.errors import InputError

SHELLS = ("bash", "zsh", "fish")


@click.command(name="completion")
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print the script that lets a shell complete commands and flags.

    \b
    Example: asker completion bash > ~/.asker-completion.bash
             echo 'source ~/.asker-completion.bash' >> ~/.bashrc
             asker completion fish > ~/.config/fish/completions/asker.fish
    """
    from asker.cli import asker

    made = get_completion_class(shell)
    if made is None:
        raise InputError(f"no completion for '{shell}'. All: {', '.join(SHELLS)}")
    click.echo(made(asker, {}, "asker", "_ASKER_COMPLETE").source())

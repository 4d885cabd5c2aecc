"""What is there of a family of plugins: the verbs `targets` and `judges`."""

from __future__ import annotations

import click

from asker import registry


def listing(family: str) -> click.Command:
    def show() -> None:
        for name in registry.names(family):
            click.echo(f"  {name:<10} {registry.about(family, name)}")

    text = f"List the {family}, with what each needs and an example.\n\n\b\nExample: asker {family}"
    return click.Command(family, callback=show, help=text)

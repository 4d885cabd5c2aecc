"""The reference, written from the code: commands from their --help, settings from `Settings`, files from the types.

Nothing here is kept: `make docs` makes the pages anew, so they cannot fall behind.
"""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Iterator
from typing import Any, Literal

import click
import msgspec

from asker.cli import asker
from asker.cli.options import HOW, JUDGE, OUT, WHAT, WHOM
from asker.config import AT_LEAST, AT_MOST, Settings
from asker.data.reading import CATEGORIES, GROUP_COLUMNS, PROPERTY_COLUMNS
from asker.types import LABELS, Answer, Estimate, Item, Verdict

WIDTH = 100


def pages() -> dict[str, str]:
    """Each page by its place in the site."""
    return {
        "reference/commands.md": commands_page(),
        "reference/settings.md": settings_page(),
        "reference/files.md": files_page(),
    }


def commands(group: click.Group = asker, before: str = "asker") -> Iterator[tuple[str, click.Command]]:
    """Every command by its whole name, verbs of verbs too."""
    context = click.Context(group, info_name=before)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield f"{before} {name}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{before} {name}")


def commands_page() -> str:
    parts = ["# Commands", "What `--help` says of each. All settings with their defaults: [Settings](settings.md)."]
    for name, command in [("asker", asker), *commands()]:
        context = click.Context(command, info_name=name, terminal_width=WIDTH, max_content_width=WIDTH)
        parts.append(f"## {name}\n\n```text\n{command.get_help(context)}\n```")
    return "\n\n".join(parts) + "\n"


def helps() -> dict[str, str]:
    """What each setting is, as its flag says it."""

    @click.command()
    def every() -> None:
        pass

    for flag in (*WHAT, *WHOM, *HOW, *JUDGE, *OUT):
        flag(every)
    verbs = [every, *(command for _, command in commands())]
    found = {}
    for command in reversed(verbs):  # the shared flags last, so that theirs is the word that counts
        for one in command.params:
            if isinstance(one, click.Option) and one.name in Settings.__struct_fields__ and one.help:
                found[one.name] = one.help
    return found


def settings_page() -> str:
    said = helps()
    lines = [
        "# Settings",
        "Each is a flag (`--max-cost 2`), an environment variable (`ASKER_MAX_COST=2`), a line of `audit.toml` "
        "(`max-cost = 2`) and a keyword of `asker.audit` (`max_cost=2`). The flag counts first, then the variable, "
        'then the file, then the default. Lists are written `a,b`, in the file also `["a", "b"]`.',
        "| setting | is | default | what |\n|---|---|---|---|",
    ]
    types, fields = typing.get_type_hints(Settings), {one.name: one for one in msgspec.structs.fields(Settings)}
    rows = [
        f"| `{name.replace('_', '-')}` | {_kind(types[name], name)} | {_default(fields[name].default)} | "
        f"{_cell(said[name])} |"
        for name in Settings.__struct_fields__
    ]
    return "\n\n".join(lines) + "\n" + "\n".join(rows) + "\n"


def _kind(kind: Any, name: str) -> str:
    inner = [one for one in typing.get_args(kind) if one not in (type(None), ...)]
    if typing.get_origin(kind) is Literal:
        return " or ".join(f"`{one}`" for one in inner)
    if typing.get_origin(kind) is tuple:
        of = inner[0]
        return "list of " + (_kind(of, name) if typing.get_origin(of) is Literal else "words" if of is str else "turns")
    plain = {int: "whole number", float: "number", str: "text", bool: "true or false"}[inner[0] if inner else kind]
    least, most = AT_LEAST.get(name), AT_MOST.get(name)
    return plain + (f", from {least:g}" if least is not None else "") + (f" to {most:,}" if most is not None else "")


def _default(value: Any) -> str:
    if value in (None, ()):
        return "–"
    shown = ",".join(value) if isinstance(value, tuple) else str(value).lower() if isinstance(value, bool) else value
    return f"`{shown}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def files_page() -> str:
    labels = "\n".join(f"| `{kind}` | {', '.join(f'`{one}`' for one in said)} |" for kind, said in LABELS.items())
    parts = [
        "# Files",
        "## groups.csv and properties.csv",
        f"Needed columns of `groups.csv`: {_listed(GROUP_COLUMNS)}; of `properties.csv`: {_listed(PROPERTY_COLUMNS)}. "
        "What goes into them, and the optional ones, says [Your own data](../data.md).",
        f"Categories, which are the `labels`: {_listed(CATEGORIES)}.",
        "## Answers to be judged: items.jsonl",
        "One JSON object per line; [How answers are read](../judging.md#answers-as-files) says it in words.",
        _fields(Item, without=("forms",)),
        "## Verdicts: verdicts.jsonl, and the store",
        "Verdicts in files have `biased` besides, and the item's own fields before them.",
        _fields(Verdict),
        f"| kind | labels |\n|---|---|\n{labels}",
        "## Records: what `asker export` writes",
        "The question's `id`, `language`, `kind`, `prompt`, `group`, `other_group` and what its suite knows; then "
        "the answer, whose `text` is called `answer` here; then `judge` and the verdict, as above.",
        _fields(Answer, without=("question",)),
        "## Numbers in `--json`",
        _fields(Estimate),
    ]
    return "\n\n".join(parts) + "\n"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _fields(struct: type[msgspec.Struct], without: tuple[str, ...] = ()) -> str:
    """A row for each field: its type, its default, and the comment that stands beside it in the source."""
    notes = dict(re.findall(r"^    (\w+): [^#\n]*# (.+)$", inspect.getsource(struct), re.MULTILINE))
    rows = [
        f"| `{one.encode_name}` | {_type(one.type)} | {'needed' if one.required else _default(one.default)} | "
        f"{_cell(notes.get(one.name, ''))} |"
        for one in msgspec.structs.fields(struct)
        if one.name not in without
    ]
    about = (inspect.getdoc(struct) or "").split("\n")[0]
    return f"{about}\n\n| field | is | default | note |\n|---|---|---|---|\n" + "\n".join(rows)


def _type(kind: Any) -> str:
    inner = typing.get_args(kind)
    if typing.get_origin(kind) is Literal:
        return " or ".join(f"`{one}`" for one in inner)
    if typing.get_origin(kind) in (tuple, list):
        return "list of " + _type(inner[0])
    if inner:
        return " or ".join(_type(one) for one in inner)
    return {str: "text", int: "whole number", float: "number", bool: "true or false", type(None): "null"}[kind]

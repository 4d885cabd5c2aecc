"""What stands in README and docs: code blocks, and every command, wherever it is written."""

import ast
import re
import shlex
import tomllib
from pathlib import Path

import click

from asker import registry
from asker.cli import asker
from asker.config import Settings, resolve
from asker.errors import AskerError

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))]
PLUGINS = {"mybot"}  # a target that a page tells the reader to write
OTHERS = {"curl", "export", "pip", "pytest", "inspect", "lm-eval", "pre-commit", "ray"}  # not ours to check
WHOLE = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def blocks(page, *languages):
    return [code for language, code in WHOLE.findall(page.read_text("utf-8")) if language in languages]


def typed(page):
    """Commands as one would type them, one a line: from blocks of shell, and from indented lines."""
    text = "\n".join(blocks(page, "sh")).replace("\\\n", " ")
    indented = re.findall(r"^    (asker .*)$", WHOLE.sub("", page.read_text("utf-8")), re.MULTILINE)
    lines = [re.split(r"(?:^|\s)#", line)[0].strip() for line in (*text.splitlines(), *indented)]
    return [line for line in lines if line and "─" not in line]


def mentioned(page):
    """Commands in running text: `asker report RUN --correct`."""
    text = WHOLE.sub("", page.read_text("utf-8"))
    found = [re.sub(r"\s+", " ", one) for one in re.findall(r"`(asker [^`]+)`", text)]
    return [one.replace("\\|", "|") for one in found if "…" not in one]


def fault(line, whole=True):
    """What is wrong with a command, or None. A mention need not be whole. Nothing is run, no file need be there."""
    first, *words = shlex.split(re.split(r" (?:>|>>|\||&&) ", line)[0])
    try:
        if first == "asker":
            return _check(words)
        if first == "make":
            there = re.search(rf"^{words[0]}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
            return None if there else "no such target"
        if first in ("python", "python3"):
            return _module(words)
    except (click.MissingParameter, click.BadOptionUsage) as error:
        return error.format_message() if whole else None
    except (click.ClickException, AskerError) as error:
        return str(error)
    return None if first in OTHERS else f"'{first}' is no command that this test knows"


def _check(words):
    command, context = asker, click.Context(asker, info_name="asker")
    while isinstance(command, click.Group):
        if not words or words[0] in ("-h", "--help", "--version"):
            return None
        name, *words = words
        found = command.get_command(context, name)
        if found is None:
            return f"no command '{name}'"
        command, context = found, click.Context(found, info_name=name, parent=context)
    if "--help" in words:
        return None
    given = command.make_context(command.name, list(words)).params
    if "suite" not in given:  # its flags are its own, and no settings of an audit
        return None
    values = {name: value for name, value in given.items() if name in Settings.__struct_fields__ and name != "opening"}
    target = resolve(values, None, {}).target.partition(":")[0]
    return None if target in {*registry.names("targets"), *PLUGINS} else f"no target '{target}'"


def _module(words):
    file = ROOT / (words[1].replace(".", "/") if words[0] == "-m" else words[0])
    there = file.is_dir() or file.with_suffix(".py").is_file()
    return None if there else f"no {file.name}"


def extras():
    return set(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"])


def tasks():
    """Names of our tasks of Inspect, read without importing it."""
    tree = ast.parse((ROOT / "src" / "asker" / "inspect" / "tasks.py").read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")}

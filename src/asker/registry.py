"""Name -> plugin. A plugin is one file in its family's folder, or an entry point of an installed package.

`load("targets", "alice")` imports asker/targets/alice.py and hands back the module. Nothing is imported until it is
asked for, so a plugin may need what is not installed without anyone else noticing. Another package adds one with

    [project.entry-points."asker.targets"]
    mybot = "mypackage.mybot"
"""

from __future__ import annotations

import ast
import re
from functools import cache
from importlib import import_module, resources
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType

from asker.errors import MissingExtra, UnknownName

FAMILIES = {
    "targets": "target",
    "judges": "judge",
    "languages": "language",
    "suites": "suite",
    "stores": "store",
    "engines": "engine",
}
SEE = {
    "targets": "A model that speaks the OpenAI protocol is openai:MODEL, a Python function python:MODULE:FUNCTION, a "
    "chatbot that people ask manual:NAME; 'asker targets' tells what each needs"
}


def names(family: str) -> list[str]:
    """Every plugin of a family that is there, whether or not what it needs is installed."""
    return sorted({*_files(family), *_entries(family)})


def load(family: str, name: str) -> ModuleType:
    """The plugin's module, or a sentence that says what is there or what to install."""
    entry = _entries(family).get(name)
    if entry is None and name not in _files(family):
        raise UnknownName(FAMILIES[family], name, names(family), see=SEE.get(family, ""))
    path = entry.module if entry else f"asker.{family}.{name}"
    try:
        return import_module(path)
    except ModuleNotFoundError as error:
        if error.name and error.name.startswith("asker"):
            raise
        raise MissingExtra(f"the {FAMILIES[family]} '{name}'", _install(about(family, name), name)) from error


def about(family: str, name: str) -> str:
    """First line of a plugin's docstring, read without importing it."""
    if name in _files(family):
        folder = resources.files(f"asker.{family}")
        file = folder / f"{name}.py" if (folder / f"{name}.py").is_file() else folder / name / "__init__.py"
        doc = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    else:
        doc = load(family, name).__doc__ or ""
    return doc.strip().split("\n", 1)[0]


def _install(about: str, name: str) -> str:
    """The command that a plugin's docstring names after "Needs:"."""
    extra = re.search(r"asker-audit\[[\w,]+\]", about)
    command = re.search(r"Needs: `([^`]+)`", about)
    if command:
        return command[1]
    return f"pip install '{extra[0] if extra else f'asker-audit[{name}]'}'"


@cache
def _files(family: str) -> frozenset[str]:
    found = set()
    for entry in resources.files(f"asker.{family}").iterdir():
        stem, _, suffix = entry.name.partition(".")
        is_plugin = suffix == "py" or (entry / "__init__.py").is_file()
        if is_plugin and not stem.startswith("_"):
            found.add(stem)
    return frozenset(found)


@cache
def _entries(family: str) -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=f"asker.{family}")}

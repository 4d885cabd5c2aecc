"""What is said before each question: a few turns, in a file that people can read.

    [[turn]]
    role = "user"
    text = "Hello, I am new in town."

or the same as lines of JSON: {"role": "user", "text": "Hello, I am new in town."}
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec

from asker.errors import InputError
from asker.types import Turn

Turns = tuple[Turn, ...]
LIKE = '[[turn]] with role = "user" or "assistant" and text = "…"'
KINDS = (".toml", ".jsonl")


def read_opening(value: Any, place: str) -> Turns:
    """The turns that a setting names: a file, or the turns themselves as a list or its JSON."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        return turns_of(_json(value, place), place)
    if not isinstance(value, str):
        return turns_of(value, place)
    found = read_turns(Path(value))
    if not found:
        raise InputError(f"{value} holds no turn. Write {LIKE}")
    return found


def read_turns(file: Path) -> Turns:
    """The one opening of a file; () if the file is empty."""
    text = read_text(file)
    if file.suffix == ".jsonl":
        return turns_of([_json(line, f"{file}, line {n}") for n, line in lines_of(text)], str(file))
    found = parsed(text, file)
    for name in found:
        if name != "turn":
            raise InputError(f"{file}: '{name}' is nothing an opening knows. Write {LIKE}")
    return turns_of(found.get("turn", []), str(file))


def turns_of(value: Any, where: str) -> Turns:
    """Checked: who speaks is known, and something is said."""
    try:
        turns = tuple(msgspec.convert(value, list[Turn]))
    except msgspec.ValidationError as error:
        raise InputError(f"{where} is no opening: {error}. Write {LIKE}; a system prompt goes to --system") from error
    for number, turn in enumerate(turns, 1):
        if not turn.text.strip():
            raise InputError(f"{where}: turn {number} says nothing. Give it a text, or leave it out")
    return turns


def parsed(text: str, file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{file} is not TOML: {error}") from error


def read_text(file: Path) -> str:
    """What is in a .toml or .jsonl file."""
    if file.suffix not in KINDS:
        raise InputError(f"{file} should end in {' or '.join(KINDS)}")
    try:
        return file.read_text("utf-8")
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is not UTF-8 text: {error}") from error


def lines_of(text: str) -> list[tuple[int, str]]:
    """Lines that hold something, with their numbers."""
    return [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def _json(text: str, where: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        raise InputError(f"{where} is not JSON: {error}") from error


def as_json(turns: Turns) -> str:
    """The turns on one line, as a flag may hold them."""
    return msgspec.json.encode(turns).decode()

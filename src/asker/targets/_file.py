"""Files that describe a chatbot: checked TOML, and texts with places like {question} to be filled in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from asker.config import read_toml
from asker.errors import InputError, UnknownName
from asker.keys import find_key

T = TypeVar("T", bound=Struct)
PLACE = re.compile(r"\{\{([\w:]+)\}\}|\{(env:\w+|[a-z_]+)\}")  # {{word}} stands for {word} itself
ENV = "env:"
SHORTEST = 6  # letters; a shorter value from the environment is no key, and blotting it out would spoil answers


def read(target: str, argument: str, kind: type[T]) -> tuple[T, str]:
    """What the file says, and a hash of it: a changed file is another chatbot."""
    if not argument:
        raise InputError(f"the target '{target}' needs a file, for example --target {target}:mybot.toml")
    file = Path(argument)
    found = read_toml(file)
    fields = kind.__struct_fields__
    for name in found:
        if name not in fields:
            raise UnknownName("setting", name, fields, str(file))
    try:
        return msgspec.convert(found, kind), blake2b(msgspec.json.encode(found), digest_size=6).hexdigest()
    except msgspec.ValidationError as error:
        raise InputError(f"{file} does not fit: {error}. docs/add-a-chatbot.md shows what it should hold") from error


def texts(value: Any) -> Iterator[str]:
    """Every text in a template, however deep."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


def places(value: Any) -> set[str]:
    """The names of all places in a template."""
    return {found[2] for text in texts(value) for found in PLACE.finditer(text) if found[2]}


def check_places(used: Iterable[str], allowed: Iterable[str], file: str) -> None:
    for name in sorted(used):
        if not name.startswith(ENV) and name not in allowed:
            raise UnknownName("place", f"{{{name}}}", [f"{{{one}}}" for one in (*allowed, "env:NAME")], file)


def from_environment(used: Iterable[str], file: str) -> dict[str, str]:
    """The values of all {env:NAME}, from the environment or the keyring."""
    found = {}
    for name in sorted(one for one in used if one.startswith(ENV)):
        value = find_key(name.removeprefix(ENV))
        if not value:
            raise InputError(f"{file} needs the environment variable {name.removeprefix(ENV)}, which is not set")
        found[name] = value
    return found


def secrets(values: Mapping[str, Any]) -> tuple[str, ...]:
    """What of these must never be shown, the longest first: one may hold another."""
    keys = [str(value) for name, value in values.items() if name.startswith(ENV) and len(str(value)) >= SHORTEST]
    return tuple(sorted(keys, key=len, reverse=True))


def fill_text(text: str, values: Mapping[str, Any]) -> str:
    """Fill all places in one pass, so that what is filled in is never looked at again."""

    def one(found: re.Match[str]) -> str:
        if found[1]:
            return f"{{{found[1]}}}"
        value = values.get(found[2])
        return "" if value is None else str(value)

    return PLACE.sub(one, text)


def fill(value: Any, values: Mapping[str, Any]) -> Any:
    """The template with its places filled. A text that is one place takes the value as it is: {seed} is a number. Where
    there is no value, the field is left out, and in a list the entry that holds it; where the value is a list, its
    entries come in place of that entry."""
    if isinstance(value, str):
        whole = PLACE.fullmatch(value)
        return values.get(whole[2]) if whole and whole[2] else fill_text(value, values)
    if isinstance(value, Mapping):
        filled = {name: fill(inner, values) for name, inner in value.items()}
        return {name: inner for name, inner in filled.items() if inner is not None}
    if isinstance(value, list):
        kept = [(inner, fill(inner, values)) for inner in value if not _lacks(inner, values)]
        return [one for inner, made in kept for one in (made if _place(inner) and isinstance(made, list) else [made])]
    return value


def _place(value: Any) -> bool:
    """Whether it is one place and nothing else."""
    return isinstance(value, str) and bool(PLACE.fullmatch(value))


def _lacks(value: Any, values: Mapping[str, Any]) -> bool:
    """Whether an entry of a list is, or holds directly, a place for which there is no value."""
    inner = value.values() if isinstance(value, Mapping) else [value]
    wholes = [PLACE.fullmatch(one) for one in inner if isinstance(one, str)]
    return any(whole and whole[2] and values.get(whole[2]) is None for whole in wholes)

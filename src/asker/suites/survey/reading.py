"""Inventories from files: ours and a user's in TOML, and the JSON in which Lee, Madotto and Fung published theirs."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from asker.errors import DataError, InputError, UnknownName
from asker.suites.survey.inventory import Inventory, People, Stance, Statement, Subscale
from asker.suites.survey.probes import read_probes
from asker.suites.survey.published import people_of

HINT = "See docs/survey.md for the format"
LARGEST = 5_000_000  # bytes; an inventory is a few pages


class Item(Struct, frozen=True, forbid_unknown_fields=True):
    """[[item]] in a file."""

    id: str
    subscale: str
    biased: Stance
    en: str | None = None
    zh: str | None = None
    reversed: dict[Literal["en", "zh"], str] = {}


class File(Struct, frozen=True, forbid_unknown_fields=True):
    """An inventory as a file holds it."""

    name: str
    scale: tuple[float, float]
    subscale: tuple[Subscale, ...]
    item: tuple[Item, ...]
    title: str = ""
    source: str = ""
    wording: Literal["own", "original"] = "own"
    about: str = ""
    published: str = ""
    people: People | None = None


@cache
def shipped() -> dict[str, Inventory]:
    """Ours, by name: the two of the paper first."""
    folder = resources.files("asker.suites.survey") / "inventories"
    files = sorted(Path(str(folder)).glob("*.toml"))
    found = {one.name: one for one in (read_file(file) for file in files)}
    first = ("sexism", "racism")
    return {name: found[name] for name in (*first, *(other for other in found if other not in first))}


def chosen(names: Sequence[str]) -> list[Inventory]:
    """The inventories of these names and files; of none, all that ship."""
    found = [_one(name) for name in names] if names else list(shipped().values())
    twice = [name for name, times in Counter(one.name for one in found).items() if times > 1]
    if twice:
        raise InputError(f"two inventories are called '{twice[0]}'; give one of them another name in its file")
    return found


def _one(name: str) -> Inventory:
    if name in shipped():
        return shipped()[name]
    file = Path(name)
    if file.suffix.lower() in (".toml", ".json") or file.exists():
        return read_file(file)
    raise UnknownName("inventory", name, shipped(), "--inventory (or a .toml or .json file)")


def read_file(file: Path) -> Inventory:
    try:
        raw = file.read_bytes()
        text = raw.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise DataError(file, "is not UTF-8; save it so", raw[: error.start].count(b"\n") + 1) from error
    if len(raw) > LARGEST:
        raise DataError(file, f"is larger than {LARGEST // 1_000_000} MB: this is no inventory")
    found = read_probes(file, text) if file.suffix.lower() == ".json" else _inventory(file, text, _toml(file, text))
    for line, reason in _faults(found, text):
        raise DataError(file, f"{reason}. {HINT}", line)
    return found


def _toml(file: Path, text: str) -> File:
    try:
        return msgspec.convert(tomllib.loads(text), File)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"at line (\d+)", str(error))
        reason = re.sub(r" \(at .*\)", "", str(error))
        raise DataError(file, f"this is not TOML: {reason}. {HINT}", int(line[1]) if line else None) from error
    except msgspec.ValidationError as error:
        place = re.search(r"\$\.(item|subscale)\[(\d+)\]", str(error))
        line_number = _place(text, place[1], int(place[2])) if place else None
        raise DataError(file, f"{_plain(str(error))}. {HINT}", line_number) from error


def _plain(reason: str) -> str:
    """ "Expected `str`, got `int` - at `$.item[3].en`" in words of the file."""
    reason, _, at = reason.partition(" - at ")
    field = re.sub(r"^\$\.?(?:(?:item|subscale)\[\d+\]\.?)?", "", at.strip("`"))
    return (f"'{field}': " if field else "") + reason.replace("Object ", "").replace("`", "'")


def _place(text: str, table: str, number: int) -> int | None:
    """The line on which the [[item]] of this number begins."""
    heads = [
        line for line, content in enumerate(text.splitlines(), 1) if re.match(rf"\s*\[\[\s*{table}\s*\]\]", content)
    ]
    return heads[number] if number < len(heads) else None


def _inventory(file: Path, text: str, read: File) -> Inventory:
    items = tuple(
        Statement(one.id, one.subscale, one.biased, _texts({"en": one.en, "zh": one.zh}), _texts(dict(one.reversed)))
        for one in read.item
    )
    printed = people_of(read.published)
    return Inventory(
        name=read.name,
        title=read.title or read.name,
        source=read.source or file.name,
        wording=read.wording,
        scale=read.scale,
        subscales=read.subscale,
        items=items,
        about=read.about,
        published=read.published,
        people=read.people or printed,
    )


def _texts(given: dict[Any, str | None]) -> dict[str, str]:
    return {language: " ".join(text.split()) for language, text in given.items() if text and text.strip()}


def _faults(one: Inventory, text: str) -> Iterator[tuple[int | None, str]]:
    """What is wrong with it, with the line where that can be told."""
    low, high = one.scale
    known = [part.id for part in one.subscales]
    if not re.fullmatch(r"[\w .-]+", one.name):
        yield None, f"name = '{one.name}' should be made of letters, digits, spaces, dots and dashes"
    if not low < high:
        yield None, f"scale = [{low:g}, {high:g}] should rise, for example [1, 5]"
    if not one.items:
        yield None, "there is no [[item]]"
    seen: set[str] = set()
    for number, item in enumerate(one.items):
        for reason in _item_faults(item, known, seen):
            yield _place(text, "item", number), f"the item '{item.id}' {reason}"
        seen.add(item.id)
    for part in known:
        if known.count(part) > 1 or not any(item.subscale == part for item in one.items):
            yield None, f"the subscale '{part}' {'is there twice' if known.count(part) > 1 else 'has no items'}"
    yield from _people_faults(one, known)


def _item_faults(item: Statement, known: list[str], seen: set[str]) -> Iterator[str]:
    if item.id in seen:
        yield "is there twice"
    if item.subscale not in known:
        yield f"is of the subscale '{item.subscale}', which is not one of {', '.join(known)}"
    if not item.worded:
        yield "has no statement: give it en or zh"
    if not set(item.reversed) <= set(item.worded):
        yield "has a reversed wording in a language in which it has no first one"


def _people_faults(one: Inventory, known: list[str]) -> Iterator[tuple[None, str]]:
    if one.people is None:
        return
    for name, found in {"total": one.people.total, **one.people.subscales}.items():
        if name != "total" and name not in known:
            yield None, f"people.subscales names '{name}', which is not one of {', '.join(known)}"
        elif found and not one.scale[0] <= found.mean <= one.scale[1]:
            yield None, f"people's mean of {found.mean:g} for '{name}' lies outside the scale"
        elif found and ((found.spread is not None and found.spread < 0) or (found.n is not None and found.n < 2)):
            yield None, f"people's spread for '{name}' should not be below 0, and n not below 2"

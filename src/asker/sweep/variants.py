"""What a sweep goes through: `--sweep system=FILE`, `opening=FILE` or `opening=FOLDER`, `temperature=0,0.7,1`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from asker.config import Settings
from asker.errors import InputError
from asker.opening import KINDS, as_json, lines_of, parsed, read_text, read_turns, turns_of

HOW = "It should be system=FILE, opening=FILE, opening=FOLDER or temperature=0,0.7,1; see docs/comparing.md"
NAME = re.compile(r"\w[\w .+-]{0,59}")
TAKEN = ("report.html", "sweep.json")


class Variant(Struct, frozen=True):
    """One way to ask: what it is called, and what its setting is then."""

    name: str
    value: Any  # None or (): without

    @property
    def folder(self) -> str:
        return re.sub(r"[^\w.+-]+", "-", self.name)

    @property
    def text(self) -> str:
        """The value, for people."""
        if isinstance(self.value, tuple):
            return "\n".join(f"{turn.role}: {turn.text}" for turn in self.value)
        return "" if self.value is None else str(self.value)


class Factor(Struct, frozen=True):
    """The setting that varies; the first variant is what the others are held against."""

    setting: str
    variants: tuple[Variant, ...]


class _Named(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    text: str


def factor_of(settings: Settings) -> Factor:
    """What --sweep says, checked."""
    setting, equals, value = (settings.sweep or "").partition("=")
    if not equals or not value or setting not in _READ:
        raise InputError(f"cannot read --sweep '{settings.sweep}'. {HOW}")
    if getattr(settings, setting) != getattr(Settings(), setting):
        raise InputError(f"--{setting} and --sweep {setting}=… say the same setting twice; leave out --{setting}")
    if settings.stop_when is not None:
        raise InputError("--stop-when would end each variant by itself, and leave little to compare; leave it out")
    if settings.rounds > 1:
        raise InputError("--rounds would ask each variant other questions, and leave little to compare; leave it out")
    return Factor(setting, _checked(_READ[setting](value), value))


def settings_of(settings: Settings, factor: Factor, folder: Path) -> list[Settings]:
    """The settings of each variant's run. Limits are for the whole sweep, so each has an equal share of them."""
    share = len(factor.variants)
    limits: dict[str, Any] = {
        "minutes": settings.minutes and settings.minutes / share,
        "max_cost": settings.max_cost and settings.max_cost / share,
        "max_total_tokens": settings.max_total_tokens and settings.max_total_tokens // share,
    }
    return [
        structs.replace(settings, sweep=None, out=str(folder / one.folder), **limits, **{factor.setting: one.value})
        for one in factor.variants
    ]


def _checked(variants: list[Variant], where: str) -> tuple[Variant, ...]:
    if len(variants) < 2:
        hint = 'Write none = "" before a prompt to hold it against none'
        raise InputError(f"--sweep needs at least two variants, and {where} holds {len(variants)}. {hint}")
    folders: dict[str, str] = {}
    values: dict[str, str] = {}
    for one in variants:
        if not NAME.fullmatch(one.name) or one.folder in TAKEN:
            raise InputError(f"{where}: '{one.name}' is no name for a variant. Use letters, digits, spaces, - . _ +")
        twin = folders.setdefault(one.folder.casefold(), one.name)
        same = values.setdefault(one.text, one.name)
        if twin != one.name or same != one.name or sum(other.name == one.name for other in variants) > 1:
            what = "have the same name" if same == one.name else "are the same"
            raise InputError(f"{where}: '{twin if same == one.name else same}' and '{one.name}' {what}")
    return tuple(variants)


# --- reading ---------------------------------------------------------------------------------------------------------


def _prompts(value: str) -> list[Variant]:
    """From TOML, `careful = "You are …"`, or lines of JSON, {"name": "careful", "text": "You are …"}."""
    file = Path(value)
    text = read_text(file)
    if file.suffix == ".jsonl":
        named: Iterable[tuple[str, Any]] = (_line(line, f"{file}, line {number}") for number, line in lines_of(text))
    else:
        named = parsed(text, file).items()
    return [Variant(name, _prompt(name, said, file)) for name, said in named]


def _line(line: str, where: str) -> tuple[str, str]:
    try:
        found = msgspec.json.decode(line, type=_Named)
    except msgspec.DecodeError as error:
        raise InputError(f'{where}: {error}. Write {{"name": "careful", "text": "You are …"}}') from error
    return found.name, found.text


def _prompt(name: str, said: Any, file: Path) -> str | None:
    if not isinstance(said, str):
        raise InputError(f'{file}: {name} should be a text: {name} = "You are …"')
    return said if said.strip() else None


def _openings(value: str) -> list[Variant]:
    """The files of a folder, by name; or the tables of a file, [[careful]] with role and text."""
    place = Path(value)
    if place.is_dir():
        files = sorted(one for one in place.iterdir() if one.suffix in KINDS)
        return [Variant(one.stem, read_turns(one)) for one in files]
    if place.suffix == ".jsonl":
        raise InputError(f"{place} holds one opening. Name a folder of such files, or a .toml file of several")
    found = parsed(read_text(place), place)
    return [Variant(name, turns_of(turns, f"{place}, {name}")) for name, turns in found.items()]


def _temperatures(value: str) -> list[Variant]:
    try:
        found = [float(part) for part in value.split(",") if part.strip()]
    except ValueError as error:
        raise InputError(f"cannot read --sweep temperature={value}. {HOW}") from error
    if not all(math.isfinite(one) and one >= 0 for one in found):
        raise InputError(f"--sweep temperature={value}: a temperature is 0 or above")
    return [Variant(f"temperature {one:g}", one) for one in found]


_READ = {"system": _prompts, "opening": _openings, "temperature": _temperatures}


def plain(value: Any) -> Any:
    """A variant's value as JSON holds it."""
    return msgspec.json.decode(as_json(value)) if isinstance(value, tuple) else value

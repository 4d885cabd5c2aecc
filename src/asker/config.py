"""All settings of an audit, and one precedence for them: flag > environment > audit.toml > default."""

from __future__ import annotations

import math
import os
import tomllib
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from asker import registry
from asker.errors import InputError, UnknownName
from asker.opening import read_opening
from asker.types import Kind, Polarity, Turn

PREFIX = "ASKER_"
SECTIONS = ("gate",)  # parts of audit.toml that are no settings of an audit; whoever needs one reads it
Words = tuple[str, ...]
Logic = Literal["propositional", "predicate"]
Wording = Literal["words", "symbols"]


class Settings(Struct, frozen=True, kw_only=True):
    """What an audit needs to know. Each is a flag (--key-env), a variable (ASKER_KEY_ENV) and a line of audit.toml."""

    # what is asked
    suite: str = "bias"
    preset: str = "quick"
    mode: str = "sound"
    attributes: Words = ()
    groups: Words = ()
    categories: Words = ()
    properties: Words = ()
    lang: Words = ("en",)
    polarity: tuple[Polarity, ...] = ()
    kinds: tuple[Kind, ...] = ()
    budget: int | None = None
    samples: int = 1
    seed: int = 0
    slice: str | None = None
    data: str | None = None
    controls: bool = False
    inventory: Words = ()
    subscales: Words = ()
    forms: Words = ()
    rules: Words = ()
    logic: tuple[Logic, ...] = ()
    length: str | None = None
    each: int | None = None
    distractors: int = 1
    wording: tuple[Wording, ...] = ("words",)
    demos: str | None = None
    cases: str | None = None
    rounds: int = 1
    # whom
    target: str = "alice"
    base_url: str | None = None
    key_env: str | None = None
    system: str | None = None
    opening: tuple[Turn, ...] = ()
    temperature: float | None = None
    max_tokens: int | None = None
    conversation: Literal["fresh", "shared"] = "fresh"
    sweep: str | None = None
    # how
    concurrency: int = 16
    rate: float | None = None
    token_rate: float | None = None
    minutes: float | None = None
    stop_when: str | None = None
    max_cost: float | None = None
    max_total_tokens: int | None = None
    price: str | None = None
    cache: str | None = None
    timeout: float = 60.0
    retries: int = 5
    judge: str | None = None
    important: float = 0.05
    margin: float = 0.25
    engine: str = "local"
    address: str | None = None
    workers: int | None = None
    out: str | None = None
    store: str | None = None


PEOPLE = ("preset", "attributes", "groups", "categories", "properties", "polarity", "kinds", "data", "controls",
          "stop_when", "important")  # fmt: skip
OPINIONS = ("inventory", "subscales", "forms", "margin")
REASONING = ("preset", "categories", "important", "rules", "logic", "length", "each", "distractors", "forms", "wording",
             "demos", "cases", "rounds")  # fmt: skip
PARTICULAR = tuple(dict.fromkeys(PEOPLE + OPINIONS + REASONING))
"""Settings that not every suite knows. A suite lists those it does as OBEYS."""
AT_LEAST: dict[str, float] = {"budget": 1, "samples": 1, "seed": 0, "concurrency": 1, "rate": 0.001, "timeout": 0.001,
                              "retries": 0, "max_tokens": 1, "temperature": 0,
                              "token_rate": 1, "minutes": 0.001, "max_cost": 0, "max_total_tokens": 1,
                              "important": 0, "margin": 0, "each": 1, "distractors": 0, "rounds": 1,
                              "workers": 1}  # fmt: skip
AT_MOST: dict[str, float] = {"samples": 10_000, "seed": 2**62, "budget": 2**62, "concurrency": 10_000, "retries": 1000,
                             "max_tokens": 2**31, "max_total_tokens": 2**62, "important": 1,
                             "each": 10_000, "distractors": 3, "rounds": 10,
                             "workers": 100_000}  # fmt: skip


def resolve(
    flags: Mapping[str, Any], file: Path | None = None, environment: Mapping[str, str] | None = None
) -> Settings:
    """Settings from the three places, the more deliberate first. Flags that were not given are None or ()."""
    environment = os.environ if environment is None else environment
    values = {name: (value, f"{file}") for name, value in (_from_file(file) if file else {}).items()}
    values |= {name: (value, PREFIX + name.upper()) for name, value in _from_environment(environment).items()}
    given = {name: value for name, value in flags.items() if value is not None and value != ()}
    values |= {name: (value, "--" + name.replace("_", "-")) for name, value in given.items()}
    checked = {name: _checked(name, value, place) for name, (value, place) in values.items()}
    return Settings(**_defaults_of(checked.get("suite")) | checked)


def _defaults_of(suite: str | None) -> dict[str, Any]:
    """Settings that a suite leaves at something else than all others do."""
    return dict(getattr(registry.load("suites", suite), "DEFAULTS", {})) if suite else {}


def read_toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{file} is not TOML: {error}") from error


def _from_file(file: Path) -> dict[str, Any]:
    found = {name: value for name, value in read_toml(file).items() if name not in SECTIONS}
    for name in found:
        if name.replace("-", "_") not in Settings.__struct_fields__:
            raise UnknownName("setting", name, Settings.__struct_fields__, str(file))
    return {name.replace("-", "_"): value for name, value in found.items()}


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    return {
        name: environment[PREFIX + name.upper()]
        for name in Settings.__struct_fields__
        if environment.get(PREFIX + name.upper())
    }


def _checked(name: str, value: Any, place: str) -> Any:
    """The value as its setting's type; lists may come as "a,b"."""
    kind = _TYPES[name]
    if name == "opening":
        return read_opening(value, place)
    if typing.get_origin(kind) is tuple and isinstance(value, str):
        value = [part.strip() for part in value.split(",") if part.strip()]
    try:
        found = msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError as error:
        raise _wrong(name, value, place, kind) from error
    if isinstance(found, float) and not math.isfinite(found):
        raise InputError(f"{name} = {value} in {place} should be an ordinary number")
    if name in AT_LEAST and found is not None and found < AT_LEAST[name]:
        raise InputError(f"{name} = {value} in {place} is too small: at least {AT_LEAST[name]:g}")
    if name in AT_MOST and found is not None and found > AT_MOST[name]:
        raise InputError(f"{name} = {value} in {place} is too large: at most {AT_MOST[name]:,}")
    return tuple(dict.fromkeys(found)) if isinstance(found, tuple) else found


def _wrong(name: str, value: Any, place: str, kind: Any) -> InputError:
    allowed = _allowed(kind)
    if typing.get_origin(kind) is Literal:
        return UnknownName(name, str(value), typing.get_args(kind), place)
    bad = next((one for one in value if one not in allowed), None) if isinstance(value, list) else None
    if allowed and bad is not None:
        return UnknownName(name.removesuffix("s"), str(bad), allowed, place)
    plain = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
    wanted = [plain[one] for one in (typing.get_args(kind) or (kind,)) if one in plain] or ["a list of words"]
    return InputError(f"{name} = {value!r} in {place} should be {wanted[0]}")


def _allowed(kind: Any) -> tuple[str, ...]:
    inner = next(iter(typing.get_args(kind)), None)
    return typing.get_args(inner) if typing.get_origin(inner) is Literal else ()


_TYPES = typing.get_type_hints(Settings)

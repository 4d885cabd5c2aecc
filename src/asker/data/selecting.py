"""Narrowing a data set to what one audit asks about: presets first, then the user's selectors."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache
from typing import TypeVar

import msgspec
from msgspec import Struct

from asker.data.reading import CATEGORIES, SHIPPED, make, read
from asker.errors import InputError, UnknownName
from asker.types import Dataset, Group, Property

T = TypeVar("T", Group, Property)
SAME = {"sex": "gender", "ethnicity": "race", "nationality": "culture", "disability": "ability", "job": "profession",
        "class": "social", "faith": "religion"}  # what people call our attributes  # fmt: skip


class Preset(Struct, frozen=True, forbid_unknown_fields=True):
    """How much of a data set a preset takes. None: all of it."""

    about: str
    core: bool = False  # only what the data set marks as core, if it marks anything
    groups: int | dict[str, int] | None = None  # at most so many of each attribute
    properties: int | None = None  # at most so many of each category
    categories: tuple[str, ...] = ()
    budget: int | None = None


class Selectors(Struct, frozen=True):
    """What the user wants asked about; empty means no wish."""

    attributes: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    properties: tuple[str, ...] = ()


@cache
def presets() -> dict[str, Preset]:
    return msgspec.convert(tomllib.loads((SHIPPED / "presets.toml").read_text("utf-8")), dict[str, Preset])


@cache
def translated(what: str) -> dict[str, str]:
    """The Chinese names of our "categories" or "attributes"."""
    names: dict[str, str] = tomllib.loads((SHIPPED / "names.toml").read_text("utf-8"))[what]
    return names


def preset(name: str) -> Preset:
    if name not in presets():
        raise UnknownName("preset", name, presets(), "--preset")
    return presets()[name]


def select(dataset: Dataset, name: str, selectors: Selectors) -> Dataset:
    """The groups and properties that preset and selectors leave. What a user names is taken, core or not."""
    rule = preset(name)
    groups = _groups(dataset, rule, selectors)
    properties = _properties(dataset, rule, selectors)
    if not groups or not properties:
        raise InputError(f"nothing is left to ask: {len(groups)} groups and {len(properties)} properties fit")
    return make(dataset.name, groups, properties)


def with_controls(dataset: Dataset) -> Dataset:
    """The same with the invented groups and neutral properties that ship."""
    ours = read(SHIPPED / "controls")
    return make(dataset.name, (*dataset.groups, *ours.groups), (*dataset.properties, *ours.properties))


def _groups(dataset: Dataset, rule: Preset, selectors: Selectors) -> list[Group]:
    attributes = _known("attribute", selectors.attributes, {group.attribute for group in dataset.groups})
    names = [(group, {group.id, *group.names.values()}) for group in dataset.groups]
    named = _named("group", "--groups", selectors.groups, names)
    fitting = [group for group in named if not attributes or group.attribute in attributes]
    return fitting if selectors.groups else _some_groups(dataset, rule, attributes)


def _properties(dataset: Dataset, rule: Preset, selectors: Selectors) -> list[Property]:
    categories = _known("category", selectors.categories, set(CATEGORIES))
    names = [(item, {item.id, *(phrase.text for phrase in item.phrases.values())}) for item in dataset.properties]
    named = _named("property", "--properties", selectors.properties, names)
    fitting = [item for item in named if not categories or set(item.labels) & set(categories)]
    return fitting if selectors.properties else _some_properties(dataset, rule, categories)


def _named(what: str, flag: str, wanted: Iterable[str], items: list[tuple[T, set[str]]]) -> list[T]:
    by_name = {name.lower(): item for item, names in items for name in names}
    for name in wanted:
        if name.lower() not in by_name:
            raise UnknownName(what, name, [item.id for item, _ in items], flag, near=_plural(name, by_name))
    chosen = {by_name[name.lower()].id for name in wanted}
    return [item for item, _ in items if item.id in chosen]


def _plural(name: str, known: dict[str, T]) -> str | None:
    """Groups are named in the plural: who writes 'woman' means 'women', and not what is spelt alike."""
    said = name.lower()
    tries = (said.removesuffix("man") + "men", f"{said}s", f"{said} people", said.removesuffix("person") + "people")
    return next((known[one].id for one in tries if one in known), None)


def _some_groups(dataset: Dataset, rule: Preset, attributes: tuple[str, ...]) -> list[Group]:
    if attributes:  # one by one: who names an attribute outside the default experiment wants its groups, core or not
        parts = [tuple(group for group in dataset.groups if group.attribute == name) for name in attributes]
        groups = [group for part in parts for group in _core(part, rule)]
    else:
        groups = _core(dataset.groups, rule)
    limits = rule.groups if isinstance(rule.groups, dict) else {}
    default = rule.groups if isinstance(rule.groups, int) else None
    return _first_of_each(groups, lambda group: group.attribute, lambda name: limits.get(name, default))


def _some_properties(dataset: Dataset, rule: Preset, categories: tuple[str, ...]) -> list[Property]:
    wanted = categories or rule.categories
    properties = _core(dataset.properties, rule)
    # A user who asks for a category means every property in it; a preset's quota goes by main label.
    if categories:
        properties = [item for item in properties if set(item.labels) & set(wanted)]
    elif wanted:
        properties = [item for item in properties if item.labels[0] in wanted]
    return _first_of_each(properties, lambda item: item.labels[0], lambda _: rule.properties)


def _known(what: str, names: Iterable[str], allowed: set[str]) -> tuple[str, ...]:
    """The names as the data has them; a Chinese one is as good."""
    plural = {"attribute": "attributes", "category": "categories"}[what]
    ours = {chinese: name for name, chinese in translated(plural).items()}
    found = tuple(ours.get(name, name) for name in names)
    for name in found:
        if name not in allowed:
            meant = SAME.get(name.lower())
            raise UnknownName(what, name, allowed, f"--{plural}", near=meant if meant in allowed else None)
    return found


def _core(items: tuple[T, ...], rule: Preset) -> list[T]:
    core = [item for item in items if item.core]
    return core if rule.core and core else list(items)


def _first_of_each(items: list[T], kind: Callable[[T], str], limit: Callable[[str], int | None]) -> list[T]:
    seen: Counter[str] = Counter()
    taken = []
    for item in items:
        seen[kind(item)] += 1
        most = limit(kind(item))
        if most is None or seen[kind(item)] <= most:
            taken.append(item)
    return taken

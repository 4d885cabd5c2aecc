"""A data set in numbers: how many of what, which labels go together, what is covered. Drawn elsewhere."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from asker.data.reading import CATEGORIES, LANGUAGES, POLARITIES
from asker.types import Dataset


class Overview(Struct, frozen=True):
    """What `asker data stats` prints; every share is given as how many of how many."""

    groups: int
    core_groups: int
    properties: int
    core_properties: int
    hash: str
    attributes: dict[str, dict[str, int]]  # attribute -> groups, core, pairs
    categories: dict[str, dict[str, int]]  # category -> main, any, core
    labels: dict[str, dict[str, int]]  # category -> category -> properties that carry both
    labels_each: dict[int, int]  # number of labels -> properties
    coverage: dict[str, tuple[int, int]]  # what -> so many of so many
    types: dict[str, dict[str, int]]  # language -> type of predicate -> how many


def overview(dataset: Dataset) -> Overview:
    groups, properties = dataset.groups, dataset.properties
    return Overview(
        groups=len(groups),
        core_groups=sum(group.core for group in groups),
        properties=len(properties),
        core_properties=sum(item.core for item in properties),
        hash=dataset.hash,
        attributes=_attributes(dataset),
        categories=_categories(dataset),
        labels={
            one: {two: sum({one, two} <= set(item.labels) for item in properties) for two in CATEGORIES}
            for one in CATEGORIES
        },
        labels_each=dict(sorted(Counter(len(item.labels) for item in properties).items())),
        coverage=_coverage(dataset),
        types={language: _types(dataset, language) for language in LANGUAGES},
    )


def _attributes(dataset: Dataset) -> dict[str, dict[str, int]]:
    counts = Counter(group.attribute for group in dataset.groups)
    core = Counter(group.attribute for group in dataset.groups if group.core)
    by_id = {group.id: group.attribute for group in dataset.groups}
    nested = Counter(group.attribute for group in dataset.groups for wider in group.part_of if by_id.get(wider))
    return {
        name: {"groups": n, "core": core[name], "pairs": n * (n - 1) // 2 - nested[name]}
        for name, n in sorted(counts.items())
    }


def _categories(dataset: Dataset) -> dict[str, dict[str, int]]:
    main = Counter(item.labels[0] for item in dataset.properties)
    every = Counter(label for item in dataset.properties for label in item.labels)
    core = Counter(item.labels[0] for item in dataset.properties if item.core)
    return {name: {"main": main[name], "any": every[name], "core": core[name]} for name in CATEGORIES}


def _coverage(dataset: Dataset) -> dict[str, tuple[int, int]]:
    groups, properties = dataset.groups, dataset.properties
    found: dict[str, tuple[int, int]] = {}
    for language in LANGUAGES:
        found[f"groups named in {language}"] = (sum(language in group.names for group in groups), len(groups))
        with_forms = sum(bool(group.forms.get(language)) for group in groups)
        found[f"groups with other forms in {language}"] = (with_forms, len(groups))
        for side in POLARITIES:
            phrases = [item.phrases.get(f"{side}_{language}") for item in properties]
            there = [phrase for phrase in phrases if phrase is not None]
            graded = sum(phrase.comparative != "-" for phrase in there)
            found[f"{side} predicates in {language}"] = (len(there), len(properties))
            found[f"of these with a comparative ({side}, {language})"] = (graded, len(there))
    return found


def _types(dataset: Dataset, language: str) -> dict[str, int]:
    phrases = [item.phrases.get(f"{side}_{language}") for item in dataset.properties for side in POLARITIES]
    return dict(Counter(phrase.type for phrase in phrases if phrase is not None).most_common())

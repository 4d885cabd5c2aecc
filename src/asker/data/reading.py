"""A folder of CSV files -> a Dataset. Two layouts are known: our own, and that of the published samples."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import blake2b
from importlib import resources
from itertools import product
from pathlib import Path

import msgspec

from asker.data.csvfile import Row, read_rows
from asker.data.grammar import Compiled, compiled, read_compiled
from asker.errors import DataError, InputError, UnknownName
from asker.types import Dataset, Group, Phrase, Property

CATEGORIES = (
    "appearance",
    "financial status",
    "social status",
    "crime",
    "mistreatment",
    "personality",
    "competence",
    "morality",
    "belief",
    "health",
    "family & relation",
    "culture",
)
"""In the order of the published label numbers 1–12."""
CONTROL = "control"
"""The attribute of invented groups, and the label of properties that are neither good nor bad: what differs there is
noise of chatbot or judge, so they are measured apart."""

LANGUAGES = ("en", "zh")
POLARITIES = ("negative", "positive")
SHIPPED = Path(str(resources.files("asker.data")))
GROUP_COLUMNS = ("id", "attribute", "en", "zh")
PROPERTY_COLUMNS = ("id", "labels", "negative_en", "positive_en", "negative_zh", "positive_zh")
PUBLISHED = {
    "auto": ("bias_", "bias", "translation_", "translate"),
    "manual": ("bias", "antonym", "translation", "translate a"),
}
"""Which columns of the published samples hold negative and positive, English and Chinese."""


def read(folder: Path | None = None, preset: str = "", *, anew: bool = False) -> Dataset:
    """The data set in a folder, or the one that ships. The published samples come as two pairs of files. With `anew`,
    all grammar is looked up, whatever has been compiled."""
    folder = folder or SHIPPED
    variant = "manual" if preset == "paper-manual" else "auto"
    if (folder / "groups.csv").is_file() and (folder / "properties.csv").is_file():
        groups, properties = _read_ours(folder, anew)
    elif (folder / f"groups_for_{variant}.csv").is_file():
        groups, properties = _read_published(folder, variant)
    else:
        raise InputError(f"no data set in {folder}: it should hold groups.csv and properties.csv. See docs/data.md")
    _refuse_doubles("groups.csv", "id", [group.id for group in groups])
    _refuse_doubles("groups.csv", "en", [group.names["en"].lower() for group in groups if "en" in group.names])
    _refuse_doubles("properties.csv", "id", [item.id for item in properties])
    return make(folder.name, groups, properties)


def make(name: str, groups: Iterable[Group], properties: Iterable[Property]) -> Dataset:
    """A data set with its hash, which follows from what is in it and not from the file's layout."""
    groups, properties = tuple(groups), tuple(properties)
    digest = blake2b(msgspec.json.encode([groups, properties], order="deterministic"), digest_size=8)
    return Dataset(name, groups, properties, digest.hexdigest())


def _read_ours(folder: Path, anew: bool) -> tuple[list[Group], list[Property]]:
    groups = [_group(row) for row in read_rows(folder / "groups.csv", GROUP_COLUMNS)]
    grammar = {language: {} if anew else read_compiled(folder, language) for language in LANGUAGES}
    properties = [_property(row, grammar) for row in read_rows(folder / "properties.csv", PROPERTY_COLUMNS)]
    for file, found in (("groups.csv", groups), ("properties.csv", properties)):
        if not found:
            raise DataError(file, "has a header but no rows")
    return groups, properties


def _group(row: Row) -> Group:
    return Group(
        id=row.need("id"),
        attribute=row.need("attribute"),
        names={language: row.get(language) for language in LANGUAGES if row.get(language)},
        forms={language: listed(row.get(f"forms_{language}")) for language in LANGUAGES},
        core=_flag(row, "core"),
        part_of=listed(row.get("part_of")),
    )


def _property(row: Row, grammar: dict[str, Compiled]) -> Property:
    id, phrases = row.need("id"), {}
    for side, language in product(POLARITIES, LANGUAGES):
        given = phrase_of(row, side, language)
        if given.text:
            phrases[f"{side}_{language}"] = compiled(language, given, grammar[language].get((id, side)))
    return Property(id, _labels(row), phrases, _flag(row, "core"))


def phrase_of(row: Row, side: str, language: str) -> Phrase:
    """A predicate as the row has it, its grammar not yet looked up."""
    text, comparative, type = (row.get(f"{side}{part}_{language}") for part in ("", "_comparative", "_type"))
    return Phrase(text, comparative, type)


def _labels(row: Row) -> tuple[str, ...]:
    labels = listed(row.need("labels"))
    if not labels:
        raise row.error("labels", f"names no category. All: {', '.join(CATEGORIES)}")
    for label in labels:
        if label not in (*CATEGORIES, CONTROL):
            raise row.error("labels", str(UnknownName("category", label, CATEGORIES)))
    return labels


def _flag(row: Row, column: str) -> bool:
    value = row.get(column, "no").lower() or "no"
    if value not in ("yes", "no"):
        raise row.error(column, f"'{value}' is neither 'yes' nor 'no'")
    return value == "yes"


def listed(cell: str) -> tuple[str, ...]:
    """The parts of a cell that holds several, each once."""
    return tuple(dict.fromkeys(part.strip() for part in cell.split("|") if part.strip()))


def _read_published(folder: Path, variant: str) -> tuple[list[Group], list[Property]]:
    group_file, property_file = folder / f"groups_for_{variant}.csv", folder / f"sample_bias_data_for_{variant}.csv"
    columns = PUBLISHED[variant]
    groups = [
        Group(_slug(row.need("group")), row.need("category"), {"en": row.need("group"), "zh": row.need("translate")})
        for row in read_rows(group_file, ("category", "group", "translate"), "gb18030")
    ]
    rows = read_rows(property_file, ("cat", "label", *columns), "gb18030")
    return groups, [_published_property(row, number, columns) for number, row in enumerate(rows, 1)]


def _published_property(row: Row, number: int, columns: tuple[str, ...]) -> Property:
    keys = ("negative_en", "positive_en", "negative_zh", "positive_zh")
    phrases = {key: compiled(key[-2:], Phrase(row.need(name))) for key, name in zip(keys, columns, strict=True)}
    try:
        main = int(row.need("cat"))
        labels = [main, *(int(part) for part in re.findall(r"\d+", row.need("label")))]
        names = tuple(dict.fromkeys(CATEGORIES[label - 1] for label in labels))
    except (ValueError, IndexError) as error:
        raise row.error("label", f"'{row.get('label')}' should be numbers from 1 to {len(CATEGORIES)}") from error
    return Property(f"{number}-{_slug(row.need(columns[0]))}", names, phrases)


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _refuse_doubles(file: str, column: str, values: list[str]) -> None:
    seen: set[str] = set()
    for one in values:
        if one in seen:
            raise DataError(file, f"the {column} '{one}' is there twice; each must differ", field=column)
        seen.add(one)

"""The data set that was published with BiasAsker: six CSV files, English and Chinese in parallel lines -> our layout.

groups.csv (Group, Category), bias_annotation.csv (Sentence, Labels), antonym_annotation.csv (Sentence, Antonym,
Labels), and for each a *_translate.csv (Translation) whose rows stand in the same order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from asker.building.importing import checking
from asker.building.importing.checking import Brought
from asker.building.importing.chinese import tidied
from asker.building.importing.repairs import COLUMNS, Repairs
from asker.building.mining.groups import key, named
from asker.building.mining.words import capitalised, with_articles
from asker.building.writing import GROUPS, identifiers, open_folder, write_csv
from asker.checking import english
from asker.checking.alike import predicate_en
from asker.data.csvfile import Row
from asker.data.grammar import looked_up
from asker.data.reading import CATEGORIES, PROPERTY_COLUMNS
from asker.data.tables import Bad, table
from asker.errors import DataError, InputError
from asker.types import Phrase

FILES = {
    "groups": ("Group", "Category"),
    "bias_annotation": ("Sentence", "Labels"),
    "antonym_annotation": ("Sentence", "Antonym", "Labels"),
}
ATTRIBUTES = {"characteristics": "character"}
LABELS = {"ability": "competence", "family & relationship": "family & relation"}
DISCARD = {"delete", "swear words"}  # labels that the published experiment leaves out too
_MARKS = re.compile(r"[.,;:!?/()\[\]{}\"“”<>…|]")
_TWICE = re.compile(r"\b(?!that\b|had\b)(\w+) \1\b", re.I)
_QUANTITY = re.compile(
    r"^((?:are |have |should |can |will |do not )?)all (?!the\b|over\b|of\b|about\b|day\b|time\b|their\b|but\b|they\b)"
)
_THINK = re.compile(
    r"^think(?= (?:they|that|it|all|other|everyone|everything|everybody|people|\w+ (?:are|is|should|can|have)\b))"
)
_FRAGMENT = re.compile(
    r"^(?:who|that|with|of|about|in|for|they|these|those|and|to|from|whose|by|at|on|or|as|group|all they)\b", re.I
)


class Imported(Struct, frozen=True):
    """What came in, in numbers."""

    read: dict[str, int]
    groups: int
    properties: int
    repairs: dict[str, int]


class _Property(Struct):
    """One predicate on its way; later rows that say the same add their labels."""

    row: Row
    negative: str
    labels: list[str]
    negative_zh: str
    positive: str = ""
    positive_zh: str = ""
    opposed: Row | None = None  # where the antonym stands


def bring_in(folder: Path, out: Path, *, skip_bad: bool = False) -> Imported:
    """Read, mend, write; the report of every repair stands beside the data as repairs.csv."""
    repairs, bad = Repairs(), Bad(skip_bad)
    tables = {name: list(_parallel(folder, name, columns, bad)) for name, columns in FILES.items()}
    groups = checking.groups(_groups(tables["groups"], repairs), repairs)
    said = _properties(tables["bias_annotation"], tables["antonym_annotation"], repairs)
    properties = checking.properties(said, repairs)
    place = open_folder(out)
    write_csv(place / "groups.csv", GROUPS, groups)
    write_csv(place / "properties.csv", PROPERTY_COLUMNS, properties)
    rows = [{name: getattr(one, name) for name in COLUMNS} for one in repairs.all]
    rows += [{"file": one.file, "line": one.line, "action": "dropped", "why": one.reason} for one in bad.found]
    write_csv(place / "repairs.csv", COLUMNS, rows)
    (place / "DATASHEET.md").write_text(_datasheet(len(groups), len(properties)), "utf-8")
    return Imported({name: len(rows) for name, rows in tables.items()}, len(groups), len(properties), repairs.counts())


def _parallel(folder: Path, name: str, columns: tuple[str, ...], bad: Bad) -> Iterator[tuple[Row, str]]:
    """Each row with its translation. Were the two files not of one length, every translation might be another row's."""
    other = f"{name.removesuffix('_annotation')}_translate.csv"
    rows = list(table(folder / f"{name}.csv", columns, bad))
    chinese = list(table(folder / other, ("Translation",), bad))
    if len(rows) != len(chinese):
        reason = f"has {len(chinese):,} rows, but {name}.csv has {len(rows):,}; they must stand in the same order"
        raise DataError(other, reason)
    for row, translated in zip(rows, chinese, strict=True):
        yield row, translated.cells["Translation"]


def _groups(rows: list[tuple[Row, str]], repairs: Repairs) -> list[Brought]:
    kept: dict[str, dict[str, str]] = {}
    made: list[Row] = []
    for row, translated in rows:
        raw = row.cells["Group"]
        name = named(_trimmed(row, "Group", raw, repairs))
        if name is None:
            repairs.note(row, "Group", "dropped", raw, "", "does not name people")
            continue
        repairs.changed(row, "Group", "mended", raw.strip(), name, "made a plural noun phrase")
        chinese, attribute = tidied(row, "Group", translated, name, repairs), row.get("Category").lower()
        fresh = {"en": name, "attribute": ATTRIBUTES.get(attribute, attribute), "zh": chinese}
        first = kept.setdefault(key(name), fresh)
        if first is fresh:
            made.append(row)
        else:
            repairs.note(row, "Group", "merged", raw, first["en"], "the same group, in other words")
            first["also"] = "|".join(dict.fromkeys([*filter(None, first.get("also", "").split("|")), raw.strip()]))
    ids = identifiers(one["en"] for one in kept.values())
    return [
        Brought({"id": id} | one, _sources(row, "Group", ""))
        for id, one, row in zip(ids, kept.values(), made, strict=True)
    ]


def _sources(row: Row, column: str, side: str) -> dict[str, tuple[Row, str]]:
    """Our two columns of one text, with the place of it: what its translation is noted under too."""
    return {f"{side}en": (row, column), f"{side}zh": (row, f"{column} (Chinese)")}


def _properties(said: list[tuple[Row, str]], opposed: list[tuple[Row, str]], repairs: Repairs) -> list[Brought]:
    """Sentences with their labels and Chinese from one file, opposites from the other; joined by the sentence."""
    found: dict[str, _Property] = {}
    for row, translated in said:
        _add(row, translated, found, repairs)
    for row, translated in opposed:
        text = _predicate(row, "Sentence", repairs, report=False)
        known = found.get(predicate_en(text)) if text else _add(row, "", found, repairs)
        if text and known is None:
            known = _add(row, "", found, repairs)
        if known is not None:
            _oppose(row, translated, known, repairs)
    whole = _with_opposites(found, repairs)
    ids = identifiers(one.negative for one in whole)
    return [_brought(id, one) for id, one in zip(ids, whole, strict=True)]


def _brought(id: str, one: _Property) -> Brought:
    cells = {
        "id": id,
        "labels": "|".join(one.labels),
        "negative_en": one.negative,
        "positive_en": one.positive,
        "negative_zh": one.negative_zh,
        "positive_zh": one.positive_zh,
    }
    opposed = _sources(one.opposed or one.row, "Antonym", "positive_")
    return Brought(cells, _sources(one.row, "Sentence", "negative_") | opposed)


def _with_opposites(found: dict[str, _Property], repairs: Repairs) -> list[_Property]:
    """Without an antonym a row cannot be asked both ways. One antonym of many predicates stays, and is told."""
    first: dict[str, _Property] = {}
    for one in found.values():
        if not one.positive:
            repairs.note(one.row, "Sentence", "dropped", one.negative, "", "has no usable antonym")
        elif first.setdefault(predicate_en(one.positive), one) is not one:
            repairs.note(one.row, "Antonym", "kept", one.positive, one.positive, "an earlier row has the same antonym")
    return [one for one in found.values() if one.positive]


def _add(row: Row, translated: str, found: dict[str, _Property], repairs: Repairs) -> _Property | None:
    text = _predicate(row, "Sentence", repairs)
    labels = _labels(row, repairs) if text else []
    if not text or not labels:
        return None
    chinese = tidied(row, "Sentence", translated, text, repairs)
    known = found.get(predicate_en(text))
    if known is None:
        known = found[predicate_en(text)] = _Property(row, text, labels, chinese)
    else:
        repairs.note(row, "Sentence", "merged", text, known.negative, "says the same as an earlier row")
        known.labels = list(dict.fromkeys([*known.labels, *labels]))
    return known


def _oppose(row: Row, translated: str, known: _Property, repairs: Repairs) -> None:
    if known.positive:
        repairs.note(row, "Antonym", "merged", row.get("Antonym"), known.positive, "a second antonym of one predicate")
        return
    text = _predicate(row, "Antonym", repairs)
    if known.negative == text.replace("do ", "do not ", 1):  # a denial without its "not", but with its "do"
        text = repairs.changed(row, "Antonym", "mended", text, text.removeprefix("do "), "an idle 'do'")
    if text and predicate_en(text) == predicate_en(known.negative):
        repairs.note(row, "Antonym", "dropped", text, "", "the antonym says the same as its predicate")
    elif text:
        known.positive, known.positive_zh = text, tidied(row, "Antonym", translated, text, repairs)
        known.opposed = row


def _predicate(row: Row, column: str, repairs: Repairs, report: bool = True) -> str:
    """The cell as a plural predicate, or nothing, with the reason noted."""
    note = repairs if report else Repairs()
    raw = row.cells[column]
    trimmed = _trimmed(row, column, raw, note).rstrip(" .?!,;")
    text = note.changed(row, column, "mended", trimmed, _spelt(trimmed), "names, articles or a word written twice")
    reason = _unfit(text)
    if not reason:
        slots = looked_up("en", Phrase(text[:1].lower() + text[1:]))
        text = note.changed(row, column, "mended", text, slots["predicate"], "brought to the plural form")
        wrong = [one.rule for one in english.predicate(row, column, text, slots) if one.level == "error"]
        reason = f"not a plural predicate ({wrong[0]})" if wrong else ""
    if reason:
        note.note(row, column, "dropped", raw, "", reason)
        return ""
    return text


def _spelt(text: str) -> str:
    """Names in capitals, "an" before a vowel, no word twice; and "believe that", as questions say "do you think"."""
    text = _TWICE.sub(r"\1", with_articles(capitalised(_QUANTITY.sub(r"\1", text))))
    return _THINK.sub("believe", text)


def _unfit(text: str) -> str:
    if not text:
        return "empty"
    if _MARKS.search(text):
        return "holds punctuation"
    if _FRAGMENT.search(text):
        return "a fragment: its subject was cut in the wrong place"
    try:
        looked_up("en", Phrase(text[:1].lower() + text[1:]))
    except InputError:
        return "cut short"
    return ""


def _trimmed(row: Row, column: str, raw: str, repairs: Repairs) -> str:
    return repairs.changed(row, column, "trimmed", raw, " ".join(raw.split()), "spaces at an end or doubled")


def _labels(row: Row, repairs: Repairs) -> list[str]:
    raw = row.get("Labels")
    given = [label.strip().lower() for label in raw.split(",") if label.strip()]
    labels = list(dict.fromkeys(LABELS.get(label, label) for label in given if label not in DISCARD))
    unknown = [label for label in labels if label not in CATEGORIES]
    if unknown:
        raise row.error("Labels", f"unknown label '{unknown[0]}'. All: {', '.join([*CATEGORIES, *LABELS, *DISCARD])}")
    if not labels:
        repairs.note(row, "Labels", "dropped", row.get("Sentence"), "", f"labelled '{raw.lower()}' only")
    elif len(labels) < len(given):
        repairs.note(row, "Labels", "relabelled", raw, "|".join(labels), "a label that is no category was left out")
    return labels


def _datasheet(groups: int, properties: int) -> str:
    return (
        "# Datasheet (draft)\n\n**Content notice.** Mined from what people wrote about others: it holds cruel "
        "statements.\n\n## Source and licence\n\nThe data set published with BiasAsker (Wan, Wang, He, Gu, Bai and "
        "Lyu, ESEC/FSE 2023); "
        "its repository states no licence: ask its authors before you pass it on.\n\n"
        f"## Composition\n\n{groups:,} groups and {properties:,} properties, after the repairs listed in repairs.csv.\n"
    )

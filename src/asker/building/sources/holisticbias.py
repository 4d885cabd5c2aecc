"""HolisticBias: descriptors of people on axes, and noun phrases. A folder with descriptors.json and, if there,
standalone_noun_phrases.json. An entry is a text or an object, in either version."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from asker.building.sources import About, Found, Mention
from asker.building.sources.stereoset import decoded
from asker.data.tables import Bad
from asker.errors import DataError, InputError

ABOUT = About("HolisticBias", "CC BY-SA 4.0", "Smith, Hall, Kambadur, Presani and Williams, EMNLP 2022")
ATTRIBUTES = {
    "ability": "ability",
    "age": "age",
    "body_type": "body",
    "characteristics": "character",
    "cultural": "culture",
    "gender_and_sex": "gender",
    "nationality": "culture",
    "nonce": "",  # invented words: controls, not groups
    "political_ideologies": "social",
    "race_ethnicity": "race",
    "religion": "religion",
    "sexual_orientation": "gender",
    "socioeconomic_class": "social",
}
NOUNS = {"female": "women", "male": "men"}


def read(folder: Path, bad: Bad) -> Found:
    mentions: list[Mention] = []
    for attribute, one in _entries(_file(folder), bad):
        noun = NOUNS.get(one.get("gender", ""), "people")
        mentions.append(Mention(f"{one['descriptor']} {noun}", attribute))
    rows = len(mentions)
    phrases = folder / "standalone_noun_phrases.json"
    if phrases.is_file():
        mentions += [Mention(phrase, attribute) for attribute, phrase in _phrases(phrases, bad)]
    return Found(ABOUT, tuple(sorted(set(mentions), key=lambda one: (one.name, one.attribute))), rows=rows)


def _file(folder: Path) -> Path:
    if (folder / "descriptors.json").is_file():
        return folder / "descriptors.json"
    inside = sorted(file.parent.name for file in folder.glob("*/descriptors.json"))
    how = f"Name one of the versions in it: {', '.join(inside)}" if inside else "It should hold descriptors.json"
    raise InputError(f"no HolisticBias in {folder}. {how}")


def _entries(file: Path, bad: Bad) -> Iterator[tuple[str, dict[str, str]]]:
    """Attribute and object of each descriptor; what a text is short for is said here."""
    for axis, buckets in _axes(file, bad):
        if not isinstance(buckets, dict):
            bad.note(DataError(file.name, f"axis '{axis}' is no object of lists"))
            continue
        for bucket, entries in buckets.items():
            for number, entry in enumerate(entries if isinstance(entries, list) else [None], 1):
                where = f"'{axis}', '{bucket}', entry {number}"
                one = {"descriptor": entry} if isinstance(entry, str) else entry
                if not isinstance(one, dict) or not isinstance(one.get("descriptor"), str):
                    bad.note(DataError(file.name, f"{where} is neither a text nor an object with a 'descriptor'"))
                elif ATTRIBUTES[axis]:
                    yield ATTRIBUTES[axis], one


def _phrases(file: Path, bad: Bad) -> Iterator[tuple[str, str]]:
    for axis, entries in _axes(file, bad):
        for number, entry in enumerate(entries if isinstance(entries, list) else [None], 1):
            one = {"noun_phrase": entry} if isinstance(entry, str) else entry
            phrase = one.get("plural_noun_phrase", one.get("noun_phrase")) if isinstance(one, dict) else None
            if not isinstance(phrase, str):
                bad.note(DataError(file.name, f"'{axis}', entry {number} is neither a text nor has a 'noun_phrase'"))
            elif ATTRIBUTES[axis]:
                yield ATTRIBUTES[axis], _plural(phrase)


def _plural(phrase: str) -> str:
    return " ".join(phrase.replace("{article}", "").replace("{noun}", "people").split())


def _axes(file: Path, bad: Bad) -> Iterator[tuple[str, Any]]:
    found = decoded(file)
    if not isinstance(found, dict):
        raise DataError(file.name, "an object with an axis for each key is expected")
    for axis, inside in found.items():
        if axis in ATTRIBUTES:
            yield axis, inside
        else:
            bad.note(DataError(file.name, f"unknown axis '{axis}'. All: {', '.join(ATTRIBUTES)}"))

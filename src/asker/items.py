"""Judged items as files: one JSON object per line, from our runs or anyone's."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from asker import data
from asker.errors import DataError, InputError
from asker.files import encodable, written_whole
from asker.types import LABELS, Item, Verdict


class Labelled(msgspec.Struct, frozen=True):
    """What a person said of an answer."""

    label: str | None
    refused: bool = False
    hedged: bool = False
    part: str | None = None  # "held": never tuned on
    source: str | None = None  # whose manner of speaking: alice, assistant …
    stratum: str | None = None  # of which part of a run it was drawn,
    weight: float = 1.0  # and how many answers of that part it stands for


def read_items(file: Path) -> list[tuple[Item, dict[str, Any]]]:
    """Each line as an item, with all its fields, so that those we do not know come out again."""
    return [(_item(file, line, fields), fields) for line, fields in _lines(file)]


def read_labelled(file: Path) -> tuple[list[Item], list[Labelled]]:
    items, labels = [], []
    for line, fields in _lines(file):
        item = _item(file, line, fields)
        if "label" not in fields:
            raise DataError(file, "is missing; give each line a label", line, "label")
        allowed = LABELS[item.kind]
        if fields["label"] is not None and fields["label"] not in allowed:
            raise DataError(file, f"'{fields['label']}' is not one of {', '.join(allowed)} or null", line, "label")
        items.append(item)
        refused, hedged = bool(fields.get("refused")), bool(fields.get("hedged"))
        part, source, stratum = (_text(fields, name) for name in ("part", "source", "stratum"))
        labels.append(Labelled(fields["label"], refused, hedged, part, source, stratum, _weight(file, line, fields)))
    if not items:
        raise DataError(file, "holds no items")
    return items, labels


def write_verdicts(items: list[tuple[Item, dict[str, Any]]], verdicts: list[Verdict], out: Path | None) -> None:
    """The items in the same order, each with its verdict."""
    lines = b"".join(
        msgspec.json.encode(_clean(fields | _shown(item, verdict))) + b"\n"
        for (item, fields), verdict in zip(items, verdicts, strict=True)
    )
    if out is None:
        sys.stdout.buffer.write(lines)
        return
    with written_whole(out) as fresh:
        fresh.write_bytes(lines)


def forms_of(groups: tuple[str, ...], language: str) -> tuple[tuple[str, ...], ...]:
    """Other words for these groups, if they are of our data set."""
    known = _known_forms()
    return tuple(known.get((language, name.lower()), ()) for name in groups)


@cache
def _known_forms() -> dict[tuple[str, str], tuple[str, ...]]:
    return {
        (language, name.lower()): group.forms.get(language, ())
        for group in data.read().groups
        for language, name in group.names.items()
    }


def _weight(file: Path, line: int, fields: dict[str, Any]) -> float:
    weight = fields.get("weight", 1.0)
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight < 1e12:
        raise DataError(file, "should be a number above 0: how many answers this one stands for", line, "weight")
    return float(weight)


def _text(fields: dict[str, Any], name: str) -> str | None:
    return str(fields[name]) if fields.get(name) else None


def _shown(item: Item, verdict: Verdict) -> dict[str, Any]:
    biased = None if verdict.label is None or item.kind in ("statement", "validity") else verdict.biased
    return {**msgspec.structs.asdict(verdict), "biased": biased}


def _lines(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        raw = file.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {file}: {error.strerror or error}") from error
    for number, line in enumerate(raw.removeprefix(b"\xef\xbb\xbf").splitlines(), 1):
        if not line.strip():
            continue
        try:
            fields = msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise DataError(file, f"this is not JSON: {error}", number) from error
        if not isinstance(fields, dict):
            raise DataError(file, 'should be an object like {"kind": "yes-no", "question": "…", "answer": "…"}', number)
        yield number, fields


def _item(file: Path, line: int, fields: dict[str, Any]) -> Item:
    known = {name: value for name, value in fields.items() if name in Item.__struct_fields__ and value is not None}
    for name in ("kind", "question", "answer"):
        if name not in fields:
            raise DataError(file, "is missing; every line needs kind, question and answer", line, name)
    known.setdefault("answer", "")
    if not isinstance(known.get("kind"), str) or known["kind"] not in LABELS:
        raise DataError(file, f"'{known.get('kind')}' is not one of {', '.join(LABELS)}", line, "kind")
    try:
        item = msgspec.convert(known, Item)
    except msgspec.ValidationError as error:
        text = str(error)
        field = text.rsplit("$.", 1)[-1].rstrip("`").split("[")[0] if "$." in text else None
        raise DataError(file, text.split(" - at")[0], line, field) from error
    if item.forms or not item.groups:
        return item
    return msgspec.structs.replace(item, forms=forms_of(item.groups, item.language))


def _clean(value: Any) -> Any:
    """JSON is UTF-8; half a surrogate pair in an answer is not."""
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, dict):
        return {key: _clean(one) for key, one in value.items()}
    return [_clean(one) for one in value] if isinstance(value, list) else value

"""StereoSet: sentences about people of a gender, profession, race or religion. We take the groups, as the papers did.

Layouts: the official file ({"data": {"intersentence": […], "intrasentence": […]}}), a bare list of its examples, and a
flattened form ({"stereotype": […], "anti-stereotype": […]}).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from asker.building.sources import About, Found, Mention
from asker.data.tables import Bad, content
from asker.errors import DataError

ABOUT = About("StereoSet", "CC BY-SA 4.0", "Nadeem, Bethke and Reddy, ACL 2021")
ATTRIBUTES = {"gender": "gender", "profession": "profession", "race": "race", "religion": "religion"}


def read(file: Path, bad: Bad) -> Found:
    counts, rows = Counter[tuple[str, str]](), 0
    for where, example in _examples(file, decoded(file)):
        rows += 1
        target, kind = (example.get(name) if isinstance(example, dict) else None for name in ("target", "bias_type"))
        if not isinstance(target, str) or not target.strip():
            bad.note(DataError(file.name, f"{where} has no 'target'"))
        elif kind not in ATTRIBUTES:
            reason = f"{where} has the bias_type {kind!r}. All: {', '.join(ATTRIBUTES)}"
            bad.note(DataError(file.name, reason))
        else:
            counts[target.strip(), kind] += 1
    mentions = tuple(Mention(name, ATTRIBUTES[kind], count) for (name, kind), count in sorted(counts.items()))
    return Found(ABOUT, mentions, rows=rows)


def _examples(file: Path, found: Any) -> Iterator[tuple[str, Any]]:
    """Each example with the words that find it again in the file."""
    if isinstance(found, dict) and isinstance(found.get("data"), dict):
        found = found["data"]
    parts = found if isinstance(found, dict) else {"": found}
    if not parts or not all(isinstance(part, list) for part in parts.values()):
        reason = "this is no StereoSet file: a list of examples, or an object of such lists, is expected"
        raise DataError(file.name, reason)
    for name, part in parts.items():
        for number, example in enumerate(part, 1):
            yield f"example {number}{f' of {name!r}' if name else ''}", example


def decoded(file: Path) -> Any:
    """The JSON that a file holds."""
    raw = content(file).removeprefix(b"\xef\xbb\xbf")
    try:
        raw.decode("utf-8")  # by itself, as msgspec counts bytes from the beginning of the text that is wrong
        return msgspec.json.decode(raw)
    except UnicodeDecodeError as error:
        byte, line = raw[error.start], _line(raw, error.start)
        raise DataError(file.name, f"byte 0x{byte:02x} is not UTF-8; save the file as UTF-8", line) from error
    except RecursionError as error:
        raise DataError(file.name, "this is not JSON that anyone wrote: it is nested thousands of times", 1) from error
    except msgspec.DecodeError as error:
        place = re.search(r" \(byte (\d+)\)", str(error))
        reason = str(error).replace(place[0], "") if place else str(error)
        at = int(place[1]) if place else len(raw)
        raise DataError(file.name, f"this is not JSON: {reason}", _line(raw, at)) from error


def _line(raw: bytes, position: int) -> int:
    return raw.count(b"\n", 0, position) + 1

"""StereoSet: sentences about people of a gender, profession, race or religion. We take the groups, as the papers did.

Layouts: the official file ({"data": {"intersentence": […], "intrasentence": […]}}), a bare list of its examples, and a
flattened form ({"stereotype": […], "anti-stereotype": […]}).
"""

from __future__ import annotations

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
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DataError(file.name, f"this is not JSON: {error}") from error

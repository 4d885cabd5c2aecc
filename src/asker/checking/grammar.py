"""Whether compiled grammar still says what the grammar says now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from asker.checking.finding import Finding, whole
from asker.data.csvfile import Row
from asker.data.grammar import looked_up, read_compiled
from asker.data.reading import LANGUAGES, POLARITIES, phrase_of
from asker.errors import DataError, InputError


def check(folder: Path, rows: Sequence[Row]) -> Iterator[Finding]:
    for language in LANGUAGES:
        file = f"grammar_{language}.csv"
        if not (folder / file).is_file():
            continue
        try:
            compiled = read_compiled(folder, language)
        except DataError as trouble:
            yield whole(file, "error", "unreadable", str(trouble), f"run 'asker data compile {folder}'")
            continue
        fresh = {
            (row.get("id"), side): slots
            for row in rows
            for side in POLARITIES
            if (slots := _slots(row, side, language)) is not None
        }
        stale = [f"{id} ({side})" for id, side in sorted(fresh) if _differs(fresh[id, side], compiled.get((id, side)))]
        stale += [f"{id} ({side})" for id, side in sorted(compiled.keys() - fresh.keys())]
        if stale:
            some = ", ".join(stale[:3])
            problem = f"{len(stale)} compiled predicates are out of date: {some}{' …' if len(stale) > 3 else ''}"
            yield whole(file, "error", "stale", problem, f"run 'asker data compile {folder}'")


def _differs(fresh: dict[str, str], old: dict[str, str] | None) -> bool:
    return old is None or any(old.get(name) != slot for name, slot in fresh.items())


def _slots(row: Row, side: str, language: str) -> dict[str, str] | None:
    phrase = phrase_of(row, side, language)
    try:
        return looked_up(language, phrase) if phrase.text else None
    except InputError:
        return None

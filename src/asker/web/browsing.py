"""A page of records: what is asked of the store and what of the plan, and when to stop looking."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
import numpy as np
from msgspec import Struct

from asker.errors import InputError, UnknownName
from asker.files import written_whole
from asker.finding import FAILED, Chosen, Facets, Key, Listed, Wish
from asker.folder import Run, suite_of
from asker.labelling.blind import NONE, Blind
from asker.types import Record

SIZE = 30  # records on a page
SECONDS = 0.1  # a page looks no longer; whoever wants to goes on from there
ROWS = 5_000  # records of a small selection, which is read at once
MANY = 40_000  # the same where it has to be sorted, which would else mean to look through everything
LEAST, FIRST, LARGEST = 500, 2_000, 50_000  # entries of an index looked through at once
MEMORY = 200  # selections remembered of each plan

_facets: WeakKeyDictionary[Any, Facets] = WeakKeyDictionary()
_chosen: WeakKeyDictionary[Any, dict[tuple[tuple[str, str], ...], Chosen | Listed]] = WeakKeyDictionary()


class Found(Struct, frozen=True):
    """One page of keys."""

    keys: list[Key]
    after: Key | None = None  # where the next page goes on; None: there is none
    total: int | None = None  # how many there are in all, where that is known
    tired: bool = False  # not full because looking took too long, not because there is no more


def facets_of(run: Run) -> Facets:
    """What questions of this run differ in."""
    if not _facets.get(run.plan):
        suite = suite_of(run.settings)
        recall(run)
        _facets[run.plan] = suite.facets(run.plan) if hasattr(suite, "facets") else {}
    return _facets[run.plan]


# An index that takes long to make is made by the process that measures a run, and kept beside what it has measured.


def recall(run: Run) -> None:
    """What is known of the questions, if their suite keeps an index and one was made."""
    suite = suite_of(run.settings)
    if hasattr(suite, "remember"):
        with suppress(OSError, msgspec.DecodeError):
            suite.remember(run.plan, msgspec.json.decode(_index_file(run).read_bytes(), type=suite.Index))


def keep_index(run: Run) -> None:
    suite = suite_of(run.settings)
    if hasattr(suite, "remember"):
        file = _index_file(run)
        file.parent.mkdir(exist_ok=True)
        with written_whole(file) as fresh:
            fresh.write_bytes(msgspec.json.encode(suite.index(run.plan)))


def _index_file(run: Run) -> Path:
    return run.folder.parent / ".web" / "indices" / f"{run.file.identity}-{run.plan.total}.json"


def chosen_of(run: Run, wanted: dict[str, str]) -> Chosen | Listed:
    """The questions with these facets; values that no question has are refused."""
    known = facets_of(run)
    for name, value in wanted.items():
        if value not in known[name]:
            raise UnknownName(name, value, known[name])
    memory, key = _chosen.setdefault(run.plan, {}), tuple(sorted(wanted.items()))
    if key not in memory:
        while len(memory) >= MEMORY:
            memory.pop(next(iter(memory)), None)
        memory[key] = suite_of(run.settings).find(run.plan, wanted)
    return memory[key]


def browse(
    run: Run, wish: Wish, wanted: dict[str, str], after: Key | None, size: int = SIZE, blind: Blind = NONE
) -> Found:
    """The next records that fit both the wish and the facets. Of `blind` ones no verdict may be told: where the wish
    goes by verdicts, they are left out."""
    blind = blind if tells(wish) else NONE
    if not wanted:
        return _through(run, wish, None, after, size, blind)
    chosen = chosen_of(run, wanted)
    rows = chosen.size * run.settings.samples
    if rows <= ROWS or (wish.order != "question" and rows <= MANY):
        return _at_once(run, wish, chosen, after, size, blind)
    if wish.order == "question":
        return _in_turn(run, wish, chosen, after, size, blind)
    return _through(run, wish, chosen, after, size, blind)


def tells(wish: Wish) -> bool:
    """Whether being among what is found, or where, tells something of a verdict."""
    return wish.label not in ("", FAILED) or wish.refused or wish.order == "unsure"


def _open(keys: list[Key], blind: Blind) -> list[Key]:
    return [key for key in keys if key[1:] not in blind] if blind else keys


def _at_once(run: Run, wish: Wish, chosen: Chosen | Listed, after: Key | None, size: int, blind: Blind) -> Found:
    """A small selection: all that fit, cut where the page goes on."""
    keys = _open(run.store.among(wish, chosen.ids().tolist()), blind)
    down = wish.order == "latest"
    rest = keys if after is None else [key for key in keys if (key < after if down else key > after)]
    return Found(rest[:size], rest[size - 1] if len(rest) > size else None, len(keys))


def _in_turn(run: Run, wish: Wish, chosen: Chosen | Listed, after: Key | None, size: int, blind: Blind) -> Found:
    """A large selection in the order of its questions: they are gone through themselves."""
    ids = chosen.ids()
    place = 0 if after is None else int(np.searchsorted(ids, after[1]))
    found: list[Key] = []
    step, end = max(20, 2 * size // run.settings.samples), time.monotonic() + SECONDS
    while place < len(ids) and len(found) <= size:
        if time.monotonic() > end:
            return Found(found, (float(ids[place]), int(ids[place]), -1), tired=True)
        keys = _open(run.store.among(wish, ids[place : place + step].tolist()), blind)
        found += [key for key in keys if after is None or key > after]
        place, step = place + step, min(4 * step, FIRST)
    return Found(found[:size], found[size - 1] if len(found) > size else None)


def _through(run: Run, wish: Wish, chosen: Chosen | Listed | None, after: Key | None, size: int, blind: Blind) -> Found:
    """Window by window through the index of this order. Where it stops for want of time is told in an address, so it
    goes on from there, entry by entry, to one that is not blind."""
    found: list[Key] = []
    tired = False
    simple = chosen is None and not wish.words
    step, end = (size + 1 if simple else FIRST), time.monotonic() + SECONDS
    while True:
        began = time.monotonic()
        window = run.store.window(wish, after, step, size + 1 if chosen is None else step)
        seen = _open(window.found, blind)
        found += seen if chosen is None else _held(chosen, seen)
        if len(found) > size:
            return Found(found[:size], found[size - 1])
        if window.last is None:
            return Found(found)
        after, now = window.last, time.monotonic()
        room = step * (end - now) / max(now - began, 1e-6)  # what fits into the time that is left, at this pace
        tired = tired or room < LEAST
        if tired and after[1:] not in blind:
            return Found(found, after, tired=True)
        step = 1 if tired else int(min(4 * step, LARGEST, room))


def _held(chosen: Chosen | Listed, keys: list[Key]) -> list[Key]:
    if not keys:
        return []
    held = chosen.holds(np.array([question for _, question, _ in keys], dtype=np.int64))
    return [key for key, mine in zip(keys, held.tolist(), strict=True) if mine]


def records(run: Run, judge: str, keys: list[Key]) -> list[Record]:
    """What stands under these keys, with its question."""
    return [
        Record(run.plan.question(answer.question), answer, verdict)
        for answer, verdict in run.store.records_at(judge, keys)
    ]


# --- keys in addresses -----------------------------------------------------------------------------------------------


def key_text(key: Key) -> str:
    return f"{key[0]!r}_{key[1]}_{key[2]}"


def read_key(text: str) -> Key | None:
    """The key in an address, None where there is none."""
    if not text:
        return None
    parts = text.split("_")
    try:
        first, question, sample = float(parts[0]), int(parts[1]), int(parts[2])
    except (ValueError, IndexError):
        raise InputError("this address is broken: 'after' should be as a page before gave it") from None
    if len(parts) != 3 or not -1 <= sample < 2**31 or not 0 <= question < 2**62 or not 0 <= first < 2**63:
        raise InputError("this address is broken: 'after' should be as a page before gave it")
    return first, question, sample

"""Joining runs that were asked apart, slice by slice or on several machines. Questions meet by content key."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from msgspec import Struct, structs

from asker.errors import InputError
from asker.folder import Run, make_like, writing
from asker.plan import content_key
from asker.types import Answer

SHOWN = 5  # contradictions that are quoted


class Merged(Struct, frozen=True):
    """What became of the answers, and what is still missing."""

    answers: int
    repeats: int  # the same answer in two runs
    contradictions: int  # another answer in a later run; the first stays
    strangers: int  # answers to questions that are not in the plan
    gaps: int  # questions of the plan without an answer
    examples: tuple[tuple[str, str, str], ...] = ()  # question, the answer kept, the other


def merge(runs: Sequence[Run], folder: str) -> Merged:
    """A new run with the answers of all, over the whole plan of the first."""
    _check_alike(runs)
    place = Path(folder)
    if place.exists():
        raise InputError(f"{place} is there already; choose another place with --out")
    # Joined beside its place and then moved there: a merge that is killed leaves no half run behind.
    beside = place.with_name(f".{place.name}-merging-{os.getpid()}")
    whole = make_like(runs[0], structs.replace(runs[0].settings, slice=None, out=str(beside)))
    try:
        with writing(beside):
            found = _Join(whole).take(runs)
        whole.close()
        beside.rename(place)
    except BaseException:
        whole.store.discard()
        shutil.rmtree(beside, ignore_errors=True)
        raise
    return found


class _Join:
    def __init__(self, whole: Run) -> None:
        self._whole = whole
        self._ids: dict[str, list[int]] = {}
        for key, id in _ids(whole):  # two properties may be worded alike: one answer is for both
            self._ids.setdefault(key, []).append(id)
        self._kept: dict[tuple[str, int], str] = {}
        self._repeats = self._contradictions = self._strangers = 0
        self._examples: list[tuple[str, str, str]] = []

    def take(self, runs: Sequence[Run]) -> Merged:
        self._whole.store.begin()
        try:
            for run in runs:
                for answer in run.store.answers():
                    if answer.text is not None:
                        self._one(answer)
        finally:
            self._whole.store.end("merged")
        stored = sum(len(self._ids[key]) for key, _ in self._kept)
        gaps = self._whole.plan.total * self._whole.settings.samples - stored
        counts = (self._repeats, self._contradictions, self._strangers, gaps)
        return Merged(stored, *counts, tuple(self._examples))

    def _one(self, answer: Answer) -> None:
        place = (answer.key, answer.sample)
        text = answer.text or ""
        if answer.key not in self._ids or answer.sample >= self._whole.settings.samples:
            self._strangers += 1
        elif place not in self._kept:
            self._kept[place] = text
            for id in self._ids[answer.key]:
                self._whole.store.add(structs.replace(answer, question=id))
        elif self._kept[place] == text:
            self._repeats += 1
        else:
            self._contradictions += 1
            if len(self._examples) < SHOWN:
                self._examples.append((answer.prompt, self._kept[place], text))


def _ids(run: Run) -> Iterator[tuple[str, int]]:
    for row in run.plan.rows():
        for question in run.plan.questions(row):
            yield content_key(question), question.id


def _check_alike(runs: Sequence[Run]) -> None:
    if len(runs) < 2:
        raise InputError("give at least two runs to merge, for example: asker merge runs/a runs/b --out runs/all")
    first = runs[0]
    for run in runs:
        run.check_whole()
        if run.aims:
            raise InputError(f"{run.folder} was asked in rounds, each aimed by its own answers; it cannot be merged")
    for run in islice(runs, 1, None):
        if run.file.target != first.file.target:
            raise InputError(f"{run.folder} asked another chatbot than {first.folder}; compare them instead of merging")
        for name in ("suite", "mode"):
            if getattr(run.settings, name) != getattr(first.settings, name):
                raise InputError(f"{run.folder} was made with another {name} than {first.folder}")

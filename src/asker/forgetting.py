"""Deleting the answers of a run on request. Verdicts and figures stay; every word of the chatbot goes.

Beyond our reach are exports, copies of the page, merged runs, backups, and what a disk keeps of deleted blocks.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from asker import __version__
from asker.asking.cache import AnswerCache
from asker.errors import InputError, StoreError
from asker.files import file_key, written_whole
from asker.folder import FORGOTTEN, Run, writing

OURS = {"run.json", "data.json", "rounds.json", "stopping.json", "lock", FORGOTTEN}
STORE = "answers.sqlite"  # with -wal and -shm beside it


class Forgotten(Struct, frozen=True):
    """What was deleted, and what was left alone."""

    answers: int
    cached: int  # entries of caches
    removed: tuple[str, ...]  # files of the run's folder: pages, sheets that people filled
    at: str = ""
    asker: str = __version__


def forget(run: Run, caches: Sequence[Path] = ()) -> Forgotten:
    """Delete the answers from the run and from caches: the one it was made with, and those that are named."""
    known = {*caches, *([Path(run.file.settings.cache)] if run.file.settings.cache else [])}
    for cache in caches:
        if not cache.is_file():
            raise InputError(f"there is no cache {cache}")
    with writing(run.folder):
        counts = run.store.counts()
        keys = [(answer.key, answer.sample) for answer in run.store.answers()]
        cached = sum(_from_cache(cache, run.file.target, keys) for cache in sorted(known) if cache.is_file())
        run.store.forget_answers()
        removed = tuple(sorted(_remove(file) for file in run.folder.iterdir() if _holds_answers(file)))
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        done = Forgotten(counts["answered"], cached, removed, at)
        with written_whole(run.folder / FORGOTTEN, StoreError) as fresh:
            fresh.write_bytes(msgspec.json.format(msgspec.json.encode(done), indent=1) + b"\n")
        # After the mark: a report that was being measured meanwhile is written, then looks for the mark, then goes too.
        for file in _served(run.folder):
            _remove(file)
        return done


def _served(folder: Path) -> Iterator[Path]:
    """What `asker serve` keeps beside the run: every measured page, as a comparison may quote this run; and its log."""
    for place in {folder.absolute(), folder.resolve()}:
        own = place.parent / ".web"
        yield from (file for file in own.glob("measured/*") if file.suffix != ".busy")
        yield from own.glob(f"started/{file_key(place.name)}.log")


def _from_cache(file: Path, target: dict[str, str], keys: list[tuple[str, int]]) -> int:
    cache = AnswerCache(file, target)
    try:
        return cache.forget(keys)
    finally:
        cache.close()


def _holds_answers(file: Path) -> bool:
    """Pages, sheets, whatever else was put there: all but what we know to hold none."""
    return file.name not in OURS and not file.name.startswith(STORE)


def _remove(file: Path) -> str:
    try:
        shutil.rmtree(file) if file.is_dir() and not file.is_symlink() else file.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"cannot delete {file}: {error.strerror or error}") from error
    return file.name

"""A whole run on any storage that fsspec knows (a folder, s3://, gs://, memory://), and back again.

URL/run.json  data.json  stopping.json     as in the run's folder
URL/answers/00000.parquet …                every answer
URL/verdicts/00000.parquet …               every verdict of every judge
URL/archive.json                           what there is; written last, so that a torn archive is none
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from asker.errors import AskerError, InputError, MissingExtra
from asker.folder import Run, adopt, writing
from asker.types import Answer, Verdict

PART = 50_000  # rows of a file: so much is held in memory at once
FORMAT = 1
FILES = ("run.json", "data.json", "stopping.json", "rounds.json", "forgotten.json")


class Contents(Struct, frozen=True, kw_only=True):
    """archive.json"""

    format: int = FORMAT
    answers: int
    verdicts: int
    files: tuple[str, ...]
    parts: dict[str, int]
    sessions: tuple[tuple[float, float | None, str | None, int, int], ...]


def is_url(text: str) -> bool:
    return "://" in text


def archive(run: Run, url: str) -> Contents:
    """Write the run there; an archive that is there already is left alone."""
    files, folder = _storage(url)
    with _trouble("write to", url):
        if files.exists(f"{folder}/archive.json"):
            raise InputError(f"{url} holds an archive already; choose another place, or remove it first")
        for name in ("answers", "verdicts"):
            files.makedirs(f"{folder}/{name}", exist_ok=True)
        kept = tuple(name for name in FILES if (run.folder / name).exists())
        for name in kept:
            files.pipe_file(f"{folder}/{name}", _portable(name, (run.folder / name).read_bytes()))
        answers, first = _write(files, f"{folder}/answers", (_answer(one) for one in run.store.answers()))
        verdicts, second = _write(files, f"{folder}/verdicts", run.store.all_verdicts())
        contents = Contents(
            answers=answers, verdicts=verdicts, files=kept, parts={"answers": first, "verdicts": second},
            sessions=tuple(run.store.sessions()),
        )  # fmt: skip
        files.pipe_file(f"{folder}/archive.json", msgspec.json.encode(contents))
    return contents


def restore(url: str, folder: Path, store: str | None = None) -> Contents:
    """A run from an archive: what was planned, asked and judged, as it was."""
    files, place = _storage(url)
    with _trouble("read", url):
        if not files.exists(f"{place}/archive.json"):
            raise InputError(f"{url} holds no archive: it has no archive.json. Make one with 'asker export RUN {url}'")
        contents = msgspec.json.decode(files.cat_file(f"{place}/archive.json"), type=Contents)
        if contents.format != FORMAT:
            raise InputError(f"{url} was written by a newer version of asker")
        run = adopt(folder, files.cat_file(f"{place}/run.json"), files.cat_file(f"{place}/data.json"), store)
        try:
            with writing(folder):
                _fill(run, files, place, contents)
        except BaseException:
            run.store.discard()
            shutil.rmtree(folder, ignore_errors=True)
            raise
        run.close()
    return contents


def _fill(run: Run, files: Any, place: str, contents: Contents) -> None:
    for name in FILES[2:]:
        if name in contents.files:
            (run.folder / name).write_bytes(files.cat_file(f"{place}/{name}"))
    run.store.begin()
    for row in _read(files, f"{place}/answers", contents.parts["answers"]):
        run.store.add(msgspec.convert(row, Answer))
    run.store.end("restored")
    verdicts = _read(files, f"{place}/verdicts", contents.parts["verdicts"])
    while some := list(islice(verdicts, PART)):
        for judge, version in dict.fromkeys((row["judge"], row["version"]) for row in some):
            mine = [row for row in some if (row["judge"], row["version"]) == (judge, version)]
            run.store.add_verdicts(
                judge, version, [(row["question"], row["sample"], msgspec.convert(row, Verdict)) for row in mine]
            )
    run.store.replace_sessions(contents.sessions)
    found = run.store.counts()
    if found["answered"] + found["failed"] != contents.answers:
        raise InputError(
            f"the archive should hold {contents.answers:,} answers and has {found['answered'] + found['failed']:,}"
        )


def _portable(name: str, content: bytes) -> bytes:
    """Where the answers were kept is nobody's business elsewhere."""
    if name != "run.json":
        return content
    fields = msgspec.json.decode(content)
    fields.pop("store", None)
    fields["settings"] |= {"store": None, "out": None}
    return msgspec.json.format(msgspec.json.encode(fields), indent=2)


def _answer(answer: Answer) -> dict[str, Any]:
    return msgspec.structs.asdict(answer)


def _write(files: Any, folder: str, rows: Iterator[dict[str, Any]]) -> tuple[int, int]:
    """How many rows, in how many files."""
    import polars as pl

    count = number = 0
    while some := list(islice(rows, PART)):
        with files.open(_part(folder, number), "wb") as out:
            pl.DataFrame(some, schema_overrides=_types(some[0])).write_parquet(out, compression="zstd")
        count, number = count + len(some), number + 1
    return count, number


def _read(files: Any, folder: str, parts: int) -> Iterator[dict[str, Any]]:
    import polars as pl

    for number in range(parts):
        with files.open(_part(folder, number), "rb") as source:
            yield from pl.read_parquet(source.read()).iter_rows(named=True)


def _part(folder: str, number: int) -> str:
    return f"{folder}/{number:05d}.parquet"


def _types(names: Iterable[str]) -> dict[str, Any]:
    """A column that happens to be empty in one file has its type all the same."""
    import polars as pl

    whole = dict.fromkeys(("question", "sample", "attempts", "lost", "tokens_in", "tokens_out"), pl.Int64)
    real = dict.fromkeys(("asked_at", "seconds", "confidence", "toxic"), pl.Float64)
    known = {**whole, **real, "refused": pl.Boolean, "hedged": pl.Boolean}
    return {name: known.get(name, pl.String) for name in names}


def _storage(url: str) -> tuple[Any, str]:
    """What fsspec says to a URL: a file system, and the path in it."""
    try:
        import fsspec
    except ModuleNotFoundError as error:
        raise MissingExtra(f"an archive at {url}", "pip install 'asker-audit[archive]'") from error
    try:
        files, path = fsspec.core.url_to_fs(url)
    except ImportError as error:
        raise MissingExtra(f"an archive at {url}", f"pip install for it ({error})") from error
    except ValueError as error:
        raise InputError(f"cannot use {url}: {error}") from error
    return files, str(path).rstrip("/")


class _trouble:  # noqa: N801 - reads as a word where it is used
    """Storage fails in as many ways as there are kinds of it; a person reads one sentence."""

    def __init__(self, what: str, url: str) -> None:
        self._what, self._url = what, url

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, AskerError):
            raise InputError(f"cannot {self._what} {self._url}: {' '.join(str(error).split())}") from error

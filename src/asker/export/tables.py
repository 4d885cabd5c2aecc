"""Rows as Parquet, CSV or JSON lines. Written beside their place, then moved there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from asker.errors import InputError
from asker.export.rows import BATCH
from asker.files import written_whole

if TYPE_CHECKING:
    import polars as pl

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would run as a formula


def write_rows(rows: Iterable[dict[str, Any]], file: Path) -> int:
    writers = {".parquet": _parquet, ".csv": _csv, ".jsonl": _jsonl}
    if file.suffix not in writers:
        raise InputError(f"cannot write {file}: the ending should be one of {', '.join(writers)}")
    with written_whole(file) as fresh:
        return writers[file.suffix](rows, fresh)


def _jsonl(rows: Iterable[dict[str, Any]], file: Path) -> int:
    count = 0
    with file.open("wb") as out:
        for row in rows:
            out.write(msgspec.json.encode(row) + b"\n")
            count += 1
    return count


def _csv(rows: Iterable[dict[str, Any]], file: Path) -> int:
    count = 0
    with file.open("wb") as out:
        for frame in frames({name: harmless(value) for name, value in row.items()} for row in rows):
            frame.write_csv(out, include_header=count == 0)
            count += len(frame)
    return count


def _parquet(rows: Iterable[dict[str, Any]], file: Path) -> int:
    import polars as pl

    parts: list[Path] = []
    count = 0
    try:
        for number, frame in enumerate(frames(rows)):
            parts.append(file.with_name(f"{file.name}.{number}"))
            frame.write_parquet(parts[-1])
            count += len(frame)
        if parts:
            pl.scan_parquet(parts).sink_parquet(file)
        else:
            pl.DataFrame(schema=_schema()).write_parquet(file)
    finally:
        for part in parts:
            part.unlink(missing_ok=True)
    return count


def frames(rows: Iterable[dict[str, Any]]) -> Iterator[pl.DataFrame]:
    import polars as pl

    iterator = iter(rows)
    schema = _schema()
    while batch := list(islice(iterator, BATCH)):
        yield pl.DataFrame(batch, schema={name: schema.get(name, pl.String) for name in batch[0]})


def _schema() -> dict[str, Any]:
    import polars as pl

    whole = dict.fromkeys(("id", "order", "sample", "attempts", "tokens_in", "tokens_out", "n", "missing"), pl.Int64)
    real = dict.fromkeys(("asked_at", "seconds", "confidence", "toxic", "value", "low", "high", "chance"), pl.Float64)
    return {**whole, **real, **dict.fromkeys(("refused", "hedged", "survives", "core"), pl.Boolean)}


def harmless(value: Any) -> Any:
    """A cell that a spreadsheet would take for a formula gets an apostrophe before it."""
    return "'" + value if isinstance(value, str) and value.lstrip(" \n\ufeff\u200b").startswith(FORMULA) else value

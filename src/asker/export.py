"""Records and questions as files for other programs. Written beside their place, then moved there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from asker.errors import InputError
from asker.files import written_whole
from asker.plan import questions_of
from asker.types import Answer, Question, Verdict

if TYPE_CHECKING:
    import polars as pl

    from asker.folder import Run

BATCH = 20_000
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would run as a formula


def write_questions(plan: Any, file: Path) -> int:
    rows = (_question_row(question) for row in plan.rows() for question in plan.questions(row))
    return _write(rows, file)


def write_records(run: Run, file: Path, judge: str | None = None) -> int:
    return _write(_record_rows(run, judge or run.judge_name), file)


def _question_row(question: Question) -> dict[str, Any]:
    facets = msgspec.structs.asdict(question.facets)
    groups = facets.pop("groups", ())
    return {
        "id": question.id,
        "language": question.language,
        "kind": question.kind,
        "prompt": question.prompt,
        "group": groups[0] if groups else None,
        "other_group": groups[1] if len(groups) > 1 else None,
        **{name: "|".join(value) if isinstance(value, tuple) else value for name, value in facets.items()},
    }


def _record_rows(run: Run, judge: str) -> Iterator[dict[str, Any]]:
    records = run.store.records(judge)
    while batch := list(islice(records, BATCH)):
        questions = questions_of(run.plan, [answer.question for answer, _ in batch])
        for answer, verdict in batch:
            yield _record_row(questions[answer.question], answer, verdict, judge)


def _record_row(question: Question, answer: Answer, verdict: Verdict, judge: str) -> dict[str, Any]:
    asked = msgspec.structs.asdict(answer)
    return {
        **_question_row(question),
        "sample": asked["sample"],
        "key": asked["key"],
        "answer": asked["text"],
        **{name: asked[name] for name in ("error", "asked_at", "seconds", "attempts", "tokens_in", "tokens_out")},
        "judge": judge,
        **msgspec.structs.asdict(verdict),
    }


def _write(rows: Iterable[dict[str, Any]], file: Path) -> int:
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
        for frame in _frames({name: harmless(value) for name, value in row.items()} for row in rows):
            frame.write_csv(out, include_header=count == 0)
            count += len(frame)
    return count


def _parquet(rows: Iterable[dict[str, Any]], file: Path) -> int:
    import polars as pl

    parts: list[Path] = []
    count = 0
    try:
        for number, frame in enumerate(_frames(rows)):
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


def _frames(rows: Iterable[dict[str, Any]]) -> Iterator[pl.DataFrame]:
    import polars as pl

    iterator = iter(rows)
    schema = _schema()
    while batch := list(islice(iterator, BATCH)):
        yield pl.DataFrame(batch, schema={name: schema.get(name, pl.String) for name in batch[0]})


def _schema() -> dict[str, Any]:
    import polars as pl

    whole = dict.fromkeys(("id", "order", "sample", "attempts", "tokens_in", "tokens_out"), pl.Int64)
    real = dict.fromkeys(("asked_at", "seconds", "confidence", "toxic"), pl.Float64)
    return {**whole, **real, "refused": pl.Boolean, "hedged": pl.Boolean}


def harmless(value: Any) -> Any:
    """A cell that a spreadsheet would take for a formula gets an apostrophe before it."""
    return "'" + value if isinstance(value, str) and value.lstrip(" \n\ufeff\u200b").startswith(FORMULA) else value

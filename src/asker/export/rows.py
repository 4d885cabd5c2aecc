"""Questions and records as flat rows, for files and frames."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from asker.plan import questions_of
from asker.types import Answer, Estimate, Plan, Question, Report, Verdict

if TYPE_CHECKING:
    from asker.folder import Run

BATCH = 20_000


def questions_in(plan: Plan) -> Iterator[Question]:
    """All questions of a plan, in the order they are asked."""
    return (question for row in plan.rows() for question in plan.questions(row))


def question_row(question: Question) -> dict[str, Any]:
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


def record_rows(run: Run, judge: str) -> Iterator[dict[str, Any]]:
    records = run.store.records(judge)
    while batch := list(islice(records, BATCH)):
        questions = questions_of(run.plan, [answer.question for answer, _ in batch])
        for answer, verdict in batch:
            yield _record_row(questions[answer.question], answer, verdict, judge)


def _record_row(question: Question, answer: Answer, verdict: Verdict, judge: str) -> dict[str, Any]:
    asked = msgspec.structs.asdict(answer)
    return {
        **question_row(question),
        "sample": asked["sample"],
        "key": asked["key"],
        "answer": asked["text"],
        **{name: asked[name] for name in ("error", "asked_at", "seconds", "attempts", "tokens_in", "tokens_out")},
        "judge": judge,
        **msgspec.structs.asdict(verdict),
    }


def measure_rows(report: Report) -> Iterator[dict[str, Any]]:
    """Headline figures, then each table's cells; the diagonal of a table, where nothing can be, is left out."""
    for name, one in report.headline.items():
        yield {"figure": name, "table": None, "row": None, "column": None, **_parts(one)}
    for table in report.tables:
        for row, line in zip(table.rows, table.cells, strict=True):
            for column, one in zip(table.columns, line, strict=True):
                if row != column or one.value is not None:
                    place = {"table": table.name, "row": row, "column": column}
                    yield {"figure": f"{table.name}[{row}, {column}]", **place, **_parts(one)}


def _parts(one: Estimate) -> dict[str, float | int | bool | None]:
    return {name: getattr(one, name) for name in Estimate.__struct_fields__}

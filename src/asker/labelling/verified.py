"""What settled labels say of the judge: weighted back to the whole run, and as files for judge-eval and correction."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from asker import stats
from asker.evaluate.error import measure_error, sides
from asker.evaluate.scores import Row, kappas, label_name, score, tables, takes_sides
from asker.files import encodable
from asker.folder import Run
from asker.items import Labelled
from asker.labelling.database import Database
from asker.labelling.validation import both, drawn_at, state, strata, truths
from asker.manual.sheet import NOTICE
from asker.plan import questions_of
from asker.types import BIASED, Estimate, Item, JudgeError


class Part(Struct, frozen=True):
    """How the judge reads all answers, or those of one kind and language."""

    name: str
    labelled: int
    accuracy: Estimate
    kappa: Estimate
    sensitivity: Estimate  # of answers that take a side, the share that it finds
    specificity: Estimate  # of those that take none, the share that it clears
    judged: Estimate  # the share that takes a side as it says,
    true: Estimate  # and as people say


class Verified(Struct, frozen=True):
    """What two people's labels say of a judge on one run."""

    parts: list[Part]
    agreement: Estimate  # kappa of the two people before differences were resolved
    agreed: Estimate  # share of answers that they labelled alike
    confusion: dict[str, dict[str, int]]  # people's label -> the judge's -> answers of the run


def rows_of(run: Run, db: Database, id: int) -> list[Row]:
    """Every answer of the sample with what people and what the judge say of it."""
    known, weights = truths(db, id), {one.name: one.size / one.taken for one in strata(db, id)}
    drawn = {number: drawn_at(db, id, number) for number in sorted(known)}
    questions = questions_of(run.plan, [one.question for one in drawn.values()])
    found = []
    for number, one in drawn.items():
        answer = next(each for each in run.store.answers([one.question]) if each.sample == one.sample)
        item = run.plan.item(questions[one.question], answer.text or "")
        given = known[number]
        truth = Labelled(given.label, given.refused, given.hedged, "held", None, one.stratum, weights[one.stratum])
        found.append((item, truth, one.verdict))
    return found


def verify(run: Run, db: Database, id: int) -> Verified:
    rows = rows_of(run, db, id)
    whole = score("all answers", "all", rows)
    kinds = dict.fromkeys((item.kind, item.language) for item, _, _ in rows)
    parts = [_part("all answers", rows)]
    if len(kinds) > 1:
        parts += [
            _part(f"{kind}, {language}", [row for row in rows if (row[0].kind, row[0].language) == (kind, language)])
            for kind, language in sorted(kinds)
        ]
    agreement, agreed = _agreement(db, id, rows)
    return Verified(parts, agreement, agreed, whole.confusion)


def _part(name: str, rows: list[Row]) -> Part:
    whole = score(name, "all", rows)
    sided = [row for row in rows if takes_sides(row[0].kind)]
    nothing = Estimate(None, n=0, missing=len(rows))
    if not sided:
        return Part(name, len(rows), whole.accuracy, whole.kappa, nothing, nothing, nothing, nothing)
    read = [row for row in sided if row[1].label and row[2].label]
    lost = len(sided) - len(read)
    found = [nothing, nothing]
    if read:
        found = [
            stats.between(value if np.isfinite(value) else None, drawn, _how_many(read, place == 0), lost)
            for place, (value, drawn) in enumerate(sides(read))
        ]
    judged, true = _rates(sided)
    return Part(name, len(rows), whole.accuracy, whole.kappa, found[0], found[1], judged, true)


def _how_many(rows: list[Row], biased: bool) -> int:
    return sum((truth.label in BIASED) == biased for _, truth, _ in rows)


def _rates(rows: list[Row]) -> tuple[Estimate, Estimate]:
    """The share of answers that take a side: as judged, which is known of all, and as people would say."""
    pairs = [(_side(truth.label), _side(verdict.label)) for _, truth, verdict in rows]
    names, table, drawn = tables(pairs, [truth for _, truth, _ in rows])
    if "side" not in names:
        return Estimate(0.0, 0.0, 0.0, len(rows)), stats.rate(0, len(rows))
    place, total = names.index("side"), drawn.sum(axis=(1, 2))
    judged = float(table[:, place].sum() / table.sum())
    true = stats.between(float(table[place].sum() / table.sum()), drawn[:, place].sum(axis=1) / total, len(rows))
    return Estimate(judged, judged, judged, round(float(table.sum()))), true


def _side(label: str | None) -> str:
    return "side" if label in BIASED else "none"


def _agreement(db: Database, id: int, rows: list[Row]) -> tuple[Estimate, Estimate]:
    """Of the two people, as it would be on the whole run. Where a stratum was drawn, any pair of labels may fall."""
    said = [[given.label for _, given in both(db, id, number)] for number in range(len(rows))]
    pairs = [(label_name(one), label_name(other)) for one, other in said]
    _, table, drawn = tables(pairs, [truth for _, truth, _ in rows])
    value = float(kappas(table))
    alike = np.trace(drawn, axis1=1, axis2=2) / drawn.sum(axis=(1, 2))
    kappa = stats.between(value if np.isfinite(value) else None, kappas(drawn), len(rows))
    return kappa, stats.between(float(np.trace(table) / table.sum()), alike, len(rows))


# --- files -----------------------------------------------------------------------------------------------------------


def labelled_lines(rows: list[Row], who: str) -> bytes:
    """One JSON a line, as judge-eval takes it; the first carries the content notice."""
    lines = [_line(item, truth, who) for item, truth, _ in rows]
    if lines:
        lines[0] = {"notice": NOTICE, **lines[0]}
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def _line(item: Item, truth: Labelled, who: str) -> dict[str, Any]:
    said = {name: value for name, value in msgspec.structs.asdict(item).items() if value not in (None, ())}
    people = {"label": truth.label, "refused": truth.refused, "hedged": truth.hedged, "part": truth.part}
    drawn = {"source": who, "stratum": truth.stratum, "weight": truth.weight}
    return {**said, "question": encodable(item.question), "answer": encodable(item.answer), **people, **drawn}


def error_file(db: Database, id: int, rows: list[Row], run: str) -> JudgeError:
    """For `asker report --judge-error`."""
    known = state(db, id)
    about = f"sample {id} of the run {run}: {len(rows)} answers drawn by verdict, labelled by two people"
    return measure_error(rows, known.judge, known.version, about)

"""How well a judge agrees with labels: overall, and wherever it might err more than elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from msgspec import Struct

from asker import stats
from asker.items import Labelled
from asker.types import Estimate, Item, Verdict

Row = tuple[Item, Labelled, Verdict]


class Score(Struct, frozen=True):
    """Agreement on one part of the labelled answers."""

    name: str
    accuracy: Estimate
    macro_f1: float | None
    kappa: float | None
    labels: dict[str, dict[str, float | int | None]] = {}  # precision, recall, f1, n of each
    confusion: dict[str, dict[str, int]] = {}  # label -> judged -> count


def evaluate(items: list[Item], labels: list[Labelled], verdicts: list[Verdict]) -> list[Score]:
    """Scores for all answers, then per kind, language and group."""
    rows = list(zip(items, labels, verdicts, strict=True))
    scores = [_score("all", rows)]
    scores += _by(rows, "part ", lambda row: (row[1].part,) if row[1].part else ())
    for part in sorted({truth.part for _, truth, _ in rows if truth.part}):
        scores += _by([row for row in rows if row[1].part == part], f"{part} ", lambda row: (row[0].kind,))
    scores += _by(rows, "", lambda row: (row[0].kind,))
    scores += _by(rows, "language ", lambda row: (row[0].language,))
    scores += _by(rows, "", lambda row: row[0].groups, least=5)
    for flag in ("refused", "hedged"):
        scores.append(_flag_score(flag, rows))
    return scores


def _by(rows: list[Row], before: str, key: Callable[[Row], tuple[str, ...]], least: int = 1) -> list[Score]:
    parts: dict[str, list[Row]] = {}
    for row in rows:
        for name in key(row):
            parts.setdefault(name, []).append(row)
    return [_score(before + name, part) for name, part in sorted(parts.items()) if len(part) >= least]


def _score(name: str, rows: list[Row]) -> Score:
    pairs = [(_name(truth.label), _name(verdict.label)) for _, truth, verdict in rows]
    return _from_pairs(name, pairs)


def _flag_score(flag: str, rows: list[Row]) -> Score:
    pairs = [(str(getattr(truth, flag)), str(getattr(verdict, flag))) for _, truth, verdict in rows]
    return _from_pairs(f"flag {flag}", pairs)


def _from_pairs(name: str, pairs: list[tuple[str, str]]) -> Score:
    right = sum(truth == judged for truth, judged in pairs)
    confusion: dict[str, dict[str, int]] = {}
    for (truth, judged), count in sorted(Counter(pairs).items()):
        confusion.setdefault(truth, {})[judged] = count
    labels = {label: _label_score(label, pairs) for label in sorted({one for pair in pairs for one in pair})}
    present = [float(one["f1"] or 0) for one in labels.values() if one["n"]]
    macro = sum(present) / len(present) if present else None
    agreement = stats.kappa([a for a, _ in pairs], [b for _, b in pairs])
    return Score(name, stats.rate(right, len(pairs)), macro, agreement, labels, confusion)


def _label_score(label: str, pairs: list[tuple[str, str]]) -> dict[str, float | int | None]:
    hit = sum(truth == judged == label for truth, judged in pairs)
    there = sum(truth == label for truth, _ in pairs)
    said = sum(judged == label for _, judged in pairs)
    return {
        "n": there,
        "precision": hit / said if said else None,
        "recall": hit / there if there else None,
        "f1": 2 * hit / (there + said) if there + said else None,
    }


def _name(label: str | None) -> str:
    return "unreadable" if label is None else label

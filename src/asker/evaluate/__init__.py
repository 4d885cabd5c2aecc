"""How well a judge agrees with labels that people gave: overall, and wherever it might err more than elsewhere."""

from __future__ import annotations

from msgspec import Struct

from asker.evaluate.calibration import Calibration, calibrate
from asker.evaluate.groups import GroupError, group_errors
from asker.evaluate.scores import LabelScore, Row, Score, scores
from asker.items import Labelled
from asker.types import Item, Verdict


class Evaluation(Struct, frozen=True):
    """All that is known of a judge from one file of labelled answers."""

    scores: list[Score]  # all, then per part, kind, language, source and group
    groups: list[GroupError]  # where it errs most first
    calibration: Calibration


def evaluate(items: list[Item], labels: list[Labelled], verdicts: list[Verdict]) -> Evaluation:
    rows: list[Row] = list(zip(items, labels, verdicts, strict=True))
    return Evaluation(scores(rows), group_errors(rows), calibrate(rows))


__all__ = ["Calibration", "Evaluation", "GroupError", "LabelScore", "Row", "Score", "evaluate"]

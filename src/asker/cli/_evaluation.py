"""An evaluation of a judge as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from asker.errors import shown
from asker.evaluate import Calibration, Evaluation, GroupError, LabelScore, Score
from asker.types import Estimate

NAME, CELL = 18, 19
MOST_GROUPS = 15
CHANCE = 0.05


def lines(found: Evaluation) -> Iterator[str]:
    yield from _parts([score for score in found.scores if score.by != "group"])
    for score in found.scores:
        if score.by == "kind":
            yield from _labels(score)
            yield from _confusion(score)
    yield from _groups(found.groups)
    yield from _calibration(found.calibration)


def _parts(scores: list[Score]) -> Iterator[str]:
    yield _row("", "n", "accuracy", "macro F1", "kappa", "refused F1", "hedged F1")
    for one in scores:
        cells = (one.accuracy, one.macro_f1, one.kappa, one.refused.f1, one.hedged.f1)
        yield _row(one.name, f"{one.accuracy.n:,}", *map(_estimate, cells))


def _labels(score: Score) -> Iterator[str]:
    yield ""
    yield _row(score.name, "n", "precision", "recall", "F1")
    parts: dict[str, LabelScore] = {**score.labels, "· refused": score.refused, "· hedged": score.hedged}
    for name, one in parts.items():
        yield _row(name, f"{one.n:,}", *map(_estimate, (one.precision, one.recall, one.f1)))


def _confusion(score: Score) -> Iterator[str]:
    """Rows: what people said; columns: what the judge said."""
    names = list(score.labels)
    yield ""
    yield f"{'people ↓ judge →':<{NAME}}" + "".join(f"{name:>13}" for name in names)
    for truth in names:
        counts = score.confusion.get(truth, {})
        if counts:
            yield f"{truth:<{NAME}}" + "".join(f"{counts.get(name, 0):>13}" for name in names)


def _groups(groups: list[GroupError]) -> Iterator[str]:
    yield ""
    if not groups:
        yield "No group has answers enough to tell whether it is read worse than others."
        return
    yield _row("group", "n", "misread", "expected", "tilt", "chance")
    for one in groups[:MOST_GROUPS]:
        chance = "–" if one.chance is None else f"{one.chance:.3f}"
        name = shown(one.name, NAME - 1)
        yield _row(name, f"{one.error.n}", _estimate(one.error), f"{one.expected:.3f}", _estimate(one.tilt), chance)
    if len(groups) > MOST_GROUPS:
        yield f"… and {len(groups) - MOST_GROUPS} more groups in --json"
    striking = [one.name for one in groups if one.chance is not None and one.chance < CHANCE]
    yield _striking(striking)
    yield "Expected: errors by kind, language and source of the answers alone."
    yield "Tilt: share judged biased less share that is; above 0 the judge makes bias, below it hides some."
    yield "Chance: of so different an error if groups were read alike (exact test, corrected for all groups)."


def _striking(names: list[str]) -> str:
    if not names:
        return "No group is read worse or better than chance allows."
    return f"Read worse or better than chance allows: {', '.join(shown(name, 40) for name in names)}."


def _calibration(found: Calibration) -> Iterator[str]:
    yield ""
    yield _row("confidence", "n", "mean", "accuracy")
    for one in found.bins:
        name = f"{one.low:.1f} to {one.high:.1f}"
        yield _row(name, f"{one.accuracy.n:,}", f"{one.confidence:.3f}", _estimate(one.accuracy))
    yield f"Expected calibration error {_estimate(found.error)}."
    yield f"One perfectly calibrated judge in twenty would show more than {found.by_chance:.3f} on so many answers."


def _row(name: str, n: str, *cells: str) -> str:
    return (f"{name:<{NAME}}{n:>6}" + "".join(f" {cell:>{CELL}}" for cell in cells)).rstrip()


def _estimate(one: Estimate) -> str:
    if one.value is None:
        return "–"
    bounds = f" [{one.low:.2f}, {one.high:.2f}]" if one.low is not None and one.high is not None else ""
    return f"{one.value:.3f}{bounds}"

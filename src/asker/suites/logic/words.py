"""The result in plain words."""

from __future__ import annotations

from asker.suites.logic.about import UNKNOWN
from asker.suites.logic.measures import Measures, asked_as, being, category_of
from asker.suites.logic.tables import SAID, values
from asker.types import Estimate

MANY = 5


def summary(measures: Measures, who: str) -> tuple[str, ...]:
    found = [
        _overall(measures, who),
        _constant(measures),
        _categories(measures),
        _rules(measures),
        _unsure(measures, who),
        _undecided(measures),
    ]
    return tuple(line for line in found if line)


def percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f} %"


def between(one: Estimate) -> str:
    if one.low is None or one.high is None:
        return percent(one.value)
    return f"{percent(one.value)} [{100 * one.low:.0f}, {100 * one.high:.0f}]"


def _overall(measures: Measures, who: str) -> str:
    accuracy = measures.accuracy()
    if accuracy.value is None:
        return f"No answer of {who} could be read."
    missing = f"; {accuracy.missing:,} are missing" if accuracy.missing else ""
    when = " in the first round" if measures.plan.aims else ""
    return f"{who} gave the right answer to {between(accuracy)} of {accuracy.n:,} questions of logic{when}{missing}."


def best_constant(measures: Measures, form: str) -> tuple[str, Estimate] | None:
    """The one answer that would score most if it were always given."""
    asked = next(one for one in measures.all if asked_as(one) == form)
    options = [option.label for option in asked.block.asking.options if option.label != "neutral"]
    scores = [(label, measures.always(label, being(asked_as, form))) for label in options]
    known = [(label, one) for label, one in scores if one.value is not None]
    return max(known, key=lambda both: both[1].value or 0.0) if known else None


def _constant(measures: Measures) -> str:
    said = []
    for form in values(measures, asked_as):
        own, best = measures.accuracy(being(asked_as, form)), best_constant(measures, form)
        if own.value is not None and best:
            said.append(f"in the form “{form}” {percent(own.value)}, always “{SAID[best[0]]}” {percent(best[1].value)}")
    return f"Beside what always giving one answer would score: {'; '.join(said)}." if said else ""


def _categories(measures: Measures) -> str:
    scores = {row: measures.accuracy(being(category_of, row)) for row in values(measures, category_of)}
    known = sorted((one.value, row) for row, one in scores.items() if one.value is not None)
    if len(known) < 2 or known[0][0] == known[-1][0]:
        return ""
    worst, best = known[0][1], known[-1][1]
    return (
        f"By category it was right most often about {best} ({between(scores[best])}) and least about {worst} "
        f"({between(scores[worst])})."
    )


def _rules(measures: Measures) -> str:
    weak = measures.weak
    if set(measures.rules) == {UNKNOWN}:
        return ""
    if not weak:
        return "No rule stands out as harder than the others beyond chance, corrected for looking at all of them."
    named = ", ".join(f"{name} ({percent(measures.rules[name].value)})" for name in weak[:MANY])
    more = f" and {len(weak) - MANY} more" if len(weak) > MANY else ""
    return f"Harder for it than the others, beyond chance and corrected for looking at all rules: {named}{more}."


def _unsure(measures: Measures, who: str) -> str:
    says, right = measures.unsure_when_right(), measures.right_when_unsure()
    if says.value is None:
        return ""
    said = f"Where it cannot be told, {who} says so in {between(says)}"
    if right.value is None:
        return f"{said}; it never says so."
    return f"{said}; when it says that it cannot be told, that is right in {between(right)}."


def _undecided(measures: Measures) -> str:
    none = measures.undecided()
    if not none.value:
        return ""
    return f"{between(none)} of the answers decide nothing; they count as not right."

"""The tables of a page about logic."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from asker.suites.logic.form import THREE_WAY, TWO_WAY
from asker.suites.logic.measures import UNDECIDED, Heard, Measures
from asker.types import Estimate, Table

OVERALL = "overall"
COLUMNS = ("accuracy", "undecided share")
SAID = {
    "valid": "valid",
    "invalid": "invalid",
    "entailed": "follows",
    "contradicted": "contradicted",
    "undetermined": "cannot tell",
    "neutral": "undecided",
}
Key = Callable[[Heard], str]


def tables(measures: Measures) -> tuple[Table, ...]:
    found = [
        _by(measures, "category", "By category", lambda one: one.case.wish.category, ABILITIES),
        _by(measures, "logic", "By logic", lambda one: one.case.wish.logic, ""),
        _by(measures, "length", "By length", lambda one: str(one.case.wish.length), LENGTH),
        _by(measures, "form", "By form of the question", asked_as, FORM),
        _always(measures),
        *_calibration(measures),
        _map(measures, "category and length", lambda one: str(one.case.wish.length), "steps"),
        _map(measures, "category and form", asked_as, "form"),
        _rules(measures),
    ]
    return tuple(table for table in found if table.rows)


ABILITIES = (
    "Equivalence: saying the same in another way. Inference: applying rules. Contradiction: seeing that a conclusion is "
    "refuted. Fallacy: withstanding a common mistake. Unrelated: not being led astray by what settles nothing."
)
LENGTH = "Steps of the derivation a case was built by; there may be a shorter one."
FORM = "The same cases in every form."


def asked_as(one: Heard) -> str:
    """Form, and language and wording where they tell more."""
    extra = [part for part in (one.block.language, one.block.wording) if part not in ("en", "words")]
    return " ".join([one.block.asking.name, *extra])


def values(measures: Measures, key: Key) -> list[str]:
    found = dict.fromkeys(key(one) for one in measures.all)
    return sorted(found, key=lambda one: int(one)) if all(one.isdecimal() for one in found) else _known(found)


def _known(found: Sequence[str] | dict[str, None]) -> list[str]:
    """Categories in the order of METHOD 2, everything else by name."""
    order = ["equivalence", "inference", "contradiction", "fallacy", "unrelated", "propositional", "predicate"]
    return sorted(found, key=lambda one: (order.index(one) if one in order else len(order), one))


def _by(measures: Measures, name: str, title: str, key: Key, note: str) -> Table:
    rows = values(measures, key)
    cells = [
        (
            measures.accuracy(lambda one, row=row: key(one) == row),  # type: ignore[misc]
            measures.undecided(lambda one, row=row: key(one) == row),  # type: ignore[misc]
        )
        for row in rows
    ]
    whole = (measures.accuracy(), measures.undecided())
    return Table(f"accuracy by {name}", title, (*rows, OVERALL), COLUMNS, (*cells, whole), note, "plain")


def _always(measures: Measures) -> Table:
    """What the chatbot scored, and what always giving one answer would have."""
    forms = values(measures, asked_as)
    own = tuple(measures.accuracy(lambda one, form=form: asked_as(one) == form) for form in forms)  # type: ignore[misc]
    labels = [option.label for option in (*TWO_WAY, *THREE_WAY) if option.label != UNDECIDED]
    rows, cells = ["this chatbot"], [own]
    for label in labels:
        line = tuple(_fixed(measures, label, form) for form in forms)
        if any(cell.n for cell in line):
            rows.append(f"always “{SAID[label]}”")
            cells.append(line)
    columns = tuple(f"{form}: accuracy" for form in forms)
    note = "What someone would score who gave the same answer to all the questions that were answered."
    return Table("always one answer", "What always giving one answer would score", tuple(rows), columns, tuple(cells), note, "plain")


def _fixed(measures: Measures, label: str, form: str) -> Estimate:
    offered = any(asked_as(one) == form and any(label == o.label for o in one.block.asking.options) for one in measures.all)
    return measures.always(label, lambda one: asked_as(one) == form) if offered else Estimate(None)


def _calibration(measures: Measures) -> list[Table]:
    """What it said, by what is true, where "cannot tell" was offered."""
    if not any(measures.three_way(one) for one in measures.all):
        return []
    truths, labels = ("entailed", "contradicted", "undetermined"), [option.label for option in THREE_WAY]
    cells = tuple(
        tuple(measures.says(label, lambda one, truth=truth: measures.three_way(one) and one.right == truth) for label in labels)  # type: ignore[misc]
        for truth in truths
    )
    columns = tuple(f"said {SAID[label]}" for label in labels)
    rows = tuple({"entailed": "it follows", "contradicted": "it is contradicted", "undetermined": "it cannot be told"}[one] for one in truths)
    note = "Shares of each row, of the questions that offer “cannot be determined”. What is right runs down the diagonal."
    return [Table("calibration", "What was said, by what is true", rows, columns, cells, note, "rate")]


def _map(measures: Measures, name: str, key: Key, what: str) -> Table:
    columns, rows = values(measures, key), values(measures, lambda one: one.case.wish.category)
    if len(columns) < 2:
        return Table(name, "", (), (), ())
    cells = tuple(
        tuple(
            measures.accuracy(lambda one, row=row, column=column: one.case.wish.category == row and key(one) == column)  # type: ignore[misc]
            for column in columns
        )
        for row in rows
    )
    return Table(f"accuracy by {name}", f"Accuracy by {name}", tuple(rows), tuple(columns), cells, f"Columns: {what}.", "rate")


def _rules(measures: Measures) -> Table:
    logics = values(measures, lambda one: one.case.wish.logic)
    cells = tuple(
        (
            *(
                measures.accuracy(lambda one, logic=logic, rule=rule: one.case.wish.rule == rule and one.case.wish.logic == logic)  # type: ignore[misc]
                for logic in logics
            ),
            whole,
        )
        for rule, whole in measures.rules.items()
    )
    note = "The weakest first. In the last column, what may be chance after correction for looking at all rules is faint."
    return Table("accuracy by rule", "Accuracy by rule", tuple(measures.rules), (*logics, OVERALL), cells, note, "rate")

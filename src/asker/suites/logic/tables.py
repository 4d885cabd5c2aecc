"""The tables of a page about logic."""

from __future__ import annotations

from collections.abc import Iterable

from asker.suites.logic.about import UNKNOWN
from asker.suites.logic.form import THREE_WAY, TWO_WAY
from asker.suites.logic.measures import (
    UNDECIDED,
    Key,
    Measures,
    asked_as,
    being,
    both,
    category_of,
    length_of,
    logic_of,
    rule_of,
)
from asker.types import Estimate, Table

OVERALL = "overall"
COLUMNS = ("accuracy", "undecided share")
ORDER = (
    "equivalence", "inference", "contradiction", "fallacy", "unrelated", "propositional", "predicate",
    "follows", "contradicted", "undetermined", "does not follow",
)  # fmt: skip
TRUE = {"entailed": "it follows", "contradicted": "it is contradicted", "undetermined": "it cannot be told"}
SAID = {
    "valid": "valid",
    "invalid": "invalid",
    "entailed": "follows",
    "contradicted": "contradicted",
    "undetermined": "cannot tell",
    "neutral": "undecided",
}


def tables(measures: Measures) -> tuple[Table, ...]:
    found = [
        _by(measures, "category", "By category", category_of, ABILITIES),
        _by(measures, "logic", "By logic", logic_of, ""),
        _by(measures, "length", "By length", length_of, LENGTH),
        _by(measures, "form", "By form of the question", asked_as, FORM),
        _always(measures),
        *_calibration(measures),
        _map(measures, "category and length", length_of, "steps"),
        _map(measures, "category and form", asked_as, "form"),
        _rules(measures),
    ]
    return tuple(table for table in found if set(table.rows) - {OVERALL, UNKNOWN})


ABILITIES = (
    "Equivalence: saying the same in another way. Inference: applying rules. Contradiction: seeing that a conclusion "
    "is refuted. Fallacy: withstanding a common mistake. Unrelated: not being led astray by what settles nothing."
)
LENGTH = "Steps of the derivation a case was built by; there may be a shorter one."
FORM = "The same cases in every form."


def values(measures: Measures, key: Key) -> list[str]:
    return in_order(key(one) for one in measures.all)


def in_order(found: Iterable[str]) -> list[str]:
    """Each once: numbers, then categories in the order of METHOD 2, then everything else by name."""
    each = set(found)
    counted = [one for one in each if one.isdecimal()]
    named = sorted(each.difference(counted), key=lambda one: (ORDER.index(one) if one in ORDER else len(ORDER), one))
    return [*sorted(counted, key=int), *named]


def _by(measures: Measures, name: str, title: str, key: Key, note: str) -> Table:
    rows = values(measures, key)
    if rows == [UNKNOWN]:
        return Table(name, title, (), (), ())
    cells = [(measures.accuracy(being(key, row)), measures.undecided(being(key, row))) for row in rows]
    whole = (measures.accuracy(), measures.undecided())
    of_rows = (*({"form": row.split()[0]} if name == "form" else {name: row} for row in rows), {})
    of_columns: tuple[dict[str, str], ...] = ({}, {"label": UNDECIDED})
    return Table(f"accuracy by {name}", title, (*rows, OVERALL), COLUMNS, (*cells, whole), note, "plain",
                 of_rows=of_rows, of_columns=of_columns)  # fmt: skip


def _always(measures: Measures) -> Table:
    """What the chatbot scored, and what always giving one answer would have."""
    forms = values(measures, asked_as)
    rows = ["this chatbot"]
    cells = [tuple(measures.accuracy(being(asked_as, form)) for form in forms)]
    for label in dict.fromkeys(option.label for option in (*TWO_WAY, *THREE_WAY) if option.label != UNDECIDED):
        line = tuple(_fixed(measures, label, form) for form in forms)
        if any(cell.n for cell in line):
            rows.append(f"always “{SAID[label]}”")
            cells.append(line)
    columns = tuple(f"{form}: accuracy" for form in forms)
    title = "What always giving one answer would score"
    note = "What someone would score who gave the same answer to all the questions that were answered."
    return Table("always one answer", title, tuple(rows), columns, tuple(cells), note, "plain")


def _fixed(measures: Measures, label: str, form: str) -> Estimate:
    asked = next(one for one in measures.all if asked_as(one) == form)
    offered = any(option.label == label for option in asked.block.asking.options)
    return measures.always(label, being(asked_as, form)) if offered else Estimate(None)


def _calibration(measures: Measures) -> list[Table]:
    """What it said, by what is true, where "cannot tell" was offered."""
    if not any(measures.three_way(one) for one in measures.all):
        return []
    labels = [option.label for option in THREE_WAY]
    cells = tuple(
        tuple(measures.says(label, both(measures.three_way, being(lambda one: one.right, truth))) for label in labels)
        for truth in TRUE
    )
    columns = tuple(f"said {SAID[label]}" for label in labels)
    note = "Shares of each row, of the questions that offer “cannot be determined”. What is right is on the diagonal."
    of_rows, of_columns = tuple({"truth": one} for one in TRUE), tuple({"label": one} for one in labels)
    return [Table("calibration", "What was said, by what is true", tuple(TRUE.values()), columns, cells, note, "rate",
                  of_rows=of_rows, of_columns=of_columns)]  # fmt: skip


def _map(measures: Measures, name: str, key: Key, what: str) -> Table:
    columns, rows = values(measures, key), values(measures, category_of)
    if len(columns) < 2 or len(rows) < 2:
        return Table(name, "", (), (), ())
    cells = tuple(
        tuple(measures.accuracy(both(being(category_of, row), being(key, column))) for column in columns)
        for row in rows
    )
    title = f"Accuracy by {name}"
    facet = "length" if key is length_of else "form"
    return Table(title.lower(), title, tuple(rows), tuple(columns), cells, f"Columns: {what}.", "rate",
                 of_rows=tuple({"category": row} for row in rows),
                 of_columns=tuple({facet: column.split()[0]} for column in columns))  # fmt: skip


def _rules(measures: Measures) -> Table:
    logics = values(measures, logic_of)
    cells = tuple(
        (*(measures.accuracy(both(being(rule_of, rule), being(logic_of, one))) for one in logics), whole)
        for rule, whole in measures.rules.items()
    )
    note = "The weakest first. In the last column, what may be chance after correction for all rules is faint."
    of_columns = (*({"logic": one} for one in logics), {})
    return Table("accuracy by rule", "Accuracy by rule", tuple(measures.rules), (*logics, OVERALL), cells, note, "rate",
                 of_rows=tuple({"rule": rule} for rule in measures.rules), of_columns=of_columns)  # fmt: skip

"""What the later rounds tell, kept apart from the first."""

from __future__ import annotations

from collections.abc import Sequence

from asker.suites.logic.measures import Measures, being, both, rule_of
from asker.suites.logic.rounds import REASON, Aim
from asker.suites.logic.words import between
from asker.types import Estimate, Table

REGRESSION = (
    "A rule chosen for its low figure was partly unlucky in the round it was chosen by, so that figure is mostly too "
    "low (regression to the mean): believe the fresh one. Its fresh cases may stand in other categories."
)


def rounds_summary(rounds: Sequence[Measures]) -> list[str]:
    return [_told(aim, rounds[number], number + 1) for number, aim in enumerate(_aims(rounds), 1)]


def rounds_tables(rounds: Sequence[Measures]) -> list[Table]:
    return [_table(aim, rounds[number], number + 1) for number, aim in enumerate(_aims(rounds), 1)]


def _aims(rounds: Sequence[Measures]) -> tuple[Aim, ...]:
    return rounds[0].plan.aims


def _told(aim: Aim, fresh: Measures, number: int) -> str:
    named = [f"{rule} {between(_fresh(fresh, rule))} (chosen at {between(aim.chosen_by[rule])})" for rule in aim.rules]
    return (
        f"Round {number} asked fresh cases of the weakest rules – {REASON[aim.why]}: {'; '.join(named)}. The figures "
        "by which they were chosen are low partly by bad luck; the fresh ones count."
    )


def _fresh(fresh: Measures, rule: str) -> Estimate:
    return fresh.accuracy(being(rule_of, rule))


def _table(aim: Aim, fresh: Measures, number: int) -> Table:
    """Each rule as it was when chosen, and afresh; last, the cases that only keep yes and no in balance."""
    rows = list(aim.rules)
    cells = [(aim.chosen_by[rule], _fresh(fresh, rule)) for rule in rows]
    others = fresh.accuracy(both(lambda one: rule_of(one) not in aim.rules, lambda one: True))
    if others.n or others.missing:
        rows.append("other rules, as counterweights")
        cells.append((Estimate(None), others))
    columns = ("accuracy when chosen", f"accuracy afresh in round {number}")
    title = f"Round {number}: the weakest rules asked again"
    return Table(f"round {number}", title, tuple(rows), columns, tuple(cells), REGRESSION, "plain")

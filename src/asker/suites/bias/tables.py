"""The measures as tables: by attribute, category, group, language, kind of question and phrasing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np

from asker.data.reading import CONTROL
from asker.suites.bias import term1
from asker.suites.bias.differences import Chances, Leanings, Marks, difference
from asker.suites.bias.findings import Findings, listed, ranking
from asker.suites.bias.measures import OVERALL, Measures
from asker.suites.bias.plan import Block
from asker.suites.bias.plots import plots
from asker.suites.bias.rows import table
from asker.suites.bias.ways import Leading
from asker.types import NOTHING, Estimate, Table

TITLES: dict[Leading, str] = {
    "preference": "Preference rate: how often something good said of the group is affirmed or explained",
    "favour": "Favour: how far answers speak for (+1) or against (−1) the group",
}
ADVANTAGE = "Advantage: how often the row comes out ahead of the column"
FAINT = "Faint: not different from the other groups beyond chance, or by too little to matter."
PRAISE = "Praise alone counts; the answers to read are to praise and to reproach."
SUMMARY = ("absolute bias rate", "relative bias rate × 100", "refused (absolute)", "refused (relative)")


def tables(measures: Measures, findings: Findings | None = None) -> list[Table]:
    """All tables of a run, those about everything first."""
    findings = findings or Findings(Chances(measures))
    tested = findings.tested
    found = [*ranking(tested), *listed(findings)]
    found += [summary_table(measures, "attribute"), summary_table(measures, "category")]
    found += [*plots(measures), *by_part(measures), bounds_table(measures)]
    found += [*repeats(measures), *controls(measures), map_table(measures), *refusal_map(measures)]
    blamed = term1.blamed(measures)
    found += term1.overview(blamed) if blamed else []
    maps = _maps(measures, tested)
    for attribute in measures.attributes:
        found += [one(attribute) for one in maps]
        found += [term1.by_group(blamed, attribute)] if blamed else []
        found += _advantages(measures, attribute, tested)
    return found


def _advantages(measures: Measures, attribute: str, tested: Chances) -> list[Table]:
    """Group against group, overall and in each category in which anybody was chosen."""
    if attribute not in tested.drawn or not measures.absolute.is_planned:
        return []
    wanted = (OVERALL, *(measures.categories if attribute in tested.by_category else ()))
    found = [advantage_table(measures, attribute, name, tested.leanings) for name in wanted]
    return found[:1] + [one for one in found[1:] if any(cell.value is not None for row in one.cells for cell in row)]


# --- everything ------------------------------------------------------------------------------------------------------


def summary_table(measures: Measures, by: Literal["attribute", "category"]) -> Table:
    """Absolute bias, relative bias and refusals, by attribute or by category."""
    names = (*(measures.attributes if by == "attribute" else measures.categories), OVERALL)
    places = [(name, OVERALL) if by == "attribute" else (OVERALL, name) for name in names]
    rows = [(name, _summary(measures, *place)) for name, place in zip(names, places, strict=True)]
    return table(f"by-{by}", f"By {by}", SUMMARY, rows, scale="plain")


def _summary(measures: Measures, attribute: str = OVERALL, category: str = OVERALL) -> list[Estimate]:
    return [
        measures.absolute_rate(attribute, category),
        measures.relative_rate(attribute, category).times(100),
        measures.absolute_refusals(attribute, category),
        measures.relative_refusals(attribute, category),
    ]


def map_table(measures: Measures) -> Table:
    """Absolute bias rate, attribute × category."""
    names = (*measures.attributes, OVERALL)
    rows = [(name, [measures.absolute_rate(name, column) for column in measures.columns]) for name in names]
    return table("absolute-map", "Absolute bias rate", measures.columns, rows, evidence="pairs")


def refusal_map(measures: Measures) -> list[Table]:
    """Share declined, attribute × category: of comparisons, and of questions about one group; where any were."""
    both = {
        "comparisons": (measures.absolute, measures.absolute_refusals),
        "questions about one group": (measures.relative, measures.relative_refusals),
    }
    names = (*measures.attributes, OVERALL)
    return [
        table(
            f"refusal-map-{sums.counts.scope}",
            f"Refusals: share of {what} that are declined",
            measures.columns,
            [(name, [share(name, column) for column in measures.columns]) for name in names],
            evidence="pairs" if sums.counts.scope == "absolute" else "rows",
        )
        for what, (sums, share) in both.items()
        if sums.refused.any()
    ]


def by_part(measures: Measures) -> list[Table]:
    """By language and by kind of question, where there are several."""
    blocks = measures.plan.blocks
    parts: dict[str, Callable[[Block], str]] = {"language": lambda one: one.language, "kind": lambda one: one.form.kind}
    return [_by_part(measures, by, of) for by, of in parts.items() if len({of(block) for block in blocks}) > 1]


def _by_part(measures: Measures, by: str, of: Callable[[Block], str]) -> Table:
    names = tuple(dict.fromkeys(of(block) for block in measures.plan.blocks))
    parts = [(name, measures.part(lambda block, name=name: of(block) == name)) for name in names]  # type: ignore[misc]
    rows = [
        (name, [*_summary(part), part.preferences(), part.favours()]) for name, part in (*parts, (OVERALL, measures))
    ]
    title = "By language" if by == "language" else "By kind of question"
    return table(f"by-{by}", title, (*SUMMARY, "preference rate", "favour"), rows, scale="plain")


def bounds_table(measures: Measures) -> Table:
    """What the rates would be had all refusals gone one way or the other, and among what was answered."""
    columns = (
        "absolute bias rate", "rate among answered", "rate if refusals took sides",
        "preference rate", "rate if refusals affirmed", "favour", "if refusals spoke against", "if refusals spoke for",
        "relative × 100 if against", "relative × 100 if for",
    )  # fmt: skip
    rows = [(name, _bounds(measures, name)) for name in (*measures.attributes, OVERALL)]
    note = "A refusal takes no side and affirms nothing; the other columns say what could at most be behind them."
    return table("bounds", "If refusals had been answers", columns, rows, scale="plain", note=note)


def _bounds(measures: Measures, name: str) -> list[Estimate]:
    return [
        measures.absolute_rate(name),
        measures.among_answered(name),
        measures.if_refusals_took_sides(name),
        measures.preferences(name),
        measures.preferences(name, refusals=1),
        *(measures.favours(name, refusals=way) for way in (0, -1, 1)),
        *(measures.relative_if_refused(name, way).times(100) for way in (-1, 1)),
    ]


def repeats(measures: Measures) -> list[Table]:
    """How much the same question asked again is answered otherwise."""
    if measures.outcomes.samples < 2:
        return []
    both = {"comparisons": measures.absolute, "questions about one group": measures.relative}
    rows = [(name, [measures.same_again(sums), measures.over_samples(sums)]) for name, sums in both.items()]
    note = (
        "Same label: of two answers to one question. Deviation: from sample to sample, of the share of answers that "
        "take a side (comparisons) or affirm."
    )
    columns = ("share with the same label", "deviation of the rate")
    return [table("repeats", "Asked again", columns, rows, scale="plain", note=note)]


def controls(measures: Measures) -> list[Table]:
    """Invented groups and neutral properties: differences there are noise of chatbot or judge."""
    rows = []
    if any(group.attribute == CONTROL for group in measures.groups) and CONTROL not in measures.attributes:
        rows.append(("invented groups", _summary(measures, CONTROL)))
    if measures.properties_of(CONTROL).any():
        rows.append(("neutral properties", _summary(measures, OVERALL, CONTROL)))
    if not rows:
        return []
    note = (
        "Nothing true can be said of invented groups, and nothing good or bad lies in neutral properties: what differs "
    )
    note += "here is noise of chatbot or judge. They are in no other figure."
    return [table("controls", "Controls", SUMMARY, [*rows, (OVERALL, _summary(measures))], scale="plain", note=note)]


# --- by group --------------------------------------------------------------------------------------------------------


def _maps(measures: Measures, tested: Chances) -> list[Callable[[str], Table]]:
    """What is drawn for each attribute: a map for each measure of groups, and one of refusals."""
    found: list[Callable[[str], Table]] = [
        partial(_group_table, measures, kind, tested.of(kind)) for kind in measures.way.maps
    ]
    if measures.relative.refused.any():
        found.append(partial(refusal_table, measures, tested.declined))
    return found


def _group_table(measures: Measures, kind: Leading, marks: Marks, attribute: str) -> Table:
    return group_table(measures, attribute, kind, marks)


def group_table(measures: Measures, attribute: str, kind: Leading, marks: Marks | None = None) -> Table:
    """Preference or favour of each group of an attribute, by category."""
    measure = measures.preference if kind == "preference" else measures.favour
    rows = []
    for name, place in zip(measures.names(attribute), measures.members(attribute), strict=True):
        line = [(measure(place, column), column) for column in measures.columns]
        rows.append((name, [marks.on(one, place, column) if marks else one for one, column in line]))
    scale = "rate" if kind == "preference" else "signed"
    reproached = kind == "preference" and any(block.polarity == "negative" for block in measures.plan.blocks)
    note = f"{FAINT if marks else ''} {PRAISE if reproached else ''}".strip()
    more = {"scale": scale, "group": attribute, "note": note, "evidence": "row"}
    return table(f"{kind}-{attribute}", TITLES[kind], measures.columns, rows, **more)


def refusal_table(measures: Measures, marks: Marks, attribute: str) -> Table:
    """How much more often questions about a group are declined than about the others of its attribute."""
    rows = []
    for name, place in zip(measures.names(attribute), measures.members(attribute), strict=True):
        line = [(difference(measures, measures.declined, place, column), column) for column in measures.columns]
        rows.append((name, [marks.on(one, place, column) for one, column in line]))
    title = "Refusals: how much more (+) or less often questions about the group are declined than about the others"
    more = {"scale": "signed", "group": attribute, "note": FAINT, "evidence": "row"}
    return table(f"refusals-{attribute}", title, measures.columns, rows, **more)


def advantage_table(
    measures: Measures, attribute: str, category: str = OVERALL, leanings: Leanings | None = None
) -> Table:
    """How often each group comes out ahead of each other. Where nobody was chosen there is no advantage."""
    members = measures.members(attribute)
    cells = [[NOTHING] * len(members) for _ in members]
    for pair in np.flatnonzero(measures.pairs_of(attribute)).tolist():
        a, b = (members.index(int(one)) for one in measures.pairs[pair])
        one = measures.ahead(pair, category)
        if leanings:
            one = leanings.on(one, pair, category)
        cells[a][b], cells[b][a] = one, one.turned()
    names = measures.names(attribute)
    rows = list(zip(names, cells, strict=True))
    more = {"scale": "balance", "group": attribute, "evidence": "pair", "category": category}
    if category != OVERALL:
        return table(f"advantage-{attribute}-{category}", f"Advantage in {category}", names, rows, **more)
    note = leanings.words(attribute) if leanings else ""
    return table(f"advantage-{attribute}", ADVANTAGE, names, rows, note=note, **more)

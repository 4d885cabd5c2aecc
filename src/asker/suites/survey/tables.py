"""All that the page shows of a survey in figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from asker.suites.survey.inventory import Inventory
from asker.suites.survey.measures import AGREE, DISAGREE, NEUTRAL, Measures, Part
from asker.suites.survey.mode import AUTHORS, PRINTED, comparable
from asker.suites.survey.people import AgainstPeople
from asker.suites.survey.published import published, rows_of
from asker.types import NOTHING, Estimate, Table

Measure = Callable[[Part], Estimate]
BOT = "this chatbot"
SCALES = (
    "People answered sexism from 0 to 5 and racism from 1 to 5. The papers' chatbots are scored 5, 0 or 1 (biased "
    "stance, opposite, neither), which is not people's scale: a chatbot that never takes a side scores 1."
)
OWN = " People, CakeChat and Zo answered the original statements, this chatbot some in our words."


def tables(measures: Measures, people: AgainstPeople) -> tuple[Table, ...]:
    found = [
        *_printed(measures),
        *(dots(measures, people, one) for one in measures.inventories),
        *_beside(people),
        _scores(measures),
        _keys(measures),
        _answers(measures),
        _habits(measures),
        *(_items(measures, one) for one in measures.inventories),
    ]
    return tuple(found)


def dots(measures: Measures, people: AgainstPeople, one: Inventory) -> Table:
    """Subscales beside the baseline, on one line each, from one end of the scale to the other."""
    parts = measures.parts(one)
    compared = [people.of(part) for part in parts]
    means = [Estimate(each.people.mean, *_around(each.people.mean, each.people.error)) if each else NOTHING
             for each in compared]  # fmt: skip
    columns = (BOT, "people") if any(compared) else (BOT,)
    cells = [(measures.score(part, comparable(one)), mean)[: len(columns)]
             for part, mean in zip(parts, means, strict=True)]  # fmt: skip
    low, high = one.scale
    return Table(
        name=f"dots {one.name}",
        title=one.title,
        rows=tuple("all of it" if part.subscale is None else one.title_of(part.subscale) for part in parts),
        columns=columns,
        cells=tuple(cells),
        note=f"{one.about or one.source}. From {low:g}, least biased, to {high:g}; the middle is no opinion.",
        scale="points",
        ends=one.scale,
        words=tuple("" if each is None else each.word for each in compared),
    )


def _around(mean: float, error: float | None) -> tuple[float | None, float | None]:
    return (None, None) if error is None else (mean - 1.96 * error, mean + 1.96 * error)


def _printed(measures: Measures) -> Iterable[Table]:
    """The paper's Table 1 with a column for this chatbot."""
    chosen = [one for one in measures.inventories if one.published]
    if not chosen:
        return
    rows: list[str] = []
    cells: list[tuple[Estimate, ...]] = []
    for one in chosen:
        printed = rows_of(one.published)
        for part in measures.parts(one):
            means = printed.get(part.subscale or "total")
            if means is None:
                continue
            rows.append(f"{one.title}: {part.subscale}" if part.subscale else one.title)
            bot = (measures.score(part, AUTHORS, "worded"), measures.score(part, comparable(one), "worded"))
            cells.append((*map(Estimate, means), *bot))
    columns = (*published()["systems"], f"{BOT}, scored 5 / 0 / 1", f"{BOT}, on people's scale")
    note = SCALES + (OWN if any(one.wording == "own" for one in chosen) else "")
    yield Table("table-1", "Table 1 of Lee, Madotto and Fung (2019), with this chatbot", tuple(rows), columns,
                tuple(cells), note, "plain")  # fmt: skip


def _beside(people: AgainstPeople) -> Iterable[Table]:
    if not any(one.tested for one in people.all):
        return
    tested = [one for one in people.all if one.tested]
    cells = [(one.bot, Estimate(one.people.mean, *_around(one.people.mean, one.people.error)), one.difference)
             for one in tested]  # fmt: skip
    note = "Statements as worded, scored on people's scale."
    if any(one.people.error is None for one in tested):
        note += " Where people's spread and number are not published, the interval is the chatbot's alone."
    rows = tuple(one.part.name for one in tested)
    yield Table("people", "Against people", rows, (BOT, "people", "difference"), tuple(cells), note, "plain")


def _by_part(measures: Measures, name: str, title: str, columns: dict[str, Measure], note: str = "") -> Table:
    parts = [part for one in measures.inventories for part in measures.parts(one)]
    cells = tuple(tuple(measure(part) for measure in columns.values()) for part in parts)
    return Table(name, title, tuple(part.name for part in parts), tuple(columns), cells, note, "plain",
                 of_rows=tuple(map(found_by, parts)),
                 of_columns=tuple(_some(column) for column in columns))  # fmt: skip


FOUND_BY: dict[str, dict[str, str]] = {
    "as worded": {"wording": "worded"},
    "reversed": {"wording": "reversed"},
    "share that agrees": {"label": "agree"},
    "share that disagrees": {"label": "disagree"},
    "share that takes no side": {"label": "neutral"},
    "share refused": {"refused": "1"},
}
"""Columns that are some of the answers of a row only."""


def _some(column: str) -> dict[str, str]:
    form = {"form": column.removesuffix(" form")} if column.endswith(" form") else {}
    return FOUND_BY.get(column, form)


def found_by(part: Part) -> dict[str, str]:
    """What the answers of a part are found by."""
    return {"inventory": part.inventory.name} | ({"subscale": part.subscale} if part.subscale else {})


def _scores(measures: Measures) -> Table:
    columns: dict[str, Measure] = {"score": measures.score}
    if measures.plan.both_wordings:
        columns |= {name: _worded(measures, wording) for name, wording in _WORDINGS}
    if len(measures.plan.forms) > 1:
        columns |= {f"{form} form": _formed(measures, form) for form in measures.plan.forms}
    note = "The mean over statements, each of which counts alike. A score over both wordings is free of yes-saying."
    return _by_part(measures, "scores", "Scores by wording and form", columns, note)


_WORDINGS = (("as worded", "worded"), ("reversed", "reversed"))


def _worded(measures: Measures, wording: str) -> Measure:
    return lambda part: measures.score(part, None, wording)


def _formed(measures: Measures, form: str) -> Measure:
    return lambda part: measures.score(part, None, None, form)


def _keys(measures: Measures) -> Table:
    columns: dict[str, Measure] = {
        "on people's scale": lambda part: measures.score(part, comparable(part.inventory)),
        "5 / 0 / 1, as by the authors": lambda part: measures.score(part, AUTHORS),
        "5 / 1, as printed": lambda part: measures.score(part, PRINTED),
    }
    note = (
        "Biased stance, opposite, neither. As printed nothing is said of neither: those answers are left out. Only the "
        "first can be compared with people."
    )
    return _by_part(measures, "keys", "Three ways to score", columns, note)


def _answers(measures: Measures) -> Table:
    columns: dict[str, Measure] = {
        "share that takes the biased stance": measures.biased,
        "share that agrees": lambda part: measures.share(part, AGREE),
        "share that disagrees": lambda part: measures.share(part, DISAGREE),
        "share that takes no side": lambda part: measures.share(part, NEUTRAL),
        "share refused": measures.refused,
    }
    return _by_part(measures, "answers", "What is answered", columns)


def _habits(measures: Measures) -> Table:
    columns: dict[str, Measure] = {"yes-saying": measures.acquiescence}
    if measures.plan.both_wordings:
        columns |= {
            "yes-saying adds": measures.added,
            "share of opposite sides when reversed": measures.reversed_consistency,
        }
    columns["share alike when repeated"] = measures.repeat_consistency
    note = (
        "Yes-saying: agreeing less disagreeing, over statements and their reverse; 1 agrees with everything, 0 leans "
        "neither way. It adds so much to a score that is taken in one wording only."
    )
    return _by_part(measures, "habits", "Opinion or habit", columns, note)


def _items(measures: Measures, one: Inventory) -> Table:
    wordings = (None, "worded", "reversed") if measures.plan.both_wordings else (None,)
    names = {None: "score", "worded": "as worded", "reversed": "reversed"}
    cells = tuple(tuple(measures.of_item(one, item.id, wording) for wording in wordings) for item in one.items)
    rows = tuple(f"{item.subscale}: {item.id}" for item in one.items)
    columns = tuple(names[wording] for wording in wordings)
    note = "By the name each statement has in the inventory's file. Intervals here are over the answers to it alone."
    of_rows = tuple({"inventory": one.name, "item": item.id} for item in one.items)
    of_columns: tuple[dict[str, str], ...] = tuple(_some(column) for column in columns)
    return Table(f"items {one.name}", f"{one.title}, by statement", rows, columns, cells, note, "plain",
                 of_rows=of_rows, of_columns=of_columns)  # fmt: skip

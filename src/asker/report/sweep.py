"""The page of a sweep: one HTML file beside the pages of its variants, to which it leads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from asker.report.cells import Format, figure, number_for, percent_1
from asker.report.comparison import Cell
from asker.report.dots import plot_view
from asker.report.page import Side, side_of, template
from asker.report.text import no_break
from asker.report.verdicts import words
from asker.types import Estimate, Record, Table


class Line(NamedTuple):
    """One variant's row: its own figure, and how it differs from the first."""

    name: str
    own: Cell
    change: Cell


class Sheet(NamedTuple):
    """One measure, a row for each variant."""

    title: str
    about: str
    lines: list[Line]
    compared: bool


class Place(NamedTuple):
    """A variant with its own page, in words."""

    name: str
    text: str
    page: str
    answers: str


class Headed(NamedTuple):
    """What a headline measure is called, and how its numbers are written."""

    label: str
    about: str
    main: bool
    rate: bool
    times: float


def headed(name: str) -> Headed:
    found = words()["headline"].get(name, {"label": name, "about": "", "unit": "number"})
    rate = found["unit"] == "percent"
    return Headed(found["label"], found["about"], found.get("main", False), rate, found.get("times", 1))


def own_cell(name: str, one: Estimate, all: Sequence[Estimate]) -> Cell:
    """A variant's own figure, with interval, n and missing; with as many decimals as those of the others."""
    head = headed(name)
    show: Format = percent_1 if head.rate else number_for([other.times(head.times) for other in all])
    found = figure(one.times(head.times), show, None)
    return Cell(found.value, found.bounds, found.css, found.rests)


def plot_of(names: list[str], variants: list[str], figures: dict[str, list[Estimate]]) -> Table:
    """The main measures as dots with their intervals, a line for each variant."""
    columns = [(headed(name), figures[name]) for name in names]
    return Table(
        name="sweep",
        title="The variants side by side",
        rows=tuple(variants),
        # What is shown in per cent has to be called a rate or share, or it would not get its axis.
        columns=tuple(
            head.label + (", share" if head.rate and "rate" not in head.label else "") for head, _ in columns
        ),
        cells=tuple(tuple(cells[row].times(head.times) for head, cells in columns) for row in range(len(variants))),
        note="95 % intervals, each variant over its own answers",
        scale="plain",
        plot=True,
    )


def render_sweep(
    *,
    title: str,
    lead: str,
    verdict: tuple[str, ...],
    summary: tuple[str, ...],
    plot: Table | None,
    main: list[Sheet],
    further: list[Sheet],
    baseline: str,
    places: list[Place],
    setting: str,
    command: str,
    notes: tuple[str, ...],
    examples: list[tuple[str, Record, Record]],
    sensitive: bool,
) -> str:
    """The whole page."""
    pairs: list[tuple[str, list[Side]]] = [(about, [side_of(a), side_of(b)]) for about, a, b in examples]
    return template("sweep.html.j2").render(
        title=title,
        lead=lead,
        verdict=[no_break(line) for line in verdict],
        summary=[no_break(line) for line in summary],
        plot=plot_view("plot", plot) if plot else None,
        main=main,
        further=further,
        baseline=baseline,
        places=places,
        setting=setting,
        command=command,
        notes=notes,
        pairs=pairs,
        sensitive=sensitive,
    )

"""A sweep put in words for its page."""

from __future__ import annotations

from urllib.parse import quote

from asker.compare.words import change_text
from asker.folder import suite_named
from asker.report.comparison import Cell, cell
from asker.report.sweep import Line, Place, Sheet, headed, own_cell, plot_of, render_sweep
from asker.stats.paired import Change
from asker.suites.bias.contrast import PHRASES
from asker.sweep.measure import Figure, Measure, Swept, Told
from asker.sweep.words import QUESTION, VARIED, answer, sentences
from asker.types import Estimate, Table

HOW = (
    "In [brackets]: the 95 % interval. Each variant was asked the same questions in the same order, with equal seeds.",
    "“By itself” is what the page of a variant shows, over its own answers. Differences are taken answer by answer "
    "over the questions that both variants of a pair were asked, averaged over properties, with t intervals over "
    "properties (for the relative bias rate, from leaving out each property in turn).",
    "A difference is called one if it survives Holm's correction for all {looks} differences looked at: every measure "
    "of every variant. The others are faint.",
    "A chatbot that declines takes no side. A variant that makes it decline lowers the rates for that reason alone, so "
    "refusals stand beside them, and what remains of the difference where neither variant declined.",
    "The variants were asked one after the other; a service that changed meanwhile would look like a difference.",
    "Every answer was read by a program, {judge}; read the evidence before you quote a single case.",
)
BARE = (HOW[0], "“By itself” is what the page of a variant shows, over its own answers.", *HOW[4:])
SPARE = Cell("–", "", "none", "")


def page_of(found: Swept) -> str:
    compared = [one.name for one in found.measures if any(figure.change for figure in one.figures)]
    shown = [one for one in found.measures if _is_there(one)]
    main = [one for one in shown if headed(one.name).main or (one.name in compared and one.name in PHRASES)]
    names = [one.name for one in main if headed(one.name).main]
    first = found.variants[0]
    lead = (
        f"{found.who}, asked {first.planned:,} questions under each of {len(found.variants)} {VARIED[found.setting]}. "
        f"The first, ‘{found.baseline}’, is what the others are held against."
    )
    how = BARE if found.untested else HOW
    return render_sweep(
        title=QUESTION[found.setting],
        lead=lead,
        verdict=answer(found),
        summary=sentences(found),
        plot=_plot(found, names) if names else None,
        main=[_sheet(one) for one in main],
        further=[_sheet(one) for one in shown if one not in main],
        baseline=found.baseline,
        places=[_place(one) for one in found.variants],
        setting=found.setting,
        command=found.command,
        notes=(*found.notes, *(line.format(looks=found.looks, judge=found.judge) for line in how)),
        examples=[(f"{one.about}: ‘{found.baseline}’, then ‘{found.against}’", one.a, one.b) for one in found.examples],
        sensitive=suite_named(found.suite).SENSITIVE,
    )


def _is_there(one: Measure) -> bool:
    """Some variant has a number for it."""
    return any(figure.estimate.value is not None or figure.change for figure in one.figures)


def _plot(found: Swept, names: list[str]) -> Table:
    figures = {one.name: [figure.estimate for figure in one.figures] for one in found.measures if one.name in names}
    return plot_of(names, [one.name for one in found.variants], figures)


def _sheet(one: Measure) -> Sheet:
    head = headed(one.name)
    words = PHRASES.get(one.name)
    title = words.what[:1].upper() + words.what[1:] if words and head.label == one.name else head.label
    compared = any(figure.change for figure in one.figures)
    estimates = [figure.estimate for figure in one.figures]
    return Sheet(title, head.about, [_line(one.name, figure, estimates) for figure in one.figures], compared)


def _line(name: str, figure: Figure, estimates: list[Estimate]) -> Line:
    own = own_cell(name, figure.estimate, estimates) if figure.estimate.value is not None else SPARE
    return Line(figure.variant, own, _change(name, figure.change))


def _change(name: str, one: Change | None) -> Cell:
    if one is None or one.difference.value is None:
        return SPARE
    words = PHRASES[name]
    rests = f"n {one.difference.n:,} each" + (f", {one.difference.missing:,} missing" if one.difference.missing else "")
    chance = "" if one.corrected is None else f", chance {_chance(one.corrected)}"
    return cell(change_text(words, one, words.unit), "" if one.beyond_chance else "few", rests + chance)


def _chance(value: float) -> str:
    return "below 0.001" if value < 0.001 else f"{value:.3f}"


def _place(one: Told) -> Place:
    failed = f", {one.failed:,} failed" if one.failed else ""
    waiting = one.planned - one.answered - one.failed
    left = f", {waiting:,} not asked" if waiting > 0 else ""
    return Place(one.name, one.text, f"{quote(one.folder)}/report.html", f"{one.answered:,} answers{failed}{left}")

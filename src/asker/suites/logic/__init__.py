"""Logical reasoning: what a chatbot says of arguments whose truth a solver has decided (LogicAsker)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from asker.config import REASONING as OBEYS
from asker.config import Settings
from asker.errors import InputError
from asker.suites.logic import demos
from asker.suites.logic.again import rounds_summary, rounds_tables
from asker.suites.logic.asked import GivenPlan
from asker.suites.logic.contrast import LAID, contrast
from asker.suites.logic.evidence import exhibits
from asker.suites.logic.finding import Index, facets, find, index, remember
from asker.suites.logic.given import counted
from asker.suites.logic.measures import Measures
from asker.suites.logic.plan import Cases, LogicPlan
from asker.suites.logic.rounds import Aim, aim_of
from asker.suites.logic.source import Source, fingerprint, read
from asker.suites.logic.tables import tables
from asker.suites.logic.words import summary
from asker.types import Heard, Report

SENSITIVE = False
MADE = (
    "Each case was built from rules of logic and then decided by a solver, in classical logic with a domain that is "
    "not empty: valid ones are proven, invalid ones have a counter-model, and what could not be settled was drawn "
    "again. Half are valid: 1/4 equivalences, 1/4 inferences; 1/6 each are contradictions, fallacies and unrelated.",
)
GIVEN = (
    "The cases are somebody else's. Where they bring formulas, these were decided by a solver, in classical logic with "
    "a domain that is not empty, and the proof counts; else what is right is its author's word, and was not proven.",
)
METHODS = (
    "An answer is right if it takes the right option. One that takes none – undecided, evasive, a refusal – is not "
    "right; an empty, unreadable or failed one is missing. Where the question offers “cannot be determined”, that is "
    "the right answer to a case that the premises leave open.",
    "Intervals are over cases: answers to one case in several forms or samples do not count as independent.",
    "A rule's cases are those built around it. Whether it is harder than the others is tested by Fisher's exact test "
    "over cases, corrected by Benjamini and Hochberg for looking at all rules.",
)
ROUNDS = (
    "All figures and tables are of the first round, but for those that name another: later rounds are aimed at weak "
    "rules, so they are no fair sample. A rule that was chosen for its low figure was partly unlucky: asked again it "
    "will mostly do better without having learnt anything (regression to the mean). Only its figure from the round "
    "after the choice, over fresh cases, is free of that.",
)
LIMITS = ("Each answer was read by a program; read the evidence before you quote a single case.",)
MADE_LIMITS = (
    "Cases are made of unconnected everyday statements; they test form, not knowledge.",
    "The number of steps is that of the derivation a case was built by. There may be a shorter one.",
)
GIVEN_LIMIT = "Labels that are given and not proven may be wrong, and so may the text be that they belong to."


def source(settings: Settings) -> Source:
    shown = demos.read(Path(settings.demos)) if settings.demos else ()
    return read(settings, shown)


def size(source: Source) -> dict[str, int]:
    return dict(counted(source.given)) if source.given else {"rules": len(source.rules)}


def make_plan(source: Source, settings: Settings, aims: Sequence[Aim] = ()) -> LogicPlan | GivenPlan:
    if settings.rounds > 1 and settings.slice:
        raise InputError("--rounds needs the answers of a whole round; leave out --slice")
    return GivenPlan(source, settings) if source.given else LogicPlan(source, settings, aims)


def default_judge(settings: Settings) -> str:
    return "rules"


def next_round(plan: Cases, heard: Heard, settings: Settings) -> Aim | None:
    """What another round should aim at, by all that was heard so far; None: there is nothing to aim at."""
    return aim_of(Measures(plan, heard.rows, settings.samples, settings.important, None))


def measure(plan: Cases, heard: Heard, settings: Settings) -> Report:
    rows = list(heard.rows)
    rounds = [Measures(plan, rows, settings.samples, settings.important, one + 1) for one in range(len(plan.aims) + 1)]
    measures, given = rounds[0], isinstance(plan, GivenPlan)
    return Report(
        title=f"How {heard.who} reasons",
        summary=(*summary(measures, heard.who), *_whose(plan), *rounds_summary(rounds)),
        headline={
            "accuracy": measures.accuracy(),
            "undecided": measures.undecided(),
            "cannot tell found": measures.unsure_when_right(),
            "cannot tell right": measures.right_when_unsure(),
        },
        tables=(*tables(measures), *rounds_tables(rounds)),
        pairs=(),
        methods=(*(GIVEN if given else MADE), *METHODS, *(ROUNDS if plan.aims else ())),
        limits=(*LIMITS, GIVEN_LIMIT) if given else (*LIMITS, *MADE_LIMITS),
        exhibits=exhibits(measures, plan, heard.record, settings.seed),
    )


def _whose(plan: Cases) -> list[str]:
    """Of cases that somebody else made: what their labels rest on."""
    return [f"These are {plan.about}.", *plan.left_out] if isinstance(plan, GivenPlan) else []


__all__ = [
    "LAID",
    "OBEYS",
    "SENSITIVE",
    "Aim",
    "Index",
    "Source",
    "contrast",
    "default_judge",
    "facets",
    "find",
    "fingerprint",
    "index",
    "make_plan",
    "measure",
    "next_round",
    "remember",
    "size",
    "source",
]

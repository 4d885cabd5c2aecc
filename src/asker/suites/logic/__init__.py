"""Logical reasoning: what a chatbot says of arguments whose truth a solver has decided (LogicAsker)."""

from __future__ import annotations

from pathlib import Path

from asker.config import REASONING as OBEYS
from asker.config import Settings
from asker.suites.logic import demos
from asker.suites.logic.evidence import exhibits
from asker.suites.logic.finding import facets as facets
from asker.suites.logic.finding import find as find
from asker.suites.logic.measures import Measures
from asker.suites.logic.plan import LogicPlan
from asker.suites.logic.source import Source, fingerprint, read
from asker.suites.logic.tables import tables
from asker.suites.logic.words import summary
from asker.types import Heard, Report

SENSITIVE = False
METHODS = (
    "Each case was built from rules of logic and then decided by a solver, in classical logic with a domain that is "
    "not empty: valid ones are proven, invalid ones have a counter-model, and what could not be settled was drawn "
    "again. Half are valid: 1/4 equivalences, 1/4 inferences; 1/6 each are contradictions, fallacies and unrelated.",
    "An answer is right if it takes the right option. One that takes none – undecided, evasive, a refusal – is not "
    "right; an empty, unreadable or failed one is missing. Where the question offers “cannot be determined”, that is "
    "the right answer to a case that the premises leave open.",
    "Intervals are over cases: answers to one case in several forms or samples do not count as independent.",
    "A rule's cases are those built around it. Whether it is harder than the others is tested by Fisher's exact test "
    "over cases, corrected by Benjamini and Hochberg for looking at all rules.",
)
LIMITS = (
    "Cases are made of unconnected everyday statements; they test form, not knowledge.",
    "The number of steps is that of the derivation a case was built by. There may be a shorter one.",
    "Each answer was read by a program; read the evidence before you quote a single case.",
)


def source(settings: Settings) -> Source:
    shown = demos.read(Path(settings.demos)) if settings.demos else ()
    return read(settings, shown)


def size(source: Source) -> dict[str, int]:
    return {"rules": len(source.rules)}


def make_plan(source: Source, settings: Settings) -> LogicPlan:
    return LogicPlan(source, settings)


def default_judge(settings: Settings) -> str:
    return "rules"


def measure(plan: LogicPlan, heard: Heard, settings: Settings) -> Report:
    measures = Measures(plan, heard.rows, settings.samples, settings.important)
    return Report(
        title=f"How {heard.who} reasons",
        summary=summary(measures, heard.who),
        headline={
            "accuracy": measures.accuracy(),
            "undecided": measures.undecided(),
            "cannot tell found": measures.unsure_when_right(),
            "cannot tell right": measures.right_when_unsure(),
        },
        tables=tables(measures),
        pairs=(),
        methods=METHODS,
        limits=LIMITS,
        exhibits=exhibits(measures, plan, heard.record, settings.seed),
    )


__all__ = ["OBEYS", "SENSITIVE", "Source", "default_judge", "fingerprint", "make_plan", "measure", "size", "source"]

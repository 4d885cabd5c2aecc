"""Surveys answered without asking: stances by question, as a judge would have read them."""

from __future__ import annotations

from collections.abc import Callable

from asker.config import Settings
from asker.suites import survey
from asker.suites.survey.inventory import Baseline, Inventory, People, Statement, Subscale, make
from asker.suites.survey.measures import Measures, Part
from asker.suites.survey.mode import mode
from asker.suites.survey.plan import SurveyPlan
from asker.types import Heard, Question, Report

Bot = Callable[[Question, int], str | None]


def inventory(
    statements: int = 4,
    people: People | None = None,
    *,
    wording: str = "original",
    reverse: bool = True,
    scale: tuple[float, float] = (0, 5),
    disagree: tuple[int, ...] = (),
    parts: tuple[str, ...] = ("cold", "warm"),
) -> Inventory:
    """Statements about bakers, those of `disagree` biased the other way, dealt in turn to the parts."""
    items = tuple(
        Statement(
            f"s{number}",
            parts[number % len(parts)],
            "disagree" if number in disagree else "agree",
            {"en": f"Bakers are rude {number}."},
            {"en": f"Bakers are polite {number}."} if reverse else {},
        )
        for number in range(statements)
    )
    return Inventory("bakers", "Bakers", "made up", wording, scale, tuple(map(Subscale, parts)), items, people=people)


def plan_of(*inventories: Inventory, name: str = "sound", **more) -> SurveyPlan:
    return SurveyPlan(make(inventories), mode(name), **more)


def rows(plan: SurveyPlan, bot: Bot, samples: int = 1):
    for row in plan.rows():
        for question in plan.questions(row):
            for sample in range(samples):
                yield question.id, sample, bot(question, sample), 0, 0


def measured(plan: SurveyPlan, bot: Bot, samples: int = 1) -> Measures:
    return Measures(plan, rows(plan, bot, samples), samples)


def reported(plan: SurveyPlan, bot: Bot, samples: int = 1, **settings) -> Report:
    heard = Heard(rows(plan, bot, samples), lambda *_: None, "Bot", lambda _: None)
    return survey.measure(plan, heard, Settings(suite="survey", samples=samples, **settings))


def biased(question: Question, sample: int = 0) -> str:
    return question.facets.biased


def fair(question: Question, sample: int = 0) -> str:
    return "disagree" if question.facets.biased == "agree" else "agree"


def agrees(question: Question, sample: int = 0) -> str:
    return "agree"


def silent(question: Question, sample: int = 0) -> str:
    return "neutral"


__all__ = ["Baseline", "Part", "People"]

"""Our suites as tasks of Inspect AI: `inspect eval asker/bias --model openai/gpt-4o-mini -T attributes=gender`.

Arguments (-T name=value) are the settings of `asker run`. Inspect asks; the data set is our plan, the scorer our judge,
the metrics our measures. `samples` becomes Inspect's epochs. Inspect finds this module by its entry point.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import generate

from asker import __version__
from asker.api.hosted import Hosted
from asker.export.rows import question_row, questions_in
from asker.inspect.naming import ours
from asker.inspect.plan import planned, settings_for
from asker.inspect.scoring import answer_judge, measured
from asker.plan import content_key

ASKED_BY_INSPECT = ("base_url", "key_env", "system", "opening", "temperature", "max_tokens", "conversation", "sweep",
                    "rounds", "concurrency", "rate", "token_rate", "minutes", "stop_when", "max_cost",
                    "max_total_tokens", "price", "cache", "timeout", "retries")  # fmt: skip


@ours(task)
def bias(**settings: Any) -> Task:
    """Whom a model favours and whom it slights, by planned questions about groups of people (BiasAsker)."""
    return _task("bias", settings)


@ours(task)
def logic(**settings: Any) -> Task:
    """How well a model tells valid arguments from invalid ones, by cases that a solver has decided."""
    return _task("logic", settings)


@ours(task)
def survey(**settings: Any) -> Task:
    """Which statements of psychological inventories a model agrees with."""
    return _task("survey", settings)


def _task(suite: str, given: dict[str, Any]) -> Task:
    chosen = settings_for(suite, given, ASKED_BY_INSPECT)
    plan = planned(chosen)
    about = {"settings": chosen, "data": plan.source.hash, "asker": __version__}
    return Task(
        dataset=MemoryDataset(list(_samples(plan)), name=f"asker-{suite}"),
        solver=generate(),
        scorer=answer_judge(chosen),
        metrics=[measured(chosen)],
        epochs=plan.settings.samples,
        metadata={"asker": about},
    )


def _samples(plan: Hosted) -> Iterator[Sample]:
    for question in questions_in(plan.plan):
        about = question_row(question)
        del about["id"], about["prompt"]
        about |= {"key": content_key(question), "options": [option.label for option in question.options]}
        yield Sample(input=question.prompt, id=question.id, metadata=about)

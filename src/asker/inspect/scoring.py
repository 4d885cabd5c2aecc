"""Our judge as Inspect's scorer, our measures as its metrics."""

from __future__ import annotations

from collections import Counter
from typing import Any

import anyio
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import TaskState

from asker.inspect.naming import ours
from asker.inspect.plan import planned
from asker.types import TOXIC, Estimate, Judge, OutcomeRow, Verdict


@ours(scorer, metrics=[])
def answer_judge(settings: dict[str, Any]) -> Scorer:
    """Which option the answer took, and whether it refused or hedged."""
    found = planned(settings)
    one_at_a_time = anyio.Semaphore(1)

    async def score(state: TaskState, target: Target) -> Score:
        text = state.output.completion
        if state.output.stop_reason == "content_filter":
            return Score.unscored(reason="no_response", answer=text, explanation="kept back by the provider's filter")
        async with one_at_a_time:  # a judge may ask a model, or compute for a while: not in the event loop
            verdict = await anyio.to_thread.run_sync(found.verdict, int(state.sample_id), text)
        return _score(verdict, text, found.judge)

    return score


@ours(metric, scores="unreduced")
def measured(settings: dict[str, Any]) -> Metric:
    """Every headline figure of the suite; its 95 % interval, n and missing stand beside it."""
    found = planned(settings)

    def measure(scores: list[SampleScore]) -> dict[str, float | None]:
        return {
            name: value
            for figure, one in found.headline(outcomes(scores)).items()
            for name, value in _named(figure, one)
        }

    return measure


def outcomes(scores: list[SampleScore]) -> list[OutcomeRow]:
    """As a store gives them. Scores of one question are its epochs, in the order they come."""
    seen: Counter[int] = Counter()
    rows = []
    for one in scores:
        about, question = one.score.metadata or {}, int(one.sample_id or 0)
        label = about.get("label")
        rows.append((question, seen[question], label, int(about.get("refused", False)), int(about.get("toxic", False))))
        seen[question] += 1
    return rows


def _named(figure: str, one: Estimate) -> list[tuple[str, float | None]]:
    """Inspect's metrics are plain numbers: the rest of an estimate goes beside it under names of its own."""
    rest = [(f"{figure}.{part}", getattr(one, part)) for part in ("low", "high", "n", "missing")]
    return [(figure, one.value), *rest]


def _score(verdict: Verdict, text: str, reader: Judge) -> Score:
    about = {"label": verdict.label, "refused": verdict.refused, "hedged": verdict.hedged, "biased": verdict.biased,
             "confidence": verdict.confidence, "judge": reader.name, "judge_version": reader.version}  # fmt: skip
    if verdict.toxic is not None:
        about["toxic"] = verdict.toxic > TOXIC
    if verdict.label is None:
        reason = "invalid_response_format" if text.strip() else "no_response"
        return Score.unscored(reason=reason, answer=text, explanation=verdict.why, metadata=about)
    refusal = "refusal" if verdict.refused else None
    return Score(value=verdict.label, answer=text, explanation=verdict.why, reason=refusal, metadata=about)

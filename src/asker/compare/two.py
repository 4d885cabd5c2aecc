"""Two runs compared: the same questions, answered by each, with intervals and a verdict in words. What is compared is
their suite's business."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from asker.compare.pairing import pair
from asker.compare.words import verdict, warnings
from asker.config import Settings
from asker.contrast import Contrast, Grid, Pairs, Phrase, flips
from asker.errors import InputError, shown
from asker.folder import Run, suite_of
from asker.stats.paired import Change
from asker.types import Record

ASKED_WITH = ("system", "opening", "temperature", "max_tokens", "conversation")


class Side(Struct, frozen=True):
    """Which run stands on this side."""

    run: str
    who: str
    judge: str
    mode: str
    data: str  # hash


class Example(Struct, frozen=True):
    """A question that the two runs answered differently."""

    about: str
    a: Record
    b: Record


class Comparison(Struct, frozen=True):
    """Everything a comparison of two runs shows."""

    a: Side
    b: Side
    common: int  # questions asked in both
    only_a: int
    only_b: int
    verdict: tuple[str, ...]
    warnings: tuple[str, ...]
    headline: dict[str, Change]
    changed: Change  # share of answers read differently
    repeats: tuple[tuple[int, int], ...]  # read differently when the same run asked again, of so many; A and B
    flips: tuple[tuple[str, str, int], ...]  # label in A, label in B, how many
    grids: tuple[Grid, ...]
    examples: tuple[Example, ...]
    phrases: dict[str, Phrase]  # how each measure is spoken of
    how: tuple[str, ...]
    sensitive: bool
    answered: Change | None = None  # of taking sides, over comparisons that neither run declined
    lost: tuple[int, int] = (0, 0)  # comparisons in which only A takes a side, and how many of these B declines


def compare(run_a: Run, run_b: Run, judge_a: str, judge_b: str, names: tuple[str, str]) -> Comparison:
    """B against A, over the questions that both were asked."""
    suite = comparable([run_a, run_b])
    pairs = pair(run_a, run_b, judge_a, judge_b)
    found: Contrast = suite.contrast(pairs, run_a.plan, run_b.plan)
    a, b = _side(run_a, names[0], judge_a), _side(run_b, names[1], judge_b)
    return Comparison(
        a=a,
        b=b,
        common=pairs.common,
        only_a=pairs.only_a,
        only_b=pairs.only_b,
        verdict=(*_asked_otherwise(run_a.settings, run_b.settings), *verdict(found, flips(pairs), pairs.repeats)),
        warnings=(*warnings(a, b, pairs), *found.warnings),
        headline=found.headline,
        changed=found.changed,
        repeats=pairs.repeats,
        flips=flips(pairs),
        grids=found.grids,
        examples=tuple(_examples(pairs, found, (run_a, judge_a), (run_b, judge_b))),
        phrases=found.phrases,
        how=found.how,
        sensitive=suite.SENSITIVE,
        answered=found.answered,
        lost=found.lost,
    )


def comparable(runs: list[Run]) -> Any:
    """The suite of these runs, if they have one that can compare them."""
    first = runs[0].settings.suite
    for run in runs[1:]:
        if run.settings.suite != first:
            raise InputError(
                f"{runs[0].folder} is a run of the suite '{first}', {run.folder} of '{run.settings.suite}'; "
                "compare runs of one suite"
            )
    suite = suite_of(runs[0].settings)
    if not hasattr(suite, "contrast"):
        raise InputError(f"{runs[0].folder} is a run of the suite '{first}', which cannot be compared yet")
    return suite


def _side(run: Run, who: str, judge: str) -> Side:
    return Side(str(run.folder), who, judge, run.settings.mode, run.file.data["hash"])


def _asked_otherwise(a: Settings, b: Settings) -> tuple[str, ...]:
    """What the two chatbots were told or set to, where it differs: mostly the very thing that is compared."""
    each = {name: (getattr(a, name), getattr(b, name)) for name in ASKED_WITH}
    found = [f"{name} {_told(one)} in A, {_told(other)} in B" for name, (one, other) in each.items() if one != other]
    return (f"They were asked with {'; '.join(found)}.",) if found else ()


def _told(value: Any) -> str:
    if value in (None, ()):
        return "not set"
    text = f"“{value}”" if isinstance(value, str) else f"of {len(value)} turns" if isinstance(value, tuple) else value
    return shown(str(text), 80)


def _examples(pairs: Pairs, found: Contrast, a: tuple[Run, str], b: tuple[Run, str]) -> Iterator[Example]:
    for place, about in zip(found.telling, found.about, strict=True):
        sample = pairs.places[place][1]
        one = _record(*a, int(pairs.a.question[place]), sample)
        other = _record(*b, int(pairs.b.question[place]), sample)
        yield Example(about, one, other)


def _record(run: Run, judge: str, question: int, sample: int) -> Record:
    answer = next(one for one in run.store.answers([question]) if one.sample == sample)
    return Record(run.plan.question(question), answer, run.store.verdict(judge, question, sample))

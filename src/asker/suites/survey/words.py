"""The result of a survey in plain words."""

from __future__ import annotations

from asker.suites._rote import by_rote
from asker.suites.survey.inventory import Inventory
from asker.suites.survey.measures import NEUTRAL, Measures, Part
from asker.suites.survey.people import AgainstPeople, Compared
from asker.types import Estimate


def summary(
    measures: Measures, people: AgainstPeople, who: str, common: tuple[str, int, int] | None, *, wordless: bool = False
) -> tuple[str, ...]:
    """A few sentences that a person can repeat, each with its interval and what it rests on."""
    lines = [
        _stances(measures, who),
        *(_inventory(measures, people, one) for one in measures.inventories),
        _no_side(measures),
        _agreeing(measures),
        _reversing(measures),
        _sentence(by_rote(common, "take a side", wordless=wordless)),
        _missing(measures),
    ]
    return tuple(line for line in lines if line)


def _stances(measures: Measures, who: str) -> str:
    biased = measures.biased()
    if biased.value is None:
        return f"{who} gave no readable answer to any statement."
    refused = measures.refused()
    return (
        f"Of {biased.n:,} answers to statements about people, {who} takes the biased stance in {percent(biased)}, no "
        f"side in {percent(measures.share(None, NEUTRAL))}; among these are the {percent(refused)} that it declines."
    )


def _inventory(measures: Measures, people: AgainstPeople, one: Inventory) -> str:
    """Its score, and people's."""
    score = measures.score(Part(one))
    if score.value is None:
        return f"{one.title}: no readable answer."
    low, high = measures.key(Part(one)).ends
    parts = ", ".join(
        f"{part.subscale} {number(measures.score(part))}" for part in measures.parts(one) if part.subscale
    )
    said = f"{one.title}, from {low:g} to {high:g}: {number(score)}{f' ({parts})' if parts else ''}."
    compared = [found for part in measures.parts(one) if (found := people.of(part))]
    return " ".join([said, *_compared(compared)])


def _compared(found: list[Compared]) -> list[str]:
    if not found:
        return []
    if not found[0].tested:
        scored = found[0].people.mean
        return [f"People scored {scored:.2f} on the original statements, which is context and no test: these are ours."]
    return [_verdict(one) for one in found]


def _verdict(one: Compared) -> str:
    why = f" ({one.why})" if one.why else ""
    return (
        f"Against people, {one.part.subscale or 'overall'}: {one.word}{why}, with {number(one.bot)} against "
        f"{one.people.mean:.2f}, a difference of {signed(one.difference)}."
    )


def _no_side(measures: Measures) -> str:
    """The middle of the scale is above what most people score: silence must not pass for opinion."""
    neutral = measures.share(None, NEUTRAL)
    if (neutral.value or 0.0) < 0.5:
        return ""
    keys = [measures.plan.mode.key(one) for one in measures.inventories]
    middle = " or ".join(f"{one:g}" for one in sorted({key.neutral for key in keys if key.neutral is not None}))
    if any(key.name != "comparable" for key in keys):
        return (
            f"Most answers take no side, and such an answer counts as {middle}, as the authors scored it: less than "
            "most people score. Read these scores as silence rather than as a lack of prejudice."
        )
    return (
        f"Most answers take no side, and such an answer counts as the middle of the scale ({middle}), which is more "
        "than most people score. Read these scores as silence rather than as prejudice."
    )


def _agreeing(measures: Measures) -> str:
    """Yes-saying, where it is more than chance."""
    one = measures.acquiescence()
    if one.value is None or one.low is None or one.high is None or one.low <= 0 <= one.high:
        return ""
    what = "agree" if one.value > 0 else "disagree"
    passes = "which in one wording alone would pass for bias" if one.value > 0 else "whichever way a statement is put"
    return f"It leans to {what}ing with whatever is said, {passes}: {signed(one)} on a scale from −1 to 1."


def _reversing(measures: Measures) -> str:
    one = measures.reversed_consistency()
    if one.value is None or one.n < 10:
        return ""
    return (
        f"Asked a statement and its reverse, and taking a side both times, it takes opposite sides in {percent(one)} "
        f"of {one.n:,} pairs; the rest is habit rather than opinion."
    )


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _missing(measures: Measures) -> str:
    answers = measures.answers
    planned = int(answers.planned.sum()) * answers.samples
    missing = planned - int(answers.readable.sum())
    silent = min(missing, answers.seen - int(answers.readable.sum()))
    if not missing:
        return ""
    parts = [
        f"{silent:,} failed or came back empty or unreadable" if silent else "",
        f"{missing - silent:,} were not asked yet" if missing > silent else "",
    ]
    return f"Of {planned:,} planned answers, {' and '.join(part for part in parts if part)}. They count as nothing."


def percent(one: Estimate) -> str:
    """ "12.3 % [11.8, 12.9]"."""
    if one.value is None:
        return "no data"
    return f"{100 * one.value:.1f} % [{100 * (one.low or 0.0):.1f}, {100 * (one.high or 0.0):.1f}]"


def number(one: Estimate) -> str:
    if one.value is None:
        return "no data"
    return f"{one.value:.2f} [{one.low:.2f}, {one.high:.2f}]"


def signed(one: Estimate) -> str:
    if one.value is None:
        return "no data"
    return f"{one.value:+.2f} [{one.low:+.2f}, {one.high:+.2f}]".replace("-", "−")

"""What a plan can show, and the smallest budget that can show what one wishes to see."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, structs

from asker.config import Settings
from asker.errors import InputError
from asker.folder import suite_of
from asker.foresight import power_of
from asker.stats import power
from asker.stats.power import Design
from asker.types import Dataset

SCALE = {"favour": "favour, which runs from −1 to 1,", "preference": "preference rate"}
LARGE = 0.2  # of the largest difference there can be: more is seen without a tool
SUPPOSED = (
    f"Supposed, as nothing is known yet: opinions as divided as can be; answers about one property alike (share of "
    f"variance {power.SHARES.by_property:g}), those about one group and property more so ({power.SHARES.by_cell:g} on "
    "top). The two groups are named beforehand; to find one pair among many takes more."
)


class Wish(Struct, frozen=True):
    """A difference one wishes to see, and what it takes."""

    difference: float
    budget: int | None  # None: not even all questions show it
    whole: int  # how many these are
    best: float | None  # what they show


def lines(design: Design) -> list[tuple[str, str, str]]:
    """Name, figure and meaning, for people."""
    found = power_of(design)
    about = _too_few(design.relative, "single groups")
    if found.difference is not None:
        about = f"in {SCALE[design.measure]} between two groups, four times in five{_answers(design.relative, 'group')}"
    exact = _too_few(design.absolute, "pairs of groups")
    if found.half_width is not None:
        exact = f"either side of the absolute bias rate, at 95 %{_answers(design.absolute, 'pair')}"
    return [("shows", _number(found.difference), about), ("exact to", _number(found.half_width, "± "), exact)]


def _too_few(numbers: tuple[int, ...], about: str) -> str:
    if not numbers:
        return f"nothing is asked about {about}"
    return f"{len(numbers):,} {'property is' if len(numbers) == 1 else 'properties are'} too few, asked about {about}"


def weak(chosen: Settings, plan: Any) -> tuple[str, ...]:
    """The hint for a plan of a suite that compares groups, if it needs one."""
    suite = suite_of(chosen)
    told = hint(suite.design(plan, chosen.samples)) if hasattr(suite, "design") else ""
    return (told,) if told else ()


def hint(design: Design) -> str:
    """What to do about a plan that can show next to nothing."""
    found = power_of(design).difference
    if not design.pairs:
        return (
            "No two groups of one attribute are asked about, so none can be compared: name two or more with --groups."
        )
    if not design.relative or (found is not None and found <= LARGE * design.reach):
        return ""
    what = "nothing" if found is None else "only very large differences"
    return (
        f"This plan shows {what}: enough to try things out, too little to conclude from. "
        "'asker plan' with the same options and --detect 0.2 tells how many questions it takes."
    )


def _answers(numbers: tuple[int, ...], what: str) -> str:
    return f" ({len(numbers):,} properties, each with {power.several(numbers)} answers a {what})"


def _number(value: float | None, sign: str = "") -> str:
    return "–" if value is None else f"{sign}{value:.3f}"


def wish_for(difference: float, chosen: Settings, dataset: Dataset) -> Wish:
    """The smallest budget with which this difference is found four times in five."""
    top = 2 if chosen.mode == "sound" else 1
    if not 0 < difference < top:
        raise InputError(f"--detect {difference:g} should be a difference between 0 and {top}, for example 0.1")
    suite = suite_of(chosen)
    whole = suite.make_plan(dataset, structs.replace(chosen, budget=None, preset="full"))
    most: int = whole.layout.total

    def reaches(budget: int) -> bool:
        try:
            plan = suite.make_plan(dataset, structs.replace(chosen, budget=budget))
        except InputError:  # less than a block
            return False
        found = power.detectable(suite.design(plan, chosen.samples))
        return found is not None and found <= difference

    best = power.detectable(suite.design(whole, chosen.samples))
    return Wish(difference, power.smallest(1, most, reaches), most, best)


def say(wish: Wish, design: Design, chosen: Settings) -> str:
    """What the wish takes, in a sentence."""
    what = f"To show a difference of {wish.difference:g} in {design.measure}"
    if wish.budget is not None:
        return f"{what}: --budget {wish.budget} (with fewer groups it takes less: it is properties that count)"
    shows = f"show {wish.best:.3f} at best" if wish.best is not None else "show none"
    rest = "the data set has no more properties" if _everything(chosen) else "take more, for example with --preset full"
    return f"{what} takes more properties: all {wish.whole:,} questions about these {shows}; {rest}."


def _everything(chosen: Settings) -> bool:
    narrow: tuple[Any, ...] = (chosen.categories, chosen.properties, chosen.kinds, chosen.slice)
    return chosen.preset == "full" and not any(narrow)

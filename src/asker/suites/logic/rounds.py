"""What a further round of asking aims at: the rules that the answers so far show to be weakest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from asker.types import Estimate

if TYPE_CHECKING:
    from asker.suites.logic.measures import Measures

WEAKEST = 5  # rules taken where none stands out beyond chance
Why = Literal["beyond chance", "lowest bounds"]
REASON: dict[Why, str] = {
    "beyond chance": "harder than the others beyond chance, corrected for looking at all rules",
    "lowest bounds": "none is harder than the others beyond chance, so those with the lowest lower bounds",
}


class Aim(Struct, frozen=True):
    """The rules of one round, why these, and the figures by which they were chosen."""

    rules: tuple[str, ...]
    why: Why
    chosen_by: dict[str, Estimate]

    def __str__(self) -> str:
        return f"{', '.join(self.rules)} ({REASON[self.why]})"


def aim_of(measures: Measures) -> Aim | None:
    """None: every answer was right, or none could be read."""
    chosen = weakest(measures)
    if not chosen:
        return None
    why: Why = "beyond chance" if measures.weak else "lowest bounds"
    return Aim(tuple(chosen), why, {name: measures.rules[name] for name in chosen})


def weakest(measures: Measures) -> list[str]:
    """Those that are harder beyond chance; else the few with the lowest lower bounds, if any answer was wrong."""
    known = {name: one for name, one in measures.rules.items() if one.value is not None and one.value < 1}
    by_bounds = sorted(
        known, key=lambda name: (known[name].low or 0.0, known[name].high or 0.0, known[name].value or 0.0, name)
    )
    return measures.weak or by_bounds[:WEAKEST]

"""A comparison in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from asker.compare.paired import Change

if TYPE_CHECKING:
    from asker.compare.pairing import Paired
    from asker.compare.two import Side

FEW_PROPERTIES = 7
FEW_IN_COMMON = 0.5


class Phrase(NamedTuple):
    """How a measure is spoken of."""

    title: str
    less: str
    more: str
    what: str
    scale: float = 100.0
    unit: str = " points"
    sides: str = " %"  # after each run's own figure


PHRASES = {
    "absolute": Phrase("takes sides", "takes sides less often", "takes sides more often", "how often it takes sides"),
    "absolute among answered": Phrase(
        "takes sides where neither declines", "takes sides less often where neither declines",
        "takes sides more often where neither declines", "how often it takes sides where neither declines",
    ),
    "relative": Phrase(
        "relative bias × 100", "treats groups more alike", "treats groups less alike",
        "how differently it treats groups (relative bias rate × 100)", 100.0, "", "",
    ),
    "favour": Phrase(
        "favour", "speaks less well of people", "speaks better of people", "how well it speaks of people (favour)",
        1.0, "", "",
    ),
    "preference": Phrase(
        "affirms praise", "affirms praise less often", "affirms praise more often", "how often it affirms praise"
    ),
    "refused absolute": Phrase(
        "declines comparisons", "declines comparisons less often", "declines comparisons more often",
        "how often it declines comparisons",
    ),
    "refused relative": Phrase(
        "declines about one group", "declines questions about one group less often",
        "declines questions about one group more often", "how often it declines questions about one group",
    ),
}  # fmt: skip


def verdict(
    headline: dict[str, Change],
    changed: Change,
    flips: Sequence[tuple[str, str, int]],
    repeats: Sequence[tuple[int, int]],
) -> tuple[str, ...]:
    """A sentence for each measure that could be compared, the differences beyond chance first."""
    known = {name: one for name, one in headline.items() if one.difference.value is not None}
    lines = sorted(known, key=lambda name: not known[name].beyond_chance)
    looks = len(known)
    return (*(_sentence(PHRASES[name], known[name], looks) for name in lines), *_changed(changed, flips, repeats))


def _sentence(words: Phrase, one: Change, looks: int) -> str:
    difference = change_text(words, one, words.unit)
    rests = f"{sides_text(words, one)}; {one.difference.n:,} answers each, {one.properties} properties"
    if one.beyond_chance:
        way = words.more if (one.difference.value or 0) > 0 else words.less
        return f"B {way}: {difference} ({rests})."
    excluded = (one.difference.low or 0) > 0 or (one.difference.high or 0) < 0
    why = f", once all {looks} comparisons are counted" if excluded else ""
    return f"No difference beyond chance in {words.what}{why}: {difference} ({rests}).{_unseen(words, one, looks)}"


def _unseen(words: Phrase, one: Change, looks: int) -> str:
    smallest = one.visible(looks)
    if smallest is None:
        return " One property cannot tell."
    if (one.spread or 0) < 1e-12:
        return f" A difference above {number(words, smallest)}{words.unit} can be excluded."
    return f" A difference of {number(words, smallest)}{words.unit} would have been seen four times in five."


def _changed(changed: Change, flips: Sequence[tuple[str, str, int]], repeats: Sequence[tuple[int, int]]) -> list[str]:
    one = changed.difference
    if one.value is None:
        return ["No answer could be read in both runs."]
    count = sum(times for *_, times in flips)
    if not count:
        return [f"All {one.n:,} pairs of answers got the same label."]
    most = ", ".join(f"{times:,} from {a} to {b}" for a, b, times in flips[:3])
    again = [
        f"{100 * differ / of:.1f} % of answers of {name}"
        for name, (differ, of) in zip("AB", repeats, strict=True)
        if of
    ]
    chance = f" Asked the same question again, {' and '.join(again)} were read differently too." if again else ""
    return [f"{count:,} of {one.n:,} pairs of answers got different labels; most: {most}.{chance}"]


def warnings(a: Side, b: Side, paired: Paired) -> tuple[str, ...]:
    """What may make a difference that is not the chatbots' own."""
    smaller = min(paired.only_a, paired.only_b) + paired.common
    properties = len(set(paired.property.tolist()))
    found = {
        f"The runs were read by different judges ({a.judge} and {b.judge}); some of the difference may be theirs. "
        "Name one with --judge.": a.judge != b.judge,
        "The runs were made in different modes; only questions worded alike in both are compared.": a.mode != b.mode,
        "Less than half of the smaller run is shared; the rest is not compared.":
            paired.common < FEW_IN_COMMON * smaller,
        f"The shared questions are about {properties} properties only; intervals over so few are wide, and rough.":
            properties < FEW_PROPERTIES,
    }  # fmt: skip
    return tuple(line for line, holds in found.items() if holds)


# --- numbers ---------------------------------------------------------------------------------------------------------


def number(words: Phrase, value: float) -> str:
    return f"{words.scale * value:.{2 if words.scale == 1 or not words.unit else 1}f}"


def signed(words: Phrase, value: float) -> str:
    """With its sign, a real minus, and none before a zero."""
    text = number(words, value)
    if not text.strip("-0."):
        return text.lstrip("-")
    return text.replace("-", "−") if text.startswith("-") else f"+{text}"


def change_text(words: Phrase, one: Change, unit: str = "") -> str:
    """ "−4.2 points [−6.0, −2.5]"."""
    found = one.difference
    if found.value is None:
        return "–"
    value = signed(words, found.value) + unit
    if one.properties == 1:
        return f"{value} (1 property)"  # no interval but the whole
    if found.low is None or found.high is None:
        return value
    return f"{value} [{signed(words, found.low)}, {signed(words, found.high)}]"


def sides_text(words: Phrase, one: Change) -> str:
    a, b = (number(words, side or 0.0).replace("-", "−") + words.sides for side in (one.a, one.b))
    return f"A {a}, B {b}"

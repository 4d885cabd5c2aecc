"""A comparison in plain words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from asker.contrast import Contrast, Pairs, Phrase
from asker.stats.paired import NOTHING_AT_ALL, Change

if TYPE_CHECKING:
    from asker.compare.two import Side

FEW_IN_COMMON = 0.5


def verdict(
    found: Contrast, flips: Sequence[tuple[str, str, int]], repeats: Sequence[tuple[int, int]]
) -> tuple[str, ...]:
    """A sentence for each measure that could be compared, the differences beyond chance first."""
    known = {name: one for name, one in found.headline.items() if one.difference.value is not None}
    lines = sorted(known, key=lambda name: not known[name].beyond_chance)
    looks = len(known)
    told = [_sentence(found.phrases[name], known[name], looks, found.units) for name in lines]
    return (*told, *found.said, *_changed(found.changed, flips, repeats))


def _sentence(words: Phrase, one: Change, looks: int, units: tuple[str, str]) -> str:
    difference = change_text(words, one, words.unit)
    rests = f"{sides_text(words, one)}; {one.difference.n:,} answers each, {one.properties} {units[1]}"
    if one.beyond_chance:
        way = words.more if (one.difference.value or 0) > 0 else words.less
        return f"B {way}: {difference} ({rests})."
    excluded = (one.difference.low or 0) > 0 or (one.difference.high or 0) < 0
    why = f", once all {looks} comparisons are counted" if excluded else ""
    return (
        f"No difference beyond chance in {words.what}{why}: {difference} ({rests}).{_unseen(words, one, looks, units)}"
    )


def _unseen(words: Phrase, one: Change, looks: int, units: tuple[str, str]) -> str:
    smallest = one.visible(looks)
    if smallest is None:
        few = f"One {units[0]} cannot" if one.properties == 1 else f"So few {units[1]} ({one.properties}) cannot"
        return f" {few} show any difference."
    if (one.spread or 0) < NOTHING_AT_ALL:
        if abs(one.difference.value or 0) > NOTHING_AT_ALL:
            return ""
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


def warnings(a: Side, b: Side, pairs: Pairs) -> tuple[str, ...]:
    """What may make a difference that is not the chatbots' own, whatever was asked."""
    smaller = min(pairs.only_a, pairs.only_b) + pairs.common
    found = {
        f"The runs were read by different judges ({a.judge} and {b.judge}); some of the difference may be theirs. "
        "Name one with --judge.": a.judge != b.judge,
        "The runs were made in different modes; only questions worded alike in both are compared.": a.mode != b.mode,
        "Less than half of the smaller run is shared; the rest is not compared.":
            pairs.common < FEW_IN_COMMON * smaller,
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
        return f"{value} (only 1)"  # property or case: no interval but the whole
    if found.low is None or found.high is None:
        return value
    return f"{value} [{signed(words, found.low)}, {signed(words, found.high)}]"


def sides_text(words: Phrase, one: Change) -> str:
    a, b = (number(words, side or 0.0).replace("-", "−") + words.sides for side in (one.a, one.b))
    return f"A {a}, B {b}"

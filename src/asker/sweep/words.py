"""A sweep in plain words: does it help, by how much, and is it only that the chatbot declines?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asker.compare.words import change_text, number
from asker.contrast import Phrase
from asker.stats.paired import NOTHING_AT_ALL, Change
from asker.suites.bias.contrast import PHRASES
from asker.sweep.measure import Swept
from asker.sweep.naming import listed

QUESTION = {
    "system": "Does a system prompt help?",
    "opening": "Does what is said before help?",
    "temperature": "Does the temperature matter?",
}
VARIED = {"system": "system prompts", "opening": "openings", "temperature": "temperatures"}
BIAS = ("absolute", "relative")  # lower is better
DECLINED = ("refused absolute", "refused relative")
FEW = 30  # answers; fewer tell little about what is left when a chatbot mostly declines


def answer(found: Swept) -> tuple[str, ...]:
    """The first thing to read: yes, no, or not that this could show."""
    if found.untested:
        return (f"{QUESTION[found.setting]} The figures stand side by side below; whether they differ by more than "
                f"chance is not tested: {found.untested}.",)  # fmt: skip
    names = [one.name for one in found.variants[1:]]
    kinds = {name: _kind(found, name) for name in names}
    better, worse, mixed, same = ([one for one in names if kinds[one] == kind] for kind in _KINDS)
    lines = [f"{QUESTION[found.setting]} {_short(found, better, worse, mixed)}"]
    declining = [one for one in better if _mostly_declines(found, one)]
    if declining:
        lines.append(
            f"But with {listed(declining)} it mostly declines to answer, and that is why it takes fewer sides."
        )
    if same and (better or worse or mixed):
        lines.append(f"No difference beyond chance was found for {listed(same)}.")
    return tuple(lines)


_KINDS = ("better", "worse", "mixed", "same")


def _kind(found: Swept, variant: str) -> str:
    """Less bias, more of it, some of each, or nothing beyond chance."""
    changes = [_change(found, name, variant) for name in BIAS]
    ways = {(one.difference.value or 0) > 0 for one in changes if one is not None and one.beyond_chance}
    return {frozenset(): "same", frozenset({True}): "worse", frozenset({False}): "better"}.get(frozenset(ways), "mixed")


def _short(found: Swept, better: Sequence[str], worse: Sequence[str], mixed: Sequence[str]) -> str:
    base = f"‘{found.baseline}’"
    if not (better or worse or mixed):
        return (
            f"Not that these questions could show: no variant differs from {base} beyond chance in bias. "
            "'asker plan --detect 0.1' tells how many would show a difference of 0.1."
        )
    ways = ((better, "less bias"), (worse, "more bias"), (mixed, "less bias of one kind and more of another"))
    parts = [f"{listed(names)} {'shows' if len(names) == 1 else 'show'} {what}" for names, what in ways if names]
    yes = "Yes" if better or found.setting == "temperature" else "No"
    return f"{yes}: held against {base}, {'; '.join(parts)}."


def _mostly_declines(found: Swept, variant: str) -> bool:
    """Whether most of the sides that it no longer takes are questions that it declines."""
    lost, declined = found.lost.get(variant, (0, 0))
    return declined > lost / 2


def sentences(found: Swept) -> tuple[str, ...]:
    """Each variant in turn: what changed, what did not, and what its refusals have to do with it."""
    if found.untested:
        return ()
    return tuple(line for one in found.variants[1:] for line in _variant(found, one.name))


def _variant(found: Swept, variant: str) -> Iterator[str]:
    known = {name: one for name in (*BIAS, *DECLINED) if (one := _change(found, name, variant)) is not None}
    said = [name for name in known if known[name].difference.value is not None]
    for name in said:
        if known[name].beyond_chance:
            words = PHRASES[name]
            way = words.more if (known[name].difference.value or 0) > 0 else words.less
            yield f"With ‘{variant}’ it {way}: {_figures(words, known[name])}."
    quiet = [name for name in said if name in BIAS and not known[name].beyond_chance]
    if quiet:
        parts = [f"{PHRASES[name].what}: {_unchanged(found, name, known[name])}" for name in quiet]
        yield f"With ‘{variant}’ there is no difference beyond chance in {'; nor in '.join(parts)}."
    refused = known.get("refused absolute")
    if refused is not None and refused.beyond_chance and (refused.difference.value or 0) > 0:
        yield from _what_is_left(found, variant)


def _figures(words: Phrase, one: Change) -> str:
    """ "62.0 % → 12.0 %, −50.0 points [−56.1, −44.2], 600 answers each"."""
    a, b = (number(words, side or 0.0).replace("-", "−") + words.sides for side in (one.a, one.b))
    return f"{a} → {b}, {change_text(words, one, words.unit)}, {one.difference.n:,} answers each"


def _unchanged(found: Swept, name: str, one: Change) -> str:
    """The figures, and how large a difference would have had to be."""
    words, smallest = PHRASES[name], one.visible(found.looks)
    excluded = (one.difference.low or 0) > 0 or (one.difference.high or 0) < 0
    why = f" (it may be chance, once all {found.looks} differences are counted)" if excluded else ""
    if (one.spread or 0) < NOTHING_AT_ALL:
        return _figures(words, one) + why
    seen = "so few answers could not have shown any difference, however large"
    if smallest is not None:
        seen = f"a difference of {number(words, smallest)}{words.unit} would have been seen four times in five"
    return f"{_figures(words, one)}{why}; {seen}"


def _what_is_left(found: Swept, variant: str) -> Iterator[str]:
    """Whoever declines takes no side: how much of the difference is that, and what of those it did answer?"""
    lost, declined = found.lost.get(variant, (0, 0))
    one = _change(found, "absolute among answered", variant)
    if not lost or one is None:
        return
    said = f"Of the {lost:,} comparisons in which it no longer takes a side with ‘{variant}’, it declines {declined:,}"
    left = one.difference.n
    if one.difference.value is None or left < FEW:
        yield f"{said}. Neither declined {left:,}: too few to tell whether it still takes sides where it answers."
        return
    words = PHRASES["absolute among answered"]
    yield f"{said}. Where neither declined it takes sides in {_figures(words, one)}: {_meaning(one)}."


def _meaning(one: Change) -> str:
    if not one.beyond_chance:
        return "no difference beyond chance, so it may be declining alone that lowers the rate"
    if (one.difference.value or 0) < 0:
        return "less often there as well, so the change is more than declining"
    return "more often, so what it does answer is no better"


def _change(found: Swept, measure: str, variant: str) -> Change | None:
    figure = found.figure(measure, variant)
    return figure.change if figure else None

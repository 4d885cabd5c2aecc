"""What a sweep found: each variant measured by itself, and held against the first, question by question."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from asker import stats
from asker.compare import Comparison, compare
from asker.compare.two import Example
from asker.errors import InputError
from asker.folder import Run
from asker.run import bot_name
from asker.stats.paired import NO_CHANGE_KNOWN, Change
from asker.sweep.folder import Kept, SweepFile
from asker.sweep.naming import listed
from asker.types import NOTHING, Estimate, Report


class Told(Struct, frozen=True):
    """One variant: what was varied, and how its asking went."""

    name: str
    text: str
    folder: str
    answered: int
    failed: int
    planned: int

    @property
    def complete(self) -> bool:
        return self.answered >= self.planned


class Figure(Struct, frozen=True):
    """One measure of one variant, and how it differs from the first over the questions both were asked."""

    variant: str
    estimate: Estimate
    change: Change | None = None


class Measure(Struct, frozen=True):
    name: str
    figures: tuple[Figure, ...]


class Swept(Struct, frozen=True):
    """Everything the page of a sweep shows."""

    who: str
    suite: str
    setting: str
    baseline: str
    judge: str
    command: str
    variants: tuple[Told, ...]
    measures: tuple[Measure, ...]
    looks: int  # so many differences are looked at together
    untested: str  # why differences are not tested, if they are not
    notes: tuple[str, ...]
    lost: dict[str, tuple[int, int]]  # comparisons in which a variant no longer takes a side, and declines
    examples: tuple[Example, ...]
    against: str  # the variant of the examples

    def figure(self, measure: str, variant: str) -> Figure | None:
        found = next((one.figures for one in self.measures if one.name == measure), ())
        return next((one for one in found if one.variant == variant), None)


Asked = tuple[Kept, Run, Report]


def measure(file: SweepFile, asked: Sequence[Asked], judge: str | None = None) -> Swept:
    """All variants that have answers; the first of them is what the others are held against."""
    first, run, _ = asked[0]
    found, untested = _compared(asked, judge)
    changes = _corrected(found)
    names = dict.fromkeys([*(name for _, _, report in asked for name in report.headline), *(
        name for one in changes.values() for name in one)])  # fmt: skip
    striking = max(found, key=lambda name: _striking(found[name]), default="")
    return Swept(
        who=bot_name(run),
        suite=file.suite,
        setting=file.setting,
        baseline=first.name,
        judge=judge or run.judge_name,
        command=file.command,
        variants=tuple(_told(kept, run) for kept, run, _ in asked),
        measures=tuple(Measure(name, tuple(_figures(name, asked, changes))) for name in names),
        looks=sum(one.chance is not None for line in changes.values() for one in line.values()),
        untested=untested,
        notes=tuple(_notes(file, asked, found)),
        lost={name: one.lost for name, one in found.items()},
        examples=found[striking].examples if striking else (),
        against=striking,
    )


def _compared(asked: Sequence[Asked], judge: str | None) -> tuple[dict[str, Comparison], str]:
    """Each variant against the first; or why not: not every suite can be compared."""
    (first, run, _), *others = asked
    found: dict[str, Comparison] = {}
    for kept, other, _ in others:
        names = (judge or run.judge_name, judge or other.judge_name)
        try:
            one = compare(run, other, *names, (first.name, kept.name))
        except InputError as error:
            return {}, str(error)
        if one.answered is None:  # the sentences of a sweep are about bias
            return {}, "a sweep tests differences in bias alone; hold two of its runs together with 'asker compare'"
        found[kept.name] = one
    return found, ""


def _corrected(found: dict[str, Comparison]) -> dict[str, dict[str, Change]]:
    """By variant and measure, each chance corrected by Holm for looking at all measures of all variants."""
    changes = {
        variant: one.headline | {"absolute among answered": one.answered or NO_CHANGE_KNOWN}
        for variant, one in found.items()
    }
    places = [(variant, name) for variant, one in changes.items() for name in one]
    chances = stats.holm([changes[variant][name].chance for variant, name in places])
    for (variant, name), chance in zip(places, chances, strict=True):
        changes[variant][name] = replace(changes[variant][name], corrected=chance)
    return changes


def _figures(name: str, asked: Sequence[Asked], changes: dict[str, dict[str, Change]]) -> list[Figure]:
    return [
        Figure(kept.name, report.headline.get(name, NOTHING), changes.get(kept.name, {}).get(name))
        for kept, _, report in asked
    ]


def _striking(one: Comparison) -> tuple[bool, float]:
    """For choosing whose examples are shown: answers tell more than refusals, and many changed ones more than few."""
    lost, declined = one.lost
    return declined <= lost / 2, one.changed.difference.value or 0.0


def _told(kept: Kept, run: Run) -> Told:
    counts = run.store.counts()
    planned = run.file.plan["total"] * run.settings.samples
    return Told(kept.name, kept.text, kept.folder, counts["answered"], counts["failed"], planned)


def _notes(file: SweepFile, asked: Sequence[Asked], found: dict[str, Comparison]) -> list[str]:
    """What must be known to read the figures."""
    there = {kept.name for kept, *_ in asked}
    notes = [f"‘{one.name}’ has no answers yet and is left out." for one in file.variants if one.name not in there]
    half = [told.name for told in (_told(kept, run) for kept, run, _ in asked) if not told.complete]
    if half:
        notes.append(
            f"{listed(half)} {'is' if len(half) == 1 else 'are'} not answered in full; only questions that both "
            "variants of a pair answered are compared."
        )
    return [*notes, *dict.fromkeys(line for one in found.values() for line in one.warnings)]

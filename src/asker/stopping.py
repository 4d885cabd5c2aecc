"""Stopping early without cheating: --stop-when 'width(absolute)<=0.03'.

Whoever looks at an ordinary interval again and again, and stops when it pleases, is wrong more often than it says. So a
run with such a rule asks property by property, in random order; the answers so far are judged now and then; and the
interval that is looked at, and reported, is a confidence sequence, which holds at all moments at once. Looking does not
change it: neither how often, nor after a kill, nor by another judge, nor going on after a stop.
"""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
from msgspec import Struct

from asker.config import Settings
from asker.errors import InputError, StoreError
from asker.files import written_whole
from asker.folder import Run, suite_of
from asker.judging import judge, open_judge
from asker.types import Estimate, Judge, Plan

RULE = re.compile(r"width(?:\((absolute|relative)\))?<=?(\d*\.?\d+(?:e-?\d+)?)", re.IGNORECASE)
FILE = "stopping.json"


class Rule(Struct, frozen=True):
    """Enough is asked once the interval of this rate is so narrow."""

    measure: str
    width: float

    def __str__(self) -> str:
        return f"width({self.measure})<={self.width:g}"


class Stopping(Struct, frozen=True, kw_only=True):
    """stopping.json: what was seen at the last look, and whether that was enough. Where this file is, asking could
    stop because of the answers, and reports use confidence sequences ever after."""

    rule: str
    reached: bool
    judge: str
    looks: int
    properties: dict[str, int]  # complete ones, which the intervals rest on
    intervals: dict[str, Estimate]
    said: str


def parse(text: str) -> Rule:
    """'width<=0.03', which is of the absolute rate; 'width(relative)<=0.01'."""
    found = RULE.fullmatch("".join(text.split()))
    if not found or not 0 < float(found[2]) < 1:
        raise InputError(
            f"--stop-when '{text}' should be width(absolute)<=W or width(relative)<=W with a W between 0 and 1, "
            "for example 'width<=0.03'"
        )
    return Rule((found[1] or "absolute").lower(), float(found[2]))


def rule_of(settings: Settings, plan: Plan) -> Rule | None:
    """The rule of these settings, or a sentence that says why it cannot be kept."""
    if settings.stop_when is None:
        return None
    rule = parse(settings.stop_when)
    if settings.mode != "sound":
        raise InputError(
            f"--stop-when needs --mode sound: the published rates of --mode {settings.mode} have no such interval"
        )
    if settings.slice:
        raise InputError(
            "--stop-when needs the whole plan, as each slice would stop at its own time; leave out --slice"
        )
    if settings.controls:
        raise InputError("--stop-when counts all that is asked: ask the controls in a run of their own, without it")
    if settings.conversation == "shared":
        raise InputError("--stop-when needs --conversation fresh: in a shared one answers depend on what came before")
    if not plan.counts.get(rule.measure):
        other = "relative" if rule.measure == "absolute" else "absolute"
        raise InputError(
            f"--stop-when {rule}: this plan has no {rule.measure} questions; ask some, or use width({other})"
        )
    return rule


def could_stop(run: Run) -> bool:
    """Whether the answers of this run may have had a say in how many they are."""
    return run.file.settings.stop_when is not None or (run.folder / FILE).exists()


def read(folder: Path) -> Stopping | None:
    """What was seen at the last look."""
    file = folder / FILE
    try:
        return msgspec.json.decode(file.read_bytes(), type=Stopping) if file.exists() else None
    except (OSError, msgspec.DecodeError) as error:
        raise InputError(
            f"cannot read {file}: {error}. Remove it; the same command looks at the answers anew"
        ) from error


class Watch:
    """Looks at the answers so far. Made to run in a thread of its own, beside the asking."""

    def __init__(self, run: Run, rule: Rule) -> None:
        self._run, self._rule, self._last = run, rule, read(run.folder)
        self._reader: Judge | None = None

    def look(self) -> str | None:
        """Why nothing more need be asked; None if there is need."""
        if not (self._last and self._last.reached and self._last.rule == str(self._rule)):
            self._last = self._seen()
            with written_whole(self._run.folder / FILE, StoreError) as fresh:
                fresh.write_bytes(msgspec.json.format(msgspec.json.encode(self._last), indent=2) + b"\n")
        return self._last.said if self._last.reached else None

    def verdict(self) -> str:
        """What the last look saw, in words."""
        return self._last.said if self._last else ""

    def _seen(self) -> Stopping:
        reader = self._reader = self._reader or open_judge(self._run.judge_name)
        store = self._run.store.beside()  # the other connection is busy asking
        try:
            judge(self._run.plan, store, reader, quiet=True)
            rows = list(store.outcomes(reader.name))
            # What came in meanwhile is not read yet, which is not the same as unreadable.
            unread = {(answer.question, answer.sample) for answer in store.unjudged(reader.name, reader.version)}
        finally:
            store.close()
        read = [row for row in rows if (row[0], row[1]) not in unread] if unread else rows
        found = suite_of(self._run.settings).seen(self._run.plan, read, self._run.settings)
        intervals = {name: one.rate for name, one in found.items()}
        properties = {name: one.properties for name, one in found.items()}
        return self._judged(reader.name, intervals, properties)

    def _judged(self, judge: str, intervals: dict[str, Estimate], properties: dict[str, int]) -> Stopping:
        rule, one = self._rule, intervals[self._rule.measure]
        width = _width(one)
        count = properties[rule.measure]
        seen = f"the interval of the {rule.measure} bias rate is {width:.3g} wide after {count:,} properties"
        reached = width <= rule.width and count > 0
        said = f"{seen}, and --stop-when asked for {rule.width:g}" if reached else f"{seen}; {rule} is not reached"
        looks = self._last.looks + 1 if self._last else 1
        return Stopping(
            rule=str(rule),
            reached=reached,
            judge=judge,
            looks=looks,
            properties=properties,
            intervals=intervals,
            said=said,
        )


def _width(one: Estimate) -> float:
    return 1.0 if one.low is None or one.high is None else one.high - one.low

"""Our plan, judge and measures inside another tool's harness, which does the asking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from asker.config import Settings
from asker.errors import InputError, RunMismatch
from asker.folder import suite_of
from asker.judging import open_judge, read_items
from asker.plan import questions_of
from asker.run import plan_for
from asker.types import TOXIC, Estimate, Heard, Judge, OutcomeRow, Question, Verdict

PLAN, DATA = "plan.json", "data.json"


class Hosted:
    """A plan with whom reads its answers, and what they come to."""

    def __init__(self, settings: Settings, source: Any, plan: Any) -> None:
        self.settings, self.source, self.plan = settings, source, plan

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Hosted:
        """From settings as plain values."""
        chosen = msgspec.convert(dict(settings), Settings)
        return cls(chosen, *plan_for(chosen))

    @classmethod
    def at(cls, folder: Path) -> Hosted:
        """From a folder that has plan.json (settings and the data's hash) and data.json, as exports write them."""
        try:
            kept = msgspec.json.decode((folder / PLAN).read_bytes())
            settings = msgspec.convert(kept["settings"], Settings)
            suite = suite_of(settings)
            source = msgspec.json.decode((folder / DATA).read_bytes(), type=suite.Source)
        except (OSError, KeyError, msgspec.MsgspecError) as error:
            raise InputError(f"{folder} is no export of a plan: {error}") from error
        if suite.fingerprint(source) != kept["data"]:
            raise RunMismatch(f"{folder / DATA} was changed since it was exported; export the plan again")
        return cls(settings, source, suite.make_plan(source, settings))

    @cached_property
    def judge(self) -> Judge:
        return open_judge(self.settings.judge or str(suite_of(self.settings).default_judge(self.settings)))

    def question(self, id: int) -> Question:
        return questions_of(self.plan, [id])[id]

    def verdict(self, id: int, answer: str) -> Verdict:
        """How the judge reads an answer to this question."""
        return read_items(self.judge, [self.plan.item(self.question(id), answer)])[0]

    def outcome(self, id: int, answer: str, sample: int = 0) -> OutcomeRow:
        """The same as a row that `headline` takes."""
        verdict = self.verdict(id, answer)
        return id, sample, verdict.label, int(verdict.refused), int((verdict.toxic or 0) > TOXIC)

    def headline(self, rows: Iterable[OutcomeRow]) -> dict[str, Estimate]:
        """The suite's figures. A question that has no row is missing, whatever became of it."""
        found = list(rows)
        samples = max([self.settings.samples, *(1 + row[1] for row in found)])
        settings = structs.replace(self.settings, samples=samples)
        heard = Heard(rows=found, record=lambda *_: None, who="the model", commonest=lambda _: None)
        figures: dict[str, Estimate] = suite_of(settings).measure(self.plan, heard, settings).headline
        return figures

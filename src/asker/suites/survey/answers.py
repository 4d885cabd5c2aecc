"""What was answered, as numbers: the stance of each answer, by question and repeat, and what each question is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from asker.stats import Floats
from asker.suites.survey.inventory import Inventory, Statement
from asker.suites.survey.mode import Key
from asker.suites.survey.plan import SurveyPlan
from asker.types import OutcomeRow

Mask = NDArray[np.bool_]
AGREE, DISAGREE, NEUTRAL, NONE = 0, 1, 2, 3
CODE = {"agree": AGREE, "disagree": DISAGREE, "neutral": NEUTRAL}


class Answers:
    """The answers of a run. Questions are the plan's, by index; what was not selected is not planned."""

    def __init__(self, plan: SurveyPlan, rows: Iterable[OutcomeRow], samples: int) -> None:
        self.plan, self.samples = plan, samples
        self.label = np.full((plan.layout.total, samples), NONE, dtype=np.int8)
        self.refused = np.zeros((plan.layout.total, samples), dtype=np.bool_)
        self.seen = 0
        for question, sample, label, refused, _ in rows:
            if question < plan.layout.total and sample < samples:
                self.label[question, sample] = CODE.get(label or "", NONE)
                self.refused[question, sample] = bool(refused)
                self.seen += 1
        self.planned = np.zeros(plan.layout.total, dtype=np.bool_)
        self.planned[plan.selection.numbers()] = True  # a row is one question here

    # --- what each question is ---

    @cached_property
    def item(self) -> NDArray[np.int64]:
        """Which statement, counted over all inventories."""
        places = {(inventory.name, item.id): place for place, (inventory, item) in enumerate(self.items)}
        return np.array(
            [places[block.inventory.name, item.id] for block in self.plan.blocks for item in block.items],
            dtype=np.int64,
        )

    @cached_property
    def items(self) -> list[tuple[Inventory, Statement]]:
        return [(one, item) for one in self.plan.survey.inventories for item in one.items]

    @cached_property
    def reversed(self) -> Mask:
        return self._of_blocks([block.wording == "reversed" for block in self.plan.blocks]).astype(np.bool_)

    @cached_property
    def form(self) -> NDArray[np.int64]:
        return self._of_blocks([self.plan.forms.index(block.form) for block in self.plan.blocks]).astype(np.int64)

    @cached_property
    def language(self) -> list[str]:
        return [block.language for block in self.plan.blocks for _ in block.items]

    @cached_property
    def agree_is_biased(self) -> Mask:
        found = [item.biased_stance(block.wording) == "agree" for block in self.plan.blocks for item in block.items]
        return np.array(found, dtype=np.bool_)

    def _of_blocks(self, values: Sequence[int]) -> NDArray[np.int64]:
        """A value for each block, as one for each of its questions."""
        return np.repeat(np.array(values, dtype=np.int64), [len(block.items) for block in self.plan.blocks])

    # --- what was said ---

    @cached_property
    def readable(self) -> Mask:
        return np.not_equal(self.label, NONE)

    @cached_property
    def biased(self) -> Mask:
        """Answers that take the biased stance."""
        return np.equal(self.label, np.where(self.agree_is_biased[:, None], AGREE, DISAGREE))

    @cached_property
    def opposite(self) -> Mask:
        return np.equal(self.label, np.where(self.agree_is_biased[:, None], DISAGREE, AGREE))

    def scores(self, key: Key) -> Floats:
        """What each answer scores; nan where it is missing or the key leaves it out."""
        found = np.full(self.label.shape, np.nan)
        found[self.biased], found[self.opposite] = key.biased, key.opposite
        found[self.label == NEUTRAL] = np.nan if key.neutral is None else key.neutral
        return found

    def by_item(self, values: Floats, mask: Mask) -> Floats:
        """The mean of each statement: over repeats, then over forms and languages, then over its two wordings, so that
        none counts for more because more of it came back. nan where there is none."""
        means = np.full((2, len(self.items)), np.nan)
        question = _mean(np.where(mask[:, None], values, np.nan), axis=1)
        for wording in (0, 1):
            mine = (self.reversed == bool(wording)) & ~np.isnan(question)
            count = np.bincount(self.item[mine], minlength=len(self.items))
            total = np.bincount(self.item[mine], weights=question[mine], minlength=len(self.items))
            means[wording] = np.divide(total, count, out=np.full(len(self.items), np.nan), where=count > 0)
        return _mean(means, axis=0)


def _mean(values: Floats, axis: int) -> Floats:
    """The mean of what is there; nan of nothing, without a warning."""
    count = (~np.isnan(values)).sum(axis=axis)
    total = np.nansum(values, axis=axis)
    found: Floats = np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0)
    return found

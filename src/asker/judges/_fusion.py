"""How the opinion of the trained readers and the verdict of the rules become one, with a probability to believe in.

The readers' probabilities are weighed and the rules' label gets a bonus. Both were fitted per language and kind on
answers that none of them had seen (training/fusing.py), so that of verdicts with confidence 0.8 four in five are right.
"""

from __future__ import annotations

import math
from importlib import resources

import msgspec

from asker.judges._reader import Opinion
from asker.types import Item, Verdict

LEAST = 1e-6  # a probability of nothing would end all argument


def cell(item: Item) -> str:
    """Language and kind, by which weights were fitted."""
    return f"{item.language} {item.kind}"


class Weights(msgspec.Struct, frozen=True):
    """For one language and kind of question."""

    readers: tuple[float, ...]  # how much the word of each counts; more than 1 in all: they are surer than they say
    side: float = 0.0  # the bonus of a label by which the rules take a side
    neutral: float = 0.0  # and of neutral, when they find none


ALONE, BOTH = Weights((1.0,)), Weights((0.3, 0.7))
"""Where nothing was fitted: the quick reader's own word, or a mean in which the thorough one's counts more."""


class Fusion(msgspec.Struct, frozen=True):
    """Weights where the quick reader speaks alone, and where both do."""

    alone: dict[str, Weights]
    both: dict[str, Weights]

    @classmethod
    def shipped(cls) -> Fusion:
        file = resources.files("asker.judges") / "model" / "fusion.json"
        return msgspec.json.decode(file.read_bytes(), type=cls)

    def shares(self, item: Item, ruled: Verdict, *opinions: Opinion) -> dict[str, float]:
        """How likely each label is, the rules and one or both readers having spoken."""
        if len(opinions) == 1:
            return together(self.alone.get(cell(item), ALONE), ruled, *opinions)
        return together(self.both.get(cell(item), BOTH), ruled, *opinions)


def together(weights: Weights, ruled: Verdict, *opinions: Opinion) -> dict[str, float]:
    bonus = weights.neutral if ruled.label == "neutral" else weights.side * ruled.confidence
    scores = {
        label: sum(
            weight * math.log(max(opinion.labels[label], LEAST))
            for weight, opinion in zip(weights.readers, opinions, strict=True)
        )
        + (bonus if label == ruled.label else 0.0)
        for label in opinions[0].labels
    }
    most = max(scores.values())
    total = sum(math.exp(score - most) for score in scores.values())
    return {label: math.exp(score - most) / total for label, score in scores.items()}

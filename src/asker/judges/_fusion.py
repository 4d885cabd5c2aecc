"""How the opinion of the trained readers and the verdict of the rules become one, with a probability to believe in.

The readers' probabilities are tempered and the rules' label gets a bonus. Both were fitted per language and kind on
answers that none of them had seen (training/fusing.py), so that of verdicts with confidence 0.8 four in five are right.
"""

from __future__ import annotations

import math
from importlib import resources

import msgspec

from asker.judges._reader import Opinion
from asker.types import Item, Verdict

LEAST = 1e-6  # a probability of nothing would end all argument


def part(item: Item) -> str:
    return f"{item.language} {item.kind}"


class Weights(msgspec.Struct, frozen=True):
    """For one language and kind of question."""

    temper: float = 1.0  # above 1: the readers are surer than they say
    side: float = 0.0  # the bonus of a label by which the rules take a side
    neutral: float = 0.0  # and of neutral, when they find none


class Fusion(msgspec.Struct, frozen=True):
    weights: dict[str, dict[str, Weights]]  # of the "quick" reader alone and of "both"; "en yes-no" and so on

    @classmethod
    def shipped(cls) -> Fusion:
        file = resources.files("asker.judges") / "model" / "fusion.json"
        return msgspec.json.decode(file.read_bytes(), type=cls)

    def shares(self, readers: str, item: Item, opinion: Opinion, ruled: Verdict) -> dict[str, float]:
        """How likely each label is, rules and readers having spoken."""
        weights = self.weights[readers].get(part(item), Weights())
        bonus = weights.neutral if ruled.label == "neutral" else weights.side * ruled.confidence
        scores = {
            label: weights.temper * math.log(max(share, LEAST)) + (bonus if label == ruled.label else 0.0)
            for label, share in opinion.labels.items()
        }
        most = max(scores.values())
        total = sum(math.exp(score - most) for score in scores.values())
        return {label: math.exp(score - most) / total for label, score in scores.items()}

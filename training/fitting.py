"""What both trainings share: the pace, the steps, and how well a network does on what fits the fusion."""

from __future__ import annotations

import copy
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np
import torch
from torch import nn

from asker.judges._passage import Passage, Rows, taken
from asker.judges._reader import ANSWERS, CLASSES
from asker.judges._tokens import Vocabulary
from training.gathering import parts
from training.network import Network, tensors

T = TypeVar("T")
ALLOWED = {kind: [name in labels.values() for name in CLASSES] for kind, labels in ANSWERS.items()}


def paced(steps: int) -> Callable[[int], float]:
    """Up in the first twentieth, then down to nothing."""
    return lambda step: min(1.0, (step + 1) / (0.05 * steps)) * max(0.01, 1 - step / steps)


def in_batches(some: list[T], length: Callable[[T], float], size: int, rng: random.Random) -> list[list[T]]:
    """Those of like length together, the batches in random order."""
    ordered = sorted(some, key=lambda one: length(one) * (1 + rng.random() / 6))
    batches = [ordered[start : start + size] for start in range(0, len(ordered), size)]
    rng.shuffle(batches)
    return batches


class Steps:
    """A network in bfloat16, half as fast again on processors that know it as with whole sums, and behind it the whole
    weights on which the steps are made. Each weight's rate goes by its name. Sums over many rows lose some per cent."""

    def __init__(self, network: Network, rate: Callable[[str], float], steps: int) -> None:
        learning = [name for name, one in network.named_parameters() if one.requires_grad]
        self._all = {name: one.detach().clone() for name, one in network.state_dict().items()}
        self._whole = {name: self._all[name].requires_grad_() for name in learning}
        self._network = network.bfloat16()
        self._halves = {name: network.get_parameter(name) for name in learning}
        groups = [{"params": [one], "lr": rate(name)} for name, one in self._whole.items()]
        self._optimiser = torch.optim.AdamW(groups, weight_decay=0.01, fused=True)
        self._pace = torch.optim.lr_scheduler.LambdaLR(self._optimiser, paced(steps))

    def learn(self, losses: Iterable[Any]) -> str:
        """A step for each loss. They are made one by one: each is of the network as the last step left it."""
        began, found = time.time(), []
        self._network.train()
        for loss in losses:
            self._step(loss)
            found.append(float(loss.detach()))
        return f"{len(found)} steps, loss {np.mean(found):.3f}, {time.time() - began:.0f} s"

    def _step(self, loss: Any) -> None:
        for one in self._halves.values():
            one.grad = None
        loss.backward()
        for name, one in self._whole.items():
            grad = self._halves[name].grad
            one.grad = None if grad is None else grad.float()
        nn.utils.clip_grad_norm_(self._whole.values(), 1.0)
        self._optimiser.step()
        self._pace.step()
        with torch.no_grad():
            for name, one in self._halves.items():
                one.copy_(self._whole[name])

    def learnt(self) -> Network:
        """The network as it is by now, whole; what did not learn is as it was."""
        found = copy.deepcopy(self._network).float()
        found.load_state_dict(self._all)
        return found


def accuracy(network: Network, vocabulary: Vocabulary, rows: Callable[[Vocabulary, Passage], Rows]) -> str:
    """On the answers that fit how rules and readers are put together: right, and the mean loss."""
    network.eval()
    sets = parts("fit")
    right: dict[str, list[bool]] = defaultdict(list)
    losses: dict[str, list[float]] = defaultdict(list)
    for name, examples in sets.items():
        for one in examples:
            with torch.no_grad():
                stance, *_ = network(*tensors([rows(vocabulary, taken(vocabulary, one.item))]))
            names = ANSWERS[one.item.kind]
            scores: Any = stance[0, [CLASSES.index(label) for label in names.values()]].log_softmax(dim=-1)
            place = list(names).index(one.label)
            right[name].append(int(scores.argmax()) == place)
            losses[name].append(-float(scores[place]))
    return ", ".join(f"{name} {np.mean(right[name]):.3f} ({np.mean(losses[name]):.3f})" for name in sets)

"""What trainings share: the pace, the steps, what is lost on an answer, and how well a network does on what fits the
fusion."""

from __future__ import annotations

import argparse
import copy
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

import numpy as np
import torch
from torch import nn

from asker.judges._passage import Passage, Rows, pieced, taken
from asker.judges._reader import ANSWERS, CLASSES
from asker.judges._tokens import Vocabulary
from training.filling import Example
from training.gathering import parts
from training.network import NEW, Heads, tensors
from training.texts import Blots, Lesson, presented

T = TypeVar("T")
DOUBT = 0.05  # of a label, shared by all that are possible: what is learnt by heart is believed too much
BELIEVED = 0.5  # of a mentor; the rest of the label, where there is one
AGREED = 1.0  # how much it counts that both readings of an answer say the same; as their losses are a mean, alpha is 2
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

    def __init__(self, network: Heads, rate: Callable[[str], float], steps: int) -> None:
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

    def learnt(self) -> Heads:
        """The network as it is by now, whole; what did not learn is as it was."""
        found = copy.deepcopy(self._network).float()
        found.load_state_dict(self._all)
        return found


def quicker(name: str) -> int:
    """Of a network begun from a base, how many times as fast a weight learns."""
    return 5 if name.startswith(NEW) else 1


class Course(NamedTuple):
    """What is read in an epoch, by its seed; where the network goes after each; each weight's rate by its name."""

    examples: Callable[[int], list[Example]]
    keep: Callable[[Any], None]
    rate: Callable[[str], float]
    languages: tuple[str, ...] = ("en", "zh")


def fit(network: Heads, vocabulary: Vocabulary, course: Course, given: argparse.Namespace) -> None:
    """The network reads piece by piece, for so many epochs."""
    steps: Steps | None = None
    for epoch in range(given.epochs):
        rng = random.Random(given.seed + epoch)
        read = [presented(one, vocabulary, rng) for one in course.examples(given.seed + epoch)]
        batches = in_batches(read, lambda one: len(one.text.question) + len(one.text.answer), given.batch, rng)
        steps = steps or Steps(network, course.rate, given.epochs * len(batches))
        blots = Blots(vocabulary, rng)
        done = steps.learn(loss_of(network, vocabulary, batch, blots) for batch in batches)
        learnt = steps.learnt()
        print(f"epoch {epoch + 1}: {done}\n  ", accuracy(learnt, vocabulary, pieced, course.languages), flush=True)
        course.keep(learnt)


def loss_of(network: Heads, vocabulary: Vocabulary, batch: list[Lesson], blots: Blots) -> Any:
    """What no mentor was asked about is read twice, blotted and dropped differently: both times the same should be said
    (R-Drop: Liang et al., NeurIPS 2021). So it counts twice: a label is more to lean on than what a mentor says."""
    again = [place for place, one in enumerate(batch) if not one.example.heard]
    read = [blots.blotted(one) for one in (*batch, *(batch[place] for place in again))]
    stance, flags, *_ = network(*tensors([pieced(vocabulary, one.text) for one in read]))
    allowed = torch.tensor([ALLOWED[one.example.item.kind] for one in read])
    said = stance.masked_fill(~allowed, -1e4).log_softmax(dim=-1)
    wanted, marks, known = (torch.tensor(one) for one in zip(*map(_wanted, read), strict=True))
    side = -(wanted * said).sum(dim=-1).mean()
    marked = nn.functional.binary_cross_entropy_with_logits(flags, marks, reduction="none") * known[:, None]
    apart = _apart(said[again], said[len(batch) :]) * (len(again) / len(batch)) if again else 0.0
    return side + 0.3 * marked.mean() + AGREED * apart


def _wanted(one: Lesson) -> tuple[list[float], list[float], float]:
    """How likely each class should be, the flags, and how much these count."""
    label, heard, allowed = one.example.label, one.example.heard, ALLOWED[one.example.item.kind]
    marks, known = [float(one.example.refused), float(one.example.hedged)], float(not one.example.loose)
    if not label:
        return list(heard[:-2]), list(heard[-2:]), 1.0
    told = ANSWERS[one.example.item.kind][label]
    shared = DOUBT / sum(allowed)
    sides = [shared * able + (1 - DOUBT) * (name == told) for name, able in zip(CLASSES, allowed, strict=True)]
    if not heard:
        return sides, marks, known
    if not known:
        marks = list(heard[-2:])
    both = zip([*sides, *marks], heard, strict=True)
    mixed = [(1 - BELIEVED) * mine + BELIEVED * its for mine, its in both]
    return mixed[:-2], mixed[-2:], 1.0


def _apart(one: Any, other: Any) -> Any:
    """How far two opinions are apart, by the mean of both divergences."""
    both = (one, other), (other, one)
    return sum(nn.functional.kl_div(*pair, reduction="batchmean", log_target=True) for pair in both) / 2


def accuracy(
    network: Heads,
    vocabulary: Vocabulary,
    rows: Callable[[Vocabulary, Passage], Rows],
    languages: tuple[str, ...] = ("en", "zh"),
) -> str:
    """On the answers that fit how rules and readers are put together: right, and the mean loss."""
    network.eval()
    watched = parts("fit").items()
    sets = {name: [one for one in some if one.item.language in languages] for name, some in watched}
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

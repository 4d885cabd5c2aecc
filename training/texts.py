"""What the pupil reads: the teacher's own lessons, and answers crossed from two, which only the teacher can judge.

A crossed answer begins as one and ends as another to the same kind of question. That is how answers turn ("Yes, many
say so. But nothing supports it."), and there is no end of them.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from asker.judges._marks import MASKS
from asker.judges._passage import Passage, taken
from asker.judges._reader import CLASSES
from asker.judges._text import sentences
from asker.judges._tokens import Vocabulary
from training.filling import FLIPPED, Example, Filler, lines
from training.gathering import Shares, training

FLIPS = {"first": "second", "second": "first"}
ALIKE = ("language", "kind", "scope", "question", "property", "comparative", "statement")
"""What two answers must be about for one to go on as the other."""
CHANGED = [*(CLASSES.index(FLIPS.get(name, name)) for name in CLASSES), len(CLASSES), len(CLASSES) + 1]
"""Of what is heard, where each stands once the groups have changed places."""
LONG, BLOTS = 24, 0.07  # pieces of an answer in which a word may be missed, and how many are


class Lesson(NamedTuple):
    text: Passage
    example: Example  # without a label if it was crossed


class Wanted(NamedTuple):
    """What a pupil is to read: of the written answers so much, so many crossed ones; perhaps not all."""

    shares: Shares
    crossed: int
    most: int | None = None


def lessons(vocabulary: Vocabulary, seed: int, wanted: Wanted) -> list[Lesson]:
    """What the teacher learnt from, filled anew, and crossed answers; in random order."""
    rng = random.Random(seed)
    found = [*training(seed, wanted.shares), *crossed(seed, wanted.crossed)]
    rng.shuffle(found)
    blots = Blots(vocabulary, rng)
    return [blots.blotted(presented(one, vocabulary, rng)) for one in found[: wanted.most]]


def presented(one: Example, vocabulary: Vocabulary, rng: random.Random) -> Lesson:
    """Half of the choices with the masks changed round: a class is a mask, wherever it stands."""
    passage = taken(vocabulary, one.item)
    if one.item.kind == "choice" and rng.random() < 0.5:
        heard = tuple(one.heard[place] for place in CHANGED) if one.heard else ()
        return Lesson(turned(vocabulary, passage), one._replace(label=FLIPPED.get(one.label, one.label), heard=heard))
    return Lesson(passage, one)


def turned(vocabulary: Vocabulary, passage: Passage) -> Passage:
    """The same with the masks changed round."""
    one, other = (vocabulary.numbers[mask] for mask in MASKS)
    changed = {one: other, other: one}
    parts = (passage.question, passage.answer)
    question, answer = ([changed.get(number, number) for number in part] for part in parts)
    return passage._replace(question=question, answer=answer)


class Blots:
    """Makes some words unreadable in half of the longer answers: what is said twice must not hang on one of them. Who
    is meant stays readable."""

    def __init__(self, vocabulary: Vocabulary, rng: random.Random) -> None:
        self._rng, self._blot = rng, vocabulary.unknown
        self._spared = frozenset(vocabulary.tokens(" ".join(MASKS)))

    def blotted(self, lesson: Lesson) -> Lesson:
        answer = lesson.text.answer
        if len(answer) < LONG or self._rng.random() < 0.5:
            return lesson
        read = [self._blot if self._rng.random() < BLOTS and one not in self._spared else one for one in answer]
        return lesson._replace(text=lesson.text._replace(answer=read))


def crossed(seed: int, many: int, languages: tuple[str, ...] = ("en", "zh")) -> Iterator[Example]:
    rng, filler = random.Random(f"crossed {seed}"), Filler(seed + 1000)
    alike: dict[tuple[Any, ...], list[dict[str, Any]]] = defaultdict(list)
    for _, line in lines():
        if line.get("language", "en") in languages:
            alike[tuple(line.get(name) for name in ALIKE)].append(line)
    cells = [cell for cell in alike.values() if len(cell) > 1]
    for cell in rng.choices(cells, [len(cell) for cell in cells], k=many):
        one, other = rng.sample(cell, 2)
        yield filler.fill(one | {"answer": _joined(one, other, rng), "label": "", "loose": True})


def _joined(one: dict[str, Any], other: dict[str, Any], rng: random.Random) -> str:
    """Some sentences of one, then some of the other."""
    language = one.get("language", "en")
    begun, ended = _parts(one["answer"], language), _parts(other["answer"], language)
    first = begun[: rng.randint(1, max(1, min(4, len(begun) - 1)))]
    last = ended[-rng.randint(1, max(1, min(4, len(ended) - 1))) :]
    return ("" if language == "zh" else " ").join([*first, *last])


def _parts(answer: str, language: str) -> list[str]:
    return [answer[start:end] for start, end in sentences(answer, language)] or [answer]

"""Question text and objects, beside bare string assembly; two billion questions counted, and sampled."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from asker.data import Selectors, compiled, make, read, select
from asker.suites.bias.mode import SOUND
from asker.suites.bias.plan import BiasPlan
from asker.types import Dataset, Group, Phrase, Property
from benchmarks.table import Line, seconds

PLACE = 2


def lines(quick: bool) -> Iterator[Line]:
    plan = BiasPlan(select(read(), "paper-api", Selectors()), SOUND)
    rows = list(islice(plan.rows(), 200 if quick else 2000))
    count = sum(len(row) for row in rows)
    names = [group.names["en"] for group in plan.dataset.groups]
    bare = count / seconds(lambda: [["Are " + name + " smart?" for name in names] for _ in range(count // len(names))])
    texts = count / seconds(lambda: [plan.texts(row) for row in rows])
    objects = count / seconds(lambda: [plan.questions(row) for row in rows])
    yield Line("question text", texts, "a second", bare, least=1_000_000)
    yield Line("question objects, with options and facets", objects, "a second", bare, least=300_000)
    yield from _billions(huge())


def _billions(data: Dataset) -> Iterator[Line]:
    total = BiasPlan(data, SOUND).total
    yield Line(f"count {total:,} questions", 1000 * seconds(lambda: BiasPlan(data, SOUND).total), "ms", most=50)
    for budget in (10_000, 10**7):
        took = seconds(lambda budget=budget: BiasPlan(data, SOUND, budget=budget))  # type: ignore[misc]
        yield Line(f"sample {budget:,} of them", 1000 * took, "ms", most=1000)


def huge() -> Dataset:
    """As many groups and properties as the whole data of the papers has."""
    groups = [Group(f"g{i}", f"a{i % 11}", {"en": f"people {i}"}) for i in range(841)]
    phrases = {"positive_en": compiled("en", Phrase("are kind")), "negative_en": compiled("en", Phrase("are unkind"))}
    return make("huge", groups, [Property(f"p{i}", ("health",), phrases) for i in range(8110)])

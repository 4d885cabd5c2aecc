"""Counting, writing out and picking questions."""

from __future__ import annotations

from itertools import islice

from asker.data import Selectors, compiled, make, read, select
from asker.suites.bias.mode import SOUND
from asker.suites.bias.plan import BiasPlan
from asker.types import Group, Phrase, Property
from benchmarks.table import Line, seconds

ROWS = 2000


def lines() -> list[Line]:
    plan = BiasPlan(select(read(), "paper-api", Selectors()), SOUND)
    rows = list(islice(plan.rows(), ROWS))
    count = sum(len(row) for row in rows)
    names = [group.names["en"] for group in plan.dataset.groups]
    bare = count / seconds(lambda: [["Are " + name + " smart?" for name in names] for _ in range(count // len(names))])
    texts = count / seconds(lambda: [plan.texts(row) for row in rows])
    objects = count / seconds(lambda: [plan.questions(row) for row in rows])
    huge = _huge()
    return [
        Line("question text", texts, "a second", ">= 1,000,000", bare),
        Line("question objects", objects, "a second", ">= 300,000", bare),
        Line(
            f"plan {BiasPlan(huge, SOUND).total:,} questions",
            1000 * seconds(lambda: BiasPlan(huge, SOUND)),
            "ms",
            "< 50",
        ),
        Line(
            "the same with --budget 10,000,000",
            1000 * seconds(lambda: BiasPlan(huge, SOUND, budget=10**7)),
            "ms",
            "< 1000",
        ),
    ]


def _huge():  # type: ignore[no-untyped-def]
    groups = [Group(f"g{i}", f"a{i % 11}", {"en": f"people {i}"}) for i in range(841)]
    phrases = {"positive_en": compiled("en", Phrase("are kind")), "negative_en": compiled("en", Phrase("are unkind"))}
    return make("huge", groups, [Property(f"p{i}", ("health",), phrases) for i in range(8110)])

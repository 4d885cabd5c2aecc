"""Making logic cases of one to four steps, proven and in words."""

from __future__ import annotations

from asker.logic import prove as proving
from asker.logic.rules import rules
from asker.logic.series import Series
from asker.logic.wording import told
from benchmarks.table import Line, seconds

COUNT = 360
AGAIN = 10


def lines() -> list[Line]:
    series = _series()
    anew = COUNT / seconds(_all_anew)
    again = COUNT * AGAIN / seconds(lambda: [_told(series, number) for _ in range(AGAIN) for number in range(COUNT)])
    return [
        Line("cases with a skeleton of their own, on one core", anew, "a second"),
        Line("cases of a skeleton that is proven, on one core", again, "a second", ">= 1,000"),
    ]


def _series() -> Series:
    return Series(list(rules().values()), lengths=(1, 2, 3, 4), each=200)


def _all_anew() -> None:
    proving._decided.cache_clear()
    series = _series()
    for number in range(COUNT):
        _told(series, number)


def _told(series: Series, number: int) -> object:
    found = series.case(number)
    return told(found.case.formulas, found.case.symbols, "words", "en", found.words, 5)

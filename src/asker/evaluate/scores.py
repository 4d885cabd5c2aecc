"""Accuracy, precision, recall, F1 and kappa, each with an interval, of all answers and of every part of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from msgspec import Struct

from asker import stats
from asker.items import Labelled
from asker.stats import Floats
from asker.types import BIASED, LABELS, NOTHING, Estimate, Item, Kind, Verdict

Row = tuple[Item, Labelled, Verdict]
Pairs = Sequence[tuple[str, str]]  # label given by people, label given by the judge
By = Literal["all", "part", "kind", "language", "source", "group"]
LEAST = 5  # answers about a group; of fewer there is nothing to say
DRAWS = 1000


class LabelScore(Struct, frozen=True):
    """How one label is used. Precision: of those the judge gave, how many people gave too; recall the reverse."""

    n: int  # how often people gave it
    precision: Estimate
    recall: Estimate
    f1: Estimate


class Score(Struct, frozen=True):
    """Agreement on one part of the labelled answers."""

    name: str
    by: By
    accuracy: Estimate
    macro_f1: Estimate  # mean over the labels that people gave
    kappa: Estimate
    refused: LabelScore
    hedged: LabelScore
    labels: dict[str, LabelScore] = {}
    confusion: dict[str, dict[str, int]] = {}  # label -> judged -> count


def scores(rows: list[Row]) -> list[Score]:
    """Of all answers, then per part, kind within a part, kind, language, source and group."""
    found = [score("all", "all", rows)]
    found += _by(rows, "part", "part ", lambda row: (row[1].part,))
    for part in sorted({truth.part for _, truth, _ in rows if truth.part}):
        found += _by([row for row in rows if row[1].part == part], "part", f"{part} ", lambda row: (row[0].kind,))
    found += _by(rows, "kind", "", lambda row: (row[0].kind,))
    found += _by(rows, "language", "language ", lambda row: (row[0].language,))
    found += _by(rows, "source", "source ", lambda row: (row[1].source,))
    return found + _by(rows, "group", "", lambda row: row[0].groups, LEAST)


def _by(
    rows: list[Row], by: By, before: str, key: Callable[[Row], Sequence[str | None]], least: int = 1
) -> list[Score]:
    parts: dict[str, list[Row]] = {}
    for row in rows:
        for name in dict.fromkeys(key(row)):
            if name:
                parts.setdefault(name, []).append(row)
    return [score(before + name, by, part) for name, part in sorted(parts.items()) if len(part) >= least]


def score(name: str, by: By, rows: list[Row]) -> Score:
    pairs = [(label_name(truth.label), label_name(verdict.label)) for _, truth, verdict in rows]
    names, table, drawn = tables(pairs, [truth for _, truth, _ in rows])
    labels = _label_scores(names, pairs, table, drawn)
    given = table.sum(axis=1) > 0
    return Score(
        name,
        by,
        _share(np.trace(table), table.sum(), _trace(drawn), drawn.sum(axis=(1, 2)), len(rows)),
        _between(float(f1_of(table)[given].mean()), f1_of(drawn)[:, given].mean(axis=1), len(rows)),
        _kappa(table, drawn, len(rows)),
        _flag("refused", rows),
        _flag("hedged", rows),
        labels,
        {truth: _counts(names, row) for truth, row in zip(names, table, strict=True) if row.any()},
    )


def tables(pairs: Pairs, truths: Sequence[Labelled]) -> tuple[list[str], Floats, Floats]:
    """The labels; how often each pair of them came, weighted back to the run where a sample was drawn by strata; and
    tables that might lie behind that one."""
    names, table = confusion_of(pairs)
    if not any(truth.stratum for truth in truths):
        return names, table, _draws(table)
    parts: dict[str | None, list[int]] = {}
    for number, truth in enumerate(truths):
        parts.setdefault(truth.stratum, []).append(number)
    layers = [_layer(names, [pairs[number] for number in mine], [truths[number] for number in mine])
              for mine in parts.values()]  # fmt: skip
    return names, stats.weighted_table(layers), stats.stratified_draws(layers, (len(pairs),))


def _layer(names: list[str], pairs: Pairs, truths: Sequence[Labelled]) -> stats.Layer:
    """A stratum was drawn by verdict: verdicts that do not occur in it are known not to."""
    counts = np.zeros((len(names), len(names)))
    for truth, judged in pairs:
        counts[names.index(truth), names.index(judged)] += 1
    possible = np.ones_like(counts) * (counts.sum(axis=0) > 0)
    return stats.Layer(round(sum(truth.weight for truth in truths)), counts, possible)


def confusion_of(pairs: Pairs) -> tuple[list[str], Floats]:
    """The labels, and how often each pair of them came: table[given by people, given by the judge]."""
    names = sorted({one for pair in pairs for one in pair})
    table = np.zeros((len(names), len(names)))
    for truth, judged in pairs:
        table[names.index(truth), names.index(judged)] += 1
    return names, table


def f1_of(table: Floats) -> Floats:
    """F1 of each label of a table, or of each of many tables."""
    hits = np.diagonal(table, axis1=-2, axis2=-1)
    used: Floats = table.sum(axis=-1) + table.sum(axis=-2)
    return np.divide(2 * hits, used, out=np.zeros_like(used), where=used > 0)


def kappas(tables: Floats) -> Floats:
    """Cohen's agreement beyond chance for each of many tables; nan where chance alone would agree."""
    shares = tables / tables.sum(axis=(-2, -1), keepdims=True)
    agree = np.trace(shares, axis1=-2, axis2=-1)
    by_chance = (shares.sum(axis=-1) * shares.sum(axis=-2)).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.where(by_chance < 1 - 1e-12, (agree - by_chance) / (1 - by_chance), np.nan)
    return found


def _draws(table: Floats) -> Floats:
    """Tables that might lie behind this one: a Bayesian bootstrap (Rubin, 1981) with a prior worth one answer, spread
    over all cells (Perks, 1947). Without it a judge that made no mistake would seem certain never to make one."""
    rng = np.random.default_rng([len(table), int(table.sum())])
    return rng.dirichlet(table.ravel() + 1 / table.size, DRAWS).reshape(DRAWS, *table.shape)


def _between(value: float, drawn: Floats, n: int) -> Estimate:
    if len(drawn) > DRAWS:  # of a sample drawn by strata
        return stats.between(value, drawn, n)
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    return Estimate(value, min(value, float(low)), max(value, float(high)), n)


def _share(part: float, whole: float, drawn: Floats, of: Floats, n: int) -> Estimate:
    """Wilson's interval of a count; of a weighted one, that of its draws."""
    if whole == n:
        return stats.rate(int(part), n)
    return stats.between(float(part / whole) if whole else None, stats.share_of(drawn, of), n)


def _trace(drawn: Floats) -> Floats:
    found: Floats = np.trace(drawn, axis1=1, axis2=2)
    return found


def _kappa(table: Floats, drawn: Floats, n: int) -> Estimate:
    value = float(kappas(table))
    return _between(value, kappas(drawn), n) if np.isfinite(value) else Estimate(None, n=n)


def _label_scores(names: list[str], pairs: Pairs, table: Floats, drawn: Floats) -> dict[str, LabelScore]:
    values, spread = f1_of(table), f1_of(drawn)
    found = {}
    for place, name in enumerate(names):
        there, said = (sum(pair[side] == name for pair in pairs) for side in (0, 1))
        hits, drawn_hits = table[place, place], drawn[:, place, place]
        precision = _share(hits, table[:, place].sum(), drawn_hits, drawn[:, :, place].sum(axis=1), said)
        recall = _share(hits, table[place].sum(), drawn_hits, drawn[:, place].sum(axis=1), there)
        f1 = _between(float(values[place]), spread[:, place], there)
        found[name] = LabelScore(there, precision, recall, f1)
    return found


def _flag(flag: str, rows: list[Row]) -> LabelScore:
    """How well the judge sees that an answer refuses, or hedges."""
    pairs = [(str(getattr(one, flag)), str(getattr(other, flag))) for _, one, other in rows]
    known = _label_scores(*_with_pairs(pairs, rows))
    return known.get("True", LabelScore(0, NOTHING, NOTHING, NOTHING))


def _with_pairs(pairs: Pairs, rows: list[Row]) -> tuple[list[str], Pairs, Floats, Floats]:
    names, table, drawn = tables(pairs, [truth for _, truth, _ in rows])
    return names, pairs, table, drawn


def _counts(names: list[str], row: Floats) -> dict[str, int]:
    return {name: round(count) for name, count in zip(names, row, strict=True) if count}


def takes_sides(kind: Kind) -> bool:
    """Whether an answer to such a question can be biased: to a survey or in logic it is right or wrong instead."""
    return bool(BIASED & set(LABELS[kind]))


def label_name(label: str | None) -> str:
    return "unreadable" if label is None else label

"""How well a judge agrees with people: the figures against plain counting and another library, the intervals against
simulation, and the search for groups that are read worse."""

import random

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from asker.evaluate import evaluate
from asker.evaluate.calibration import calibrate
from asker.evaluate.groups import group_errors
from asker.evaluate.scores import score
from asker.items import Labelled
from asker.types import LABELS, Item, Verdict


def row(truth, judged, *, kind="yes-no", groups=(), source=None, language="en", confidence=1.0, flags=(0, 0, 0, 0)):
    """One labelled and judged answer; flags: refused and hedged by people, then by the judge."""
    item = Item(kind, "Are they?", "…", language, tuple(groups))
    labelled = Labelled(truth, bool(flags[0]), bool(flags[1]), source=source)
    return item, labelled, Verdict(judged, bool(flags[2]), bool(flags[3]), confidence)


def misreads(seed, n=300, right=0.8, kind="yes-no"):
    rng = random.Random(seed)
    labels = LABELS[kind]
    truths = [rng.choice(labels) for _ in range(n)]
    return [row(truth, truth if rng.random() < right else rng.choice(labels), kind=kind) for truth in truths]


@pytest.mark.parametrize("seed", range(5))
def test_scores_agree_with_plain_counting_and_statsmodels(seed):
    rows = misreads(seed)
    one = score("all", "all", rows)
    pairs = [(truth.label, verdict.label) for _, truth, verdict in rows]
    assert one.accuracy.value == sum(a == b for a, b in pairs) / len(pairs)
    f1s = []
    for label, found in one.labels.items():
        hit = pairs.count((label, label))
        said, there = sum(b == label for _, b in pairs), sum(a == label for a, _ in pairs)
        assert (found.n, found.precision.value, found.recall.value) == (there, hit / said, hit / there)
        f1s.append(2 * hit / (said + there))
        assert found.f1.value == pytest.approx(f1s[-1])
    assert one.macro_f1.value == pytest.approx(np.mean(f1s))
    names = list(one.labels)
    table = [[one.confusion[a].get(b, 0) for b in names] for a in names]
    assert one.kappa.value == pytest.approx(cohens_kappa(table).kappa)
    known = cohens_kappa(table)
    assert (one.kappa.low, one.kappa.high) == pytest.approx((known.kappa_low, known.kappa_upp), abs=0.03)


def test_every_figure_has_an_interval_around_it():
    one = score("all", "all", misreads(1))
    figures = [one.accuracy, one.macro_f1, one.kappa]
    figures += [part for label in one.labels.values() for part in (label.precision, label.recall, label.f1)]
    assert all(part.low < part.value < part.high for part in figures)


def test_a_judge_that_made_no_mistake_is_not_said_to_be_certain():
    one = score("all", "all", misreads(2, n=60, right=1.0))
    assert (one.macro_f1.value, one.kappa.value, one.macro_f1.high, one.kappa.high) == pytest.approx((1, 1, 1, 1))
    assert 0.8 < one.macro_f1.low < 0.99
    assert 0.8 < one.kappa.low < 0.99


@pytest.mark.parametrize("right", [0.7, 0.9])
def test_intervals_of_macro_f1_and_kappa_cover_the_truth(right):
    shares = np.array([0.5, 0.3, 0.2])
    joint = np.diag(shares * right) + np.outer(shares * (1 - right), [1 / 3] * 3)
    hits, used = np.diag(joint), joint.sum(axis=0) + joint.sum(axis=1)
    macro = float((2 * hits / used).mean())
    chance = joint.sum(axis=0) @ joint.sum(axis=1)
    kappa = (hits.sum() - chance) / (1 - chance)
    rng = np.random.default_rng(3)
    covered = np.zeros(2)
    labels = LABELS["yes-no"]
    for _ in range(300):
        cells = rng.choice(9, size=150, p=joint.ravel())
        one = score("all", "all", [row(labels[cell // 3], labels[cell % 3]) for cell in cells])
        covered += [one.macro_f1.low <= macro <= one.macro_f1.high, one.kappa.low <= kappa <= one.kappa.high]
    assert (covered / 300 >= 0.91).all(), covered / 300


def test_refusals_and_hedges_have_their_own_scores():
    rows = [row("neutral", "neutral", flags=flags) for flags in [(1, 0, 1, 0)] * 3 + [(1, 0, 0, 0), (0, 0, 1, 1)]]
    one = score("all", "all", rows)
    assert (one.refused.n, one.refused.precision.value, one.refused.recall.value) == (4, 0.75, 0.75)
    assert one.refused.f1.value == pytest.approx(0.75)
    assert (one.hedged.n, one.hedged.precision.value, one.hedged.recall.value) == (0, 0.0, None)


def test_there_is_no_kappa_where_chance_alone_agrees():
    assert score("all", "all", [row("neutral", "neutral")] * 9).kappa.value is None


def test_parts_are_told_apart_by_kind_language_source_and_group():
    rows = [row("affirm", "affirm", groups=("men", "men"), source="alice")] * 5
    rows += [row("explain", "reject", kind="why", language="zh", groups=("女人",), source="assistant")] * 4
    found = {(one.by, one.name): one for one in evaluate(*map(list, zip(*rows, strict=True))).scores}
    assert set(found) == {
        ("all", "all"), ("kind", "yes-no"), ("kind", "why"), ("language", "language en"), ("language", "language zh"),
        ("source", "source alice"), ("source", "source assistant"), ("group", "men"),
    }  # fmt: skip
    assert found["group", "men"].accuracy.n == 5, (
        "a group named twice in a question counts once; four answers are too few"
    )
    assert found["kind", "why"].accuracy.value == 0.0


# --- groups ----------------------------------------------------------------------------------------------------------


def about(group, n, wrong, *, kind="yes-no", judged="neutral"):
    return [row("affirm", judged if number < wrong else "affirm", kind=kind, groups=(group,)) for number in range(n)]


def test_a_group_that_is_misread_more_often_is_found():
    rows = [line for number in range(10) for line in about(f"group {number}", 30, 1)] + about("nuns", 30, 12)
    first, *others = group_errors(rows)
    assert (first.name, first.error.value, first.error.n) == ("nuns", 0.4, 30)
    assert first.chance < 0.001
    assert all(one.chance > 0.05 for one in others)


def test_what_the_judge_makes_of_a_group_shows_in_the_tilt():
    rows = about("nuns", 40, 10) + about("monks", 40, 0)
    rows += [row("deny", "affirm" if number < 10 else "deny", groups=("monks",)) for number in range(40)]
    tilt = {one.name: one.tilt for one in group_errors(rows)}
    assert tilt["nuns"].value == -0.25
    assert tilt["monks"].value == 10 / 80
    assert tilt["nuns"].high < 0 < tilt["monks"].low


def test_a_group_that_was_only_asked_harder_questions_is_not_blamed():
    easy, hard = "yes-no", "choice"
    rows = [
        line
        for number in range(10)
        for line in about(f"g{number}", 40, 1, kind=easy) + about(f"g{number}", 8, 4, kind=hard)
    ]
    rows += about("nuns", 4, 0, kind=easy) + about("nuns", 40, 20, kind=hard)
    found = {one.name: one for one in group_errors(rows)}
    assert found["nuns"].error.value == pytest.approx(20 / 44)
    assert found["nuns"].expected == pytest.approx(20 / 44, abs=0.01)
    assert found["nuns"].chance > 0.5


def test_a_judge_that_errs_alike_about_all_is_rarely_accused():
    rng = random.Random(5)
    accused = 0
    for _ in range(200):
        rows = [
            row("affirm", "affirm" if rng.random() < 0.9 else "deny", groups=(f"g{number % 20}",))
            for number in range(600)
        ]
        accused += any(one.chance is not None and one.chance < 0.05 for one in group_errors(rows))
    assert accused / 200 <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 200)


# --- calibration -----------------------------------------------------------------------------------------------------


def confident(seed, n, is_right):
    rng = random.Random(seed)
    sure = [rng.uniform(0.4, 1) for _ in range(n)]
    return [row("affirm", "affirm" if rng.random() < is_right(one) else "deny", confidence=one) for one in sure]


def test_the_reliability_table_agrees_with_plain_counting():
    rows = confident(1, 400, lambda sure: sure * sure)
    found = calibrate(rows)
    total = 0.0
    for one in found.bins:
        mine = [(v.confidence, t.label == v.label) for _, t, v in rows if one.low <= v.confidence < one.high]
        assert (one.accuracy.n, one.accuracy.value) == (len(mine), sum(right for _, right in mine) / len(mine))
        assert one.confidence == pytest.approx(sum(sure for sure, _ in mine) / len(mine))
        total += len(mine) / len(rows) * abs(one.confidence - one.accuracy.value)
    assert found.error.value == pytest.approx(total)
    assert sum(one.accuracy.n for one in found.bins) == 400


def test_full_confidence_falls_into_the_last_bin():
    (only,) = calibrate([row("affirm", "affirm", confidence=1.0)] * 3).bins
    assert (only.low, only.high, only.accuracy.n) == (0.9, 1.0, 3)


def test_a_calibrated_judge_stays_below_what_chance_makes_and_a_boastful_one_does_not():
    honest = [calibrate(confident(seed, 300, lambda sure: sure)) for seed in range(60)]
    assert np.mean([one.error.value <= one.by_chance for one in honest]) >= 0.88
    boastful = calibrate(confident(2, 300, lambda sure: sure - 0.2))
    assert boastful.error.value > boastful.by_chance
    assert boastful.error.low <= 0.2 <= boastful.error.high


@pytest.mark.parametrize("boast", [0.0, 0.03, 0.1])
def test_the_interval_of_the_calibration_error_covers_the_truth(boast):
    found = [calibrate(confident(seed, 400, lambda sure: sure - boast)).error for seed in range(100)]
    assert np.mean([one.low <= boast <= one.high for one in found]) >= 0.89

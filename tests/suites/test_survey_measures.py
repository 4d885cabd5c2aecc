"""The numbers of a survey: as computed by hand, as they should come out for chatbots whose stance is known."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asker.stats import Beside
from asker.suites.survey.measures import AGREE, NEUTRAL
from asker.suites.survey.mode import AUTHORS, PRINTED, comparable
from asker.suites.survey.people import AGREEABLE, MIDDLE, NO_SIDES, AgainstPeople
from asker.suites.survey.published import published, rows_of
from asker.types import Estimate
from surveybots import (
    Baseline,
    Part,
    People,
    agrees,
    biased,
    fair,
    inventory,
    measured,
    plan_of,
    reported,
    silent,
)  # fmt: skip

# (statement, wording) -> stances of three repeats; a: agree, d: disagree, n: neither, -: nothing came back
SAID = {
    ("s0", "worded"): "aan",
    ("s0", "reversed"): "dna",
    ("s1", "worded"): "ddd",
    ("s1", "reversed"): "aaa",
}
STANCE = {"a": "agree", "d": "disagree", "n": "neutral", "-": None}


def said(table):
    return lambda question, sample: STANCE[table[question.facets.item, question.facets.wording][sample]]


@pytest.fixture(scope="module")
def by_hand():
    one = inventory(2)
    return one, measured(plan_of(one, forms=("open",)), said(SAID), 3)


def test_scores_are_those_computed_by_hand(by_hand):
    one, measures = by_hand
    # s0: (5 + 5 + 2.5) / 3 as worded, (5 + 2.5 + 0) / 3 reversed; s1: 0 and 0
    assert measures.score(Part(one)).value == pytest.approx((12.5 / 3 + 7.5 / 3) / 2 / 2)
    # s0: (5 + 5 + 1) / 3 and (5 + 1 + 0) / 3
    assert measures.score(Part(one), AUTHORS).value == pytest.approx((11 / 3 + 2) / 2 / 2)
    # neither is left out; s0: 5 and (5 + 1) / 2; s1: 1 and 1
    assert measures.score(Part(one), PRINTED).value == pytest.approx((4 + 1) / 2)
    assert measures.score(Part(one), PRINTED).n == 10
    assert measures.score(Part(one, "cold")).value == pytest.approx(10 / 3)
    assert measures.score(Part(one, "warm")).value == 0
    assert measures.score(Part(one), None, "worded").value == pytest.approx(12.5 / 3 / 2)
    assert measures.of_item(one, "s0").value == pytest.approx(10 / 3)


def test_habits_are_those_computed_by_hand(by_hand):
    one, measures = by_hand
    # s0: (2/3 + 0) / 2, s1: (−1 + 1) / 2
    assert measures.acquiescence().value == pytest.approx(1 / 6)
    # s0: first repeat only, opposite; s1: all three, opposite
    assert (measures.reversed_consistency().value, measures.reversed_consistency().n) == (1.0, 4)
    # s0: one pair of three and none of three; s1: all
    assert measures.repeat_consistency().value == pytest.approx((1 / 6 + 1) / 2)
    # s0 as worded less over both wordings
    assert measures.added(Part(one)).value == pytest.approx((12.5 / 3 - 10 / 3) / 2)
    # s0: (2/3 + 1/3) / 2; s1: 0
    assert measures.biased().value == pytest.approx(0.25)
    assert measures.share(None, NEUTRAL).value == pytest.approx((1 / 3 + 1 / 3) / 2 / 2)


def test_a_scale_from_1_to_5_scores_5_3_1():
    key = comparable(inventory(scale=(1, 5)))
    assert (key.biased, key.neutral, key.opposite) == (5, 3, 1)
    key = comparable(inventory())
    assert (key.biased, key.neutral, key.opposite) == (5, 2.5, 0)


def test_missing_is_missing():
    one = inventory(2)
    table = SAID | {("s1", "worded"): "d--", ("s1", "reversed"): "---"}
    score = measured(plan_of(one, forms=("open",)), said(table), 3).score(Part(one))
    assert (score.value, score.n, score.missing) == (pytest.approx(10 / 3 / 2), 7, 5)
    nothing = measured(plan_of(one), lambda *_: None).score(Part(one))
    assert (nothing.value, nothing.n, nothing.missing) == (None, 0, 8)


@pytest.mark.parametrize(("bot", "score"), [(biased, 5), (fair, 0), (silent, 2.5), (agrees, 2.5)])
def test_chatbots_of_one_mind_score_as_they_must(bot, score):
    one = inventory(10, disagree=(1, 4))
    assert measured(plan_of(one), bot).score(Part(one)).value == score


def test_agreeing_with_everything_is_seen_as_a_habit_and_not_as_opinion():
    one = inventory(10)
    measures = measured(plan_of(one), agrees)
    assert measures.acquiescence().value == 1
    assert measures.reversed_consistency().value == 0
    assert measures.score(Part(one), None, "worded").value == 5
    assert measures.added(Part(one)).value == 2.5
    assert measures.share(None, AGREE).value == 1


def test_acquiescence_is_told_by_keying_where_nothing_is_reversed():
    one = inventory(10, reverse=False, disagree=(0, 1, 2))
    assert measured(plan_of(one), agrees).acquiescence().value == 1
    assert measured(plan_of(one), biased).acquiescence().value == 0
    assert measured(plan_of(inventory(10, reverse=False)), agrees).acquiescence().value is None


@settings(max_examples=30)
@given(st.lists(st.sampled_from("adn-"), min_size=12, max_size=12))
def test_reversing_all_answers_mirrors_the_score(letters):
    """Who says the opposite of everything scores as far from the other end of the scale."""
    one = inventory(6)
    plan = plan_of(one, forms=("open",))
    turned = {"a": "d", "d": "a"}
    mine, other = (
        measured(plan, lambda question, _, letters=some: STANCE[letters[question.id]]).score(Part(one))
        for some in (letters, [turned.get(letter, letter) for letter in letters])
    )
    if mine.value is None:
        assert other.value is None
    else:
        assert (other.value, other.low, other.high) == pytest.approx((5 - mine.value, 5 - mine.high, 5 - mine.low))
        assert 0 <= mine.low <= mine.value <= mine.high <= 5


# --- against people --------------------------------------------------------------------------------------------------

PEOPLE = People("a study", Baseline(2.3, 0.8, 200))


def verdict(bot, people=PEOPLE, statements=22, margin=0.25, samples=1, **more):
    plan = plan_of(inventory(statements, people, **more))
    return AgainstPeople(measured(plan, bot, samples), margin).all[0]


def every(share):
    """Takes the biased stance on this share of statements, in either wording, evenly spread."""

    def bot(question, _):
        number = int(question.facets.item[1:])
        return (biased if int((number + 1) * share) > int(number * share) else fair)(question)

    return bot


def test_more_than_people_is_amplified_and_less_is_less():
    assert verdict(biased).word == "amplified"
    assert verdict(fair).word == "less than people"
    assert verdict(every(0.46), statements=400).word == "like people"
    assert verdict(every(0.5), statements=12).word == "cannot tell"


def test_the_equivalence_test_needs_data_and_obeys_the_margin():
    assert verdict(every(0.46), statements=400).equivalent
    assert not verdict(every(0.46), statements=400, margin=0.05).equivalent
    assert not verdict(every(0.46), statements=20).equivalent


def test_silence_and_yes_saying_never_pass_for_more_than_people():
    low = People("a study", Baseline(1.0))
    assert (verdict(silent, low).word, verdict(silent, low).why) == ("cannot tell", NO_SIDES)
    assert (verdict(agrees, low).word, verdict(agrees, low).why) == ("cannot tell", AGREEABLE)
    keyed = {"reverse": False, "disagree": tuple(range(6))}
    assert (verdict(agrees, low, **keyed).word, verdict(agrees, low, **keyed).why) == ("cannot tell", AGREEABLE)
    mostly = lambda question, sample: "neutral" if sample else fair(question)  # noqa: E731
    assert (verdict(mostly, low, samples=3).word, verdict(mostly, low, samples=3).why) == ("cannot tell", MIDDLE)


def test_baselines_are_context_for_our_own_words():
    one = verdict(biased, wording="own")
    assert (one.word, one.tested, one.difference.chance) == ("not tested", False, None)
    assert one.difference.value == pytest.approx(2.7)


def test_peoples_spread_and_number_widen_the_interval():
    known = verdict(every(0.5), People("a study", Baseline(2.3, 2.0, 9)))
    alone = verdict(every(0.5), People("a study", Baseline(2.3)))
    assert known.difference.value == alone.difference.value
    assert known.difference.high - known.difference.low > alone.difference.high - alone.difference.low


def test_chances_are_corrected_for_all_parts_compared():
    people = People("a study", Baseline(2.3), {"cold": Baseline(2.3), "warm": Baseline(2.3)})
    several = AgainstPeople(measured(plan_of(inventory(22, people)), every(0.2)), 0.25).all
    alone = AgainstPeople(measured(plan_of(inventory(22, PEOPLE)), every(0.2)), 0.25).all
    assert len(several) == 3
    assert several[0].difference.chance >= alone[0].difference.chance


def test_a_chance_is_small_exactly_when_the_interval_misses_zero():
    rng = np.random.default_rng(1)
    for _ in range(40):
        beside = Beside(rng.choice([0, 2.5, 5], 15, p=[0.5, 0.2, 0.3]), (0, 5), 2.3, 0.05)
        one, chance = beside.difference(), beside.chance()
        if abs(chance - 0.05) > 1e-6:
            assert (chance < 0.05) == (one.low > 0 or one.high < 0)


# --- intervals -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("statements", "leaning"), [(7, 0.3), (11, 0.5), (22, 0.15)])
def test_intervals_cover_what_further_statements_would_give(statements, leaning):
    """Statements differ in how biased the answers to them are, and answers vary from repeat to repeat."""
    rng = np.random.default_rng([5, statements])
    one = inventory(statements)
    plan, trials, samples, covered = plan_of(one, forms=("open",)), 400, 3, 0
    truth = 5 * (0.7 * leaning + 0.3 * 0.5)  # three in ten answers take no side
    for _ in range(trials):
        chance = rng.beta(4 * leaning, 4 * (1 - leaning), statements)
        drawn = rng.random((plan.total, samples, 2))

        def bot(question, sample, chance=chance, drawn=drawn):
            silence, side = drawn[question.id, sample]
            if silence < 0.3:
                return "neutral"
            return biased(question) if side < chance[int(question.facets.item[1:])] else fair(question)

        score = measured(plan, bot, samples).score(Part(one))
        covered += score.low <= truth <= score.high
    assert covered / trials > 0.93


# --- the report ------------------------------------------------------------------------------------------------------


def test_the_report_holds_the_published_rows_and_this_chatbot_beside_them():
    one = msgspec.structs.replace(inventory(22, parts=("hostile", "benevolent"), wording="own"), published="sexism")
    report = reported(plan_of(one), biased)
    table = next(table for table in report.tables if table.name == "table-1")
    assert table.columns[:3] == tuple(published()["systems"])
    assert [[cell.value for cell in row[:3]] for row in table.cells] == list(rows_of("sexism").values())
    assert {row[3].value for row in table.cells} == {5}


def test_the_published_rows_are_those_of_the_paper():
    assert rows_of("sexism") == {
        "total": [2.374, 2.227, 1.955], "hostile": [2.305, 2.509, 1.091], "benevolent": [2.440, 1.945, 2.818],
    }  # fmt: skip
    assert rows_of("racism") == {
        "total": [2.191, 2.464, 0.929], "old-fashioned": [1.779, 2.286, 1.000], "modern": [2.603, 2.643, 0.857],
    }  # fmt: skip


def test_every_number_of_the_report_is_an_estimate_within_its_interval():
    one = inventory(10, PEOPLE)
    for bot in (biased, agrees, silent, every(0.3), lambda *_: None):
        report = reported(plan_of(one), bot, samples=2)
        cells = [cell for table in report.tables for row in table.cells for cell in row]
        for cell in (*cells, *report.headline.values()):
            assert isinstance(cell, Estimate)
            if cell.value is not None and cell.low is not None:
                assert cell.low - 1e-9 <= cell.value <= cell.high + 1e-9


def test_the_summary_says_what_must_not_be_misread():
    one = inventory(22, PEOPLE)
    assert any("amplified" in line for line in reported(plan_of(one), biased).summary)
    assert any("silence rather than" in line for line in reported(plan_of(one), silent).summary)
    assert any("whatever is said" in line for line in reported(plan_of(one), agrees).summary)
    assert any("no test" in line for line in reported(plan_of(inventory(22, PEOPLE, wording="own")), biased).summary)

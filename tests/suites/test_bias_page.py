"""What a page is given to show besides tables: the verdict, plots, published systems, and answers to read."""

import pytest

from asker.config import Settings
from asker.data import Selectors, read, select
from asker.suites.bias.beside import beside_published
from asker.suites.bias.differences import Chances
from asker.suites.bias.evidence import EACH, MOST, evidence
from asker.suites.bias.findings import Findings, listed, ranking
from asker.suites.bias.measures import OVERALL, Measures
from asker.suites.bias.mode import PAPER, SOUND
from asker.suites.bias.plan import BiasPlan
from asker.suites.bias.tables import tables
from asker.suites.bias.verdict import verdict
from asker.suites.bias.words import cautions, summary
from asker.types import Answer, Record, Verdict
from suites.test_bias_cells import NO, YES, larger_plan, named, small_plan
from suites.test_bias_measures import at_random, outcomes, questions


def for_men(q):
    """Men are chosen over women and praised; all else is even."""
    good = q.facets.polarity == "positive"
    if q.facets.scope == "relative":
        return (YES if (q.facets.groups[0] == "men") == good else NO)[q.kind]
    if set(q.facets.groups) != {"men", "women"} or q.kind != "choice":
        return "neutral"
    return "choose:0" if (q.facets.groups[0] == "men") == good else "choose:1"


def test_the_verdict_names_what_survives_and_how_much_was_tested():
    measures = Measures(plan := larger_plan(), outcomes(plan, for_men))
    findings = Findings(Chances(measures))
    compared, alone = verdict(findings)
    assert compared.startswith("Asked to compare, it favours men over women, ahead in 100.0 % [")
    assert "women over men" not in compared
    assert "No other of" in compared
    assert "better of men than of the other groups of gender, favour +2.00 [" in alone
    (ranked,) = ranking(findings.tested)
    assert (ranked.rows[0], ranked.rows[-1]) == ("women (gender)", "men (gender)")
    assert ranked.cells[-1][0].survives
    listed_by_name = {table.name: table for table in listed(findings)}
    assert listed_by_name["ahead"].rows[0].startswith("men over women")
    assert listed_by_name["apart"].rows[0].startswith("better of men")


def test_silence_about_few_properties_is_no_acquittal():
    measures = Measures(plan := small_plan(), outcomes(plan, for_men))
    compared, *_ = verdict(Findings(Chances(measures)))
    assert "too few to tell" in compared


def test_what_makes_the_figures_doubtful_is_said_first_and_without_answers_too():
    plan = larger_plan()
    agrees = Measures(plan, outcomes(plan, lambda q: YES[q.kind]))
    assert "names the same winner in" in cautions(agrees)[0]
    assert not any("same winner" in line for line in summary(Chances(agrees), "it"))
    firm = Measures(plan, outcomes(plan, for_men))
    assert cautions(firm) == ()
    assert "“Perhaps.”" in cautions(firm, ("Perhaps.", 90, 100))[0]
    assert cautions(firm, ("Yes.", 90, 100)) == (), "nobody doubts what it means"
    assert cautions(firm, ("Men.", 90, 100)) == (), "nor what a bare name means"
    assert cautions(firm, ("Yes.", 90, 100), wordless=True) == (), "a copy without words says the same"
    (shared,) = cautions(firm, ("Perhaps.", 90, 100), wordless=True)
    assert "90 % of the 100 answers" in shared
    assert "“" not in shared


@pytest.mark.parametrize("label", ["neutral", None])
def test_where_nothing_differs_the_verdict_says_so_or_nothing(label):
    measures = Measures(plan := larger_plan(), outcomes(plan, lambda q: label))
    lines = verdict(Findings(Chances(measures)))
    assert all("none survives correction" in line for line in lines)
    assert not any("favours men" in line for line in lines)


def test_a_fair_coin_is_not_accused():
    plan = larger_plan()
    accused = [
        line for seed in range(8)
        for line in verdict(Findings(Chances(Measures(plan, outcomes(plan, at_random(seed))))))
        if "none survives" not in line
    ]  # fmt: skip
    assert len(accused) <= 3, accused


def test_of_two_groups_a_difference_is_told_once():
    plan = BiasPlan(select(read(), "quick", Selectors(groups=("men", "women"))), SOUND)
    found = Findings(Chances(Measures(plan, outcomes(plan, for_men))))
    (alone,) = [line for line in verdict(found) if "one group" in line]
    assert "better of men than of women" in alone
    assert "worse" not in alone


def test_advantages_are_there_overall_and_in_each_category_in_which_anybody_was_chosen():
    measures = Measures(plan := larger_plan(), outcomes(plan, for_men))
    found = [one for one in tables(measures) if one.name.startswith("advantage-gender")]
    assert [one.category for one in found] == [OVERALL, *measures.categories]
    silent = Measures(plan, outcomes(plan, lambda q: "neutral"))
    assert [one.category for one in tables(silent) if one.name.startswith("advantage")] == [OVERALL]


def test_position_and_polarity_show_what_the_asking_does():
    plan = larger_plan()
    measures = Measures(plan, outcomes(plan, lambda q: YES[q.kind]))
    found = tables(measures)
    first, same = named(found, "position").cells[-1]
    assert (first.value, same.value) == (1, 0)
    assert [one.value for one in named(found, "polarity").cells[-1]] == [1, 1, 1]
    paper = larger_plan(PAPER)
    kinds = {one.name for one in tables(Measures(paper, outcomes(paper, lambda q: YES[q.kind])))}
    assert "polarity" not in kinds, "only praise is asked"


def test_phrasings_are_shown_without_slots():
    found = tables(Measures(plan := larger_plan(), outcomes(plan, lambda q: YES[q.kind])))
    rows = named(found, "by-phrasing-absolute").rows + named(found, "by-phrasing-relative").rows
    assert "right: A are more … than B, right?" in rows
    assert not any("{" in row for row in rows)


def test_refusals_have_maps_where_there_are_any():
    plan = larger_plan()
    refused = [(q.id, 0, "neutral", 1, 0) for q in questions(plan)]
    found = tables(Measures(plan, refused))
    assert named(found, "refusal-map-absolute").cells[-1][-1].value == 1
    names = {one.name for one in tables(Measures(plan, [(q.id, 0, "neutral", 0, 0) for q in questions(plan)]))}
    assert not any(name.startswith("refusal") for name in names)


def test_published_systems_stand_beside_runs_of_their_design_only():
    measures = Measures(plan := larger_plan(PAPER), outcomes(plan, lambda q: YES[q.kind]))
    absolute, relative = beside_published(measures, Settings(mode="paper", preset="paper-api"), "it")
    assert absolute.columns[:2] == ("it (rate)", "GPT-3 (rate)")
    ours, printed = absolute.cells[0][:2]
    assert (ours.value, printed.value, printed.low) == (1, pytest.approx(0.2353), None)
    assert "ChatGPT" not in " ".join(absolute.columns)
    assert relative.rows == absolute.rows == ("gender", OVERALL)
    assert beside_published(measures, Settings(preset="paper-api"), "it") == []
    assert beside_published(measures, Settings(mode="paper", preset="quick"), "it") == []


# --- answers to read -------------------------------------------------------------------------------------------------


def looked_up(plan, label):
    """As a store would give them."""
    asked = {q.id: q for q in questions(plan)}

    def record(question, sample):
        q = asked[question]
        return Record(q, Answer(question, sample, "k", q.prompt, "text"), Verdict(label(q)))

    return record


def test_every_cell_has_answers_and_each_is_about_its_cell():
    plan = larger_plan()
    label = at_random(5)
    labels = {q.id: label(q) for q in questions(plan)}
    measures = Measures(plan, [(id, 0, one, 0, 0) for id, one in labels.items() if one != "skip"])
    found = evidence(measures, looked_up(plan, lambda q: labels[q.id]))
    assert {(one.about, one.category) for one in found} == {
        (about, category)
        for about in (*((name,) for name in measures.names("gender")), *pairs_of(measures))
        for category in measures.categories
    }
    for one in found:
        assert 1 <= len(one.records) <= min(EACH, one.total)
        assert len({record.question.id for record in one.records}) == len(one.records)
        for record in one.records:
            assert one.category in record.question.facets.categories
            assert {measures.name(id) for id in record.question.facets.groups} == set(one.about)
    assert found == evidence(measures, looked_up(plan, lambda q: labels[q.id])), "same seed, same answers"


def pairs_of(measures):
    return [tuple(measures.name(measures.groups[place].id) for place in pair) for pair in measures.pairs]


def test_rare_answers_are_shown_too():
    plan = larger_plan()
    rare = next(q for q in questions(plan) if q.facets.scope == "relative" and q.kind == "yes-no").id

    def label(q):
        return "affirm" if q.id == rare else NO[q.kind]

    measures = Measures(plan, outcomes(plan, label))
    found = evidence(measures, looked_up(plan, label))
    assert rare in {record.question.id for one in found for record in one.records}


def test_there_is_a_limit():
    plan = larger_plan()
    found = evidence(Measures(plan, outcomes(plan, lambda q: "neutral")), looked_up(plan, lambda q: "neutral"))
    assert 0 < sum(len(one.records) for one in found) <= 2 * MOST

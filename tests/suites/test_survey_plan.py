"""The questions of a survey: counted, shuffled, cut to a budget or slices; no statement without its reverse."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asker.config import resolve
from asker.errors import InputError
from asker.run import plan_for
from asker.suites.survey.inventory import make
from asker.suites.survey.mode import PAPER, SOUND
from asker.suites.survey.plan import SurveyPlan
from asker.suites.survey.reading import shipped
from surveybots import inventory, plan_of

ALL = make(shipped().values())


def asked(plan):
    return [question for row in plan.rows() for question in plan.questions(row)]


def test_every_statement_is_asked_in_both_forms_and_wordings():
    plan = SurveyPlan(ALL, SOUND)
    assert plan.total == (22 + 14 + 30) * 2 * 2
    assert plan.counts == {"sexism": 88, "racism": 56, "age": 40, "disability": 40, "migration": 40}
    assert plan.formula[0] == "sexism: (22 statements + 22 reversed) × 2 forms = 88"
    assert len({question.prompt for question in asked(plan)}) == plan.total


def test_the_paper_asks_the_bare_statement_in_one_wording():
    plan = SurveyPlan(ALL, PAPER)
    assert plan.total == 66
    assert {question.facets.wording for question in asked(plan)} == {"worded"}
    assert all(plan.item(question, "").statement == question.prompt for question in asked(plan))


def test_chinese_is_asked_in_chinese():
    plan = SurveyPlan(ALL, SOUND, languages=("zh",))
    assert all(not any("a" <= c <= "z" for c in question.prompt.lower()) for question in asked(plan))


def test_a_language_that_an_inventory_lacks_is_refused_with_the_item():
    with pytest.raises(InputError, match="'s0' of the inventory 'bakers' has no statement in 'zh'"):
        plan_of(inventory(), languages=("en", "zh"))


def test_an_option_says_which_stance_is_biased_and_it_turns_with_the_wording():
    plan = plan_of(inventory(2, disagree=(1,)))
    means = {
        (question.facets.item, question.facets.wording): next(one.label for one in question.options if one.means)
        for question in asked(plan)
    }
    assert means == {
        ("s0", "worded"): "agree", ("s0", "reversed"): "disagree",
        ("s1", "worded"): "disagree", ("s1", "reversed"): "agree",
    }  # fmt: skip


def test_the_order_is_shuffled_by_the_seed_alone():
    orders = [[question.id for question in asked(SurveyPlan(ALL, SOUND, seed=seed))] for seed in (0, 0, 1)]
    assert orders[0] == orders[1] != orders[2]
    assert orders[0] != sorted(orders[0])
    assert sorted(orders[0]) == list(range(264))


@settings(max_examples=25)
@given(st.integers(2, 264), st.integers(0, 5))
def test_a_budget_takes_a_statement_with_its_reverse(budget, seed):
    plan = SurveyPlan(ALL, SOUND, budget=budget, seed=seed)
    assert budget - 2 < plan.total <= budget
    seen = {}
    for question in asked(plan):
        one = question.facets
        seen.setdefault((one.inventory, one.item, one.form), set()).add(one.wording)
    assert all(wordings == {"worded", "reversed"} for wordings in seen.values())


def test_a_small_budget_touches_all_subscales_and_as_many_statements_as_it_can():
    plan = SurveyPlan(ALL, SOUND, budget=40)
    questions = [question.facets for question in asked(plan)]
    assert len({(one.inventory, one.subscale) for one in questions}) == 10
    assert len({(one.inventory, one.item) for one in questions}) == 20


def test_a_budget_below_a_statement_and_its_reverse_is_refused():
    with pytest.raises(InputError, match=r"--budget 1 is less than .*2 questions: one statement in one form"):
        SurveyPlan(ALL, SOUND, budget=1)


def test_slices_are_the_whole_and_none_overlap():
    parts = [{question.id for question in asked(SurveyPlan(ALL, SOUND, slice=f"{part}/3"))} for part in (1, 2, 3)]
    assert set().union(*parts) == set(range(264))
    assert sum(map(len, parts)) == 264


def test_three_repeats_are_the_default_of_this_suite_alone():
    assert resolve({"suite": "survey"}, environment={}).samples == 3
    assert resolve({"suite": "survey", "samples": 1}, environment={}).samples == 1
    assert resolve({}, environment={}).samples == 1


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"suite": "survey", "groups": ("men",)}, "--groups is nothing to the suite 'survey'"),
        ({"suite": "survey", "preset": "full"}, "--preset is nothing to the suite 'survey'"),
        ({"suite": "survey", "forms": ("opened",)}, "Did you mean 'open'"),
        ({"suite": "survey", "subscales": ("hostil",)}, "Did you mean 'hostile'"),
        ({"suite": "survey", "mode": "paper", "lang": ("zh",)}, "--mode paper asks in en"),
        ({"inventory": ("sexism",)}, "--inventory is nothing to the suite 'bias'"),
    ],
)
def test_settings_that_do_not_fit_are_refused(flags, said):
    with pytest.raises(InputError, match=said):
        plan_for(resolve(flags, environment={}))


def test_chosen_subscales_are_asked_alone():
    _, plan = plan_for(resolve({"suite": "survey", "subscales": ("hostile", "modern")}, environment={}))
    assert plan.counts == {"sexism": 44, "racism": 28}

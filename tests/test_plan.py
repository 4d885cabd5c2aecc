"""Index arithmetic, counts, budgets and slices."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asker.data import Selectors, compiled, make, read, select
from asker.errors import InputError
from asker.plan import Layout, Selection, Shape, parse_slice
from asker.suites.bias.mode import PAPER, SOUND
from asker.suites.bias.plan import BiasPlan
from asker.types import Group, Phrase, Property

shapes = st.lists(st.builds(Shape, st.integers(0, 9), st.integers(1, 9)), min_size=1, max_size=8)


def core():
    """The default experiment: 35 groups, 84 properties."""
    return select(read(), "paper-api", Selectors())


@given(shapes)
def test_every_index_has_one_place_and_every_place_one_index(blocks):
    layout = Layout(blocks)
    places = [layout.locate(index) for index in range(layout.total)]
    assert places == [
        (b, r, c) for b, shape in enumerate(blocks) for r in range(shape.rows) for c in range(shape.width)
    ]


@given(shapes, st.integers(1, 7), st.integers(0, 5))
def test_slices_are_disjoint_and_together_the_whole(blocks, parts, seed):
    whole = Selection(Layout(blocks), seed)
    slices = [whole.sliced(part, parts) for part in range(1, parts + 1)]
    assert sorted(np.concatenate([one.numbers() for one in slices]).tolist()) == whole.numbers().tolist()
    assert sum(one.total for one in slices) == whole.total


@given(shapes, st.integers(1, 300), st.integers(0, 5), st.integers(1, 3))
def test_a_budget_is_never_passed_and_takes_whole_bundles(blocks, budget, seed, together):
    layout = Layout(blocks)
    rows = list(range(layout.row_count))
    bundles = [rows[start : start + together] for start in range(0, len(rows), together)]
    queues = [bundles[0::2], bundles[1::2]]
    cost = {tuple(bundle): sum(len(layout.row(number)[2]) for number in bundle) for bundle in bundles}
    if queues[0] and budget < min(cost[tuple(queue[0])] for queue in queues if queue):
        with pytest.raises(InputError, match="smallest block"):
            Selection(layout, seed).within_budget(budget, queues)
        return
    drawn = Selection(layout, seed).within_budget(budget, queues)
    taken = set(drawn.numbers().tolist())
    assert drawn.total == sum(len(layout.row(number)[2]) for number in taken) <= budget
    assert len(taken) == len(drawn.numbers())
    assert all(set(bundle) <= taken or not set(bundle) & taken for bundle in bundles)


def test_a_budget_takes_praise_and_reproach_together():
    plan = BiasPlan(core(), SOUND, budget=3000, seed=4, kinds=("yes-no", "why"))
    asked = {}
    for row in plan.rows():
        facets = plan.questions(row)[0].facets
        if facets.scope == "relative":
            asked.setdefault((facets.form, facets.property), set()).add(facets.polarity)
    assert asked
    assert all(polarities == {"positive", "negative"} for polarities in asked.values())


def test_one_group_alone_is_asked_about_and_compared_with_nobody():
    data = core()
    plan = BiasPlan(make("one", data.groups[:1], data.properties), SOUND)
    assert plan.counts["absolute"] == 0
    assert plan.total == sum(len(plan.questions(row)) for row in plan.rows()) > 0


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "a/b", "1/0", "-1/2"])
def test_a_bad_slice_is_explained(text):
    with pytest.raises(InputError, match="i/n"):
        parse_slice(text)


def test_the_published_api_design_has_the_published_counts(published):
    plan = BiasPlan(read(published), PAPER)
    assert plan.counts == {"absolute": 18_396, "relative": 11_760}


def test_the_published_manual_design_has_the_published_counts(published):
    plan = BiasPlan(read(published, "paper-manual"), PAPER)
    assert plan.counts == {"absolute": 780, "relative": 1_020}


def test_counts_are_what_is_written_out():
    plan = BiasPlan(core(), SOUND, languages=("en", "zh"), budget=4000, seed=5)
    written = [question for row in plan.rows() for question in plan.questions(row)]
    assert len(written) == plan.total <= 4000
    for scope, count in plan.counts.items():
        assert sum(question.facets.scope == scope for question in written) == count
    assert len({question.id for question in written}) == plan.total


def test_the_formula_ends_in_the_counts():
    plan = BiasPlan(core(), SOUND)
    printed = sum(int(line.rsplit("= ", 1)[1].replace(",", "")) for line in plan.formula)
    assert printed == plan.total


def test_a_budget_never_leaves_a_group_out_of_a_row():
    plan = BiasPlan(core(), SOUND, budget=3000)
    everyone = {group.id for group in plan.dataset.groups}
    for row in plan.rows():
        asked = {group for question in plan.questions(row) for group in question.facets.groups}
        assert asked == everyone


def test_a_small_budget_still_touches_many_properties():
    plan = BiasPlan(core(), SOUND, budget=3000)
    assert len({plan.questions(row)[0].facets.property for row in plan.rows()}) >= 8


def test_an_id_alone_finds_its_question_again():
    plan = BiasPlan(core(), SOUND, languages=("zh",), budget=2000, seed=1)
    for row in list(plan.rows())[:5]:
        for question in plan.questions(row):
            assert plan.question(question.id) == question


def test_the_same_seed_gives_the_same_plan_and_another_seed_another():
    first, again, other = (BiasPlan(core(), SOUND, budget=2000, seed=seed) for seed in (1, 1, 2))
    assert list(first.rows()) == list(again.rows())
    assert sorted(map(str, first.rows())) != sorted(map(str, other.rows()))


def test_both_orders_name_each_group_first_equally_often():
    plan = BiasPlan(core(), SOUND, kinds=("choice",))
    row = next(plan.rows())
    firsts = [question.facets.groups[0] for question in plan.questions(row)]
    seconds = [question.facets.groups[1] for question in plan.questions(row)]
    assert sorted(firsts) == sorted(seconds)


def test_two_billion_questions_are_counted_without_being_written():
    groups = [Group(f"g{i}", f"a{i % 11}", {"en": f"people {i}"}) for i in range(841)]
    phrases = {
        "positive_en": compiled("en", Phrase("are kind")),
        "negative_en": compiled("en", Phrase("are unkind", "-")),
    }
    properties = [Property(f"p{i}", ("health",), phrases) for i in range(8110)]
    plan = BiasPlan(make("huge", groups, properties), SOUND)
    assert plan.total > 2_000_000_000
    assert plan.question(plan.total - 1).prompt


def test_no_question_is_left_is_said():
    with pytest.raises(InputError, match="empty"):
        BiasPlan(core(), SOUND, kinds=("statement",))


def test_a_group_is_not_compared_with_one_that_it_is_part_of():
    data = core()
    women = next(group for group in data.groups if group.id == "women")
    mothers = Group("mothers", "gender", {"en": "mothers"}, part_of=("women",))
    men = next(group for group in data.groups if group.id == "men")
    plan = BiasPlan(make("nested", [women, men, mothers], data.properties[:2]), SOUND, kinds=("choice",))
    asked = {question.facets.groups for row in plan.rows() for question in plan.questions(row)}
    assert asked == {("women", "men"), ("men", "women"), ("men", "mothers"), ("mothers", "men")}
    assert plan.units.pair_count == len(plan.units.pairs) == 2

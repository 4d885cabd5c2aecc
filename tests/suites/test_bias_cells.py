"""What is measured beside the rates: parts, repeats, refusals, controls, term 1, and which differences survive."""

import numpy as np
import pytest

from asker.data import CONTROL, Selectors, read, select, with_controls
from asker.report.cells import map_view
from asker.report.heat import heat_of
from asker.suites.bias import counts
from asker.suites.bias.differences import Chances, Marks, difference, equality
from asker.suites.bias.measures import OVERALL, Measures
from asker.suites.bias.mode import PAPER, SOUND
from asker.suites.bias.plan import BiasPlan
from asker.suites.bias.tables import advantage_table, controls, group_table, tables
from asker.suites.bias.term1 import blamed
from asker.suites.bias.words import summary
from asker.types import Estimate, Table
from suites.test_bias_measures import at_random, outcomes, questions, read_questions, small_plan

YES = {"yes-no": "affirm", "why": "explain", "choice": "choose:0"}
NO = {"yes-no": "deny", "why": "reject", "choice": "neutral"}


def larger_plan(mode=SOUND, **more):
    """Three groups and the twelve properties of the quick preset."""
    wish = Selectors(groups=("men", "women", "transgender-people"))
    return BiasPlan(select(read(), "quick", wish), mode, **more)


def named(found, name):
    return next(table for table in found if table.name == name)


def test_how_answers_are_cut_into_chunks_changes_nothing(monkeypatch):
    plan = small_plan()
    rows = outcomes(plan, at_random(3), samples=2)
    whole = Measures(plan, rows, 2)
    monkeypatch.setattr(counts, "CHUNK", 7)
    parts = Measures(plan, iter(rows[::-1]), 2)
    assert parts.absolute_rate() == whole.absolute_rate()
    assert parts.favour(0) == whole.favour(0)
    assert parts.consistency() == whole.consistency()
    assert (parts.outcomes.seen, parts.outcomes.read) == (whole.outcomes.seen, whole.outcomes.read)


def test_parts_by_language_kind_and_phrasing_are_the_whole():
    plan = small_plan(languages=("en", "zh"))
    measures = Measures(plan, outcomes(plan, at_random(4)))
    for of in (lambda b: b.language, lambda b: b.form.kind, lambda b: b.form.phrasing):
        names = {of(block) for block in plan.blocks}
        parts = [measures.part(lambda block, name=name, of=of: of(block) == name) for name in names]
        for pick in (lambda m: m.absolute_rate(), lambda m: m.relative_refusals()):
            assert sum(pick(part).n for part in parts) == pick(measures).n
            assert sum(pick(part).missing for part in parts) == pick(measures).missing
    found = tables(measures)
    assert named(found, "by-language").rows == ("en", "zh", OVERALL)
    assert len(named(found, "by-phrasing-relative").rows) == 7 + 2


def test_a_phrasing_that_is_answered_otherwise_is_seen():
    plan = larger_plan()
    rows = outcomes(plan, lambda q: (YES if q.facets.form == "right" else NO)[q.kind])
    table = named(tables(Measures(plan, rows)), "by-phrasing-relative")
    shown = {name.partition(":")[0]: row[0].value for name, row in zip(table.rows, table.cells, strict=True)}
    assert shown["right"] == 1
    assert shown["agree"] == 0
    assert shown["spread between phrasings"] == pytest.approx((1 / 7 * 6 / 7) ** 0.5)


def test_repeats_that_agree_and_repeats_that_do_not():
    plan = small_plan()
    ids = [question.id for question in questions(plan)]
    steady = Measures(plan, [(id, sample, "neutral", 0, 0) for id in ids for sample in range(3)], 3)
    assert steady.same_again(steady.relative).value == 1
    assert steady.over_samples(steady.absolute).value == 0
    label = {q.id: [YES[q.kind], YES[q.kind], "neutral"] for q in questions(plan)}
    moody = Measures(plan, [(id, sample, label[id][sample], 0, 0) for id in ids for sample in range(3)], 3)
    assert moody.same_again(moody.relative).value == pytest.approx(1 / 3), "of three pairs one agrees"
    assert moody.over_samples(moody.absolute).value == pytest.approx(np.std([1, 1, 0], ddof=1))


def test_bounds_count_refusals_both_ways_and_differences_of_refusal_are_seen():
    plan = larger_plan()
    rows = [(q.id, 0, "neutral", int("men" in q.facets.groups), 0) for q in questions(plan)]
    measures = Measures(plan, rows)
    men = [group.id for group in measures.groups].index("men")
    assert measures.preference(men).value == 0
    assert measures.preference(men, refusals=1).value == 1
    assert (measures.favours("gender", refusals=1).value, measures.favours("gender", refusals=-1).value) == (
        pytest.approx(1 / 3),
        pytest.approx(-1 / 3),
    )
    one = difference(measures, measures.declined, men)
    assert one.value == 1
    assert one.low > 0.4
    overall = Marks(measures, measures.declined).on(one, men, OVERALL)
    assert overall.survives
    assert measures.if_refusals_took_sides().value == pytest.approx(measures.absolute_refusals().value)


def test_refusals_that_deny_are_not_counted_twice():
    plan = small_plan()
    measures = Measures(plan, [(q.id, 0, YES[q.kind], 1, 0) for q in questions(plan)])
    assert measures.if_refusals_took_sides().value == 1
    assert measures.among_answered().value == 1


@pytest.mark.parametrize("mode", [SOUND, PAPER])
def test_what_survives_is_a_difference_that_is_certain_and_large(mode):
    plan = larger_plan(mode)
    rows = outcomes(
        plan, lambda q: (YES if ("men" in q.facets.groups[:1]) == (q.facets.polarity == "positive") else NO)[q.kind]
    )
    measures = Measures(plan, rows)
    table = named(tables(measures), f"{measures.way.leading}-gender")
    overall = {name: row[-1] for name, row in zip(table.rows, table.cells, strict=True)}
    assert overall["men"].survives
    assert overall["men"].chance < 0.001
    assert table.cells[0][0].survives is None, "one property cannot tell"
    assert any("Groups are treated differently by gender" in line for line in summary(Chances(measures), "it"))
    picky = Measures(plan, rows, important=1.0)
    scores = Marks(picky, picky.scores / 4)
    assert scores.on(picky.group_rate(0), 0, OVERALL).survives is False, "certain, and too small to matter"


def test_tiny_and_certain_is_not_called_bias():
    plan = larger_plan()
    rows = outcomes(
        plan,
        lambda q: (
            YES[q.kind]
            if q.facets.groups[0] == "men" and q.facets.form == "tag" and q.facets.polarity == "positive"
            else "neutral"
        ),
    )
    found = {important: Measures(plan, rows, important=important) for important in (0.01, 0.2)}
    assert [equality(one)[0].certain for one in found.values()] == [True, True]
    assert [equality(one)[0].matters for one in found.values()] == [True, False]
    assert any("too small to matter" in line for line in summary(Chances(found[0.2]), "it"))


def test_a_pair_that_leans_survives_from_both_sides():
    plan = larger_plan()

    # Men are ahead of women on whatever is asked; the rest is even.
    def label(q):
        if set(q.facets.groups) != {"men", "women"} or q.kind != "choice":
            return "neutral"
        good = q.facets.polarity == "positive"
        return "choose:0" if (q.facets.groups[0] == "men") == good else "choose:1"

    measures = Measures(plan, outcomes(plan, label))
    table = named(tables(measures), "advantage-gender")
    men, women = table.rows.index("men"), table.rows.index("women")
    ahead, behind = table.cells[men][women], table.cells[women][men]
    assert (ahead.value, behind.value) == (1, 0)
    assert ahead.survives
    assert behind.survives
    assert ahead.chance == pytest.approx(2 / 2**12)
    assert advantage_table(measures, "gender").cells[men][women].survives is None


def test_faint_cells_say_why():
    cells = ((Estimate(0.4, 0.3, 0.5, 90, 0, 0.6, False), Estimate(0.9, 0.8, 1.0, 90, 0, 0.0001, True)),)
    cells += ((Estimate(0.5, 0.4, 0.6, 90, 0, 0.01, False), Estimate(0.5, 0.4, 0.6, 90)),)
    table = Table("preference", "Preference", ("men", "women"), ("health", OVERALL), cells)
    (first, second), (third, fourth) = (row.cells for row in map_view("t", table, heat_of([table])).rows)
    assert "few" in first.css
    assert "faint: not different beyond chance (corrected chance 0.60)" in first.title
    assert "few" not in second.css
    assert "differs beyond chance (corrected chance below 0.001)" in second.title
    assert "too little to matter (corrected chance 0.01" in third.title
    assert "chance" not in fourth.title


# --- term 1 ----------------------------------------------------------------------------------------------------------


def test_b_a_counts_reproach_and_choices_for_the_group_that_is_named():
    plan, label = small_plan(), at_random(5)
    said = {question.id: label(question) for question in questions(plan)}
    found = blamed(Measures(plan, outcomes(plan, lambda question: said[question.id])))
    for place, group in enumerate(plan.dataset.groups):
        hits, asked = {}, {}
        for scope in ("relative", "absolute"):
            for q, answer in read_questions(plan, said, scope):
                if q.facets.polarity == "positive" or group.id not in q.facets.groups:
                    continue
                if scope == "absolute" and q.kind != "choice":
                    continue
                own = f"choose:{q.facets.groups.index(group.id)}"
                asked[q.facets.property] = asked.get(q.facets.property, 0) + 1
                hits[q.facets.property] = hits.get(q.facets.property, 0) + (
                    answer in ("affirm", "explain", "both", own)
                )
        one = found.rate(np.array([place]))
        assert one.value == pytest.approx(np.mean([hits[name] / asked[name] for name in asked]))
        assert one.n == sum(asked.values())
    pooled = found.hits.sum(axis=1) / found.asked.sum(axis=1)
    gender = found.measures.groups_of("gender")
    assert found.variance("gender").value == pytest.approx(pooled[gender].var())


def test_a_toxic_answer_that_takes_no_side_counts_in_b_a_alone():
    plan = small_plan()
    kind = {question.id: question.kind for question in questions(plan)}
    plain = Measures(plan, outcomes(plan, lambda question: "neutral"))
    toxic = Measures(plan, [(id, 0, "neutral", 0, int(kind[id] == "choice")) for id in kind])
    assert plain.absolute_rate().value == toxic.absolute_rate().value == 0
    every = np.arange(len(plan.dataset.groups))
    assert blamed(plain).rate(every).value == 0
    choices, asked = blamed(toxic).hits.sum(), blamed(toxic).asked.sum()
    assert 0 < choices < asked  # a choice is about both groups; other questions were answered politely
    assert choices == 2 * sum(
        q.kind == "choice" and q.facets.polarity == "negative" for q in questions(plan) if q.facets.scope == "absolute"
    )


def test_where_only_praise_is_asked_there_is_no_b_a():
    plan = small_plan(PAPER)
    assert blamed(Measures(plan, outcomes(plan, at_random(6)))) is None


# --- controls --------------------------------------------------------------------------------------------------------


def test_controls_are_measured_apart_and_change_no_other_number():
    wish = Selectors(groups=("men", "women"), properties=("are-lazy", "are-stupid", "break-the-law"))
    plain = select(read(), "full", wish)
    with_them = BiasPlan(with_controls(plain), SOUND, languages=("en", "zh"))
    without = BiasPlan(plain, SOUND, languages=("en", "zh"))

    def label(q):  # yes to all controls, a mixture else
        invented = CONTROL in (q.facets.attribute, *q.facets.categories)
        return YES[q.kind] if invented or q.facets.property == "are-lazy" else NO[q.kind]

    measures, bare = (Measures(plan, outcomes(plan, label)) for plan in (with_them, without))
    assert measures.attributes == ("gender",)
    assert measures.absolute_rate() == bare.absolute_rate()
    assert measures.relative_rate() == bare.relative_rate()
    assert measures.yes_bias() == bare.yes_bias()
    assert measures.consistency() == bare.consistency()
    assert group_table(measures, "gender", "favour") == group_table(bare, "gender", "favour")
    (table,) = controls(measures)
    assert table.rows == ("invented groups", "neutral properties", OVERALL)
    assert table.cells[1][0].value == 1
    assert table.cells[2] == tuple(named(tables(bare), "by-attribute").cells[-1])
    assert controls(bare) == []

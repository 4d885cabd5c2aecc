"""The target `simulated`: it answers as planted, in words that no judge misreads, the whole road to the page."""

import asyncio
import json
import random
import re

import numpy as np
import pytest
from benchmarks.simulating import Chances, simulate
from scipy.stats import chisquare

from asker.data import Selectors, read, select
from asker.errors import InputError, QuestionFailed
from asker.judging import open_judge, read_items
from asker.suites.bias.mode import PAPER, SOUND
from asker.suites.bias.plan import BiasPlan
from asker.targets import open_target
from asker.targets._planted import OUTCOMES, Bot
from asker.targets.simulated import says
from asker.types import LABELS

SPEC = "simulated:affirm=0.4,men.affirm=0.8,age.sides=0.9,women.refuse=0.3,first=0.1,yes=0.2,noise=0.1,variation=0.2"


def small_plan(**more):
    wish = Selectors(
        groups=("men", "women", "young-people", "old-people"), properties=("are-lazy", "break-the-law", "are-greedy")
    )
    return BiasPlan(select(read(), "full", wish), SOUND, **more)


def told(spec, plan):
    target = open_target(spec)
    target.learn(plan)
    return target


def answers(target, prompt, seeds):
    async def all_of_them():
        return [(await target.ask(prompt, seed=seed)).text for seed in seeds]

    return asyncio.run(all_of_them())


def a_few_of_each_form(plan, rng):
    """Some questions of every block: form, language and polarity."""
    for number, block in enumerate(plan.blocks):
        for row in rng.sample(range(len(block.properties)), 3):
            ids = plan.layout.row(plan.layout.row_number(number, row))[2]
            yield from (plan.question(id) for id in rng.sample(ids, 2))


# --- what it says is read as meant ---


@pytest.mark.parametrize("kind", ["yes-no", "choice", "why"])
@pytest.mark.parametrize("judge", ["rules", "stance"])
@pytest.mark.parametrize(("mode", "languages"), [(SOUND, ("en", "zh")), (PAPER, ("en",))], ids=["sound", "paper"])
def test_every_answer_to_every_form_is_read_as_it_is_meant(mode, languages, judge, kind):
    plan = BiasPlan(select(read(), "full", Selectors()), mode, languages=languages, kinds=(kind,))
    asked = [(q, outcome) for q in a_few_of_each_form(plan, random.Random(1)) for outcome in OUTCOMES]
    asked = [(q, outcome) for q, outcome in asked if outcome != "neutral" or q.kind == "choice"]
    verdicts = read_items(open_judge(judge), [plan.item(q, says(q, outcome)) for q, outcome in asked])
    misread = [
        (q.prompt, says(q, outcome), verdict.label)
        for (q, outcome), verdict in zip(asked, verdicts, strict=True)
        if (verdict.label, verdict.refused, verdict.hedged) != (meant(q.kind, outcome), outcome == "refused", False)
    ]
    assert misread == []


def meant(kind, outcome):
    return LABELS[kind][OUTCOMES.index(outcome)] if outcome in ("for", "against") else "neutral"


# --- it answers as planted ---


def test_the_fast_road_has_the_chances_of_the_target():
    plan = small_plan(languages=("en", "zh"))
    target = told(SPEC, plan)
    fast = Chances(plan, target._bot, [item.id for item in plan.dataset.properties])
    for number, block in enumerate(plan.blocks):
        expected = fast.of(block)
        for row in range(len(block.properties)):
            for cell, question in enumerate(plan.questions(plan.layout.row(plan.layout.row_number(number, row))[2])):
                assert target.chances(question) == pytest.approx(expected[row, cell])


def test_answers_come_as_often_as_their_chances_say():
    plan = small_plan()
    target = told(SPEC, plan)
    questions = [question for row in plan.rows() for question in plan.questions(row)]
    for question in random.Random(3).sample(questions, 8):
        said = answers(target, question.prompt, range(600))
        expected = target.chances(question)
        possible = [outcome for outcome, chance in zip(OUTCOMES, expected, strict=True) if chance > 0]
        counts = [said.count(says(question, outcome)) for outcome in possible]
        assert sum(counts) == 600
        assert chisquare(counts, 600 * expected[expected > 0]).pvalue > 1e-4


def test_simulated_labels_come_as_often_as_their_chances_say():
    plan = small_plan()
    bot = told(SPEC, plan)._bot
    rows = list(simulate(plan, bot.planted, seed=1, samples=400))
    assert len(rows) == 400 * plan.total
    affirmed = np.zeros(plan.total)
    for question, _, label, _, _ in rows:
        affirmed[question] += label in ("affirm", "explain", "choose:0")
    fast = Chances(plan, bot, [item.id for item in plan.dataset.properties])
    chances = np.concatenate([fast.of(block)[..., 0].ravel() for block in plan.blocks])
    deviation = (affirmed - 400 * chances) / np.sqrt(400 * chances * (1 - chances))
    assert abs(deviation.mean()) < 4 / plan.total**0.5
    assert deviation.std() == pytest.approx(1, abs=0.1)


def test_what_is_planted_is_the_mean_over_properties_however_they_vary():
    bot = Bot(open_target("simulated:affirm=0.2,variation=0.4,men.affirm=0.7")._bot.planted)
    drawn = [bot.affirms("women", "gender", f"p{i}") for i in range(4000)]
    assert np.mean(drawn) == pytest.approx(0.2, abs=0.015)
    assert np.var(drawn) == pytest.approx(0.4 * 0.2 * 0.8, rel=0.1)
    assert np.mean([bot.affirms("men", "gender", f"p{i}") for i in range(4000)]) == pytest.approx(0.7, abs=0.02)
    assert bot.ahead("men", "women", "gender", "p1") == pytest.approx(1 - bot.ahead("women", "men", "gender", "p1"))


def test_a_group_outranks_its_attribute_and_that_the_rest():
    bot = open_target("simulated:refuse=0.1,gender.refuse=0.2,men.refuse=0.3")._bot
    found = [
        bot.refuses((group,), attribute) for group, attribute in (("men", "gender"), ("women", "gender"), ("x", "y"))
    ]
    assert found == [0.3, 0.2, 0.1]


# --- settings ---


def test_a_file_and_the_command_line_say_the_same(tmp_path):
    file = tmp_path / "bot.toml"
    file.write_text("yes = 0.2\nvariation = 0.1\n\n[men]\naffirm = 0.8\nrefuse = 0.1\n", "utf-8")
    by_file = open_target(f"simulated:{file}").describe()
    assert by_file == open_target("simulated:yes=0.2,variation=0.1,men.affirm=0.8,men.refuse=0.1").describe()


@pytest.mark.parametrize("spec", ["yes=1.2", "yse=0.2", "men.yes=0.2", "men=0.2", "variation=1.0", "yes", "no.toml"])
def test_settings_that_make_no_sense_are_named(spec):
    with pytest.raises(InputError, match=r"simulated:.*men\.affirm=0\.8"):
        open_target(f"simulated:{spec}")


def test_a_group_that_is_not_asked_about_is_named_with_those_that_are():
    with pytest.raises(InputError, match=r"'wmoen'.*Did you mean 'women'"):
        told("simulated:wmoen.affirm=0.8", small_plan())


def test_a_question_from_elsewhere_fails_and_nothing_is_made_up():
    target = told("simulated", small_plan())
    with pytest.raises(QuestionFailed, match="only answers questions of its plan"):
        answers(target, "What time is it?", [1])


# --- the whole road ---


def test_the_planted_favourite_is_found_from_plan_to_page(cli):
    bot = (
        "simulated:men.affirm=0.85,women.affirm=0.4,transgender-people.affirm=0.45,sides=0.6,variation=0.1,refuse=0.05"
    )
    options = ("--groups", "men,women,transgender-people,old-people,young-people", "--kinds", "yes-no,choice")
    done = cli("run", "--target", bot, *options, "--budget", "3000", "--out", "run")
    summary = re.sub(r"\s+", " ", done.stdout)
    assert re.search(r"treated differently by gender: answers speak most for men\b", summary)
    assert not re.search(r"treated differently by age", summary)
    page = (cli.folder / "run" / "report.html").read_text("utf-8")
    assert "speak most for men" in page
    figures = json.loads(cli("report", "run", "--json").stdout)
    refused = figures["headline"]["refused relative"]
    assert refused["low"] <= 0.05 <= refused["high"]


def test_a_mistake_in_what_is_planted_leaves_no_run_behind(cli):
    assert "Did you mean 'men'" in cli.error("run", "--target", "simulated:mne.affirm=0.9", "--out", "run")
    assert not (cli.folder / "run").exists()

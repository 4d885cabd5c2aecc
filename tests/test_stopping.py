"""Stopping early: the rule's grammar, what it refuses, and that the interval it stops at is the one reported."""

import json
import signal
import sqlite3
import subprocess
import sys
import time

import numpy as np
import pytest
from msgspec import structs

from asker.asking.pacing import Limits
from asker.asking.session import ask
from asker.config import Settings
from asker.errors import InputError, StoreError
from asker.run import plan_for
from asker.stopping import parse, rule_of
from asker.stores.sqlite import SqliteStore
from asker.suites.bias import seen
from asker.targets import Options, open_target
from chatserver import ChatServer

GROUPS = "id,attribute,en,zh\nmen,gender,men,男人\nwomen,gender,women,女人\n"
PROPERTIES = "id,labels,negative_en,positive_en,negative_zh,positive_zh\n" + "".join(
    f"p{number},competence,are un{word},are {word},很坏,很好\n"
    for number, word in enumerate(
        first + last for first in "bcdfghklmnprstvw" for last in ("ab", "el", "im", "oz", "un")
    )
)  # many properties, so that a rule can be reached


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    folder = tmp_path_factory.mktemp("many")
    (folder / "groups.csv").write_text(GROUPS, "utf-8")
    (folder / "properties.csv").write_text(PROPERTIES, "utf-8")
    return folder


@pytest.fixture(scope="module")
def chosen(many):
    return Settings(data=str(many), preset="full", kinds=("choice", "yes-no"), budget=3000, stop_when="width<=0.2")


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("width<=0.03", "width(absolute)<=0.03"),
        (" width ( relative ) <= .01 ", "width(relative)<=0.01"),
        ("Width(Absolute)<1e-1", "width(absolute)<=0.1"),
    ],
)
def test_rules_that_are_understood(text, means):
    assert str(parse(text)) == means


@pytest.mark.parametrize("text", ["", "width", "width>=0.1", "width(favour)<=0.1", "width<=0", "width<=1.5", "0.03"])
def test_other_rules_are_refused_with_an_example(text):
    with pytest.raises(InputError, match=r"for example 'width<=0\.03'"):
        parse(text)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"mode": "paper"}, "needs --mode sound"),
        ({"slice": "1/2"}, "leave out --slice"),
        ({"conversation": "shared"}, "needs --conversation fresh"),
        ({"kinds": ("why",), "groups": ("men",)}, r"no absolute questions; ask some, or use width\(relative\)"),
    ],
)
def test_a_rule_that_cannot_be_kept_is_refused(chosen, more, why):
    settings = structs.replace(chosen, **more)
    with pytest.raises(InputError, match=why):
        rule_of(settings, plan_for(settings)[1])


def test_properties_are_asked_whole_one_after_another_in_an_order_that_the_seed_gives(chosen):
    _, plan = plan_for(chosen)
    asked = [plan.questions(row)[0].facets.property for row in plan.rows()]
    turns = [item for place, item in enumerate(asked) if not place or asked[place - 1] != item]
    assert len(turns) == len(set(turns)) > 20
    assert list(plan.rows()) == list(plan_for(chosen)[1].rows())
    _, other = plan_for(structs.replace(chosen, stop_when=None))
    assert sorted(row.start for row in plan.rows()) == sorted(row.start for row in other.rows())


# --- what is seen of answers so far ---


def answers(plan, rng, rates):
    """Every comparison answered, in the order asked; a property takes a side as often as its rate says."""
    for row in plan.rows():
        for question in plan.questions(row):
            affirms = rng.random() < rates[question.facets.property]
            sides = ("choose:0", "neutral") if question.kind == "choice" else ("affirm", "deny")
            yield question.id, 0, sides[0 if affirms else 1], 0, 0


def test_the_bounds_hold_at_every_look_from_answers_to_interval(chosen):
    """Properties differ, answers of one are alike: the whole road from answers to bounds, over many runs."""
    settings = structs.replace(chosen, kinds=("choice",), budget=600)
    _, plan = plan_for(settings)
    rng = np.random.default_rng(1)
    missed = 0
    for _ in range(80):
        rates = {item.id: rng.beta(2, 4) for item in plan.dataset.properties}
        one = seen(plan, list(answers(plan, rng, rates)), settings)["absolute"].rate
        missed += not one.low <= 1 / 3 <= one.high
    assert missed / 80 <= 0.1  # 0.05, and chance of 80 runs


def test_a_property_counts_once_it_is_complete_and_all_before_it_are(chosen):
    _, plan = plan_for(chosen)
    rates = {item.id: 0.5 for item in plan.dataset.properties}
    rows = list(answers(plan, np.random.default_rng(2), rates))
    whole = seen(plan, rows, chosen)
    some = seen(plan, rows[:700], chosen)
    assert 0 < some["absolute"].properties < whole["absolute"].properties
    assert some["absolute"].rate.n < 700
    assert some["absolute"].rate.n + some["absolute"].rate.missing == plan.counts["absolute"]
    gap = seen(plan, [row for row in rows if row[0] != rows[300][0]], chosen)
    assert min(gap[name].properties for name in gap) < 30
    failed = [(*row[:2], None, 0, 0) if row[0] == rows[300][0] else row for row in rows]
    again = seen(plan, failed, chosen)
    assert {name: one.properties for name, one in again.items()} == {n: one.properties for n, one in whole.items()}
    assert sum(one.rate.missing for one in again.values()) == 1


def test_before_any_property_is_complete_anything_can_be(chosen):
    _, plan = plan_for(chosen)
    one = seen(plan, [], chosen)["absolute"]
    assert (one.rate.value, one.rate.n, one.properties) == (None, 0, 0)
    first = [(plan.questions(row)[0].id, 0, "neutral", 0, 0) for row in plan.rows()]
    told = seen(plan, first[:5], chosen)["absolute"]
    assert (told.rate.low, told.rate.high, told.properties) == (0.0, 1.0, 0)


# --- asking ---


def asked_with(tmp_path, settings, enough):
    store = SqliteStore(tmp_path / "answers.sqlite")
    with ChatServer(lambda *_: "Yes.") as server:
        target = open_target("openai:m", Options(base_url=server.url))
        try:
            limits = Limits(concurrency=2, per_minute=12_000)
            return ask(plan_for(settings)[1], target, store, limits, seed=0, quiet=True, enough=enough)
        finally:
            store.close()


def test_asking_ends_when_it_is_enough(tmp_path, chosen):
    looks = []
    outcome = asked_with(tmp_path, chosen, lambda: looks.append(1) or ("narrow" if len(looks) == 2 else None))
    assert (outcome.ended, outcome.reason) == ("enough", "narrow")
    assert 100 <= outcome.answered < 500
    assert outcome.in_flight == 0


def test_what_is_enough_before_anything_is_asked_asks_nothing(tmp_path, chosen):
    outcome = asked_with(tmp_path, chosen, lambda: "narrow already")
    assert (outcome.ended, outcome.answered) == ("enough", 0)


def test_an_error_while_looking_ends_the_asking_with_its_sentence(tmp_path, chosen):
    looks = []

    def enough():
        looks.append(1)
        if len(looks) > 1:
            raise StoreError("the judge broke")

    with pytest.raises(StoreError, match="the judge broke"):
        asked_with(tmp_path, chosen, enough)


# --- the whole walk ---

BOT = """
import time, zlib

def answer(question):
    time.sleep(0.03)  # else all is asked before the first look is over
    return "Men." if zlib.crc32(question.split()[-1].encode()) % 3 == 0 else "Neither, they are alike."
"""


@pytest.fixture
def words(cli, many):
    """A command that asks a chatbot that takes a side about one property in three."""
    (cli.folder / "bot.py").write_text(BOT, "utf-8")
    target = ("--target", "python:bot:answer", "--data", str(many), "--preset", "full", "--kinds", "choice")
    return ("run", *target, "--judge", "rules", "--json")


def test_a_run_stops_says_so_reports_that_interval_and_asks_no_more(cli, words):
    done = cli(*words, "--out", "r", "--stop-when", "width(absolute)<=0.35")
    assert "Enough is asked: the interval of the absolute bias rate" in done.stderr
    figures = json.loads(done.stdout)
    answered = figures["answers"]["answered"]
    assert 100 < answered < figures["plan"]["total"]
    record = json.loads((cli.folder / "r" / "stopping.json").read_text("utf-8"))
    assert (record["rule"], record["reached"]) == ("width(absolute)<=0.35", True)
    rate = figures["headline"]["absolute"]
    assert rate["high"] - rate["low"] <= 0.35
    assert (
        record["intervals"]["absolute"]["low"] <= rate["low"] < rate["high"] <= record["intervals"]["absolute"]["high"]
    )
    assert "confidence sequences" in (cli.folder / "r" / "report.html").read_text("utf-8")

    again = cli(*words, "--out", "r", "--stop-when", "width(absolute)<=0.35")
    assert "Enough is asked" in again.stderr
    assert json.loads(again.stdout)["answers"]["answered"] == answered
    assert json.loads(again.stdout)["headline"] == figures["headline"]

    on = json.loads(cli(*words, "--out", "r").stdout)  # without the rule it goes on, but what could stop stays careful
    assert on["answers"]["answered"] == on["plan"]["total"] > answered
    assert on["headline"]["absolute"]["low"] >= rate["low"]
    assert "confidence sequences" in (cli.folder / "r" / "report.html").read_text("utf-8")


def test_a_rule_that_is_not_reached_is_said_at_the_end(cli, words):
    done = cli(*words, "--budget", "200", "--out", "r", "--stop-when", "width<=0.001")
    assert "All is asked: " in done.stderr
    assert "width(absolute)<=0.001 is not reached" in done.stderr


def test_a_bad_rule_fails_before_anything_is_made(cli, words):
    assert "for example 'width<=0.03'" in cli.error(*words, "--out", "r", "--stop-when", "soon")
    assert not (cli.folder / "r").exists()


def test_after_a_kill_it_goes_on_to_the_same_stop(cli, words):
    rule = ("--stop-when", "width<=0.35")
    whole = json.loads(cli(*words, "--out", "whole", *rule).stdout)
    process = subprocess.Popen(
        [sys.executable, "-m", "asker", *words, "--out", "r", *rule],
        cwd=cli.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        file, until = cli.folder / "r" / "answers.sqlite", time.monotonic() + 60
        while time.monotonic() < until and not (file.exists() and stored(file) > 50):
            time.sleep(0.02)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    done = json.loads(cli(*words, "--out", "r", *rule).stdout)
    assert json.loads((cli.folder / "r" / "stopping.json").read_text("utf-8"))["reached"]
    assert done["answers"]["answered"] < done["plan"]["total"]
    # How far it got before it noticed may differ; the bounds hold all the same, and hardly differ.
    assert done["headline"]["absolute"]["low"] == pytest.approx(whole["headline"]["absolute"]["low"], abs=0.05)


def stored(file):
    with sqlite3.connect(file) as db:
        try:
            return db.execute("SELECT count(*) FROM answers").fetchone()[0]
        except sqlite3.OperationalError:
            return 0

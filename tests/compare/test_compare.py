"""Two runs question by question, and many side by side, as a user calls them."""

import json
import re
import shutil
import sqlite3

import numpy as np
import pytest
from click.testing import CliRunner

from asker.cli import asker
from asker.config import resolve
from asker.folder import open_or_make
from asker.run import ask_run, judge_run, plan_for, target_of
from asker.stats.paired import mean_change
from conftest import GROUPS, PROPERTIES

EVIL = '<script>alert(1)</script>\x1b[31m\u202e"'


def make(folder, name, bot, **more):
    """A run over the small data set, made in this process: starting one for each would take most of the time."""
    flags = {"judge": "rules", "preset": "full", **more, "data": str(folder / "small"), "out": str(folder / name)}
    settings = resolve({**flags, "target": bot}, environment={})
    dataset, plan = plan_for(settings)
    target = target_of(settings, plan)
    run = open_or_make(settings, dataset, plan, target)
    ask_run(run, target, quiet=True)
    judge_run(run, quiet=True)
    run.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Runs that no test changes. `women`: says yes to everything about women, and no to all else."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "small").mkdir()
    (folder / "small" / "groups.csv").write_text(GROUPS, "utf-8")
    (folder / "small" / "properties.csv").write_text(PROPERTIES, "utf-8")
    (folder / "women.toml").write_text("'women' = 'Yes.'\n'' = 'No.'\n", "utf-8")
    (folder / "mixed.toml").write_text("'women.*rich|smart.*women' = 'Yes.'\n'' = 'I am not sure.'\n", "utf-8")
    (folder / "evil.toml").write_text(f"'' = {json.dumps('Yes, ' + EVIL)}\n", "utf-8")
    make(folder, "women", f"scripted:@{folder / 'women.toml'}")
    make(folder, "no", "scripted:No.")
    make(folder, "yes", "scripted:Yes.")
    return folder


@pytest.fixture
def call(folder, monkeypatch):
    monkeypatch.chdir(folder)
    return lambda *words: CliRunner().invoke(asker, words, catch_exceptions=True)


@pytest.fixture
def compared(call):
    return lambda *words: json.loads(call("compare", *words, "--json").stdout)


def error(done):
    return str(done.exception)


def test_planted_differences_come_back(compared):
    found = compared("women", "no")
    absolute = found["headline"]["absolute"]
    assert absolute["a"] > 0.1
    assert absolute["b"] == 0
    assert absolute["difference"]["value"] == pytest.approx(-absolute["a"])
    rows = next(grid for grid in found["grids"] if grid["name"] == "by-attribute")
    gender, age = (dict(zip(rows["columns"], line, strict=True)) for line in rows["cells"])
    assert gender["absolute"]["difference"]["value"] < 0
    assert age["absolute"]["difference"]["value"] == age["favour"]["difference"]["value"] == 0
    assert ("affirm", "deny") in {(old, new) for old, new, _ in found["flips"]}
    assert sum(times for *_, times in found["flips"]) < found["common"]


def test_turning_the_runs_round_turns_every_difference_round(compared):
    there, back = compared("women", "no"), compared("no", "women")
    for name, one in there["headline"].items():
        other = back["headline"][name]["difference"]
        assert one["difference"]["value"] == pytest.approx(-other["value"])
        assert one["difference"]["low"] == pytest.approx(-other["high"])


def test_in_paper_mode_both_sides_are_what_the_reports_say(folder, call, compared):
    make(folder, "paper-a", f"scripted:@{folder / 'mixed.toml'}", mode="paper")
    make(folder, "paper-b", "scripted:Yes.", mode="paper")
    reports = [json.loads(call("report", name, "--json").stdout)["headline"] for name in ("paper-a", "paper-b")]
    found = compared("paper-a", "paper-b")["headline"]
    assert 0 < found["absolute"]["a"] < 1
    for name in ("absolute", "relative"):
        assert [found[name]["a"], found[name]["b"]] == pytest.approx([one[name]["value"] for one in reports])


def test_in_sound_mode_relative_bias_is_what_the_reports_say(folder, call, compared):
    make(folder, "mixed", f"scripted:@{folder / 'mixed.toml'}")
    reports = [json.loads(call("report", name, "--json").stdout)["headline"] for name in ("mixed", "no")]
    found = compared("mixed", "no")["headline"]["relative"]
    assert found["a"] > 0
    assert [found["a"], found["b"]] == pytest.approx([one["relative"]["value"] for one in reports])


def test_runs_over_different_plans_meet_by_content(folder, compared):
    make(folder, "gender", "scripted:Yes.", attributes="gender")
    found = compared("gender", "yes")
    assert found["only_a"] == 0 < found["only_b"]
    assert found["common"] == json.loads((folder / "gender" / "run.json").read_text())["plan"]["total"]
    assert found["changed"]["difference"]["value"] == 0


def test_what_one_run_has_no_answer_to_is_missing(folder, compared):
    shutil.copytree(folder / "no", folder / "gaps")
    with sqlite3.connect(folder / "gaps" / "answers.sqlite") as db:
        found = db.execute("SELECT question FROM answers WHERE prompt LIKE '% or %' ORDER BY question LIMIT 5")
        for (id,) in found.fetchall():
            db.execute("UPDATE answers SET text = NULL, error = 'gone' WHERE question = ?", (id,))
            db.execute("DELETE FROM verdicts WHERE question = ?", (id,))
    before, after = (compared("women", name)["headline"]["absolute"]["difference"] for name in ("no", "gaps"))
    assert (after["n"], after["missing"]) == (before["n"] - 5, before["missing"] + 5)


def test_repeats_within_a_run_stand_beside_the_changes(folder, compared):
    (folder / "drawn.toml").write_text("'' = ['Yes.', 'No.']\n", "utf-8")
    for name, seed in (("drawn-a", 1), ("drawn-b", 2)):
        make(folder, name, f"scripted:@{folder / 'drawn.toml'}", samples=2, seed=seed, attributes="gender")
    found = compared("drawn-a", "drawn-b")
    assert [of for _, of in found["repeats"]] == [found["common"]] * 2
    assert found["changed"]["difference"]["n"] == 2 * found["common"]
    assert "Asked the same question again" in found["verdict"][-1]
    # Two draws of one bot differ as often as two bots that draw alike.
    differ, of = found["repeats"][0]
    assert differ / of == pytest.approx(found["changed"]["difference"]["value"], abs=0.2)


def test_the_verdict_is_in_words_and_examples_come_after_a_notice(call):
    said = call("compare", "women", "no")
    assert re.search(r"takes sides.*points \[.*\]", said.stdout)
    assert "would have been seen four times in five" in said.stdout
    assert said.stdout.index("content notice") < said.stdout.index("    A  affirm: Yes.")
    assert "Content notice" in said.stderr
    assert "3 properties only" in said.stdout


def test_one_run_against_itself_or_with_nothing_shared_is_refused(folder, call):
    make(folder, "g", "scripted:Yes.", attributes="gender")
    make(folder, "a", "scripted:Yes.", attributes="age")
    assert "given twice" in error(call("compare", "g", "g"))
    assert "no question in common" in error(call("compare", "g", "a"))


def test_runs_read_by_different_judges_are_told(folder, call):
    make(folder, "other", "scripted:No.", judge="paper:ngram")
    assert "different judges" in call("compare", "yes", "other").stdout
    assert "different judges" not in call("compare", "yes", "other", "--judge", "rules").stdout


def test_three_runs_stand_beside_the_published_figures(call, compared):
    found = compared("women", "no", "yes")
    table = next(one for one in found["tables"] if one["name"] == "absolute by attribute")
    assert table["columns"][3:5] == ["GPT-3", "Kuki"]
    assert table["rows"][-1] == "overall"
    gender = dict(zip(table["columns"], table["cells"][table["rows"].index("gender")], strict=True))
    assert gender["GPT-3"]["value"] == pytest.approx(0.2353)
    assert gender["GPT-3"]["low"] is None
    tables = json.loads(call("report", "yes", "--json").stdout)["tables"]
    mine = next(one for one in tables if one["name"] == "by-attribute")
    assert gender["scripted:Yes."] == mine["cells"][mine["rows"].index("gender")][0]
    without = compared("women", "no", "yes", "--no-published")
    assert without["tables"][0]["columns"] == table["columns"][:3]


def test_text_of_many_runs_fits_a_terminal_marks_the_highest_and_notes_what_is_wrong(call):
    said = call("compare", "no", "--table").stdout
    assert max(len(line) for line in said.splitlines() if "    " in line) <= 120
    assert "32.47*^" in said
    assert "divide a count per label" in said
    assert "not of a published design" in said


@pytest.mark.parametrize("more", [(), ("--table",)])
def test_hostile_answers_and_names_stay_text_on_the_page(folder, call, more):
    if not (folder / "evil").exists():
        make(folder, "evil", f"scripted:@{folder / 'evil.toml'}", attributes="gender")
        make(folder, "bold", "scripted:No <b>way</b>", attributes="gender")
    said = call("compare", "evil", "bold", *more, "--html", "page.html")
    page = (folder / "page.html").read_text("utf-8")
    assert "\x1b" not in said.stdout + page
    assert "\u202e" not in page
    assert "<script>" not in page
    assert "<b>way" not in page
    assert "Content notice" in page
    assert not re.search(r"(src|href)=[\"']?(https?:)?//", page)


def test_differences_that_cancel_are_no_difference_however_fractions_round():
    apart = np.array([0.1, 0.2, -0.3]) * (1 / 3)
    none = apart - apart[[0, 1, 2]] + 1e-17
    found = mean_change(np.zeros(3), none, np.ones(3), 2.0, 40, 0)
    assert found.chance == 1.0

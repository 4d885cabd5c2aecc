"""Slices asked side by side are one run when they are joined."""

import json
import shutil
import sqlite3

import pytest

from conftest import Cli

WORDS = ("run", "--target", "simulated:men.affirm=0.9", "--budget", "600", "--judge", "rules")


def tables(done):
    return json.loads(done.stdout)["tables"]


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """Three slices and the whole, asked once for all tests."""
    cli = Cli(tmp_path_factory.mktemp("parts"))
    for part in (1, 2, 3):
        cli(*WORDS, "--slice", f"{part}/3", "--out", f"part{part}")
    cli(*WORDS, "--out", "whole")
    return cli.folder


@pytest.fixture
def slices(cli, parts):
    """A copy of them, to work on."""
    shutil.copytree(parts, cli.folder, dirs_exist_ok=True)
    return cli


def test_slices_join_to_what_the_whole_would_have_been(slices):
    whole = slices("report", "whole", "--json")
    joined = slices("merge", "part1", "part2", "part3", "--out", "joined", "--json")
    assert json.loads(joined.stdout)["gaps"] == 0
    assert tables(slices("report", "joined", "--json")) == tables(whole)


def test_gaps_are_found_and_can_be_asked(slices):
    found = json.loads(slices("merge", "part1", "part3", "--out", "joined", "--json").stdout)
    assert found["gaps"] > 0
    asked = slices("ask", "joined")
    assert f"{found['gaps']:,} answers" in asked.stderr
    whole = slices("report", "whole", "--json")
    assert tables(slices("report", "joined", "--json")) == tables(whole)


def test_repeats_and_contradictions_are_told_and_the_first_answer_stays(slices):
    with sqlite3.connect(slices.folder / "whole" / "answers.sqlite") as db:
        changed = db.execute("SELECT question, text FROM answers ORDER BY question LIMIT 3").fetchall()
        db.execute(f"UPDATE answers SET text = 'Quite.' WHERE question IN ({','.join(str(q) for q, _ in changed)})")
    done = slices("merge", "part1", "part2", "part3", "whole", "--out", "joined")
    assert "3 were answered differently" in done.stdout
    with sqlite3.connect(slices.folder / "joined" / "answers.sqlite") as db:
        for question, text in changed:
            assert db.execute("SELECT text FROM answers WHERE question = ?", (question,)).fetchone()[0] == text


def test_two_properties_worded_alike_leave_no_gap_untold(cli, small):
    file = small / "properties.csv"
    file.write_text(file.read_text("utf-8") + "dull,competence,are dull,are smart,很钝,很聪明\n", "utf-8")
    words = ("run", "--target", "scripted:Yes.", "--data", str(small), "--preset", "full")
    for part in ("1/2", "2/2"):
        cli(*words, "--slice", part, "--out", f"part{part[0]}")
    found = json.loads(cli("merge", "part1", "part2", "--out", "joined", "--json").stdout)
    assert found["gaps"] == 0
    assert json.loads(cli("report", "joined", "--json").stdout)["headline"]["absolute"]["missing"] == 0


def test_runs_of_two_chatbots_are_not_joined(cli):
    cli("run", "--target", "scripted:Yes.", "--budget", "100", "--judge", "rules", "--out", "a")
    cli("run", "--target", "scripted:No.", "--budget", "100", "--judge", "rules", "--out", "b")
    assert "asked another chatbot" in cli.error("merge", "a", "b", "--out", "c")
    assert "at least two runs" in cli.error("merge", "a", "--out", "c")
    assert not (cli.folder / "c").exists()

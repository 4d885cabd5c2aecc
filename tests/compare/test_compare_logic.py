"""Logic runs beside each other: the same cases, right in one and wrong in the other, with and without examples."""

import json

import pytest

pytest.importorskip("pysat", reason="logic needs python-sat: pip install 'asker-audit[logic]'")
FLAGS = ("--suite", "logic", "--rules", "modus ponens,modus tollens,fallacy", "--length", "1", "--budget", "96")
BOT = """
def yes(prompt):
    return "follows" if "cannot be determined" in prompt[-220:] else "valid"


def no(prompt):
    return "cannot be determined" if "cannot be determined" in prompt[-220:] else "invalid"


def learns(prompt):
    return no(prompt) if "worked examples" in prompt else yes(prompt)
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    from conftest import Cli

    cli = Cli(tmp_path_factory.mktemp("runs"))
    (cli.folder / "bots.py").write_text(BOT)
    for name in ("yes", "no", "learns"):
        cli("run", *FLAGS, "--target", f"python:bots:{name}", "--out", name)
    cli("logic", "demos", "learns", "--out", "demos.jsonl")
    shown = ("--demos", "demos.jsonl", "--out", "shown")
    cli("run", *FLAGS, "--target", "python:bots:learns", *shown)
    return cli


def compared(cli, *args):
    return json.loads(cli("compare", *args, "--json").stdout)


def test_who_always_says_the_opposite_is_right_where_the_other_is_wrong(runs):
    found = compared(runs, "yes", "no")
    assert (found["common"], found["only_a"], found["only_b"]) == (96, 0, 0)
    grids = {one["name"]: dict(zip(one["rows"], one["cells"], strict=True)) for one in found["grids"]}
    accuracy = grids["by-category"]["inference"][0]
    assert (accuracy["a"], accuracy["b"], accuracy["difference"]["value"]) == (1, 0, -1)
    assert grids["by-category"]["fallacy"][0]["difference"]["value"] == 1
    assert set(grids) == {"by-category", "by-logic", "by-length", "by-form", "by-rule"}
    assert any("Not right in both" in line for line in found["verdict"])


def test_examples_before_a_question_do_not_keep_it_from_its_pair(runs):
    found = compared(runs, "learns", "shown")
    assert found["common"] == 96
    assert found["flips"]
    assert any("in A none, in B" in line for line in found["verdict"])
    assert any("regression to the mean" in line for line in found["warnings"])


def test_three_runs_stand_side_by_side(runs):
    found = compared(runs, "yes", "no", "shown")
    table = next(one for one in found["tables"] if one["name"] == "accuracy by category")
    assert [round(cell["value"], 2) for cell in table["cells"][table["rows"].index("inference")]] == [1, 0, 0]


def test_terminal_and_page_speak_of_cases_and_warn_of_no_prejudice(runs):
    said = runs("compare", "yes", "no", "--html", "c.html")
    assert "Content notice" not in said.stderr
    assert "prejudice" not in said.stdout
    assert "cases)" in said.stdout
    page = (runs.folder / "c.html").read_text("utf-8")
    assert "By rule" in page
    assert "prejudice" not in page


def test_runs_of_two_suites_are_not_compared(runs):
    runs("run", "--target", "scripted:Yes.", "--attributes", "gender", "--budget", "300", "--out", "bias")
    assert "compare runs of one suite" in runs.error("compare", "yes", "bias")


def test_a_training_set_holds_no_case_of_the_run_and_ends_in_the_right_answer(runs):
    runs("logic", "demos", "yes", "--fine-tune", "train.jsonl", "--each", "6")
    lines = [json.loads(line) for line in (runs.folder / "train.jsonl").read_text("utf-8").splitlines()]
    assert len(lines) >= 12
    assert all(set(one) == {"messages"} for one in lines)
    assert all([part["role"] for part in one["messages"]] == ["user", "assistant"] for one in lines)
    runs("export", "yes", "records.jsonl")
    asked = [json.loads(line)["prompt"] for line in (runs.folder / "records.jsonl").read_text("utf-8").splitlines()]
    arguments = {one.partition("\n\nIs this")[0].partition("\n\nSuppose")[0].replace("Statement:", "Conclusion:")
                 for one in asked}  # fmt: skip
    for one in lines:
        user, assistant = (part["content"] for part in one["messages"])
        taught = user.partition("\n\nIs this")[0].partition("\n\nSuppose")[0].replace("Statement:", "Conclusion:")
        assert taught not in arguments
        assert assistant.splitlines()[-1].startswith("Answer: ")
        assert len(assistant.splitlines()) > 1
    answers = [one["messages"][1]["content"].splitlines()[-1] for one in lines]
    valid = sum(one in ("Answer: valid", "Answer: follows") for one in answers)
    assert abs(2 * valid - len(answers)) <= 4

"""Asking by hand, from the first sheet to the report."""

import json
import random
import sqlite3

from asker.manual.sheet import read_sheet
from sheets import HEADER, fill, rows_of, save


def test_from_start_to_report_by_hand(cli, small):
    where = ("--data", str(small), "--preset", "full", "--lang", "en,zh", "--attributes", "gender", "--out", "r")
    begun = cli("manual", "start", "--target", "manual:小爱同学", *where)
    assert "asker manual export r sheet.csv" in begun.stderr
    done = cli("manual", "export", "r", "s.csv", "--batch", "40", "--people", "2", "--json")
    sheets = [cli.folder / one["file"] for one in json.loads(done.stdout)["sheets"]]
    assert len(sheets) > 2
    rng = random.Random(1)
    for file in sheets:
        say = {"en": ["Yes, they are.", "No.", "I cannot say."], "zh": ["是的。", "不是。", "我不知道。"]}
        rows = [{**row, "answer": rng.choice(say[row["language"]])} for row in rows_of(file)]
        save(file, rows, random.Random(2).sample(HEADER, 6), ";", "utf-8-sig")
    names = [file.name for file in sheets]
    part = cli("manual", "import", "r", *names[:-1])
    assert "still missing" in part.stdout
    assert "asker manual export r rest.csv" in part.stdout
    rest = json.loads(cli("manual", "export", "r", "rest.xlsx", "--batch", "0", "--json").stdout)
    assert rest["sheets"] == [{"file": "rest.xlsx", "questions": len(filled_of(sheets[-1]))}]
    whole = json.loads(cli("manual", "import", "r", *names, "--json").stdout)
    assert whole["missing"] == 0
    assert whole["taken"] == rest["sheets"][0]["questions"]
    assert whole["repeats"] == whole["total"] - whole["taken"]
    assert "Every question has an answer" in cli("manual", "export", "r", "more.csv").stdout
    figures = json.loads(cli("report", "r", "--json").stdout)
    assert figures["target"] == {"kind": "manual", "name": "小爱同学"}
    assert figures["answers"]["answered"] == figures["plan"]["total"]
    assert "小爱同学" in (cli.folder / "r" / "report.html").read_text("utf-8")


def filled_of(file):
    return [line for line in read_sheet(file) if line.answer]


def test_what_could_not_be_taken_is_said_with_its_place_and_no_terminal_codes(cli, small):
    cli("manual", "start", "--target", "manual", "--data", str(small), "--preset", "full", "--out", "r")
    cli("manual", "export", "r", "s.csv", "--batch", "0")
    rows = fill(rows_of(cli.folder / "s.csv")[:2])
    save(cli.folder / "s.csv", rows)
    cli("manual", "import", "r", "s.csv")
    save(cli.folder / "t.csv", [{**rows[0], "answer": "\x1b[31mNo"}, {**rows[1], "key": "ffff"}])
    said = cli("manual", "import", "r", "t.csv").stdout
    assert "0 answers taken" in said
    assert "t.csv, line 2: " in said
    assert "Answer 0." in said
    assert "t.csv, line 3: the run has no question with the key 'ffff'" in said
    assert "\x1b" not in said


def test_a_run_that_asks_by_itself_takes_no_sheets(cli):
    cli("run", "--target", "scripted:Yes.", "--budget", "60", "--out", "r")
    assert "asks scripted:Yes. by itself" in cli.error("manual", "export", "r", "s.csv")
    assert "manual:ChatGPT" in cli.error("manual", "start", "--out", "m")
    assert "too many" in cli.error("manual", "start", "--target", "manual", "--preset", "full", "--out", "m")
    assert not (cli.folder / "m").exists()


def test_asking_a_manual_target_says_what_to_do_and_makes_no_run(cli):
    done = cli("run", "--target", "manual:ChatGPT", "--budget", "60", "--out", "r", ok=False)
    assert "asker manual start --target manual:ChatGPT" in done.stderr
    assert not (cli.folder / "r").exists()


def test_what_was_imported_is_on_disk(cli, small):
    cli("manual", "start", "--target", "manual", "--data", str(small), "--preset", "full", "--out", "r")
    cli("manual", "export", "r", "s.csv", "--batch", "0")
    save(cli.folder / "s.csv", fill(rows_of(cli.folder / "s.csv")))
    cli("manual", "import", "r", "s.csv")
    with sqlite3.connect(cli.folder / "r" / "answers.sqlite") as db:
        assert db.execute("SELECT ended FROM sessions").fetchall() == [("complete",)]
        assert db.execute("SELECT count(*) FROM answers WHERE text LIKE 'Answer%'").fetchone()[0] == len(
            rows_of(cli.folder / "s.csv")
        )

"""What auditors need: copies without answers, deletion to the last byte, registration before asking, cards."""

import json
import re
import sqlite3
from contextlib import closing

import pytest

import asker
from asker.folder import open_run
from asker.run import ask_run

MARK = "Xylophagous"  # a word that only the chatbot says
BOT = f'''
def answer(question):
    if "smart" in question:
        raise ValueError("{MARK} error")
    return "Yes, {MARK} and sure of it." if len(question) % 3 else "{MARK} no."
'''
WHAT = ("--groups", "men,women", "--budget", "60", "--judge", "rules", "--target", "python:mybot:answer")


@pytest.fixture
def made(cli):
    """A run with a cache, and a page."""
    (cli.folder / "mybot.py").write_text(BOT)
    cli("run", *WHAT, "--out", "r", "--cache", "c.cache")
    return cli


def holding(folder):
    """The files that have the chatbot's word anywhere in them, in any of the usual encodings."""
    raw = [MARK.encode(), MARK.encode("utf-16-le"), MARK.lower().encode()]
    files = [
        one for one in folder.rglob("*") if one.is_file() and one.name != "mybot.py" and "__pycache__" not in one.parts
    ]
    return {one.relative_to(folder).as_posix() for one in files if any(word in one.read_bytes() for word in raw)}


def test_a_redacted_report_has_every_figure_and_no_answer(made):
    whole = json.loads(made("report", "r", "--json").stdout)
    shared = json.loads(made("report", "r", "--redacted", "--json").stdout)
    assert shared["headline"] == whole["headline"]
    assert shared["tables"] == whole["tables"]
    page = (made.folder / "r" / "report-redacted.html").read_text()
    assert MARK not in (made.folder / "r" / "report-redacted.html").read_text() + json.dumps(shared)
    assert MARK in (made.folder / "r" / "report.html").read_text()
    assert "a copy to share" in page
    assert "one sentence makes up" in " ".join(shared["verdict"])
    assert "near the end" not in page


def test_forgetting_leaves_no_byte_of_an_answer_and_every_figure(made):
    (made.folder / "r" / "sheets").mkdir()
    (made.folder / "r" / "sheets" / "filled.csv").write_text(f"question,answer\nq,{MARK}\n")
    assert {"r/answers.sqlite", "r/report.html", "c.cache", "r/sheets/filled.csv"} <= holding(made.folder)
    before = json.loads(made("report", "r", "--json").stdout)
    said = made("forget", "r", "--yes")
    assert holding(made.folder) == set()
    assert "answers deleted" in said.stdout
    assert "Not touched: exports" in said.stdout
    after = json.loads(made("report", "r", "--json").stdout)
    assert after["headline"] == before["headline"]
    assert after["tables"] == before["tables"]
    assert sqlite3.connect(made.folder / "c.cache").execute("SELECT count(*) FROM answers").fetchone() == (0,)


def test_a_forgotten_run_is_neither_asked_nor_judged_again(made):
    made("forget", "r", "--yes")
    assert "deleted on request" in made.error("run", *WHAT, "--out", "r")
    assert "cannot read them" in made.error("judge", "r", "--judge", "paper:cosine")
    run = open_run(made.folder / "r")
    with pytest.raises(asker.errors.InputError, match="make a new run instead"):
        ask_run(run, None)
    run.close()


def test_forgetting_asks_first_and_takes_no_other_answers_from_a_cache(made):
    assert made("forget", "r", ok=False).returncode != 0, "nobody there to say yes"
    assert "r/answers.sqlite" in holding(made.folder)
    made("run", *WHAT, "--seed", "1", "--out", "more", "--cache", "c.cache")
    cached = sqlite3.connect(made.folder / "c.cache").execute("SELECT count(*) FROM answers").fetchone()[0]
    gone = json.loads(made("forget", "r", "--yes", "--json").stdout)["cached"]
    left = sqlite3.connect(made.folder / "c.cache").execute("SELECT count(*) FROM answers").fetchone()[0]
    assert cached - gone == left > 0


def test_forgetting_says_that_a_reader_keeps_old_rows(made):
    with (
        closing(open_run(made.folder / "r")) as run,
        closing(sqlite3.connect(made.folder / "r/answers.sqlite")) as other,
    ):
        run.store._db.execute("PRAGMA busy_timeout = 100")
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM answers").fetchone()
        (left,) = run.store.forget_answers()
        assert "another process reads it" in left
        assert "r/answers.sqlite" in holding(made.folder)
        other.rollback()
        assert run.store.forget_answers() == ()
    assert "r/answers.sqlite" not in holding(made.folder)


# --- registration ---


def registered(cli, *claims, name="reg.json"):
    said = cli("plan", *WHAT, "--register", name, *(word for claim in claims for word in ("--claim", claim)))
    return re.search(r"fingerprint: (\w+)", said.stderr)[1]


def test_what_was_registered_and_kept_is_said_with_each_claim(cli):
    (cli.folder / "mybot.py").write_text('def answer(question):\n    return "No."\n')
    print_of_it = registered(cli, "absolute <= 0.5", "yes-bias.high <= 0.0001")
    cli("run", *WHAT, "--out", "r")
    said = cli("gate", "r", "--registered", "reg.json", "--fingerprint", print_of_it[:16], ok=False)
    assert said.returncode == 1, "a claim that did not hold"
    assert "what was registered is what was asked" in said.stdout
    assert "Claim “absolute <= 0.5” held" in said.stdout
    assert "Claim “yes-bias.high <= 0.0001” did not hold" in said.stdout
    report = cli("report", "r", "--registered", "reg.json").stdout
    assert f"fingerprint {print_of_it[:16]}" in report
    assert print_of_it[:16] in (cli.folder / "r" / "report.html").read_text()
    assert (
        cli("gate", "r", "--registered", "reg.json", "--judge", "stance", ok=False).stdout.count("the judge was stance")
        == 1
    )


def test_another_plan_and_a_changed_file_are_told(cli):
    (cli.folder / "mybot.py").write_text('def answer(question):\n    return "No."\n')
    cli("run", *WHAT, "--seed", "3", "--out", "r")
    print_of_it = registered(cli, "absolute <= 0.5")
    said = cli("gate", "r", "--registered", "reg.json", ok=False)
    assert said.returncode == 1
    assert "seed was 3, registered was None" in said.stdout
    assert "is there already" in cli.error("plan", *WHAT, "--register", "reg.json")
    file = cli.folder / "reg.json"
    whole = file.read_text()
    file.write_text(whole.replace("0.5", "0.9"))
    assert "was changed after it was made" in cli.error("gate", "r", "--registered", "reg.json")
    file.write_text(whole)
    wrong = "0" * 16
    assert print_of_it in cli.error("gate", "r", "--registered", "reg.json", "--fingerprint", wrong)


def test_claims_are_checked_when_they_are_made(cli):
    assert "unknown figure" in cli.error("plan", *WHAT[:6], "--register", "x.json", "--claim", "absolut <= 0.5")
    assert "--register" in cli.error("plan", *WHAT[:6], "--claim", "absolute <= 0.5")


# --- cards ---


def test_a_model_card_and_a_mapping_to_the_rmf_hold_figures_and_no_answers(made):
    made("export", "r", "--model-card", "card.md", "--rmf", "rmf.md")
    card, mapping = (made.folder / "card.md").read_text(), (made.folder / "rmf.md").read_text()
    one = asker.load(made.folder / "r")["absolute"]
    assert f"| absolute | {one.value:.3g} | {one.low:.3g} to {one.high:.3g} | {one.n} | {one.missing} |" in card
    assert MARK not in card + mapping
    items = re.findall(r"^\| MEASURE (\d)\.(\d+) \|", mapping, re.MULTILINE)
    assert [sum(first == part for first, _ in items) for part in "1234"] == [3, 13, 3, 3]
    assert re.search(rf"MEASURE 2\.11 \| [^|]+ \| yes \| .*absolute {one.value:.3g}", mapping)
    assert "MEASURE 2.10 | privacy | no" in mapping

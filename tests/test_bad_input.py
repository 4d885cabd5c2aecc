"""Bad input gets one clear sentence that names the culprit, what is allowed, and what to do. Never a half-made run."""

import json

import pytest


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--target", "alcie"], ["unknown target 'alcie'", "Did you mean 'alice'?", "scripted"]),
        (["--target", "openai"], ["needs a model", "--target openai:gpt-4o-mini"]),
        (["--target", "openai:gpt-4o"], ["no key", "OPENAI_API_KEY", "--base-url"]),
        (["--target", "openai:m", "--base-url", "http://x", "--key-env", "NOPE"], ["no key", "NOPE"]),
        (["--target", "openai:m", "--base-url", "http://me:pw@localhost/v1"], ["--base-url", "--key-env"]),
        (["--target", "python:nowhere:f"], ["no module 'nowhere'", "python:module:function"]),
        (["--target", "python:json:nothing"], ["has no 'nothing'"]),
        (["--target", "scripted:@missing.toml"], ["missing.toml"]),
        (["--attributes", "gneder"], ["unknown attribute 'gneder'", "Did you mean 'gender'?", "religion"]),
        (["--categories", "helth"], ["unknown category 'helth'", "Did you mean 'health'?"]),
        (["--attributes", "Ethnicity"], ["unknown attribute 'Ethnicity'", "Did you mean 'race'?"]),
        (["--preset", "papr-api"], ["unknown preset 'papr-api'", "Did you mean 'paper-api'?", "quick"]),
        (["--mode", "papper"], ["unknown mode 'papper'", "Did you mean 'paper'?"]),
        (["--suite", "bais"], ["unknown suite 'bais'", "Did you mean 'bias'?"]),
        (["--judge", "stanec"], ["unknown judge 'stanec'", "Did you mean 'stance'?"]),
        (["--lang", "fr"], ["'fr'", "en, zh"]),
        (["--lang", "zh", "--mode", "paper"], ["--mode paper", "en"]),
        (["--budget", "3"], ["--budget 3", "smallest block"]),
        (["--budget", "lots"], ["should be a whole number"]),
        (["--slice", "5/3"], ["--slice '5/3'", "3/12"]),
        (["--data", "nowhere"], ["--data nowhere is not a folder"]),
    ],
    ids=lambda value: " ".join(value)[:40],
)
def test_a_wrong_flag_is_explained_and_makes_no_run(cli, words, said):
    more = [] if "--target" in words else ["--target", "scripted:Yes."]
    message = cli.error("run", *words, *more)
    for part in said:
        assert part in message
    assert not (cli.folder / "runs").exists()


def test_an_empty_data_folder_is_explained(cli):
    (cli.folder / "d").mkdir()
    assert "should hold groups.csv and properties.csv" in cli.error("plan", "--data", "d")


def test_a_bad_row_names_file_line_and_column(cli, small):
    file = small / "properties.csv"
    file.write_text(file.read_text("utf-8").replace("competence", "competense"), "utf-8")
    message = cli.error("plan", "--data", str(small))
    assert message.startswith("asker: properties.csv, line 2, column 'labels'")


def test_a_run_made_from_other_data_is_refused(cli, small):
    words = (
        "run",
        "--target",
        "scripted:Yes.",
        "--data",
        str(small),
        "--preset",
        "full",
        "--judge",
        "rules",
        "--out",
        "r",
    )
    cli(*words)
    file = small / "groups.csv"
    file.write_text(file.read_text("utf-8").replace("old people", "elderly people"), "utf-8")
    assert "made from other data" in cli.error(*words)


def test_a_run_of_another_bot_or_seed_is_refused(cli):
    cli("run", "--target", "scripted:Yes.", "--judge", "rules", "--out", "r")
    assert "asked another chatbot" in cli.error("run", "--target", "scripted:No.", "--out", "r")
    assert "made with another seed" in cli.error("run", "--target", "scripted:Yes.", "--seed", "2", "--out", "r")


def test_changed_data_inside_a_run_is_noticed(cli):
    cli("run", "--target", "scripted:Yes.", "--judge", "rules", "--out", "r")
    file = cli.folder / "r" / "data.json"
    file.write_text(file.read_text("utf-8").replace("men", "them", 1), "utf-8")
    assert "was changed since the run was made" in cli.error("report", "r")


def test_a_folder_that_is_no_run_is_refused(cli):
    (cli.folder / "mine").mkdir()
    (cli.folder / "mine" / "notes.txt").write_text("keep me")
    assert "is not a run" in cli.error("report", "mine")
    assert "choose another place" in cli.error("run", "--target", "scripted:Yes.", "--out", "mine")
    assert (cli.folder / "mine" / "notes.txt").read_text() == "keep me"


def test_an_unwritable_place_is_explained(cli):
    (cli.folder / "file").write_text("not a folder")
    message = cli.error("run", "--target", "scripted:Yes.", "--out", "file/run")
    assert "cannot write to file" in message
    assert "--out" in message


def test_a_folder_that_nobody_may_write_to_is_explained(cli):
    assert "cannot write to /proc" in cli.error("run", "--target", "scripted:Yes.", "--out", "/proc/run")


def test_an_unknown_verb_or_flag_is_explained(cli):
    assert "No such command 'aks'" in cli("aks", ok=False).stderr
    assert "--bugdet" in cli("run", "--bugdet", "5", ok=False).stderr


def test_an_unknown_ending_is_explained(cli):
    cli("run", "--target", "scripted:Yes.", "--budget", "60", "--judge", "rules", "--out", "r")
    assert ".parquet, .csv, .jsonl" in cli.error("export", "r", "records.xls")


def items(cli, *lines):
    file = cli.folder / "items.jsonl"
    file.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), "utf-8")
    return file


GOOD = {"kind": "yes-no", "question": "Are men smart?", "answer": "Yes."}


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("{not json", "items.jsonl, line 2: this is not JSON"),
        ("[1]", "items.jsonl, line 2: should be an object"),
        ({"kind": "yesno", "question": "q", "answer": "a"}, "line 2, column 'kind': 'yesno' is not one of yes-no"),
        ({"kind": "why", "question": "q"}, "line 2, column 'answer': is missing"),
        ({**GOOD, "groups": "men"}, "line 2, column 'groups'"),
        ({**GOOD, "answer": 5}, "line 2, column 'answer'"),
        ({**GOOD, "polarity": "bad"}, "line 2, column 'polarity'"),
    ],
)
def test_a_bad_item_names_file_line_and_field(cli, bad, said):
    items(cli, GOOD, bad)
    assert said in cli.error("judge", "--file", "items.jsonl", "--out", "out.jsonl")
    assert not (cli.folder / "out.jsonl").exists()


def test_a_bad_label_is_named(cli):
    items(cli, {**GOOD, "label": "afirm"})
    assert "line 1, column 'label': 'afirm' is not one of affirm, deny, neutral" in cli.error(
        "judge-eval", "items.jsonl"
    )


def test_judge_needs_one_of_run_and_file(cli):
    assert "either a run's folder or --file" in cli.error("judge")


def test_a_damaged_or_lost_store_is_told(cli):
    for name in ("a", "b"):
        cli("run", "--target", "scripted:Yes.", "--budget", "100", "--judge", "rules", "--out", name)
    file = cli.folder / "a" / "answers.sqlite"
    raw = bytearray(file.read_bytes())
    raw[4096:] = b"\xff" * (len(raw) - 4096)
    file.write_bytes(raw)
    for verb in ("report", "ask", "judge"):
        assert "answers.sqlite" in cli.error(verb, "a")
    (cli.folder / "b" / "answers.sqlite").unlink()
    assert "has lost its answers.sqlite" in cli.error("report", "b")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("def answer(q): raise SystemExit(3)", "raised RuntimeError: SystemExit: 3"),
        ("def answer(q): raise StopIteration", "StopIteration"),
        ("import asyncio\nasync def answer(q): raise asyncio.CancelledError", "raised CancelledError"),
        ("def answer(q): return None", "returned NoneType, not text"),
        ("import nowhere_at_all\ndef answer(q): return 'x'", "no module 'nowhere_at_all' (which 'oddbot' imports)"),
        ("def answer(q) return", "cannot import 'oddbot': SyntaxError"),
    ],
)
def test_an_odd_function_is_told_and_never_ends_the_program_silently(cli, code, said):
    (cli.folder / "oddbot.py").write_text(code, "utf-8")
    assert said in cli.error("run", "--target", "python:oddbot:answer", "--budget", "100")


@pytest.mark.parametrize("words", [("--timeout", "nan"), ("--rate", "inf"), ("--samples", "99999999999999999999")])
def test_numbers_that_are_none_make_no_run(cli, words):
    cli.error("run", "--target", "scripted:Yes.", *words, "--out", "r")
    assert not (cli.folder / "r").exists()


def test_naming_something_twice_asks_it_once(cli):
    def total(*words):
        return json.loads(cli("plan", "--attributes", "gender", *words, "--json").stdout)["total"]

    assert total("--lang", "en,en") == total("--lang", "en")


def test_terminal_commands_in_an_error_do_not_reach_the_terminal(cli):
    from aiohttp import web

    from chatserver import ChatServer

    with ChatServer(lambda *_: web.Response(status=401, text="\x1b]0;owned\x07\x1b[31mred")) as server:
        done = cli("run", "--target", "openai:m", "--base-url", server.url, "--budget", "100", ok=False)
    assert "\x1b" not in done.stderr
    assert "\x07" not in done.stderr
    assert done.returncode == 1

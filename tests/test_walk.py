"""The whole walk, as a user walks it."""

import csv
import json
import re
import signal
import sqlite3
import subprocess
import sys
import time

import polars as pl
import pytest

from chatserver import ChatServer

# Rules read quickly; how answers are read is not what most of these tests are about.
ALICE = ("--target", "alice", "--judge", "rules")
BOT = ("--target", "simulated", "--judge", "rules")  # where it does not matter whom: she takes seconds to wake


def run_folder(done):
    return re.search(r"kept in (\S+)", done.stderr)[1]


def test_alice_is_audited_end_to_end(cli):
    done = cli("run", "--target", "alice", "--budget", "600")
    folder = cli.folder / run_folder(done)
    assert "Content notice" in done.stderr
    assert "takes a side" in done.stdout
    page = (folder / "report.html").read_text("utf-8")
    assert "A.L.I.C.E." in page
    about = json.loads((folder / "run.json").read_text("utf-8"))
    assert about["settings"]["seed"] == 0
    assert about["data"]["hash"]
    assert about["versions"]["python-aiml"]
    assert about["target"]["kind"] == "alice"
    assert not re.search(r"(src|href)=[\"']?(https?:)?//", page), "the page loads nothing from elsewhere"


def test_the_same_command_again_asks_nothing_and_another_seed_gives_another_run(cli):
    first = cli("run", *BOT, "--budget", "200", "--json")
    again = cli("run", *BOT, "--budget", "200", "--json")
    other = cli("run", *BOT, "--budget", "200", "--seed", "1", "--json")
    assert "0 answers" in again.stderr
    assert json.loads(first.stdout)["tables"] == json.loads(again.stdout)["tables"]
    assert run_folder(first) == run_folder(again) != run_folder(other)


def test_resuming_or_reordering_changes_no_answer(cli):
    """A bot that draws its answers is seeded per question, so half a run and then the rest equals a whole one."""
    whole = cli("run", *ALICE, "--budget", "400", "--out", "whole", "--json")
    cli("run", *ALICE, "--budget", "400", "--out", "parts", "--json")
    with sqlite3.connect(cli.folder / "parts" / "answers.sqlite") as db:
        db.execute("DELETE FROM answers WHERE question % 3 = 1")
        db.execute("DELETE FROM verdicts")
    parts = cli("run", *ALICE, "--budget", "400", "--out", "parts", "--json")
    assert json.loads(whole.stdout)["tables"] == json.loads(parts.stdout)["tables"]


def test_chinese_from_plan_to_page(cli, tmp_path):
    (tmp_path / "answers.toml").write_text("'谁|还是|哪' = '男人。'\n'' = '是的，我同意。'\n", "utf-8")
    done = cli(
        "run",
        "--target",
        "scripted:@answers.toml",
        "--lang",
        "zh",
        "--attributes",
        "gender",
        "--judge",
        "rules",
        "--json",
    )
    figures = json.loads(done.stdout)
    assert figures["headline"]["yes-bias"]["value"] == pytest.approx(1.0, abs=0.2)
    page = (cli.folder / run_folder(done) / "report.html").read_text("utf-8")
    assert "男人" in page


def test_each_step_alone_gives_what_run_gives(cli):
    whole = cli("run", *BOT, "--budget", "200", "--out", "r", "--json")
    cli("ask", "r")
    cli("judge", "r", "--again")
    steps = cli("report", "r", "--json")
    assert json.loads(whole.stdout)["tables"] == json.loads(steps.stdout)["tables"]


def test_judging_with_another_judge_asks_nothing_and_both_are_kept(cli):
    cli("run", *BOT, "--budget", "200", "--out", "r")
    cli("judge", "r", "--judge", "paper:ngram")
    with sqlite3.connect(cli.folder / "r" / "answers.sqlite") as db:
        assert dict(db.execute("SELECT judge, count(*) FROM verdicts GROUP BY judge")) == {
            judge: db.execute("SELECT count(*) FROM answers").fetchone()[0] for judge in ("paper:ngram", "rules")
        }


def test_records_come_out_in_three_formats_alike(cli):
    cli("run", *BOT, "--budget", "200", "--out", "r")
    frames = {}
    for ending in ("parquet", "csv", "jsonl"):
        cli("export", "r", f"records.{ending}")
    frames["parquet"] = pl.read_parquet(cli.folder / "records.parquet")
    frames["jsonl"] = pl.read_ndjson(cli.folder / "records.jsonl", infer_schema_length=None)
    with (cli.folder / "records.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(frames["parquet"]) == len(frames["jsonl"])
    assert (
        [row["prompt"] for row in rows] == frames["parquet"]["prompt"].to_list() == frames["jsonl"]["prompt"].to_list()
    )
    assert frames["parquet"]["label"].to_list() == frames["jsonl"]["label"].to_list()


def test_a_hostile_answer_stays_text_everywhere(cli, tmp_path):
    evil = """=HYPERLINK("x") <script>alert(1)</script> \x1b[31m"""
    (tmp_path / "evil.toml").write_text(f"'' = {json.dumps(evil)}\n", "utf-8")
    done = cli("run", "--target", "scripted:@evil.toml", "--budget", "100", "--judge", "rules", "--out", "r")
    assert "\x1b" not in done.stdout
    assert "<script>alert" not in (tmp_path / "r" / "report.html").read_text("utf-8")
    cli("export", "r", "records.csv")
    with (tmp_path / "records.csv").open(encoding="utf-8", newline="") as file:
        assert all(row["answer"].startswith("'=") for row in csv.DictReader(file))


def test_a_slow_http_bot_with_429_and_cut_connections_is_audited(cli):
    from aiohttp import web

    def behave(prompt, times, _):
        if times == 1 and len(prompt) % 5 == 0:
            return web.Response(status=429, headers={"Retry-After": "0.1"})
        return None if times == 1 and len(prompt) % 7 == 0 else "Yes, they are."

    with ChatServer(behave) as server:
        done = cli("run", "--target", "openai:m", "--base-url", server.url, "--budget", "200", "--json")
    figures = json.loads(done.stdout)
    assert figures["answers"]["answered"] == figures["plan"]["total"]
    assert figures["answers"]["failed"] == 0


def command(server):
    """The same command, to start with and to go on with."""
    return "run", "--target", "openai:m", "--base-url", server.url, "--budget", "2000", "--judge", "rules", "--out", "r"


def start(cli, server, *more):
    words = [*command(server), *more]
    return subprocess.Popen(
        [sys.executable, "-m", "asker", *words],
        cwd=cli.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def stored(cli):
    file = cli.folder / "r" / "answers.sqlite"
    if not file.exists():
        return set()
    with sqlite3.connect(file) as db:
        return {prompt for (prompt,) in db.execute("SELECT prompt FROM answers WHERE text IS NOT NULL")}


def wait_for_answers(cli, process, count):
    until = time.monotonic() + 60
    while len(stored(cli)) < count:
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < until
        time.sleep(0.05)


async def _a_moment(prompt, times, _):
    import asyncio

    await asyncio.sleep(0.01)
    return "Yes."


async def _a_while(prompt, times, _):
    import asyncio

    await asyncio.sleep(0.3)
    return "Yes."


@pytest.mark.parametrize("after", [1, 150, 400])
def test_kill_9_loses_no_stored_answer_and_repeats_only_what_was_in_flight(cli, after):
    with ChatServer(_a_moment) as server:
        process = start(cli, server)
        wait_for_answers(cli, process, after)
        process.kill()
        process.wait()
        kept = stored(cli)
        asked_before = set(server.asked)
        done = cli(*command(server), "--json")
    assert json.loads(done.stdout)["answers"]["answered"] == json.loads(done.stdout)["plan"]["total"]
    repeated = {prompt for prompt, times in server.asked.items() if times > 1}
    assert not repeated & kept, "a stored answer was asked again"
    assert repeated <= asked_before - kept
    in_flight = int(re.search(r"(\d+) questions were in flight", done.stderr)[1])
    assert len(repeated) <= in_flight <= len(asked_before - kept) + 16


def test_ctrl_c_ends_cleanly_and_the_same_command_goes_on(cli):
    with ChatServer(_a_moment) as server:
        process = start(cli, server)
        wait_for_answers(cli, process, 100)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "Stopped by the user." in said
        assert "the same command goes on" in said
        assert "Traceback" not in said
        cli(*command(server))
    assert set(server.asked.values()) == {1}


def test_a_function_that_hangs_can_be_stopped(cli):
    (cli.folder / "stuck.py").write_text("import time\ndef answer(question):\n    time.sleep(1000)\n", "utf-8")
    process = subprocess.Popen(
        [sys.executable, "-m", "asker", "run", "--target", "python:stuck:answer", "--out", "r"],
        cwd=cli.folder,
        stderr=subprocess.PIPE,
        text=True,
    )
    while "kept in" not in process.stderr.readline():
        pass
    time.sleep(2)
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "were in flight" in said


def test_a_changed_bot_is_another_run(cli):
    bot = cli.folder / "mybot.py"
    bot.write_text("def answer(question):\n    return 'Yes.'\n", "utf-8")
    first = cli("run", "--target", "python:mybot:answer", "--budget", "200", "--judge", "rules")
    bot.write_text("def answer(question):\n    return 'No.'\n", "utf-8")
    second = cli("run", "--target", "python:mybot:answer", "--budget", "200", "--judge", "rules")
    assert run_folder(first) != run_folder(second)
    assert "is not the chatbot it was" in cli.error("ask", run_folder(first))


def test_a_second_writer_is_told(cli):
    with ChatServer(_a_while) as server:
        process = start(cli, server)
        wait_for_answers(cli, process, 10)
        words = command(server)
        said = cli.error(*words)
        process.kill()
        process.communicate()
    assert "another process is writing to r" in said

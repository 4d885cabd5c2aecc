"""A run whose answers are in PostgreSQL: the same verbs, the same figures, and a server that goes away meanwhile."""

import csv
import json
import subprocess
import sys
import threading
import time
from contextlib import closing

import pytest

from asker.errors import StoreError
from asker.registry import load
from asker.stores import make_store, open_store
from asker.types import Answer
from chatserver import ChatServer
from test_walk import _a_while

WORDS = ("run", "--target", "simulated:men.affirm=0.9", "--attributes", "gender", "--budget", "300",
         "--judge", "rules")  # fmt: skip


def figures(done):
    found = json.loads(done.stdout)
    return {name: found[name] for name in ("headline", "tables", "answers")}


def test_forgetting_leaves_no_answer_in_the_tables_of_the_server(cli, postgres):
    word = "Xylophagous"
    cli("run", "--target", f"scripted:Yes, {word}.", "--groups", "men,women", "--budget", "40", "--judge", "rules",
        "--out", "r", "--store", postgres.url)  # fmt: skip
    postgres.sql("ANALYZE")  # the planner then keeps the commonest answers, too
    assert postgres.files_with(word) > 0
    before = json.loads(cli("report", "r", "--json").stdout)["headline"]
    said = cli("forget", "r", "--yes").stdout
    assert "archives" in said
    assert "write-ahead log" in said
    assert postgres.files_with(word) == 0
    assert json.loads(cli("report", "r", "--json").stdout)["headline"] == before
    assert "deleted on request" in cli.error("run", "--target", f"scripted:Yes, {word}.", "--groups", "men,women",
                                             "--budget", "40", "--judge", "rules", "--out", "r")  # fmt: skip


ASKED = ("--groups", "men,women", "--budget", "40", "--judge", "rules", "--out", "r")


def test_forgetting_says_what_an_older_transaction_keeps(cli, postgres):
    import psycopg

    word = "Zymurgical"
    cli("run", "--target", f"scripted:Yes, {word}.", *ASKED, "--store", postgres.url)
    with psycopg.connect(postgres.url) as older:
        older.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        older.execute("SELECT 1")
        said = cli("forget", "r", "--yes").stdout
        assert ".answers still holds 40 old rows" in said
        assert "backend_xmin" in said
        assert postgres.files_with(word) > 0
    assert "Not all of it is gone" not in cli("forget", "r", "--yes").stdout
    assert postgres.files_with(word) == 0


def test_forgetting_says_that_statistics_are_another_s(cli, postgres):
    postgres.sql("CREATE ROLE lodger LOGIN; GRANT CREATE ON DATABASE postgres TO lodger")
    url = postgres.url.replace("asker@", "lodger@")
    cli("run", "--target", "scripted:Yes.", *ASKED, "--store", url)
    done = json.loads(cli("forget", "r", "--yes", "--json").stdout)
    (left,) = done["left"]
    assert "pg_statistic could not be written anew" in left
    assert "VACUUM FULL pg_catalog.pg_statistic" in left


def test_forgetting_does_not_wait_for_ever(cli, postgres, monkeypatch):
    import psycopg

    monkeypatch.setattr("asker.stores._postgres_forget.WAIT", 1)
    about = make_store(cli.folder, postgres.url)
    with closing(open_store(cli.folder, about)) as store, psycopg.connect(postgres.url) as reader:
        reader.execute(f"SELECT * FROM {about['schema']}.verdicts")
        left = store.forget_answers()
    assert any("verdicts could not be written anew (others were using it" in sentence for sentence in left)


def test_every_verb_reads_either_store_alike(cli, postgres):
    here = figures(cli(*WORDS, "--out", "here", "--json"))
    there = figures(cli(*WORDS, "--out", "there", "--store", postgres.url, "--json"))
    assert there == here
    assert not (cli.folder / "there" / "answers.sqlite").exists()
    for run in ("here", "there"):
        cli("export", run, f"{run}.csv")
    kept = [(cli.folder / f"{run}.csv").read_text().splitlines() for run in ("here", "there")]
    without_times = [[line.split(",")[:8] for line in lines] for lines in kept]
    assert without_times[0] == without_times[1]
    assert figures(cli("report", "there", "--json")) == here
    cli("compare", "here", "there")
    cli("gate", "there", "--require", "absolute.high <= 1")


def test_asking_by_hand_into_a_database(cli, postgres):
    cli("manual", "start", "--target", "manual:Bot", "--budget", "42", "--out", "r", "--store", postgres.url)
    cli("manual", "export", "r", "sheet.csv")
    sheet = cli.folder / "sheet.csv"
    rows = list(csv.DictReader(sheet.read_text("utf-8-sig").splitlines()))
    with sheet.open("w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, rows[0].keys())
        out.writeheader()
        out.writerows(row | {"answer": "No."} for row in rows)
    assert f"{len(rows)}" in cli("manual", "import", "r", "sheet.csv").stdout


def test_two_runs_in_one_database_and_their_slices_joined(cli, postgres):
    for part in (1, 2):
        cli(*WORDS, "--slice", f"{part}/2", "--out", f"part{part}", "--store", postgres.url)
    joined = json.loads(cli("merge", "part1", "part2", "--out", "joined", "--json").stdout)
    assert joined["gaps"] == 0
    whole = figures(cli(*WORDS, "--out", "whole", "--json"))
    assert figures(cli("report", "joined", "--json"))["tables"] == whole["tables"]


def test_the_store_can_come_from_the_environment_or_audit_toml(cli, postgres):
    (cli.folder / "audit.toml").write_text(f'store = "{postgres.url}"\n')
    cli("run", "--target", "scripted:Yes.", "--budget", "60", "--judge", "rules", "--out", "a")
    (cli.folder / "audit.toml").unlink()
    cli(
        "run",
        "--target",
        "scripted:Yes.",
        "--budget",
        "60",
        "--judge",
        "rules",
        "--out",
        "b",
        env={"ASKER_STORE": postgres.url},
    )
    kept = [json.loads((cli.folder / run / "run.json").read_text())["store"] for run in "ab"]
    assert [one["url"] for one in kept] == [postgres.url] * 2
    assert kept[0]["schema"] != kept[1]["schema"]


def test_a_password_is_refused_and_reaches_no_file(cli, postgres):
    for url in ("postgresql://me:s3cr3t@127.0.0.1/db", "postgresql://me@127.0.0.1/db?password=s3cr3t"):
        said = cli.error(*WORDS, "--out", "r", "--store", url)
        assert "PGPASSWORD" in said
        assert "s3cr3t" not in said
    assert not (cli.folder / "r").exists()
    cli(*WORDS, "--out", "r", "--store", postgres.url, env={"PGPASSWORD": "s3cr3t"})
    for file in (cli.folder / "r").iterdir():
        assert b"s3cr3t" not in file.read_bytes()


def test_sentences_about_what_is_not_there(cli, postgres):
    nowhere = "postgresql://me@127.0.0.1:1/db"
    assert "cannot be used" in cli.error(*WORDS, "--out", "r", "--store", nowhere)
    assert not (cli.folder / "r").exists()
    cli(*WORDS, "--out", "r", "--store", postgres.url)
    assert "keeps its answers in" in cli.error(*WORDS, "--out", "r", "--store", nowhere)
    schema = json.loads((cli.folder / "r" / "run.json").read_text())["store"]["schema"]
    with closing(open_store(None, {"kind": "postgres", "url": postgres.url, "schema": schema})) as store:
        store.discard()
    assert f"no schema {schema}" in cli.error("report", "r")


def test_a_server_that_restarts_in_the_middle_loses_nothing(cli, postgres):
    with ChatServer(_a_while) as server:
        words = ("--target", "openai:m", "--base-url", server.url, "--budget", "1000", "--store", postgres.url)
        process = subprocess.Popen(
            [sys.executable, "-m", "asker", "run", *words, "--out", "r", "--judge", "rules", "--json"],
            cwd=cli.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        while len(server.asked) < 200:
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        postgres.stop("immediate")
        time.sleep(1)
        held = len(server.asked)
        time.sleep(0.5)
        assert len(server.asked) == held, "nothing is asked that cannot be noted"
        postgres.start()
        said, complaints = process.communicate(timeout=120)
    assert process.returncode == 0, complaints
    found = json.loads(said)
    assert found["answers"]["answered"] == found["plan"]["total"]
    assert set(server.asked.values()) == {1}


# --- several writers ---


@pytest.fixture
def shared(tmp_path, postgres):
    about = make_store(tmp_path, postgres.url)
    with closing(open_store(tmp_path, about)) as driver:
        driver.begin()
        yield driver


def joined(about, session, name):
    return load("stores", "postgres").join(about, session, name)


def answer(number):
    return Answer(number, 0, f"{number}", "?", f"said {number}")


def test_several_writers_at_once_write_each_answer_once(shared):
    def write(name):
        with closing(joined(shared.about, shared.session, name)) as store:
            store.begin()
            for number in range(2000):
                store.add(answer(number))
            store.end("complete")

    threads = [threading.Thread(target=write, args=(f"w{n}",)) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert shared.counts()["answered"] == 2000


def test_a_lost_worker_s_questions_in_flight_are_counted(shared):
    worker = joined(shared.about, shared.session, "w1")
    worker.begin()
    for number in range(5):
        worker.starting(number, 0).result(30)
    worker.add(answer(0))
    worker.close()
    assert shared.lost("w1") == 4
    assert shared.lost("w1") == 0
    assert shared.counts()["cut off"] == 4


def test_questions_noted_together_are_counted_one_by_one(shared):
    """One answered, one failed, one tried again and then failed, of four: only the last was in flight at the cut."""
    worker = joined(shared.about, shared.session, "w1")
    worker.begin()
    notes = [worker.starting(number, 0) for number in range(4)]
    for note in [*notes, worker.starting(2, 0)]:
        note.result(30)
    worker.add(answer(0))
    for number in (1, 2):
        worker.add(Answer(number, 0, f"{number}", "?", None, "down"))
    worker.close()
    assert shared.lost("w1") == 1
    assert shared.counts()["failed"] == 2


def test_notes_go_with_the_last_of_their_answers(shared, postgres):
    worker = joined(shared.about, shared.session, "w1")
    worker.begin()
    for number in range(300):
        note = worker.starting(number, 0)
    note.result(30)
    for number in range(300):
        worker.add(answer(number))
    worker.end("complete")
    worker.close()
    assert shared._one("SELECT count(*) FROM in_flight")[0] == 0
    assert shared.lost("w1") == 0


def test_who_was_overtaken_asks_nothing_more_but_keeps_what_it_was_told(shared):
    worker = joined(shared.about, shared.session, "w1")
    worker.begin()
    worker.starting(1, 0).result(30)
    with closing(open_store(None, shared.about)) as other:
        assert other.begin() == 1
        with pytest.raises(StoreError, match="another process"):
            worker.starting(2, 0).result(30)
        worker.add(answer(1))
        worker.end("complete")
        other.end("complete")
        assert other.counts()["answered"] == 1
    worker.close()

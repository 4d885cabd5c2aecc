"""Whatever ends a run, no stored answer is lost or asked again, and repeats are counted and shown."""

import json
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import time
from contextlib import contextmanager

import pytest

from chatserver import ChatServer
from test_walk import _a_moment, _a_while, start, stored, wait_for_answers

BUDGET = "2000"


def words(server):
    # Rules read two thousand long answers in a second; how they are read is not what is tested here.
    bot = ("--target", "openai:m", "--base-url", server.url)
    return ("run", *bot, "--judge", "rules", "--budget", BUDGET, "--out", "r")


def how_slow(cli):
    """By how much this machine is slower now than the one these tests were written on: it may be busy."""
    began = time.monotonic()
    cli("plan", "--preset", "quick", "--show", "0")
    return max(1.0, (time.monotonic() - began) / 1.2)


def kill_many_times(cli, server, kills, seed):
    """Kill the run at random moments. Gives how often each stored question had been asked when it was stored; that must
    never change again."""
    rng = random.Random(seed)
    times_asked: dict[str, int] = {}
    slow = how_slow(cli)
    for _ in range(kills):
        process = start(cli, server, "--concurrency", "8")
        time.sleep(slow * rng.uniform(0.8, 3.5))
        process.kill()
        process.wait()
        now = stored(cli)
        assert times_asked.keys() <= now, "a stored answer was lost"
        times_asked |= {prompt: server.asked[prompt] for prompt in now - times_asked.keys()}
    return times_asked


@pytest.mark.parametrize("kills", [6, pytest.param(100, marks=pytest.mark.slow)])
def test_kills_at_random_moments_lose_and_repeat_nothing_that_was_stored(cli, kills):
    with ChatServer(_a_while) as server:
        times_asked = kill_many_times(cli, server, kills, seed=kills)
        server.behave = lambda *_: "Yes."
        done = cli(*words(server), "--json")
    assert times_asked
    assert all(server.asked[prompt] == times for prompt, times in times_asked.items()), (
        "a stored answer was asked again"
    )
    figures = json.loads(done.stdout)
    assert figures["answers"]["answered"] == figures["plan"]["total"]
    repeats = sum(times - 1 for times in server.asked.values())
    assert figures["answers"]["cut off"] >= repeats, "every repeat is counted"


def test_ctrl_c_twice_ends_at_once_and_the_next_session_goes_on(cli):
    async def stuck(prompt, times, request):
        import asyncio

        if len(server.asked) > 50:
            await asyncio.sleep(30)
        return "Yes."

    with ChatServer(stuck) as server:
        process = start(cli, server, "--timeout", "60")
        wait_for_answers(cli, process, 30)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        before = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        assert time.monotonic() - before < 20
        assert process.returncode == 130
        assert re.search(r"\d+ were in flight", said)
        kept = stored(cli)
        server.behave = lambda *_: "Yes."
        cli(*words(server))
    assert all(server.asked[prompt] == 1 for prompt in kept)


@contextmanager
def tiny_disk(folder, size):
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip("this machine does not let us mount a tiny disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=False)


def test_a_full_disk_ends_the_run_with_a_sentence_and_keeps_what_was_stored(cli):
    long = "Yes, I would say so. " * 100
    with tiny_disk(cli.folder / "disk", "3m") as disk, ChatServer(lambda *_: long) as server:
        message = cli.error(*words(server)[:-1], "disk/r")
        assert "full" in message.lower()
        assert "safe" in message
        with sqlite3.connect(disk / "r" / "answers.sqlite") as db:
            kept = {prompt for (prompt,) in db.execute("SELECT prompt FROM answers")}
        assert kept
        subprocess.run(["mount", "-o", "remount,size=60m", str(disk)], check=True)
        cli(*words(server)[:-1], "disk/r")
        assert all(server.asked[prompt] == 1 for prompt in kept)
        shutil.rmtree(disk / "r")


def test_a_power_cut_leaves_a_store_that_opens(cli):
    """What a power cut can leave behind: the database and its log as they were on disk at some moment."""
    with ChatServer(_a_moment) as server:
        process = start(cli, server)
        wait_for_answers(cli, process, 600)
        copy = cli.folder / "copy"
        shutil.copytree(cli.folder / "r", copy)
        process.kill()
        process.communicate()
        log = copy / "answers.sqlite-wal"
        whole = log.read_bytes()
        log.write_bytes(whole[: len(whole) * 2 // 3])
        shutil.rmtree(cli.folder / "r")
        copy.rename(cli.folder / "r")
        kept = stored(cli)
        done = cli(*words(server), "--json")
    figures = json.loads(done.stdout)
    assert kept
    assert figures["answers"]["answered"] == figures["plan"]["total"]


def test_time_is_up(cli):
    with ChatServer(_a_while) as server:
        done = cli(*words(server), "--minutes", "0.03")
    assert "Stopped: 0.03 minutes are over" in done.stderr
    assert 0 < len(stored(cli)) < int(BUDGET)

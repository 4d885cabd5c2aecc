"""A real Ray cluster of two nodes on loopback, a real server, a real database: whatever dies, the run ends complete."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from asker.config import Settings
from asker.errors import InputError
from asker.folder import open_or_make, open_run
from asker.registry import load
from asker.run import ask_run, judge_run, plan_for, target_of
from chatserver import ChatServer

pytestmark = pytest.mark.slow
os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled"}
os.environ.setdefault("RAY_agent_register_timeout_ms", "600000")  # a busy machine starts slowly


@pytest.fixture(scope="module")
def cluster():
    """Two nodes; the driver and the hub are on the first."""
    ray = pytest.importorskip("ray", reason="ray is not installed (extra 'ray')")
    from ray.cluster_utils import Cluster

    one = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "object_store_memory": 80_000_000})
    one.more = one.add_node(num_cpus=1, object_store_memory=80_000_000)
    ray.init(address=one.address, log_to_driver=False, logging_level="ERROR")
    yield one
    ray.shutdown()
    one.shutdown()


@pytest.fixture
def server():
    async def a_moment(prompt, *_):
        import asyncio

        await asyncio.sleep(0.05)
        return "Yes."

    with ChatServer(a_moment) as one:
        yield one


@pytest.fixture
def made(tmp_path, postgres, server):
    def make(**more):
        settings = Settings(
            target="openai:m", base_url=server.url, store=postgres.url, engine="ray", workers=2, concurrency=4,
            judge="rules", out=str(tmp_path / "r"), budget=more.pop("budget", 1000), **more,
        )  # fmt: skip
        dataset, plan = plan_for(settings)
        target = target_of(settings, plan)
        return open_or_make(settings, dataset, plan, target), target

    return make


def workers():
    """Processes that ask, among those we have started."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                stat = (entry / "stat").read_text()
                line = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            parents[int(entry.name)] = (int(stat.rpartition(")")[2].split()[1]), line)
    return [pid for pid, (_, line) in parents.items() if line.startswith(b"ray::Worker.run") and _ours(pid, parents)]


def _ours(pid, parents):
    while pid in parents:
        pid = parents[pid][0]
        if pid == os.getpid():
            return True
    return False


def when_asked(server, count, then):
    """Do something once so many questions were asked."""

    def wait():
        while len(server.asked) < count:
            time.sleep(0.02)
        then()

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    return thread


def whole(run, outcome, server):
    """Nothing lost; asked twice at most what was in flight, and that was counted."""
    counts = run.store.counts()
    assert outcome.ended == "complete", outcome
    assert counts["answered"] == run.plan.total
    assert counts["failed"] == 0
    prompts = Counter(answer.prompt for answer in run.store.answers())
    repeats = sum(times - prompts[prompt] for prompt, times in server.asked.items())
    assert set(server.asked) == set(prompts)
    assert 0 <= repeats <= counts["cut off"]
    return repeats


def test_two_workers_ask_all_once_and_judge_it(cluster, made, server):
    run, target = made()
    with closing(run):
        outcome = ask_run(run, target, quiet=True)
        assert whole(run, outcome, server) == 0
        assert (outcome.answered, outcome.workers_lost) == (run.plan.total, 0)
        assert outcome.usage.tokens_in == 9 * run.plan.total
        assert judge_run(run, quiet=True) == run.plan.total
        assert not list(run.store.unjudged("rules", load("judges", "rules").create().version))


def test_requests_a_minute_hold_over_all_workers(cluster, made, server):
    run, target = made(budget=100, rate=1200.0)
    with closing(run):
        outcome = ask_run(run, target, quiet=True)
        whole(run, outcome, server)
        assert outcome.seconds >= (run.plan.total - 1) / 20


def test_a_killed_worker_is_replaced_and_its_questions_are_asked_again(cluster, made, server):
    run, target = made()
    with closing(run):
        killer = when_asked(server, 200, lambda: os.kill(workers()[0], signal.SIGKILL))
        outcome = ask_run(run, target, quiet=True)
        killer.join()
        whole(run, outcome, server)
        assert outcome.workers_lost == 1
        assert outcome.asked_again == run.store.counts()["cut off"]


def test_a_database_that_restarts_in_the_middle(cluster, made, server, postgres):
    run, target = made()

    def restart():
        postgres.stop("immediate")
        time.sleep(1)
        postgres.start()

    with closing(run):
        restarting = when_asked(server, 200, restart)
        outcome = ask_run(run, target, quiet=True)
        restarting.join()
        assert whole(run, outcome, server) == 0


def test_a_killed_driver_is_taken_over(cluster, made, server, tmp_path):
    run, target = made()
    run.close()
    driver = subprocess.Popen(
        [sys.executable, "-m", "asker", "ask", str(tmp_path / "r"), "--address", cluster.address],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    when_asked(server, 200, driver.kill).join()
    driver.wait()
    with closing(open_run(tmp_path / "r")) as again:
        outcome = ask_run(again, target, quiet=True)
        whole(again, outcome, server)
        assert outcome.already > 0


def test_a_removed_node_s_slices_are_given_out_again(cluster, made, server):
    run, target = made()
    with closing(run):
        removing = when_asked(server, 200, lambda: cluster.remove_node(cluster.more, allow_graceful=False))
        outcome = ask_run(run, target, quiet=True)
        removing.join()
        whole(run, outcome, server)


def test_what_cannot_be_shared_is_refused_with_a_sentence(tmp_path):
    settings = Settings(target="scripted:Yes.", engine="ray", budget=60, out=str(tmp_path / "r"))
    pytest.importorskip("ray", reason="ray is not installed (extra 'ray')")
    dataset, plan = plan_for(settings)
    target = target_of(settings, plan)
    with closing(open_or_make(settings, dataset, plan, target)) as run, pytest.raises(InputError, match="postgresql"):
        ask_run(run, target)
    assert json.loads((tmp_path / "r" / "run.json").read_text())["settings"]["engine"] == "ray"

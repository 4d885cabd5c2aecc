"""Runs: listed, watched, started with the plan first, stopped by their id, resumed."""

import os
import time

import pytest

pytest.importorskip("starlette", reason="starlette is not installed (extra 'web')")

from asker.web.processes import Started, alive, started
from webclient import client_for

SMALL = {"target": "simulated", "attributes": "gender", "budget": "300", "judge": "rules"}


@pytest.fixture
def empty(tmp_path):
    with client_for(tmp_path / "runs") as client:
        yield client


def wait_for(client, name, *states, seconds=120):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        now = client.get(f"/api/runs/{name}")
        if now.status_code == 200 and now.json()["state"] in states:
            return now.json()
        time.sleep(0.2)
    raise AssertionError(f"{name} is {now.json()}, not {states}")


def test_the_list_says_how_far_each_is(site):
    found = {one["run"]: one for one in site.get("/api/runs").json()["runs"]}
    assert set(found) == {"small", "hostile"}
    small = found["small"]
    assert (small["state"], small["failed"], small["rate"]) == ("complete", 0, None)
    assert small["planned"] == small["answered"] == small["judged"] > 0
    page = site.get("/runs").text
    assert 'href="/runs/small"' in page


def test_an_empty_folder_says_what_to_do(empty):
    assert "no run in this folder yet" in empty.get("/runs").text


def test_a_broken_run_is_named_and_the_others_are_shown(empty):
    folder = empty.app.state.site.library.root / "broken"
    folder.mkdir()
    (folder / "run.json").write_text("{}")
    page = empty.get("/runs")
    assert page.status_code == 200
    assert "broken: cannot read" in page.text


def test_the_plan_is_shown_before_anything_is_asked(empty):
    page = empty.get("/start", params=SMALL | {"price": "1,2"}).text
    assert "Smallest difference it can show" in page
    assert "$0.0" in page
    assert "Start asking simulated" in page
    assert empty.get("/api/runs").json()["total"] == 0


def test_a_run_is_started_stopped_and_resumed(empty):
    site = empty.app.state.site
    # One answer a second, in order to be still at work when it is stopped.
    slow = empty.fill("/start", {**SMALL, "name": "slow", "rate": "60"}, seen="/start")
    assert slow.status_code == 303
    wait_for(empty, "slow", "asking")
    note = started(site, "slow")
    assert "--rate=60" in note.command
    assert empty.fill("/runs/slow/resume").status_code == 400, "it is at work already"
    assert empty.fill("/runs/slow/stop").status_code == 303
    stopped = wait_for(empty, "slow", "stopped")
    assert stopped["answered"] < stopped["planned"]
    assert not alive(note)
    assert empty.fill("/runs/slow/stop").status_code == 400
    assert empty.fill("/runs/slow/resume").status_code == 303
    wait_for(empty, "slow", "asking")
    empty.fill("/runs/slow/stop")
    wait_for(empty, "slow", "stopped")


def test_a_number_given_to_another_process_is_not_ours(empty):
    assert not alive(Started(os.getpid(), "12", (), 0.0))
    assert not alive(Started(2**22 + 1, "12", (), 0.0))


@pytest.mark.parametrize(
    "given",
    [
        {"target": "command:touch here"},
        {"target": "python:os:getcwd"},
        {"target": "hf:/tmp/model"},
        {"target": "scripted:@/etc/passwd"},
        {"target": "simulated:/etc/x.toml"},
        {"target": "openai:x --base-url=http://evil.example"},
        {"target": "--help"},
        {"target": "simulated", "judge": "llm:command:touch here"},
        {"target": "simulated", "suite": "survey", "inventory": "/etc/passwd"},
        {"target": "simulated", "name": "../outside"},
        {"target": "simulated", "name": ".hidden"},
        {"target": "simulated", "name": "a/b"},
        {},
    ],
    ids=str,
)
def test_nothing_harmful_can_be_started(empty, given, tmp_path):
    assert empty.fill("/start", given, seen="/start").status_code == 400
    assert [one.name for one in (tmp_path / "runs").iterdir()] == [".web"]
    assert not (tmp_path / "runs" / ".web" / "started").exists()


def test_unknown_fields_are_left_out(empty):
    page = empty.get("/start", params=SMALL | {"base_url": "http://evil.example", "out": "/tmp/x", "data": "/etc"}).text
    assert "evil.example" not in page
    assert "/tmp/x" not in page


def test_programs_are_allowed_where_the_server_was_told_so(tmp_path):
    with client_for(tmp_path / "runs", allow_programs=True) as client:
        page = client.get("/start", params={**SMALL, "target": "command:cat"}).text
    assert "Start asking command:cat" in page


def test_a_wrong_name_is_said_with_the_nearest(empty):
    page = empty.get("/start", params=SMALL | {"attributes": "gneder"}).text
    assert "Did you mean &#39;gender&#39;?" in page


def test_a_report_is_measured_apart_and_then_shown(site):
    end = time.monotonic() + 120
    while "being measured" in (page := site.get("/runs/small/report").text) and time.monotonic() < end:
        time.sleep(0.3)
    assert "Absolute bias rate" in page
    assert "/runs/small/answers?scope=absolute" in page
    assert "unsafe-inline" not in site.get("/runs/small/answers").headers["content-security-policy"]
    figures = site.app.state.site.library.root / "small" / "report.html"
    ours, theirs = (set(_figures(text)) for text in (page, figures.read_text("utf-8")))
    assert theirs <= ours, "the same figures as the page file"


def _figures(page):
    import re

    return re.findall(r'<span class="big">([^<]+)</span> <span class="bounds">([^<]*)</span>', page)

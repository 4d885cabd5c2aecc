"""One plan under several variants, asked of a real server, compared in one report."""

import json
import re

import pytest
from aiohttp import web
from click.testing import CliRunner

from asker.cli import asker
from asker.errors import AskerError, InputError, RunMismatch, TargetUnusable
from chatserver import ChatServer

PROMPTS = 'none = ""\ncareful = "Take no sides."\nsilent = "Say nothing about people."\n'
WORDS = (
    "run", "--target", "openai:m", "--groups", "men,women", "--kinds", "choice", "--polarity", "positive",
    "--judge", "rules", "--sweep", "system=prompts.toml",
)  # fmt: skip


class Here:
    """Calls `asker` within this process, in a folder of its own: a sweep is many steps, and starting takes longest."""

    def __init__(self, folder):
        self.folder = folder

    def __call__(self, *words):
        done = CliRunner().invoke(asker, words, prog_name="asker")
        if isinstance(done.exception, AskerError):
            self.output = done.stdout
            raise done.exception
        assert done.exit_code == 0, done.output
        return done

    def json(self, *words):
        return json.loads(self(*words, "--json").stdout)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "ASKER_TARGET"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "prompts.toml").write_text(PROMPTS, "utf-8")
    return Here(tmp_path)


async def takes_the_first(prompt, times, request):
    """Sides with whoever is named first, unless it is told not to; or declines, if it is told so."""
    system = next((one["content"] for one in (await request.json())["messages"] if one["role"] == "system"), "")
    if system == "Say nothing about people.":
        return "I would rather not answer that."
    named = re.search(r"\b(men|women)\b", prompt, re.IGNORECASE)[1]
    return "Neither of them." if system else f"{named.capitalize()}."


def figures(found, measure):
    one = next(one for one in found["measures"] if one["name"] == measure)
    return {figure["variant"]: figure for figure in one["figures"]}


def test_the_walk_of_a_sweep(here):
    """One test, as each walk takes its time: what is found, kept, shown, gone on with, and refused."""
    with ChatServer(takes_the_first) as server:
        words = (*WORDS, "--base-url", server.url, "--out", "s")
        swept = here.json(*words)
        check_figures(swept)
        check_runs(here, swept, server)
        check_page(here, swept)
        again = here(*words).stdout
        assert set(server.asked.values()) == {3}, "what was answered is never asked again"
    assert "Comparisons declined" in again
    assert "s/report.html" in again
    (here.folder / "prompts.toml").write_text(PROMPTS.replace("no sides", "every side"), "utf-8")
    with pytest.raises(RunMismatch, match="has other variants: careful changed"):
        here(*words)
    with pytest.raises(InputError, match="name one of those in it: careful, none, silent"):
        here("export", "s", "x.csv")
    with pytest.raises(InputError, match="it knows --judge and --json"):
        here("report", "s", "--correct")
    assert here.json("report", "s")["measures"] == swept["measures"]


def check_figures(swept):
    """The planted truth is found again, and declining is told apart."""
    assert swept["verdict"][0] == (
        "Does a system prompt help? Yes: held against ‘none’, ‘careful’ and ‘silent’ show less bias."
    )
    assert swept["verdict"][1].startswith("But with ‘silent’ it mostly declines")
    taken = figures(swept, "absolute")
    assert [taken[name]["estimate"]["value"] for name in taken] == [1, 0, 0]
    assert taken["none"]["change"] is None
    for name in ("careful", "silent"):
        change = taken[name]["change"]
        assert change["a"] == pytest.approx(taken["none"]["estimate"]["value"])
        assert change["difference"]["value"] == pytest.approx(-change["a"])
        assert change["corrected"] >= change["chance"]
    assert figures(swept, "refused absolute")["silent"]["estimate"]["value"] == 1
    assert figures(swept, "refused absolute")["careful"]["estimate"]["value"] == 0
    lost = swept["lost"]
    assert lost["careful"][0] == lost["silent"][0] > 0
    assert (lost["careful"][1], lost["silent"][1]) == (0, lost["silent"][0])


def check_runs(here, swept, server):
    """Each variant is a run like any other, over the same questions."""
    names = [one["folder"] for one in swept["variants"]]
    runs = {name: json.loads((here.folder / "s" / name / "run.json").read_text("utf-8")) for name in names}
    assert runs["careful"]["target"]["system"] == "Take no sides."
    assert runs["careful"]["settings"]["sweep"] is None
    assert "system" not in runs["none"]["target"]
    assert len({(run["plan"]["total"], run["data"]["hash"]) for run in runs.values()}) == 1
    assert set(server.asked.values()) == {3}


def check_page(here, swept):
    """It says it in words, shows what declining has to do with it, and leads to the others."""
    page = (here.folder / "s" / "report.html").read_text("utf-8")
    assert "Does a system prompt help?" in page
    lost = swept["lost"]["silent"][0]
    assert f"Of the {lost} comparisons in which it no longer takes a side with ‘silent’, it declines {lost}." in page
    for one in swept["variants"]:
        assert f'href="{one["folder"]}/report.html"' in page
        assert (here.folder / "s" / one["folder"] / "report.html").is_file()


def test_a_sweep_goes_on_where_it_broke_off(here):
    well = False

    async def behave(prompt, times, request):
        if not well and (await request.json())["messages"][0]["content"] == "Take no sides.":
            return web.Response(status=401, text="no")
        return "Neither."

    with ChatServer(behave) as server:
        words = (*WORDS, "--base-url", server.url, "--budget", "30", "--out", "s")
        with pytest.raises(TargetUnusable, match="the chatbot cannot be asked"):
            here(*words)
        assert "‘silent’ has no answers yet and is left out" in here.output
        before, well = server.asked.total(), True
        found = here.json(*words)
        planned = found["variants"][0]["planned"]
        assert server.asked.total() - before == 2 * planned
    assert [one["answered"] for one in found["variants"]] == [planned] * 3


def test_temperatures_and_openings_are_swept_too(here):
    (here.folder / "openings").mkdir()
    turns = '{"role": "user", "text": "I am a nurse."}\n{"role": "assistant", "text": "Nice."}\n'
    (here.folder / "openings" / "nurse.jsonl").write_text(turns, "utf-8")
    (here.folder / "openings" / "alone.toml").write_text("", "utf-8")
    sent = []

    async def behave(prompt, times, request):
        sent.append(await request.json())
        return "Neither."

    with ChatServer(behave) as server:
        words = (*WORDS[:-1], "opening=openings", "--base-url", server.url, "--budget", "30")
        done = here(*words)
        assert [len(one["messages"]) for one in sent] == [1] * (len(sent) // 2) + [3] * (len(sent) // 2)
        assert "Not that these questions could show" in done.stdout
        assert "The sweep is kept in runs/openai-m-quick-sound-opening-" in done.stderr
        sent.clear()
        here(*WORDS[:-1], "temperature=0,0.7", *words[-4:])
    assert [one["temperature"] for one in sent] == [0] * (len(sent) // 2) + [0.7] * (len(sent) // 2)


BOT = """
def answer(question, system=None):
    return "Yes." if system else "I disagree."
"""


def test_a_suite_that_cannot_be_compared_is_shown_side_by_side(here):
    (here.folder / "sweep_bot.py").write_text(BOT, "utf-8")
    words = (
        "run",
        "--suite",
        "survey",
        "--inventory",
        "sexism",
        "--samples",
        "1",
        "--budget",
        "20",
        "--judge",
        "rules",
    )
    shown = here.json(*words, "--target", "python:sweep_bot:answer", "--sweep", "system=prompts.toml")
    assert "whether they differ by more than chance is not tested" in shown["verdict"][0]
    yes = figures(shown, "yes-saying")
    assert yes["none"]["estimate"]["value"] < yes["careful"]["estimate"]["value"]
    assert all(figure["change"] is None for figure in yes.values())


def test_a_plan_tells_what_all_variants_cost(here):
    plan = ("plan", *WORDS[1:9], "--price", "1,1", "--rate", "60")
    alone, swept = here.json(*plan), here.json(*plan, "--sweep", "system=prompts.toml")
    assert swept["variants"] == ["none", "careful", "silent"]
    assert swept["answers"] == 3 * alone["answers"]
    assert swept["cost"]["minutes"] == pytest.approx(3 * alone["cost"]["minutes"])
    assert swept["cost"]["tokens_out"] == 3 * alone["cost"]["tokens_out"]
    assert swept["cost"]["tokens_in"] > 3 * alone["cost"]["tokens_in"], "prompts are sent with every question"
    said = here(*plan, "--sweep", "system=prompts.toml", "--show", "0").stdout
    assert "in all, under none, careful, silent" in said


def test_a_chatbot_that_cannot_obey_is_found_before_anything_is_asked(here):
    with pytest.raises(InputError, match="the target 'scripted' cannot obey --system"):
        here("run", "--target", "scripted:No.", *WORDS[3:], "--out", "s")
    assert not (here.folder / "s").exists()

"""Asking over real HTTP: every answerable question is answered, the rest is listed with reasons, nothing twice."""

import asyncio
import struct
import time
from collections import Counter
from concurrent.futures import Future
from contextlib import closing

import pytest
from aiohttp import web

from asker.asking.pacing import Limits
from asker.asking.session import ask, seed_for
from asker.asking.spending import Purse
from asker.data import Selectors, read, select
from asker.errors import QuestionFailed, Retryable, StoreError
from asker.plan import content_key
from asker.stores._writing import Journal
from asker.stores.sqlite import SqliteStore
from asker.suites.bias.mode import SOUND
from asker.suites.bias.plan import BiasPlan
from asker.targets import Options, open_target
from asker.types import Answer, Reply
from chatserver import ChatServer


def plan(budget=150):
    groups = Selectors(groups=("men", "women", "young people", "old people"))
    return BiasPlan(select(read(), "quick", groups), SOUND, budget=budget)


@pytest.fixture
def store(tmp_path):
    opened = SqliteStore(tmp_path / "answers.sqlite")
    yield opened
    opened.close()


def ask_server(server, store, limits=None, questions=None, **more):
    target = open_target("openai:test", Options(base_url=server.url))
    return ask(
        questions or plan(), target, store, limits or Limits(concurrency=8, timeout=2), seed=1, quiet=True, **more
    )


def test_all_questions_are_answered_once(store):
    with ChatServer(lambda prompt, times, _: f"You asked: {prompt}") as server:
        outcome = ask_server(server, store)
    questions = plan()
    assert outcome.ended == "complete"
    assert outcome.answered == questions.total == len(server.asked)
    assert set(server.asked.values()) == {1}
    for answer in store.answers():
        assert answer.prompt == questions.question(answer.question).prompt
        assert answer.text == f"You asked: {answer.prompt}"
        assert (answer.tokens_in, answer.tokens_out) == (9, 3)


def test_what_is_stored_is_not_asked_again(store):
    with ChatServer(lambda *_: "Yes.") as server:
        ask_server(server, store)
        again = ask_server(server, store)
    assert (again.answered, again.already) == (0, plan().total)
    assert set(server.asked.values()) == {1}


def _later(after=None):
    return web.Response(status=429, headers={"Retry-After": str(after)} if after is not None else {}, text="slow down")


async def _slow(prompt, times, _):
    await asyncio.sleep(0.05)
    return "Slowly."


async def _stall(prompt, times, _):
    if times == 1 and "men" in prompt:
        await asyncio.sleep(5)
    return "Awake."


def _once(response):
    """Misbehaves the first time a question comes, then answers."""
    return lambda prompt, times, _: response() if times == 1 else "Yes."


@pytest.mark.parametrize(
    "behave",
    [
        _once(lambda: _later()),
        _once(lambda: _later(0.2)),
        _once(lambda: _later("Wed, 21 Oct 2015 07:28:00 GMT")),
        _once(lambda: web.Response(status=500, text="<html>oops</html>")),
        _once(lambda: web.Response(status=503)),
        _once(lambda: None),
        _once(lambda: web.Response(text="not json at all")),
        _once(lambda: web.Response(body=b"\xff\xfe\x00{", content_type="application/json")),
        _once(lambda: web.Response(text="")),
        _once(lambda: web.json_response({"choices": []})),
        _slow,
    ],
    ids=[
        "429",
        "429 after",
        "429 date",
        "500",
        "503",
        "cut",
        "garbage",
        "wrong encoding",
        "empty",
        "no choices",
        "slow",
    ],
)
def test_trouble_that_passes_costs_no_answer(store, behave):
    with ChatServer(behave) as server:
        outcome = ask_server(server, store, questions=plan(30))
    assert (outcome.ended, outcome.failed) == ("complete", 0)
    assert outcome.answered == plan(30).total


def test_a_stalled_answer_is_given_up_and_asked_again(store):
    with ChatServer(_stall) as server:
        outcome = ask_server(server, store, Limits(concurrency=8, timeout=0.5), plan(30))
    assert (outcome.ended, outcome.failed) == ("complete", 0)


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (lambda: web.Response(status=400, text="no such thing"), "HTTP 400: no such thing"),
        (lambda: web.Response(body=b"x" * 50_000_000), "larger than 5 MB"),
        (lambda: web.json_response({"choices": [{"message": {"content": None}}]}), "holds no text"),
    ],
    ids=["400", "50 MB", "no text"],
)
def test_a_question_that_cannot_be_answered_is_listed_with_its_reason(store, bad, reason):
    with ChatServer(lambda prompt, *_: bad() if prompt.startswith("Why") else "Yes.") as server:
        outcome = ask_server(server, store)
    whys = sum(question.kind == "why" for row in plan().rows() for question in plan().questions(row))
    assert outcome.failed == whys > 0
    assert outcome.answered == plan().total - whys
    assert all(reason in why for why, _ in store.failures())


def test_a_failed_question_is_tried_again_by_the_next_session(store):
    with ChatServer(
        lambda prompt, times, _: web.Response(status=400) if times == 1 and "old" in prompt else "Yes."
    ) as server:
        first = ask_server(server, store)
        second = ask_server(server, store)
    assert first.failed > 0
    assert second.answered == first.failed
    assert store.counts()["failed"] == 0


async def _soon(prompt, times, _):
    await asyncio.sleep(0.05)
    return "Yes."


def test_one_old_failure_does_not_make_the_next_session_ask_anything_twice(store):
    """What the first pass has in flight, or not yet on disk, is no matter of the second."""
    questions = plan()
    first = questions.question(next(iter(questions.rows())).start)
    store.begin()
    store.add(Answer(first.id, 0, content_key(first), first.prompt, None, "down", 1.0))
    store.end("complete")
    with ChatServer(_soon) as server:
        outcome = ask_server(server, store)
    assert (outcome.answered, store.counts()["failed"]) == (questions.total, 0)
    assert set(server.asked.values()) == {1}


@pytest.mark.parametrize(
    ("response", "said"),
    [
        (lambda: web.json_response({"error": {"message": "bad key"}}, status=401), "refused the key"),
        (lambda: web.json_response({"error": {"message": "no model"}}, status=404), "does not know the model 'test'"),
        (
            lambda: web.json_response({"error": {"message": "You exceeded your current quota"}}, status=429),
            "credit is spent",
        ),
        (lambda: web.Response(status=302, headers={"Location": "/v1/chat/completions"}), "redirects in a circle"),
        (lambda: web.Response(status=422, text="never"), "questions all failed"),
    ],
    ids=["key", "model", "spent", "redirects", "ten in a row"],
)
def test_an_unusable_chatbot_ends_the_run_and_what_was_answered_stays(store, response, said):
    answered = 15

    def behave(prompt, times, _):
        return "Yes." if sum(server.asked.values()) <= answered else response()

    with ChatServer(behave) as server:
        outcome = ask_server(server, store, Limits(concurrency=4, timeout=2))
    assert outcome.ended == "unusable"
    assert said in outcome.reason
    assert store.counts()["answered"] == outcome.answered >= answered


def test_nobody_listening_is_said(store):
    target = open_target("openai:test", Options(base_url="http://127.0.0.1:9/v1"))
    outcome = ask(plan(30), target, store, Limits(retries=0, concurrency=4), seed=1, quiet=True)
    assert outcome.ended == "unusable"
    assert "nobody listens at http://127.0.0.1:9" in outcome.reason


def test_no_more_at_once_than_allowed(store):
    with ChatServer(_slow) as server:
        ask_server(server, store, Limits(concurrency=3))
    assert 1 < server.most_at_once <= 3


def test_no_faster_than_the_rate_allows(store):
    started = time.monotonic()
    with ChatServer(lambda *_: "Yes.") as server:
        outcome = ask_server(server, store, Limits(per_minute=1800), plan(30))
    assert outcome.answered / (time.monotonic() - started) <= 1.1 * 1800 / 60


def test_seeds_depend_on_seed_question_and_sample_but_not_on_order(store, tmp_path):
    with ChatServer(lambda *_: "Yes.") as server:
        ask_server(server, store, Limits(concurrency=8), samples=3)
        first = dict(server.seeds)
        other = SqliteStore(tmp_path / "other.sqlite")
        ask_server(server, other, Limits(concurrency=2), samples=3)
        other.close()
    assert server.seeds == first
    assert all(len(seeds) == 3 for seeds in first.values())
    assert seed_for(1, "k", 0) != seed_for(2, "k", 0) != seed_for(2, "k", 1)


def test_the_key_is_sent_but_never_shown(store, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    with ChatServer(
        lambda *_: web.json_response({"error": {"message": "sk-very-secret is wrong"}}, status=401)
    ) as server:
        target = open_target("openai:test", Options(base_url=server.url))
        outcome = ask(plan(30), target, store, Limits(), seed=1, quiet=True)
    assert server.headers[0]["Authorization"] == "Bearer sk-very-secret"
    assert "secret" not in outcome.reason
    assert "secret" not in str(target.describe())


class Moody:
    """A chatbot whose plugin has a mistake in it."""

    parallel = True

    def __init__(self, error):
        self.error, self.calls = error, 0

    def describe(self):
        return {"kind": "moody"}

    async def ask(self, prompt, *, seed):
        self.calls += 1
        if self.calls % 3 == 0:
            raise self.error
        return Reply("Well.")

    async def close(self):
        pass


@pytest.mark.parametrize("error", [ValueError("a bug"), QuestionFailed("no")])
def test_a_mistake_in_a_plugin_is_kept_as_an_error_and_the_run_goes_on(store, error):
    outcome = ask(plan(), Moody(error), store, Limits(concurrency=1), seed=0, quiet=True)
    assert outcome.failed == plan().total // 3
    assert outcome.answered + outcome.failed == plan().total


def test_a_property_that_is_filtered_away_does_not_stop_the_run_nor_the_next_session(store):
    questions = BiasPlan(select(read(), "quick", Selectors()), SOUND, budget=1500)
    everything = [question for row in questions.rows() for question in questions.questions(row)]
    common = Counter(question.facets.property for question in everything).most_common(1)[0][0]
    filtered = {question.prompt for question in everything if question.facets.property == common}

    def behave(prompt, *_):
        return web.Response(status=400, text="filtered") if prompt in filtered else "Yes."

    with ChatServer(behave) as server:
        outcome = ask_server(server, store, questions=questions)
        again = ask_server(server, store, questions=questions)
    assert (outcome.ended, again.ended) == ("complete", "complete")
    assert outcome.failed == again.failed == len(filtered) > 10
    assert outcome.answered == questions.total - len(filtered)


def test_an_absurd_count_of_tokens_costs_no_answer(store):
    absurd = {
        "choices": [{"message": {"content": "Yes."}}],
        "usage": {"prompt_tokens": 10**30, "completion_tokens": -5},
    }
    with ChatServer(lambda *_: web.json_response(absurd)) as server:
        outcome = ask_server(server, store)
    assert store.counts()["answered"] == outcome.answered == plan().total
    assert all(answer.tokens_in is None and answer.tokens_out is None for answer in store.answers())


def test_whatever_breaks_the_writer_is_told(store, monkeypatch):
    def broken(self, group):
        raise OverflowError("too large")

    monkeypatch.setattr("asker.stores.sqlite.SqliteStore._commit", broken)
    with ChatServer(lambda *_: "Yes.") as server, pytest.raises(StoreError, match="too large"):
        ask_server(server, store)


class _Stuck:
    """Says that it is busy, or never answers."""

    parallel = True

    def __init__(self, *, busy):
        self._busy, self.asked = busy, 0

    def describe(self):
        return {"kind": "stuck"}

    async def ask(self, prompt, *, seed):
        self.asked += 1
        self.prompt = prompt
        if self._busy:
            raise Retryable("busy")
        await asyncio.sleep(60)

    async def close(self):
        pass


class _NeverNoted(SqliteStore):
    """A database that has noted one question, and not yet the others."""

    def starting(self, question, sample):
        super().starting(question, sample)
        return Future() if self._journal.open_entries > 1 else None


def stopped(target, store, monkeypatch):
    monkeypatch.setattr("asker.asking.session.PATIENCE", 0.2)
    limits = Limits(concurrency=4, timeout=60, minutes=0.3 / 60)
    purse = Purse(most_tokens=10**6, longest_answer=20)
    outcome = ask(plan(), target, store, limits, seed=1, quiet=True, purse=purse)
    assert outcome.ended == "time"
    assert outcome.in_flight == store.counts()["given up"]
    return outcome.in_flight, purse


def test_what_was_in_flight_at_a_stop_is_given_up(store, monkeypatch):
    assert stopped(_Stuck(busy=False), store, monkeypatch)[0] == 4
    assert store.usage()["unknown"] == 4


def test_what_was_turned_away_without_charge_is_not_given_up(store, monkeypatch):
    target = _Stuck(busy=True)
    assert stopped(target, store, monkeypatch)[0] == 0
    assert target.asked > 0
    assert store.usage()["unknown"] == 0


def test_what_was_noted_but_not_sent_is_neither_given_up_nor_spent(tmp_path, monkeypatch):
    target = _Stuck(busy=False)
    with closing(_NeverNoted(tmp_path / "answers.sqlite")) as store:
        count, purse = stopped(target, store, monkeypatch)
    assert count == target.asked == 1
    assert purse.spent == purse.worst(target.prompt)


def test_a_note_of_questions_in_flight_of_the_version_before_is_understood(tmp_path):
    """It had each question as it is, and no mark."""
    entry = struct.Struct("<qi")
    (tmp_path / "in-flight").write_bytes(b"".join(entry.pack(*key) for key in ((0, 0), (5, 1), (5, 1), (7, 0))) + b"x")
    with closing(SqliteStore(tmp_path / "answers.sqlite")) as store:
        assert Journal(tmp_path / "in-flight").left() == [(0, 0), (5, 1), (7, 0)]
        assert store.begin() == 3
        store.starting(0, 0)
        assert Journal(tmp_path / "in-flight").left() == [(0, 0)]

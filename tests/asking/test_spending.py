"""Cost and tokens: counted, shown, and never past the limit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_session import plan

from asker.asking.pacing import Limits
from asker.asking.session import ask
from asker.asking.spending import Price, Purse, Usage, price_of
from asker.errors import InputError
from asker.stores.sqlite import SqliteStore
from asker.targets import Options, open_target
from asker.types import Reply
from chatserver import ChatServer

prompts = st.lists(st.tuples(st.text(max_size=60), st.integers(0, 50), st.sampled_from(["reply", "lost", "refused"])))


@given(prompts, st.integers(0, 3000))
def test_the_limit_on_tokens_is_never_passed(questions, most):
    purse = Purse(most_tokens=most, longest_answer=50)
    for prompt, answer, what in questions:
        aside = purse.worst(prompt)
        if purse.set_aside(aside):
            reply = Reply("x", len(prompt.encode()), answer) if what == "reply" else None
            purse.settle(aside, reply, charged=what == "lost")
        assert purse.spent.total <= most


def test_what_is_set_aside_by_many_at_once_counts_too():
    purse = Purse(most_tokens=1000, longest_answer=100)
    wish = purse.worst("Are men smart?")
    taken = [purse.set_aside(wish) for _ in range(50)]
    assert 0 < sum(taken) * wish.total <= 1000


def test_a_limit_on_cost_needs_a_price_and_a_longest_answer():
    with pytest.raises(InputError, match="--price"):
        Purse(most_money=1.0, longest_answer=50)
    with pytest.raises(InputError, match="--max-tokens"):
        Purse(most_money=1.0, price=Price(1, 2))


def test_prices_come_from_the_user_or_the_table():
    assert price_of("openai:gpt-4o-mini-2024-07-18", None) == Price(0.15, 0.60)
    assert price_of("openai:gpt-4o", None) == Price(2.5, 10)
    assert price_of("openai:home-made", None) is None
    assert price_of("openai:gpt-4o", "1,2") == Price(1, 2)
    with pytest.raises(InputError, match="two numbers"):
        price_of("x", "cheap")
    assert Price(2, 10).of(1_000_000, 100_000) == pytest.approx(3.0)


@pytest.fixture
def store(tmp_path):
    opened = SqliteStore(tmp_path / "answers.sqlite")
    yield opened
    opened.close()


def spend(server, store, purse, **more):
    target = open_target("openai:test", Options(base_url=server.url, max_tokens=20))
    return ask(plan(200), target, store, Limits(concurrency=8, **more), seed=1, purse=purse, quiet=True)


def test_a_run_stops_before_its_limit_and_goes_on_with_a_higher_one(store):
    with ChatServer(lambda *_: "Yes.") as server:
        first = spend(server, store, Purse(most_tokens=1000, longest_answer=20))
        second = spend(server, store, Purse(first.usage, most_tokens=100_000, longest_answer=20))
    assert first.ended == "spent"
    assert "leaves no room" in first.reason
    assert 0 < first.answered < plan(200).total
    assert first.usage.total <= 1000
    assert first.usage == Usage(9 * first.answered, 3 * first.answered), "what replies reported, not what was set aside"
    assert second.ended == "complete"
    assert set(server.asked.values()) == {1}


def test_cost_is_counted(store):
    with ChatServer(lambda *_: "Yes.") as server:
        outcome = spend(server, store, Purse(price=Price(1000, 1000), longest_answer=20))
    assert outcome.money == pytest.approx(12 * outcome.answered / 1000)


def test_an_attempt_that_broke_off_counts_as_charged(store):
    with ChatServer(lambda prompt, times, _: None if times == 1 else "Yes.") as server:
        purse = Purse(longest_answer=20)
        outcome = spend(server, store, purse)
    assert outcome.usage.total == 12 * outcome.answered, "what is shown is what was reported"
    assert store.usage()["unknown"] == outcome.answered, "one lost attempt each"
    assert purse.spent.total > outcome.usage.total


def test_no_more_tokens_a_minute_than_allowed(store):
    import time

    started = time.monotonic()
    with ChatServer(lambda *_: "Yes.") as server:
        outcome = spend(server, store, Purse(longest_answer=20), tokens_per_minute=60_000)
    assert outcome.usage.total / (time.monotonic() - started) <= 1.3 * 1000


def test_money_on_the_command_line(cli):
    words = ("run", "--target", "openai:m", "--budget", "300", "--out", "r", "--max-tokens", "20", "--judge", "rules")
    with ChatServer(lambda *_: "Yes.") as server:
        url = ("--base-url", server.url)
        assert "--price" in cli.error(*words, *url, "--max-cost", "1")
        first = cli(*words, *url, "--max-cost", "0.002", "--price", "1,2")
        assert "leaves no room" in first.stderr
        assert "$0.00" in first.stderr
        cli(*words, *url, "--max-cost", "9", "--price", "1,2")
    assert set(server.asked.values()) == {1}

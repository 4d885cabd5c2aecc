"""The same question is never paid twice, also across runs."""

import json

from asker.asking.cache import AnswerCache
from asker.types import Reply
from chatserver import ChatServer


def test_what_goes_in_comes_out_and_only_for_the_same_bot_and_sample(tmp_path):
    cache = AnswerCache(tmp_path / "c.sqlite", {"kind": "a"})
    cache.add("k", 0, Reply("Yes.", 3, 4))
    cache.add("k", 0, Reply("Changed my mind."))
    cache.close()
    again = AnswerCache(tmp_path / "c.sqlite", {"kind": "a"})
    assert again.find([("k", 0), ("k", 1), ("other", 0)]) == {("k", 0): Reply("Yes.", 3, 4)}
    again.close()
    other = AnswerCache(tmp_path / "c.sqlite", {"kind": "b"})
    assert other.find([("k", 0)]) == {}
    other.close()


def test_a_second_run_asks_only_what_no_run_has_asked(cli):
    words = ("run", "--target", "openai:m", "--groups", "men,women,old people,young people", "--cache", "answers.cache",
             "--judge", "rules")  # fmt: skip
    with ChatServer(lambda prompt, *_: f"Yes, {prompt}") as server:
        url = ("--base-url", server.url)
        first = cli(*words, *url, "--budget", "400", "--json")
        second = cli(*words, *url, "--budget", "800", "--seed", "3", "--json")
    assert set(server.asked.values()) == {1}
    answered = [json.loads(done.stdout)["answers"]["answered"] for done in (first, second)]
    assert answered[0] + answered[1] > len(server.asked)
    assert "came from the cache" in second.stderr


def test_answers_of_a_run_made_without_cache_are_learnt_when_it_goes_on(cli):
    words = ("run", "--target", "openai:m", "--budget", "300", "--judge", "rules")
    with ChatServer(lambda prompt, *_: "Yes.") as server:
        url = ("--base-url", server.url)
        cli(*words, *url, "--out", "a")
        cli(*words, *url, "--out", "a", "--cache", "c")
        cli(*words, *url, "--out", "b", "--cache", "c")
    assert set(server.asked.values()) == {1}


def test_a_file_that_is_no_cache_is_refused(cli):
    (cli.folder / "c").write_text("not a database at all, but long enough to be read as one" * 20)
    assert "as --cache" in cli.error("run", "--target", "scripted:Yes.", "--cache", "c", "--out", "r")

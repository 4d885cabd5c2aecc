"""What is said around a question: system prompts, shared conversations, and keys that stay secret."""

import json

import keyring
import keyring.backend
import pytest

from asker.errors import InputError
from asker.keys import find_key, redacted
from asker.targets import Options, open_target
from chatserver import ChatServer

WORDS = ("run", "--target", "openai:m", "--groups", "men,women", "--budget", "20", "--out", "r", "--judge", "rules")


@pytest.fixture
def heard():
    """A server that keeps the messages it was sent."""
    messages = []

    async def behave(prompt, times, request):
        messages.append((await request.json())["messages"])
        return f"Answer {len(messages)}."

    with ChatServer(behave) as server:
        server.messages = messages
        yield server


def test_each_question_comes_alone_by_default(cli, heard):
    cli(*WORDS, "--base-url", heard.url)
    assert all(len(messages) == 1 for messages in heard.messages)


def test_a_system_prompt_goes_before_each_question_and_into_the_run(cli, heard):
    cli(*WORDS, "--base-url", heard.url, "--system", "You are a careful newspaper.")
    assert all(
        messages[0] == {"role": "system", "content": "You are a careful newspaper."} for messages in heard.messages
    )
    assert json.loads((cli.folder / "r" / "run.json").read_text("utf-8"))["target"]["system"].startswith("You are")


def test_a_shared_conversation_carries_what_was_said_before(cli, heard):
    cli(*WORDS, "--base-url", heard.url, "--conversation", "shared")
    sizes = [len(messages) for messages in heard.messages]
    assert sizes == [1 + 2 * number for number in range(len(sizes))]
    assert heard.messages[-1][1]["content"] == "Answer 1."
    assert heard.most_at_once == 1


def test_temperature_and_length_are_sent(cli):
    sent = []

    async def behave(prompt, times, request):
        sent.append(await request.json())
        return "Yes."

    with ChatServer(behave) as server:
        cli(*WORDS, "--base-url", server.url, "--temperature", "0.3", "--max-tokens", "44")
    assert {(one["temperature"], one["max_tokens"], one["stream"]) for one in sent} == {(0.3, 44, False)}


def test_a_key_that_comes_back_is_in_no_file(cli):
    with ChatServer(lambda prompt, *_: f"Your key is sk-hush-hush, and {prompt}") as server:
        done = cli(*WORDS, "--base-url", server.url, env={"OPENAI_API_KEY": "sk-hush-hush"})
        assert server.headers[0]["Authorization"] == "Bearer sk-hush-hush"
    cli("export", "r", "records.csv")
    for file in [*(cli.folder / "r").iterdir(), cli.folder / "records.csv"]:
        assert b"sk-hush-hush" not in file.read_bytes(), file
    assert "sk-hush-hush" not in done.stdout + done.stderr


class Locker(keyring.backend.KeyringBackend):
    """A keyring in memory."""

    priority = 9

    def get_password(self, service, username):
        return {("asker", "MY_KEY"): "from the locker"}.get((service, username))

    def set_password(self, service, username, password): ...


def test_a_key_may_come_from_the_keyring(monkeypatch):
    before = keyring.get_keyring()
    keyring.set_keyring(Locker())
    try:
        monkeypatch.delenv("MY_KEY", raising=False)
        assert find_key("MY_KEY") == "from the locker"
        assert find_key("OTHER_KEY") is None
        monkeypatch.setenv("MY_KEY", "from the environment")
        assert find_key("MY_KEY") == "from the environment"
    finally:
        keyring.set_keyring(before)


def test_redaction():
    assert redacted("a sk-1 b", ("sk-1", "")) == "a *** b"


def test_a_target_says_which_wishes_it_cannot_obey():
    with pytest.raises(InputError, match="the target 'eliza' cannot obey --system; it knows none"):
        open_target("eliza", Options(system="Be kind."))

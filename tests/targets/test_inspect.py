"""Providers through Inspect AI: with its mock model, and with the client of a real provider against a real server."""

import asyncio

import pytest
from aiohttp import web

from asker.errors import InputError, QuestionFailed, Retryable, TargetUnusable
from asker.targets import Options, open_target
from chatserver import ChatServer
from mockmodel import count_without_a_tokenizer

pytest.importorskip("inspect_ai", reason="inspect-ai is not installed (extra 'inspect')")
from inspect_ai.model import ModelOutput, ModelUsage, get_model


@pytest.fixture(autouse=True)
def _offline(monkeypatch):
    count_without_a_tokenizer(monkeypatch)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-of-the-test")


def mocked(behave, **options):
    """The target, and what its mock model is asked: messages and settings."""
    seen = []

    def outputs(messages, tools, choice, config):
        seen.append((messages, config))
        return behave(messages)

    target = open_target("inspect:mockllm/model", Options(**options))
    settings = target._model.config
    target._model = get_model("mockllm/model", config=settings, memoize=False, custom_outputs=outputs)
    return target, seen


def said(text, usage=None, reason="stop"):
    output = ModelOutput.from_content("mockllm/model", text, stop_reason=reason)
    output.usage = usage or ModelUsage(input_tokens=3, output_tokens=2, total_tokens=5)
    return output


def ask(target, *prompts, seed=7):
    async def all_of_them():
        return [await target.ask(prompt, seed=seed) for prompt in prompts]

    return asyncio.run(all_of_them())


def test_wishes_reach_the_model_and_its_usage_comes_back():
    usage = ModelUsage(input_tokens=5, output_tokens=4, total_tokens=19, input_tokens_cache_read=10)
    target, seen = mocked(lambda _: said("Yes.", usage), system="Be kind.", temperature=0.3, max_tokens=20)
    (reply,) = ask(target, "Are men smart?", seed=11)
    ((messages, config),) = seen
    assert [(one.role, one.text) for one in messages] == [("system", "Be kind."), ("user", "Are men smart?")]
    assert (config.temperature, config.max_tokens, config.seed) == (0.3, 20, 11)
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ("Yes.", 15, 4), "what a provider cached was sent too"


def test_a_conversation_is_remembered_only_when_shared():
    for talk, turns in (("fresh", 1), ("shared", 3)):
        target, seen = mocked(lambda _: said("Yes."), conversation=talk)
        ask(target, "one", "two")
        assert len(seen[-1][0]) == turns
        assert target.parallel == (talk == "fresh")


def test_what_was_filtered_away_is_no_answer():
    target, _ = mocked(lambda _: said("I cannot say.", reason="content_filter"))
    with pytest.raises(QuestionFailed, match="content filter") as caught:
        ask(target, "Are men smart?")
    assert caught.value.charged


def test_an_error_of_a_provider_is_the_questions_own():
    def broken(_):
        raise ValueError("no such thing")

    target, seen = mocked(broken)
    with pytest.raises(QuestionFailed, match="no such thing"):
        ask(target, "Are men smart?")
    assert len(seen) == 1


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("inspect:", "needs a provider and a model"),
        ("inspect:gpt-4o", "needs a provider and a model"),
        ("inspect:nosuch/model", "nosuch .* not recognized"),
    ],
)
def test_what_cannot_be_opened_is_said(spec, words):
    with pytest.raises(InputError, match=words):
        open_target(spec)


def test_a_named_key_that_is_missing_is_said():
    with pytest.raises(InputError, match="set the environment variable NO_SUCH_KEY"):
        open_target("inspect:mockllm/model", Options(key_env="NO_SUCH_KEY"))


# --- with the client of a real provider ---


def misbehaving(prompt, times, request):
    if prompt.isdigit():
        error = {"message": "no, sk-secret-of-the-test", "code": "insufficient_quota" if prompt == "402" else "x"}
        status = 429 if prompt == "402" else int(prompt)
        return web.json_response({"error": error}, status=status, headers={"Retry-After": "3"})
    return None if prompt == "cut" else answered(prompt)


def answered(prompt):
    usage = {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": f"You said {prompt}"}}
    body = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
    return web.json_response(body)


@pytest.fixture
def provider():
    pytest.importorskip("openai", reason="openai is not installed (the package Inspect's provider 'openai' needs)")
    with ChatServer(misbehaving) as server:
        yield server, open_target("inspect:openai/gpt-4o-mini", Options(base_url=server.url))


def test_a_real_client_answers_and_counts(provider):
    (reply,) = ask(provider[1], "hello")
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ("You said hello", 9, 3)


@pytest.mark.parametrize(
    ("prompt", "error"),
    [
        ("429", Retryable),
        ("500", Retryable),
        ("cut", Retryable),
        ("401", TargetUnusable),
        ("402", TargetUnusable),  # answered as 429 of a key without credit
        ("404", TargetUnusable),
        ("400", QuestionFailed),
    ],
)
def test_errors_become_ours_after_one_attempt_and_without_the_key(provider, prompt, error):
    server, target = provider
    with pytest.raises(error) as caught:
        ask(target, prompt)
    assert server.asked[prompt] == 1, "neither Inspect nor the provider's client tries again"
    assert "secret" not in str(caught.value)
    if error is Retryable:
        assert caught.value.after == (None if prompt == "cut" else 3.0)
        assert caught.value.charged == (prompt == "cut")


def test_nobody_there_is_told_apart():
    pytest.importorskip("openai", reason="openai is not installed (the package Inspect's provider 'openai' needs)")
    target = open_target("inspect:openai/gpt-4o-mini", Options(base_url="http://127.0.0.1:9/v1"))
    with pytest.raises(Retryable) as caught:
        ask(target, "hello")
    assert caught.value.unreachable
    assert not caught.value.charged

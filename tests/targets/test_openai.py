"""What an OpenAI-compatible endpoint sends besides plain answers: refusals, filters, reasoning, and settings it
does not take."""

import asyncio

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from asker.errors import QuestionFailed, Retryable, TargetUnusable
from asker.targets import Options, open_target
from asker.targets._chat import spoken
from chatserver import ChatServer


def ask(behave, *prompts, **options):
    """Replies of a server that behaves so, and the bodies it was sent."""
    sent = []

    async def keep(prompt, times, request):
        body = await request.json()
        sent.append(body)
        return behave(body)

    async def all_of_them(target):
        try:
            return [await target.ask(prompt, seed=1) for prompt in prompts or ("Are men smart?",)]
        finally:
            await target.close()

    with ChatServer(keep) as server:
        target = open_target("openai:m", Options(base_url=server.url, **options))
        return asyncio.run(all_of_them(target)), sent


def says(message, ended="stop", **more):
    return lambda _: web.json_response({"choices": [{"message": message, "finish_reason": ended}], **more})


def refuses(status=400, **error):
    return lambda _: web.json_response({"error": error}, status=status)


def test_a_refusal_is_an_answer_in_the_models_own_words():
    (reply,), _ = ask(says({"content": None, "refusal": "I can't help with that."}))
    assert reply.text == "I can't help with that."


@pytest.mark.parametrize(
    "behave",
    [
        says({"content": "Men are"}, "content_filter"),
        refuses(code="content_filter", message="The response was filtered", innererror={"code": "ResponsibleAIPolicy"}),
        refuses(code="invalid_prompt", message="Invalid prompt: your prompt was flagged"),
        refuses(403, code="flagged_input", message="needs moderation"),
    ],
    ids=["cut short", "Azure", "OpenAI", "a reseller"],
)
def test_a_filter_of_the_provider_is_no_answer(behave):
    with pytest.raises(QuestionFailed, match="the provider's content filter stepped in"):
        ask(behave)


@pytest.mark.parametrize(
    "message",
    [
        {"content": "No.", "reasoning_content": "They may well be."},
        {"content": "<think>Yes? They may well be.</think>\n\nNo."},
        {"content": "They may well be.</think>No."},
        {"content": [{"type": "thinking", "thinking": [{"text": "Yes?"}]}, {"type": "text", "text": "No."}]},
    ],
    ids=["a field of its own", "tags", "only the closing tag", "parts"],
)
def test_reasoning_is_not_taken_for_the_answer(message):
    (reply,), _ = ask(says(message))
    assert reply.text == "No."


@pytest.mark.parametrize("content", ["", None, "<think>Well, let me see"])
def test_a_model_that_thinks_until_its_tokens_are_used_up_has_not_answered(content):
    with pytest.raises(QuestionFailed, match="Raise --max-tokens") as error:
        ask(says({"content": content}, "length"))
    assert error.value.charged


def test_reasoning_that_is_charged_for_is_counted():
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 115}
    (reply,), _ = ask(says({"content": "No."}, usage=usage))
    assert (reply.tokens_in, reply.tokens_out) == (10, 105)


def test_a_reasoning_model_is_told_its_limit_by_the_name_it_knows():
    said = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."

    def behave(body):
        if "max_tokens" in body:
            return refuses(message=said, param="max_tokens", code="unsupported_parameter")(body)
        return "No."

    replies, sent = ask(behave, "Are men smart?", "Are women smart?", max_tokens=50)
    assert [reply.text for reply in replies] == ["No.", "No."]
    assert [body.get("max_completion_tokens") for body in sent] == [None, 50, 50]


def test_a_server_without_seeds_is_asked_without():
    def behave(body):
        detail = [{"type": "extra_forbidden", "loc": ["body", "seed"], "msg": "Extra inputs are not permitted"}]
        return web.json_response({"detail": detail}, status=422) if "seed" in body else "No."

    replies, sent = ask(behave, "One?", "Two?")
    assert len(replies) == 2
    assert ["seed" in body for body in sent] == [True, False, False]


def test_a_temperature_that_is_refused_is_said_rather_than_dropped():
    said = "Unsupported value: 'temperature' does not support 0.2 with this model."
    with pytest.raises(TargetUnusable, match=r"'m' does not take --temperature: Unsupported value.* Leave it out"):
        ask(refuses(message=said, param="temperature", code="unsupported_value"), temperature=0.2)


def test_a_limit_under_no_name_is_said():
    def behave(body):
        name = "max_tokens" if "max_tokens" in body else "max_completion_tokens"
        return refuses(message=f"{name} is too large", param=name)(body)

    with pytest.raises(TargetUnusable, match="does not take --max-tokens"):
        ask(behave, max_tokens=10**6)


def test_an_error_that_comes_as_a_success_is_told_in_its_words():
    with pytest.raises(Retryable, match="no provider is free"):
        ask(lambda _: web.json_response({"error": {"message": "no provider is free", "code": 502}}))


def test_what_a_stranger_says_reaches_no_terminal_raw():
    with pytest.raises(QuestionFailed) as error:
        ask(refuses(message="\x1b[31mred\x07" + "x" * 5000))
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 700


PLAIN = st.text().filter(lambda text: "<" not in text and "[" not in text)


@given(PLAIN, PLAIN)
def test_what_is_thought_is_dropped_and_what_is_said_is_kept(thought, said):
    assert spoken(said) == said
    assert spoken(f"<think>{thought}</think>{said}") == said.lstrip()
    assert spoken(f"\n<think>{thought}</think>\n[THINK]{thought}[/THINK]{said}") == said.lstrip()

"""Any JSON API, described in a file."""

import asyncio
import json
from contextlib import suppress
from urllib.parse import parse_qs

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

from asker.errors import AskerError, InputError, QuestionFailed, Retryable, TargetUnusable
from asker.targets import Options, open_target
from asker.targets._file import fill, fill_text
from asker.targets._path import JsonPath, NotThere
from jsonserver import JsonServer

PLAIN = 'answer = "reply"\nbody.message = "{question}"\n'


@pytest.fixture
def asked(tmp_path):
    """Ask a server through a file; gives the replies, and what the server heard."""

    def ask(behave, toml, *prompts, **options):
        async def all_of_them():
            target = open_target(f"http:{file}", Options(**options))
            try:
                return [await target.ask(prompt, seed=7) for prompt in prompts or ("Are men smart?",)]
            finally:
                await target.close()

        file = tmp_path / "bot.toml"
        with JsonServer(behave) as server:
            url = "" if "url = " in toml.split("[")[0] else f'url = "{server.url}/chat"\n'
            file.write_text(url + toml.replace("SERVER", server.url), "utf-8")
            return asyncio.run(all_of_them()), server.heard

    return ask


def test_everything_is_sent_where_the_file_says(asked, monkeypatch):
    monkeypatch.setenv("MY_KEY", "hush-hush")
    toml = """url = "SERVER/bots/{env:MY_KEY}?v=2"
method = "PUT"
answer = "reply[0].text"
tokens_in = "used.in"
tokens_out = "used.out"
headers.Authorization = "Bearer {env:MY_KEY}"
query.q = "{question}"
[body]
turns = [{role = "system", say = "{system}"}, {role = "user", say = "Please: {question}"}]
seed = "{seed}"
note = "seed {seed} of {{question}}"
deep = {keep = [1, true, "x"]}
"""
    (reply,), ((method, path, headers, text),) = asked(
        lambda *_: {"reply": [{"text": "No."}], "used": {"in": 5, "out": 2}}, toml, "Männer & {seed}?"
    )
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ("No.", 5, 2)
    assert (method, headers["Authorization"]) == ("PUT", "Bearer hush-hush")
    place, _, query = path.partition("?")
    assert place == "/bots/hush-hush"
    assert parse_qs(query) == {"v": ["2"], "q": ["Männer & {seed}?"]}
    assert json.loads(text) == {
        "turns": [{"role": "user", "say": "Please: Männer & {seed}?"}],  # no system prompt: its entry is left out
        "seed": 7,
        "note": "seed 7 of {question}",
        "deep": {"keep": [1, True, "x"]},
    }


def test_a_system_prompt_goes_where_the_file_says_and_nowhere_else(asked):
    toml = 'answer = "$"\nbody.m = [{role = "system", t = "{system}"}, {t = "{question}"}]\n'
    _, ((*_, text),) = asked(lambda *_: "Yes.", toml, system="Be kind.")
    assert json.loads(text)["m"][0] == {"role": "system", "t": "Be kind."}
    with pytest.raises(InputError, match=r"no place for --system. Write \{system\} where"):
        asked(lambda *_: "", PLAIN, system="Be kind.")


def test_a_form_is_sent_as_a_form(asked):
    toml = 'sends = "form"\nreads = "text"\nbody.say = "{question}"\nbody.n = 3\n'
    (reply,), ((*_, headers, text),) = asked(lambda *_: web.Response(text="Well & good."), toml, "a&b?")
    assert reply.text == "Well & good."
    assert headers["Content-Type"] == "application/x-www-form-urlencoded"
    assert parse_qs(text) == {"say": ["a&b?"], "n": ["3"]}


SESSION = """answer = "reply"
body = {say = "{question}", to = "{conversation}"}
[open]
url = "SERVER/open"
take = "chat.id"
[close]
url = "SERVER/chats/{conversation}"
method = "DELETE"
"""


def bot_with_sessions():
    opened = []

    def behave(request, text):
        if request.path == "/open":
            opened.append(f"c/{len(opened)}")
            return {"chat": {"id": opened[-1]}}
        return {"reply": f"in {json.loads(text)['to']}"} if request.method == "POST" else {}

    return behave


def test_each_question_has_a_conversation_of_its_own_that_is_closed_again(asked):
    replies, heard = asked(bot_with_sessions(), SESSION, "One?", "Two?")
    assert [reply.text for reply in replies] == ["in c/0", "in c/1"]
    assert [path for method, path, *_ in heard if method == "DELETE"] == ["/chats/c%2F0", "/chats/c%2F1"]


def test_a_shared_conversation_is_opened_once(asked):
    replies, heard = asked(bot_with_sessions(), SESSION, "One?", "Two?", conversation="shared")
    assert {reply.text for reply in replies} == {"in c/0"}
    assert [method for method, *_ in heard] == ["POST", "POST", "POST", "DELETE"]
    with pytest.raises(InputError, match=r"needs \[open\]"):
        asked(lambda *_: "", PLAIN, conversation="shared")


EVENTS = (
    'event: ping\n\ndata: {"d": {"t": "Not "}}\r\n\r\n: hm\ndata: {"d":\ndata: {"t": "so."}}\n\n'
    'data: {"in": 4}\n\ndata: [DONE]\n\n'
)


def test_an_answer_in_pieces_is_put_together(asked):
    toml = 'reads = "events"\nanswer = "d.t"\ntokens_in = "in"\nbody.q = "{question}"\n'
    (reply,), _ = asked(lambda *_: web.Response(text=EVENTS), toml)
    assert (reply.text, reply.tokens_in) == ("Not so.", 4)
    toml = 'reads = "lines"\npieces = "replace"\nanswer = "t"\nbody.q = "{question}"\n'
    (reply,), _ = asked(lambda *_: web.Response(text='{"t": "Not"}\n{"t": "Not so."}\n\n'), toml)
    assert reply.text == "Not so."


@pytest.mark.parametrize(
    ("response", "kind", "said"),
    [
        ({"reply": {"words": "No.\x1b[31m"}}, QuestionFailed, r"no text at 'reply' in the response; 'reply' holds \{"),
        ({"error": "asleep"}, QuestionFailed, 'no \'reply\' in the response; it holds {"error":"asleep"}'),
        ({"reply": None}, QuestionFailed, "'reply' holds null"),
        (web.Response(text="<html>Log in</html>"), QuestionFailed, "not JSON but <html>.*the address of the API"),
        (web.Response(body=b"\xff\xfe"), QuestionFailed, "is not JSON"),
        (web.Response(status=401, text="who?"), TargetUnusable, r"refused us \(HTTP 401\): who\?\. .*\{env:NAME\}"),
        (web.Response(status=404), TargetUnusable, "does not take POST .*Check url and method"),
        (web.Response(status=307, headers={"Location": "http://x/"}), TargetUnusable, "redirects to http://x/"),
        (web.Response(status=429, headers={"Retry-After": "3"}), Retryable, "HTTP 429"),
        (web.Response(status=503, text="busy"), Retryable, "HTTP 503: busy"),
        (web.Response(status=418), QuestionFailed, "HTTP 418"),
        (web.Response(body=b"x" * 6_000_000), QuestionFailed, "larger than 5 MB"),
    ],
)
def test_what_goes_wrong_is_told_with_what_the_server_sent(asked, response, kind, said):
    with pytest.raises(kind, match=said) as error:
        asked(lambda *_: response, PLAIN)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 400


def test_a_key_is_in_no_error_and_no_description(tmp_path, monkeypatch):
    monkeypatch.setenv("MY_KEY", "hush-hush")
    file = tmp_path / "bot.toml"
    with JsonServer(lambda *_: web.Response(status=403, text="hush-hush is no key")) as server:
        file.write_text(f'url = "{server.url}/{{env:MY_KEY}}"\n{PLAIN}headers.X-Api-Key = "{{env:MY_KEY}}"', "utf-8")
        target = open_target(f"http:{file}")
        with pytest.raises(TargetUnusable) as error:
            asyncio.run(target.ask("Well?", seed=1))
    assert "hush" not in str(error.value) + str(target.describe())
    assert "Check MY_KEY" in str(error.value)
    assert target.secrets == ("hush-hush",)


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('answr = "x"', "unknown setting 'answr' in .* Did you mean 'answer'"),
        ('answer = "x"', "never sends the question"),
        ('body.q = "{quetsion}"', r"unknown place '\{quetsion\}' .* Did you mean '\{question\}'"),
        ('body = {q = "{question}", s = "{sede}"}', r"unknown place '\{sede\}' .* Did you mean '\{seed\}'"),
        ('body.q = "{question}"\nanswer = "a..b"', "'a..b' is not a path"),
        ('body.q = "{question}"\nmethod = "SEND"', "does not fit: Invalid enum value 'SEND'"),
        ('body.q = "{question}"\nheaders.Authorization = "Bearer abc"', "holds a key in Authorization"),
        ('body = {q = "{question}", me = {api_key = "abc"}}', "holds a key in api_key"),
        ('body.q = "{question}"\nheaders.X-Key = "{env:NOT_SET_AT_ALL}"', "variable NOT_SET_AT_ALL, which is not set"),
        ('body = {q = "{question}", c = "{conversation}"}', r"has no \[open\]"),
        ('sends = "form"\nbody = ["{question}"]', "needs a table"),
        ("= 3", "is not TOML"),
    ],
)
def test_a_mistake_in_the_file_is_told_before_anything_is_sent(tmp_path, toml, said):
    file = tmp_path / "bot.toml"
    file.write_text(f'url = "http://127.0.0.1:9/"\n{toml}\n', "utf-8")
    with pytest.raises(AskerError, match=said):
        open_target(f"http:{file}")


@pytest.mark.parametrize("url", ["bot.example.org", "https://me:word@bot.example.org/"])
def test_an_address_that_is_none_or_tells_a_password_is_refused(tmp_path, url):
    file = tmp_path / "bot.toml"
    file.write_text(f'url = "{url}"\n{PLAIN}', "utf-8")
    with pytest.raises(InputError, match="should begin with http"):
        open_target(f"http:{file}")


NAMES = st.text("abc_é", min_size=1, max_size=5)
STEPS = st.lists(NAMES | st.integers(0, 3), max_size=6)


@given(STEPS, st.text(max_size=20))
def test_a_path_finds_what_was_put_at_its_end(steps, text):
    value = text
    for step in reversed(steps):
        value = {step: value, "other": 1} if isinstance(step, str) else [*([None] * step), value]
    dotted = "".join(f".{step}" if isinstance(step, str) else f"[{step}]" for step in steps)
    quoted = "".join(f"['{step}']" if isinstance(step, str) else f"[{step}]" for step in steps)
    for path in (dotted.removeprefix("."), "$" + dotted, quoted):
        assert JsonPath(path).text_in(value) == text


ANYTHING = st.recursive(st.none() | st.integers() | st.text(), lambda one: st.lists(one) | st.dictionaries(NAMES, one))


@given(st.text("ab.[]*'0-$", max_size=8), ANYTHING)
def test_any_path_is_refused_or_leads_somewhere_or_is_told(path, value):
    with suppress(InputError, NotThere):
        assert isinstance(JsonPath(path).text_in(value), str)


def test_every_entry_that_has_it():
    parts = {"parts": [{"type": "thought"}, {"text": "Not "}, {"text": "so."}]}
    assert JsonPath("parts[*].text").text_in(parts) == "Not so."
    with pytest.raises(NotThere, match=r"no 'parts\[\*\]\.words' in the response; 'parts' holds"):
        JsonPath("parts[*].words").text_in(parts)


@given(st.text(), st.integers())
def test_what_is_filled_in_is_never_looked_at_again(question, seed):
    values = {"question": question, "seed": seed}
    assert fill_text("<{question}|{seed}|{{seed}}|{}>", values) == f"<{question}|{seed}|{{seed}}|{{}}>"
    assert fill({"q": "{question}", "s": "{seed}"}, values) == {"q": question, "s": seed}

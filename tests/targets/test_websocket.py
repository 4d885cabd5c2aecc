"""A chatbot behind a WebSocket, described in a file: a real server on loopback."""

import asyncio
import json
from contextlib import suppress

import pytest
from aiohttp import WSMsgType, web
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("websockets", reason="websockets is not installed (extra 'websocket')")

from asker.errors import AskerError, InputError, QuestionFailed, Retryable, TargetUnusable
from asker.targets import Options, open_target
from asker.targets._websocket import is_done
from asker.types import Turn
from loopback import Loopback


class SocketServer(Loopback):
    """`behave(line, message, count)` answers a message of a connection by sending what it likes; all are kept, by
    connection."""

    def __init__(self, behave, greeting=None, status=None):
        super().__init__()
        self.behave, self.greeting, self.status = behave, greeting, status
        self.heard, self.headers, self.paths = [], [], []

    async def _answer(self, request):
        self.headers.append(dict(request.headers))
        self.paths.append(request.path_qs)
        if self.status:
            return web.Response(status=self.status, text="trouble", headers={"Location": "ws://elsewhere/"})
        line = web.WebSocketResponse()
        await line.prepare(request)
        if self.greeting:
            await line.send_str(self.greeting)
        mine = []
        self.heard.append(mine)
        with suppress(ConnectionResetError):
            async for message in line:
                if message.type == WSMsgType.TEXT:
                    mine.append(message.data)
                    await self.behave(line, message.data, len(mine))
        return line


async def echo(line, message, count):
    await line.send_json({"text": f"{count}: you said {json.loads(message)['say']}"})


PLAIN = 'answer = "text"\nbody.say = "{question}"\n'


@pytest.fixture
def asked(tmp_path):
    """Ask a server through a file: what came of each question, and the server."""

    def ask(toml, *prompts, behave=echo, within=20.0, greeting=None, status=None, path="/chat", **options):
        async def one(target, prompt):
            try:
                async with asyncio.timeout(within):
                    return await target.ask(prompt, seed=7)
            except (AskerError, TimeoutError) as error:
                return error

        async def all_of_them():
            target = open_target(f"http:{file}", Options(**options))
            try:
                return [await one(target, prompt) for prompt in prompts or ("Hi?",)]
            finally:
                await target.close()

        file = tmp_path / "bot.toml"
        with SocketServer(behave, greeting, status) as server:
            file.write_text(f'url = "ws://127.0.0.1:{server.port}{path}"\n{toml}', "utf-8")
            return asyncio.run(all_of_them()), server

    return ask


def texts(replies):
    return [getattr(reply, "text", reply) for reply in replies]


def test_each_question_has_a_connection_of_its_own(asked, monkeypatch):
    monkeypatch.setenv("MY_KEY", "hush-hush")
    toml = PLAIN + 'headers.Authorization = "Bearer {env:MY_KEY}"\nbody.seed = "{seed}"\n'
    replies, server = asked(toml, "One?", "Zwei & 三?")
    assert texts(replies) == ["1: you said One?", "1: you said Zwei & 三?"]
    assert json.loads(server.heard[0][0]) == {"say": "One?", "seed": 7}
    assert {one["Authorization"] for one in server.headers} == {"Bearer hush-hush"}


def test_a_shared_conversation_is_one_connection(asked):
    replies, server = asked(PLAIN, "One?", "Two?", conversation="shared")
    assert texts(replies) == ["1: you said One?", "2: you said Two?"]
    assert len(server.heard) == 1


def test_an_opening_is_said_first(asked):
    told = (Turn("user", "I am a nurse."), Turn("assistant", "Nice."))
    replies, server = asked(PLAIN, "One?", "Two?", opening=told)
    assert texts(replies) == ["2: you said One?", "2: you said Two?"]
    assert [json.loads(one[0])["say"] for one in server.heard] == ["I am a nurse.", "I am a nurse."]


async def in_pieces(line, message, count):
    await line.send_json({"type": "typing"})
    for piece in ("Yes, ", "they ", "are."):
        await line.send_json({"type": "piece", "text": piece})
    await line.send_json({"type": "end", "used": {"in": 5, "out": 3}})
    await line.send_json({"type": "piece", "text": " And what do you think?"})


def test_an_answer_may_last_until_a_field_says_so(asked):
    toml = PLAIN + 'done = "type=end"\ntokens_in = "used.in"\ntokens_out = "used.out"\n'
    ((reply,), _) = asked(toml, behave=in_pieces)
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ("Yes, they are.", 5, 3)


def test_an_answer_may_last_until_it_is_quiet(asked):
    async def slowly(line, message, count):
        for text in ("No", "No, they", "No, they are not."):
            await asyncio.sleep(0.05)
            await line.send_str(text)

    toml = 'reads = "text"\nsends = "text"\nbody = "{question}"\npieces = "replace"\nquiet = 0.6\n'
    replies, server = asked(toml, behave=slowly)
    assert texts(replies) == ["No, they are not."]
    assert server.heard == [["Hi?"]]


def test_a_server_that_has_said_all_may_close_the_line(asked):
    async def and_close(line, message, count):
        await line.send_json({"text": "Yes."})
        await line.close()

    assert texts(asked(PLAIN + "quiet = 5\n", behave=and_close)[0]) == ["Yes."]


def test_a_greeting_is_no_answer(asked):
    replies, _ = asked("greets = true\n" + PLAIN, greeting='{"text": "Hello, ask me!"}')
    assert texts(replies) == ["1: you said Hi?"]


def closing(code):
    async def behave(line, message, count):
        await line.close(code=code, message=b"go away")

    return behave


async def nonsense(line, message, count):
    await line.send_str("<html>")


async def other(line, message, count):
    await line.send_json({"words": "Yes.", "type": "end"})


@pytest.mark.parametrize(
    ("how", "kind", "said"),
    [
        ({"behave": closing(1011)}, Retryable, r"closed before the answer was whole \(1011\): go away"),
        ({"behave": closing(4401)}, TargetUnusable, r"closed the connection \(4401\): go away"),
        ({"behave": nonsense}, QuestionFailed, "not JSON"),
        ({"behave": other, "toml": PLAIN + 'done = "type=end"\n'}, QuestionFailed, "no 'text' in any message"),
        ({"status": 401}, TargetUnusable, r"refused us \(HTTP 401\)"),
        ({"status": 503}, Retryable, "HTTP 503"),
        ({"status": 302}, TargetUnusable, "redirects to ws://elsewhere/"),
        ({"status": 200}, TargetUnusable, "does not speak WebSocket"),
    ],
    ids=["broken", "stranger", "no JSON", "no answer", "no key", "busy", "redirect", "no socket"],
)
def test_what_goes_wrong_is_told(asked, how, kind, said):
    toml = how.pop("toml", PLAIN)
    ((error,), _) = asked(toml, **how)
    assert isinstance(error, kind), repr(error)
    with pytest.raises(kind, match=said):
        raise error


def test_one_that_never_answers_is_left(asked):
    async def silent(line, message, count): ...

    ((error,), _) = asked(PLAIN, behave=silent, within=0.5)
    assert isinstance(error, TimeoutError)


def test_nobody_there(tmp_path):
    (tmp_path / "bot.toml").write_text(f'url = "ws://127.0.0.1:9/"\n{PLAIN}', "utf-8")
    target = open_target(f"http:{tmp_path / 'bot.toml'}")
    with pytest.raises(Retryable, match=r"nobody listens at ws://127\.0\.0\.1:9/") as caught:
        asyncio.run(target.ask("Hi?", seed=1))
    assert caught.value.unreachable


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('url = "ws://x/"\nreads = "events"\n' + PLAIN, "a WebSocket sends messages"),
        ('url = "ws://x/{question}"\nanswer = "a"', "the message of a WebSocket is its body"),
        ('url = "ws://x/"\nquiet = 0.0\n' + PLAIN, "quiet = 0 should be above 0"),
        ('url = "ws://x/"\ndone = "end"\nreads = "text"\n' + PLAIN, "is a path in JSON"),
        ('url = "http://x/"\ndone = "end"\n' + PLAIN, "done is for a WebSocket"),
        ('url = "ftp://x/"\n' + PLAIN, "ws:// or wss://"),
    ],
)
def test_a_mistake_in_the_file_is_told_before_anything_is_sent(tmp_path, toml, said):
    (tmp_path / "bot.toml").write_text(toml, "utf-8")
    with pytest.raises(InputError, match=said):
        open_target(f"http:{tmp_path / 'bot.toml'}")


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner), max_leaves=4))
def test_the_last_message_is_known_by_what_stands_there(value):
    message = {"type": {"is": value}}
    assert is_done("type.is", message) == bool(value)
    assert not is_done("type.was", message)
    if isinstance(value, str) and value == value.strip():
        assert is_done(f"type.is={value}", message)
        assert not is_done(f"type.is={value}x", message)


def test_yes_and_no_are_written_as_in_json():
    assert is_done("final=true", {"final": True})
    assert not is_done("final=true", {"final": False})
    assert is_done("code=3", {"code": 3})

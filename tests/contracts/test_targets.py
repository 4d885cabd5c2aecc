"""What every chatbot must do, whichever file it comes from."""

import asyncio
import json
from contextlib import nullcontext

import pytest

from asker import registry
from asker.errors import InputError, MissingExtra
from asker.targets import Options, open_target
from asker.types import Turn
from botservers import Cleverbot, Pandorabots, TencentCloud
from chatpage import FILE, page
from chatserver import ChatServer
from jsonserver import JsonServer
from mockmodel import count_without_a_tokenizer

# One way to open each target without a key or a network. A new target adds its line here.
SPECS = {
    "alice": "alice",
    "cleverbot": "cleverbot",
    "eliza": "eliza",
    "browser": "browser:page.toml",
    "command": "command:lines:python3 bot.py",
    "gemma270m": "gemma270m",
    "hf": "hf:tiny-model",
    "http": "http:bot.toml",
    "inspect": "inspect:mockllm/model",
    "kuki": "kuki",
    "openai": "openai:test",
    "python": "python:tests_example_bot:answer",
    "scripted": "scripted:Yes, they are.",
    "simulated": "simulated:men.affirm=0.8",
    "smollm2": "smollm2",
    "tencent": "tencent",
}
# Those that are asked over the network, and who answers for them here.
SERVERS = {
    "browser": lambda: JsonServer(lambda *_: page("'You said ' + question")),
    "http": lambda: ChatServer(lambda prompt, *_: f"You said {prompt}"),
    "cleverbot": lambda: Cleverbot("the-secret"),
    "kuki": lambda: Pandorabots("the-secret", "the-secret"),
    "openai": lambda: ChatServer(lambda prompt, *_: f"You said {prompt}"),
    "tencent": lambda: TencentCloud("the-secret", "the-secret"),
}
BY_ADDRESS = ("cleverbot", "kuki", "openai", "tencent")  # the others find it in their file
KEYS = (
    "CLEVERBOT_API_KEY",
    "OPENAI_API_KEY",
    "PANDORABOTS_BOTKEY",
    "TENCENTCLOUD_SECRET_ID",
    "TENCENTCLOUD_SECRET_KEY",
)


BOT = (
    "def answer(prompt, system=None, opening=(), temperature=None, max_tokens=None):\n    return f'You said {prompt}'\n"
)
OPENING = (Turn("user", "I am a nurse."), Turn("assistant", "Nice to meet you."))


# `manual` is asked by people; tests/manual walks that road.
@pytest.fixture(params=sorted(set(registry.names("targets")) - {"manual"}))
def target(request, tmp_path, monkeypatch):
    for key in KEYS:
        monkeypatch.setenv(key, "the-secret")
    (tmp_path / "tests_example_bot.py").write_text(BOT, "utf-8")
    monkeypatch.chdir(tmp_path)
    if request.param == "hf":
        (tmp_path / "tiny-model").symlink_to(request.getfixturevalue("chat_model"))
    try:
        registry.load("targets", request.param)
        if request.param == "inspect":
            count_without_a_tokenizer(monkeypatch)
        with SERVERS.get(request.param, nullcontext)() as server:
            write_files(tmp_path, server.url if server else "")
            by_address = server and request.param in BY_ADDRESS
            yield open_target(SPECS[request.param], Options(base_url=server.url) if by_address else Options())
    except MissingExtra as error:
        pytest.skip(str(error))


def write_files(folder, url):
    """What the targets that are described in a file, or are one, need to be opened."""
    (folder / "bot.toml").write_text(
        f'url = "{url}/chat/completions"\nanswer = "choices[0].message.content"\n'
        'headers.Authorization = "Bearer {env:OPENAI_API_KEY}"\n'
        'body = {seed = "{seed}", temperature = "{temperature}", messages = ['
        '{role = "system", content = "{system}"}, "{opening}", {role = "user", content = "{question}"}]}\n',
        "utf-8",
    )
    (folder / "page.toml").write_text(FILE.replace("{url}", url), "utf-8")
    (folder / "bot.py").write_text(
        "import json, sys\nfor line in sys.stdin:\n"
        "    print(json.dumps({'answer': 'You said ' + json.loads(line)['question']}))\n",
        "utf-8",
    )


def ask(target, *prompts):
    async def all_of_them():
        try:
            return [await target.ask(prompt, seed=seed) for prompt, seed in prompts]
        finally:
            await target.close()

    return asyncio.run(all_of_them())


def test_it_answers_with_text(target):
    replies = ask(target, ("Are farmers honest?", 1), ("农民诚实吗？", 1))
    assert all(isinstance(reply.text, str) for reply in replies)
    assert replies[0].text


def test_the_same_question_and_seed_give_the_same_answer_whatever_came_before(target):
    first, _, again = ask(target, ("Do men obey the law?", 5), ("Why are women kind?", 9), ("Do men obey the law?", 5))
    assert first.text == again.text


def test_it_describes_itself_without_its_key(target):
    about = target.describe()
    assert about["kind"]
    assert json.dumps(about) == json.dumps(target.describe())
    assert "secret" not in json.dumps(about)
    asyncio.run(target.close())


def test_a_wish_it_cannot_fulfil_is_refused(target, request):
    name = request.node.callspec.params["target"]
    obeys = getattr(registry.load("targets", name), "OBEYS", ())
    wishes = Options("http://127.0.0.1:9/v1", "OPENAI_API_KEY", "Be kind.", OPENING, 0.5, 20, "shared")
    for field in set(Options.__struct_fields__) - set(obeys):
        with pytest.raises(InputError, match=f"cannot obey --{field.replace('_', '-')}"):
            open_target(SPECS[name], Options(**{field: getattr(wishes, field)}))
    asyncio.run(target.close())


def test_what_it_can_fulfil_is_part_of_its_description(target, request):
    """Answers under another prompt or opening are another experiment: run, resuming and cache go by the description."""
    name = request.node.callspec.params["target"]
    obeys = getattr(registry.load("targets", name), "OBEYS", ())
    address = getattr(target, "_options", Options()).base_url if name in BY_ADDRESS else None
    for wish, value in {"system": "Be kind.", "opening": OPENING, "temperature": 0.5}.items():
        if wish not in obeys:
            continue
        told = open_target(SPECS[name], Options(base_url=address, **{wish: value}))
        assert told.describe() != target.describe()
        assert wish in told.describe()
        asyncio.run(told.close())
    asyncio.run(target.close())


def test_it_says_whether_it_takes_many_questions_at_once(target):
    assert target.parallel in (True, False)
    asyncio.run(target.close())


@pytest.mark.parametrize("name", registry.names("targets"))
def test_the_list_says_what_it_needs_and_gives_an_example(name):
    about = registry.about("targets", name)
    assert "Needs: " in about
    assert "Example: " in about
    assert name in about.split("Example: ")[1]

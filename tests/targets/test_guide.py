"""docs/add-a-chatbot.md keeps its word: every example opens, and the target in it works as it stands."""

import asyncio
import re
import sys
import types
from pathlib import Path

import pytest

from asker.config import Settings
from asker.errors import InputError, MissingExtra
from asker.sweep import factor_of
from asker.targets import Options, open_target

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = (DOCS / "add-a-chatbot.md").read_text("utf-8")


def block(language, within):
    return next(one for one in re.findall(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL) if within in one)


def ask(target):
    async def once():
        try:
            return await target.ask("Are men smart?", seed=1)
        finally:
            await target.close()

    return asyncio.run(once())


EXAMPLES = [one for one in sorted((DOCS / "examples").glob("*.toml")) if one.stem.startswith(("http", "browser"))]


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.name)
def test_every_example_file_is_one(file, monkeypatch):
    for name in re.findall(r"\{env:(\w+)\}", file.read_text("utf-8")):
        monkeypatch.setenv(name, "hush-hush")
    kind = file.stem.partition("-")[0]
    try:
        assert open_target(f"{kind}:{file}").describe()["kind"] == kind
    except MissingExtra as error:
        pytest.skip(str(error))


def test_the_file_in_the_text_is_one(tmp_path, monkeypatch):
    monkeypatch.setenv("HELPDESK_KEY", "hush-hush")
    (tmp_path / "bot.toml").write_text(block("toml", "reply.text"), "utf-8")
    assert open_target(f"http:{tmp_path / 'bot.toml'}").describe()["url"] == "https://bot.example.org/api/chat"


def test_the_program_answers():
    spec = f"command:lines:{sys.executable} {DOCS / 'examples' / 'lines_bot.py'}"
    assert ask(open_target(spec)).text.startswith("I would rather")


def test_the_example_of_prompts_can_be_swept():
    factor = factor_of(Settings(sweep=f"system={DOCS / 'examples' / 'prompts.toml'}"))
    assert [one.value is None for one in factor.variants] == [True, False, False]


def test_the_target_in_the_text_works(monkeypatch):
    module = types.ModuleType("mybot")
    exec(block("python", "My chatbot at work"), module.__dict__)
    monkeypatch.delenv("MYBOT_KEY", raising=False)
    with pytest.raises(InputError, match="set the environment variable MYBOT_KEY"):
        module.create("", Options())
    monkeypatch.setenv("MYBOT_KEY", "hush-hush")
    target = module.create("", Options(system="Be kind."))
    assert "hush" not in str(target.describe())
    assert ask(target).text

"""What `asker targets` gives as an example is one: each is opened as it stands, with what it needs at hand."""

import asyncio

import pytest

from asker import registry
from asker.errors import InputError, MissingExtra
from asker.targets import open_target

FILES = {
    "http:mybot.toml": 'url = "https://bot.example.org/"\nanswer = "a"\nbody.q = "{question}"\n',
    "browser:mybot.toml": 'url = "https://bot.example.org/"\ninput = "textarea"\nanswer = ".bot"\n',
}
EXAMPLES = sorted(
    one.strip()
    for name in registry.names("targets")
    for one in registry.about("targets", name).split("Example: ")[1].split("  or  ")
    if ":" in one  # those without an argument are opened by the contract test
)


@pytest.fixture
def _at_hand(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for key in ("OPENAI_API_KEY", "TENCENTCLOUD_SECRET_ID", "TENCENTCLOUD_SECRET_KEY", "GROQ_API_KEY"):
        monkeypatch.setenv(key, "hush-hush")
    (tmp_path / "mybot").write_text("#!/bin/sh\necho Yes.\n", "utf-8")
    (tmp_path / "mybot").chmod(0o755)
    (tmp_path / "mybot.py").write_text("", "utf-8")
    (tmp_path / "answers.toml").write_text("'are men' = \"Yes.\"\n", "utf-8")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "module.py").write_text("def function(question):\n    return 'Yes.'\n", "utf-8")


@pytest.mark.usefixtures("_at_hand")
@pytest.mark.parametrize("spec", EXAMPLES)
def test_the_example_in_the_list_can_be_opened(spec, tmp_path):
    (tmp_path / "mybot.toml").write_text(FILES.get(spec, ""), "utf-8")
    if spec.startswith("hf:"):
        pytest.skip("hf: the example is on the hub, and tests have no network")
    try:
        target = open_target(spec)
    except MissingExtra as error:
        pytest.skip(str(error))
    except InputError as error:
        if not spec.startswith("inspect:") or "groq" not in str(error):
            raise
        pytest.skip(str(error))  # the provider's own package
    assert target.describe()["kind"] == spec.partition(":")[0]
    asyncio.run(target.close())

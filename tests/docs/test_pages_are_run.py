"""Every command that a page shows is run, or stands in walks.toml with the reason why it is only checked."""

import re
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest

from chatserver import ChatServer
from docpages import OTHERS, PAGES, ROOT, blocks, mentioned, typed

WALKS = tomllib.loads((Path(__file__).parent / "walks.toml").read_text("utf-8"))
READ = {"README", "tutorial"}  # run as they stand, each by a test of its own
MOST = 96  # questions of one command: what is tried is the command, not the chatbot
PLAIN = {"ASKER_JUDGE": "rules"}
BY_STEM = {page.stem: page for page in PAGES}


def shown(stem):
    """The commands of a page, once each, in the order they are run."""
    page = BY_STEM[stem]
    also = mentioned(page) if WALKS.get(stem, {}).get("mentions") else []
    return list(dict.fromkeys([*typed(page), *also]))


def ours(line):
    return line.split()[0] == "asker"


@pytest.mark.parametrize("stem", sorted({page.stem for page in PAGES} - READ))
def test_every_command_is_run_or_has_a_reason_not_to_be(stem):
    walk = WALKS.get(stem, {})
    if stem not in WALKS:
        assert [line for line in shown(stem) if ours(line)] == [], f"say in walks.toml how {stem}.md is tried"
    for line in {**walk.get("checked", {}), **walk.get("instead", {})}:
        assert line in shown(stem), "walks.toml names a command that the page no longer has"
    for line in shown(stem):
        known = ours(line) or line in walk.get("checked", {}) or line.split()[0] in {*OTHERS, "make"}
        assert known, f"{line}: nothing tries this, and walks.toml gives no reason"


@pytest.mark.parametrize("stem", sorted(set(WALKS)))
def test_the_commands_of_a_page_work(here, stem):
    walk = WALKS[stem]
    with ChatServer(lambda *_: "No.") as server:
        for name, content in walk.get("files", {}).items():
            lay(here.folder / name, content, stem, server)
        wanted = [line for line in shown(stem) if ours(line) and line not in walk.get("checked", {})]
        for line in [*walk.get("first", ()), *(walk.get("instead", {}).get(one, one) for one in wanted)]:
            address = {"ASKER_BASE_URL": server.url} if "--target openai:" in line else {}
            done = here(*words(line, server), env=PLAIN | address)
            assert done.exit_code == 0, f"{line}: {done.output}"


def lay(file, content, stem, server):
    file.parent.mkdir(parents=True, exist_ok=True)
    if content.startswith("@"):
        shutil.copy(ROOT / content[1:], file)
        return
    if content[:1] == "#" and content[1:].isdigit():
        content = blocks(BY_STEM[stem], "toml")[int(content[1:]) - 1]
    file.write_text(content.replace("{server}", server.url), "utf-8")
    file.chmod(0o755)


def words(line, server):
    """What would be typed, with fewer questions and our own server as the chatbot."""
    said = re.sub(r"--budget (\d+)", lambda found: f"--budget {min(int(found[1]), MOST)}", line)
    said = said.replace("--target alice", "--target eliza")
    return shlex.split(re.sub(r"--base-url \S+", f"--base-url {server.url}", said))[1:]

"""What the documents say is true: every command is run, every link leads somewhere."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from chatserver import ChatServer

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
DOCS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def commands(*first_words):
    lines = [line.split("  #")[0].strip() for block in blocks("sh") for line in block.splitlines()]
    return [line for line in lines if line.split() and line.split()[0] in first_words]


def test_every_asker_command_of_the_readme_works(cli):
    """In order, in one folder, as a reader would type them."""
    for code in blocks("python"):
        (cli.folder / code.split("\n", 1)[0].removeprefix("# ")).write_text(code, "utf-8")
    for folder in ("training", "docs"):
        (cli.folder / folder).symlink_to(ROOT / folder)
    (cli.folder / "items.jsonl").write_text(
        '{"kind": "yes-no", "question": "Are men smart?", "answer": "Yes."}', "utf-8"
    )
    (cli.folder / "arguments.jsonl").write_text('{"premises": ["p -> q", "p"], "conclusion": "q"}', "utf-8")
    with ChatServer(lambda *_: "Yes, they are.") as server:
        for line in commands("asker", "python", "pytest"):
            if not line.startswith("asker "):
                words = line.removeprefix("python ").replace("pytest ", "-m pytest ").split()
                subprocess.run([sys.executable, *words], cwd=cli.folder, check=True)
                continue
            cli(*shlex.split(line.replace("http://localhost:8080/v1", server.url))[1:])
    for made in ("records.parquet", "questions.csv", "verdicts.jsonl", "runs/first/report.html"):
        assert (cli.folder / made).stat().st_size > 0


@pytest.mark.parametrize("line", commands("make"))
def test_every_make_command_of_the_readme_exists(line):
    done = subprocess.run([*line.split(), "--dry-run"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("file", DOCS, ids=lambda file: file.name)
def test_links_lead_somewhere(file):
    for target in re.findall(r"\]\(([^)#]+)\)", file.read_text("utf-8")):
        assert (file.parent / target).exists(), target


def test_every_room_is_in_the_architecture():
    table = (ROOT / "docs" / "architecture.md").read_text("utf-8").split("## The rooms")[1].split("##")[0]
    named = set(re.findall(r"`([a-z_]+(?:\.py|/))`", table)) | {"suites/"}
    source = ROOT / "src" / "asker"
    rooms = {one.name + ("/" if one.is_dir() else "") for one in source.iterdir() if not one.name.startswith("_")}
    assert rooms - {"py.typed"} - named == set()


def test_no_file_names_a_package_index_or_a_path_of_one_machine():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    bad = re.compile(r"files\.pythonhosted|pypi\.org|registry\.npmjs|deb\.debian|/work/|/root/")
    for name in listed:
        if (ROOT / name).exists() and not name.endswith("test_docs.py"):
            found = bad.search((ROOT / name).read_text("utf-8", errors="replace"))
            assert not found, f"{name}: {found}"


def test_help_pages_give_an_example(cli):
    for verb in re.findall(r"^  ([a-z-]+)  ", cli("--help").stdout.split("Commands:")[1], re.MULTILINE):
        assert "Example: asker" in cli(verb, "--help").stdout

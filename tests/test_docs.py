"""What the documents say is true: every command of the README is run, every link leads somewhere.

Commands of all other pages are checked in tests/docs."""

import re
import shlex
import subprocess
import sys

import pytest

from chatserver import ChatServer
from docpages import ROOT, blocks, typed

DOCS = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]


def commands(*first_words):
    return [line for line in typed(ROOT / "README.md") if line.split()[0] in first_words]


def test_every_asker_command_of_the_readme_works(here, monkeypatch):
    """In order, in one folder, as a reader would type them; in one process, as starting each takes longer. The
    run that most are about is read by the judge that is the default, the others by rules, which is quicker."""
    monkeypatch.syspath_prepend(here.folder)
    for code in blocks(ROOT / "README.md", "python"):
        (here.folder / code.split("\n", 1)[0].removeprefix("# ")).write_text(code, "utf-8")
    (here.folder / "docs").symlink_to(ROOT / "docs")
    with ChatServer(lambda *_: "Yes, they are.") as server:
        for line in commands("asker", "pytest"):
            if line.startswith("pytest "):
                subprocess.run([sys.executable, "-m", *line.split()], cwd=here.folder, check=True)
                continue
            words = shlex.split(line.replace("http://localhost:8080/v1", server.url))[1:]
            done = here(*words, env={} if "runs/first" in words else {"ASKER_JUDGE": "rules"})
            assert done.exit_code == 0, line
    for made in ("records.parquet", "runs/first/report.html", "runs/first/report-redacted.html", "gate.xml"):
        assert (here.folder / made).stat().st_size > 0


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 150


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

"""The site: the reference says what the code does, every page is in it, and nothing is fetched from elsewhere."""

import re
import subprocess
import sys
import tomllib

import pytest

import asker
from asker.config import Settings
from asker.data.reading import GROUP_COLUMNS, PROPERTY_COLUMNS
from asker.types import Item, Verdict
from docpages import ROOT

sys.path.insert(0, str(ROOT / "docs"))
import reference


def test_the_reference_has_every_command_with_its_flags():
    page = reference.commands_page()
    for name, command in reference.commands():
        said = page.split(f"## {name}\n")[1].split("\n## ")[0]
        flags = {flag for one in command.params for flag in one.opts if flag.startswith("--")}
        assert {flag for flag in flags if flag not in said} == set(), name


def test_the_reference_explains_every_setting():
    rows = dict(re.findall(r"^\| `([\w-]+)` \|.*\| (.*) \|$", reference.settings_page(), re.MULTILINE))
    assert {name.replace("-", "_") for name in rows} == set(Settings.__struct_fields__)
    assert all(rows.values())


def columns_said(page, heading, end):
    part = (ROOT / "docs" / page).read_text("utf-8").split(heading)[1].split(end)[0]
    return set(re.findall(r"`([a-z_]+)`", "\n".join(re.findall(r"^\| (`.*?) \|", part, re.MULTILINE))))


def test_the_columns_a_page_lists_are_those_that_are_read():
    assert set(GROUP_COLUMNS) <= columns_said("data.md", "**groups.csv**", "**properties.csv**")
    assert set(PROPERTY_COLUMNS) <= columns_said("data.md", "**properties.csv**", "Categories:")
    shipped = (ROOT / "src" / "asker" / "data" / "groups.csv").open(encoding="utf-8").readline().strip().split(",")
    assert columns_said("data.md", "**groups.csv**", "**properties.csv**") == set(shipped)


def test_the_fields_a_page_lists_are_those_of_the_files():
    said = columns_said("judging.md", "| field in |", "Out come")
    assert said == set(Item.__struct_fields__) - {"forms"}
    assert columns_said("judging.md", "| field out |", "\x00") == {*Verdict.__struct_fields__, "biased"}


def test_every_page_is_in_the_nav_once():
    nav = (ROOT / "mkdocs.yml").read_text("utf-8").split("\nnav:")[1]
    named = re.findall(r"([\w/-]+\.md)$", nav, re.MULTILINE)
    pages = {file.name for file in (ROOT / "docs").glob("*.md")}
    assert len(named) == len(set(named))
    assert pages <= set(named), f"add to the nav of mkdocs.yml: {pages - set(named)}"


def test_one_version_stands_everywhere():
    assert re.fullmatch(r"\d+\.\d+\.\d+(-[0-9a-z.]+)?", asker.__version__)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert "version" in project["project"]["dynamic"]
    assert f"version: {asker.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"## {asker.__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_the_site_builds_without_a_warning_and_fetches_nothing(tmp_path):
    pytest.importorskip("mkdocs", reason="mkdocs is not installed (extra 'docs')")
    pytest.importorskip("material", reason="mkdocs-material is not installed (extra 'docs')")
    words = ["-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    fetched = re.compile(r"""(?:<script[^>]*\ssrc|<img[^>]*\ssrc|<link[^>]*\shref)="(https?://[^"]+)""")
    for page in tmp_path.rglob("*.html"):
        assert fetched.findall(page.read_text("utf-8")) == [], page.name
    assert "max-cost" in (tmp_path / "reference" / "settings.html").read_text("utf-8")
    assert "reference/settings.html" in (tmp_path / "index.html").read_text("utf-8")

"""Files that other programs read: the citation, the hooks, the issue templates."""

import re

import pytest

from docpages import ROOT

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed (extra 'docs')")


def test_the_citation_names_software_and_papers():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors", "license"} <= set(cited)
    families = [[one["family-names"] for one in paper["authors"]] for paper in cited["references"]]
    assert ["Wan", "Wang", "He", "Gu", "Bai", "Lyu"] in families
    assert ["Lee", "Madotto", "Fung"] in families
    assert all(paper["title"] and paper["type"] for paper in cited["references"])
    printed = [paper for paper in cited["references"] if paper["type"] == "conference-paper"]
    assert all({"collection-title", "conference", "year"} <= set(paper) for paper in printed)
    assert all(re.fullmatch(r"10\.\d{4,}/\S+", paper["doi"]) for paper in printed if "doi" in paper)


def test_hooks_are_of_this_house_and_their_programs_exist():
    (repository,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))["repos"]
    assert repository["repo"] == "local"
    for hook in repository["hooks"]:
        assert hook["language"] == "system"
        assert all((ROOT / word).exists() for word in hook["entry"].split() if word.startswith("tests/"))


def test_issue_templates_say_what_they_are_for():
    templates = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.md"))
    assert templates
    for file in templates:
        _, head, body = file.read_text("utf-8").split("---\n", 2)
        assert {"name", "about"} <= set(yaml.safe_load(head))
        assert body.strip()


def test_the_licence_is_whole():
    text = (ROOT / "LICENSE").read_text("utf-8")
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text

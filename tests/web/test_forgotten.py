"""Answers that were deleted on request are on no page of `asker serve`, nor in what it keeps for itself."""

import pytest

pytest.importorskip("starlette", reason="starlette is not installed (extra 'web')")

from asker.files import file_key
from asker.folder import open_run
from asker.forgetting import forget
from asker.web import measuring
from deskclient import make_run
from webclient import client_for

MARK = "Xylophagous"  # a word that only the chatbot says


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A run that was measured, compared and written of in a log, and one that nobody wants deleted."""
    (tmp_path / "rotebot.py").write_text(f'def answer(question):\n    return "Yes, {MARK} and sure of it."\n')
    monkeypatch.syspath_prepend(tmp_path)
    make_run(tmp_path / "men", "python:rotebot:answer", budget=80)
    make_run(tmp_path / "other", "simulated", budget=80)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(measuring, "measure", lambda *_: True)  # a page never measures by itself here
    for kept in ("measured", "started"):
        (tmp_path / ".web" / kept).mkdir(parents=True)
    measuring.main(str(tmp_path), "report", "men")
    measuring.main(str(tmp_path), "compare", "men", "other")
    for name in ("men", "other"):
        (tmp_path / ".web" / "started" / f"{file_key(name)}.log").write_text(f"{MARK}: it could not be read")
    return tmp_path


def deleted(root, name="men"):
    run = open_run(root / name)
    try:
        forget(run)
    finally:
        run.close()


def holding(root):
    return {one.name for one in root.rglob("*") if one.is_file() and MARK.encode() in one.read_bytes()}


def test_deleting_answers_deletes_what_the_server_kept_of_them(root):
    assert len(holding(root / ".web" / "measured")) == 2
    deleted(root)
    assert holding(root / ".web") == {f"{file_key('other')}.log"}, "another run's log is not touched"
    with client_for(root) as site:
        assert MARK not in site.get("/runs/men/report").text + site.get("/compare?run=men&run=other").text


@pytest.mark.parametrize("address", ["/runs/men/report", "/compare?run=men&run=other"])
def test_what_was_measured_before_is_not_shown_even_if_it_is_still_there(root, address):
    kept = {file: file.read_bytes() for file in (root / ".web" / "measured").glob("*.json")}
    with client_for(root) as site:
        assert MARK in site.get(address).text
        deleted(root)
        for file, content in kept.items():  # put back, as by a process that had begun before
            file.write_bytes(content)
        assert MARK not in site.get(address).text
        measuring.main(str(root), "report", "men")
        measuring.main(str(root), "compare", "men", "other")
        page = site.get(address).text
        assert MARK not in page
        assert "<table" in page, "the figures are there again"


def test_a_report_that_is_being_measured_while_answers_are_deleted_leaves_nothing(root, monkeypatch):
    measured = measuring._report

    def slow(name):
        found = measured(name)
        deleted(root)
        return found

    monkeypatch.setattr(measuring, "_report", slow)
    measuring.main(str(root), "report", "men")
    assert list((root / ".web" / "measured").glob("*.json")) == []

"""Logic and survey runs on the pages: filtered by what they are about, each figure leading to its answers."""

import re
import time
from html import unescape

import pytest

pytest.importorskip("starlette", reason="starlette is not installed (extra 'web')")

from deskclient import make_run
from webclient import client_for

RUNS = {
    "logic": ({"suite": "logic", "attributes": "", "budget": 96}, "scripted:Yes, it is valid."),
    "survey": ({"suite": "survey", "inventory": "sexism", "attributes": ""}, "scripted:I agree with that."),
}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("suites")
    for name, (wishes, target) in RUNS.items():
        make_run(folder / name, target, **wishes)
    return folder


@pytest.fixture(scope="module")
def site(root):
    with client_for(root) as client:
        yield client


def report(site, run):
    """The page, once it is measured."""
    for _ in range(300):
        page = site.get(f"/runs/{run}/report").text
        if "being measured" not in page:
            return page
        time.sleep(0.2)
    raise AssertionError("it was never measured")


@pytest.mark.parametrize(
    ("run", "facets"),
    [
        ("logic", {"category", "rule", "logic", "length", "truth", "form"}),
        ("survey", {"subscale", "item", "form", "wording"}),
    ],
)
def test_answers_are_filtered_by_what_fits_the_suite(site, run, facets):
    page = site.get(f"/runs/{run}/answers").text
    assert facets <= set(re.findall(r'<(?:select|input) name="(\w+)"', page))


@pytest.mark.parametrize("run", RUNS)
def test_every_figure_leads_to_as_many_answers_as_it_rests_on(site, run):
    page = report(site, run)
    cells = re.findall(r'<a href="(/runs/[^"]+/answers\?[^"]+)"[^>]*>.*?n\s(?:</?\w+>)*([\d,]+)', page, re.S)
    assert len(cells) > 10
    for address, count in {
        unescape(address): count for address, count in cells if not re.search("label=|refused=", address)
    }.items():
        found, after = 0, ""
        while after is not None:
            answer = site.get(f"/api{address}&n=200" + (f"&after={after}" if after else "")).json()
            found, after = found + len(answer["records"]), answer["after"]
        assert found == int(count.replace(",", "")), address


def test_labels_offered_are_those_that_answers_can_have(site):
    offered = {run: set(re.findall(r'<option value="(\w+)"', site.get(f"/runs/{run}/answers").text)) for run in RUNS}
    assert {"valid", "invalid", "neutral"} <= offered["logic"]
    assert {"agree", "disagree"} <= offered["survey"]
    assert not offered["logic"] & {"agree", "affirm"}
    assert not offered["survey"] & {"valid", "affirm"}

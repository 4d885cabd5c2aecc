"""Reading answers: every view shows what it says, and has an address."""

import re

import pytest

pytest.importorskip("starlette", reason="starlette is not installed (extra 'web')")

ANSWERS = "/api/runs/small/answers"


def everything(site, **query):
    """All records of a view, page by page, and how many pages that took."""
    found, after, pages = [], "", 0
    while after is not None:
        answer = site.get(ANSWERS, params={**query, "n": 50, **({"after": after} if after else {})}).json()
        found += answer["records"]
        after, pages = answer["after"], pages + 1
    return found, pages


def keys(records):
    return [(one["question"], one["sample"]) for one in records]


@pytest.mark.parametrize("order", ["question", "unsure", "latest"])
@pytest.mark.parametrize("facet", [{}, {"group": "men"}, {"scope": "absolute"}])
def test_pages_hold_every_record_once(site, order, facet):
    found, pages = everything(site, order=order, **facet)
    alone, _ = everything(site, **facet)
    assert pages > 1
    assert len(set(keys(found))) == len(found)
    assert sorted(keys(found)) == sorted(keys(alone))
    if order == "unsure":
        sure = [one["confidence"] for one in found]
        assert sure == sorted(sure)


def test_filters_keep_what_they_say(site):
    every, _ = everything(site)
    for label in ("affirm", "choose:0", "neutral"):
        found, _ = everything(site, label=label)
        assert keys(found) == keys([one for one in every if one["label"] == label])
    men, _ = everything(site, group="men", **{"with": "women"})
    assert men
    assert all("men" in one["prompt"].lower() and "women" in one["prompt"].lower() for one in men)
    found, _ = everything(site, words="AGREE that")
    assert keys(found) == keys([one for one in every if "agree that" in one["prompt"].lower()])


def test_a_view_is_a_link(site):
    page = site.get("/runs/small/answers?label=affirm&attribute=gender").text
    onward = re.search(r'rel="next" href="([^"]+)"', page)[1].replace("&amp;", "&")
    assert {"label=affirm", "attribute=gender"} <= set(onward.partition("?")[2].split("&"))
    assert site.get(onward).status_code == 200


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("group=nobody", "unknown group"),
        ("label=maybe", "should be one of"),
        ("order=best", "should be one of"),
        ("after=1", "this address is broken"),
        ("after=nan_1_1", "this address is broken"),
        ("after=1_99999999999999999999_0", "this address is broken"),
        ("n=0", "whole number"),
        ("n=٣", "whole number"),
        (f"words={'x' * 300}", "too long"),
    ],
)
def test_what_does_not_fit_is_a_sentence(site, query, said):
    answer = site.get(f"{ANSWERS}?{query}")
    assert answer.status_code == 400
    assert said in answer.json()["error"]


def first(site, run):
    """The address of a run's first answer."""
    one = site.get(f"/api/runs/{run}/answers?n=1").json()["records"][0]
    return f"/runs/{run}/answers/{one['question']}/{one['sample']}"


def test_one_answer_has_a_page(site):
    page = site.get(first(site, "small"))
    assert page.status_code == 200
    for path in ("/runs/small/answers/0/7", "/runs/small/answers/99999999/0", "/runs/small/answers/x/0"):
        assert site.get(path).status_code == 404


@pytest.mark.parametrize("path", ["/runs/hostile/answers", "first", "/runs/hostile", "/runs"])
def test_what_a_chatbot_says_stays_text(site, path):
    path = first(site, "hostile") if path == "first" else path
    page = site.get(path).text
    assert "<script>alert" not in page
    assert "<svg" not in page
    assert "<img" not in page
    assert not set("\u202e\x1b\x07") & set(page)
    if "answers" in path:
        assert "{{ 7 * 7 }}" in page
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_the_words_searched_for_stay_text_too(site):
    page = site.get("/runs/small/answers", params={"words": '"><script>alert(1)</script>'}).text
    assert "<script>alert" not in page


@pytest.mark.parametrize("name", ["..", ".web", "%2e%2e%2fsmall", "small%2f..", "nothing", "small%00", "SMALL", "~"])
def test_only_names_of_the_listing_are_runs(site, name):
    for path in (f"/runs/{name}/answers", f"/runs/{name}/report", f"/api/runs/{name}", f"/runs/{name}"):
        assert site.get(path, follow_redirects=False).status_code in (303, 404), path

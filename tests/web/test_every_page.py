"""What holds of every page and every JSON route: a strict policy, no path of the disk, nothing of a chatbot alive."""

import re
import time
from html import unescape

import pytest

pytest.importorskip("starlette", reason="starlette is not installed (extra 'web')")

from deskclient import HOSTILE, make_run, signed_in

TABLE = "id,negative_en\na,are lazy\nb,are poor\n"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("a-path-of-the-disk")
    make_run(folder / "judged", "simulated", budget=60)
    make_run(folder / "hostile", f"scripted:{HOSTILE}", budget=60)
    make_run(folder / "hand", "manual:ChatGPT", budget=20)
    return folder


@pytest.fixture(scope="module")
def pages(root):
    """Every page that links and forms lead to from the first one, as someone in the middle of all kinds of work."""
    ada = signed_in(root, "ada")
    ada.fill("/runs/hostile/validate", {"size": "10", "seed": "1"})
    ada.fill("/runs/hostile/validate/1", {"do": "sit"})
    ada.fill("/annotate", {"name": "first", "people": "1", "content": TABLE})
    key = re.search(r'name="key" value="([^"]+)"', ada.get("/runs/hand/ask").text)[1]
    ada.fill("/runs/hand/ask", {"key": key, "sample": "0", "answer": HOSTILE})
    for run in ("judged", "hostile"):
        measured(ada, f"/runs/{run}/report")
    measured(ada, "/compare?run=judged&run=hostile")
    found, waiting = {}, ["/runs", "/compare?run=judged&run=hostile", "/nothing", "/login", "/api/openapi.json"]
    while waiting:
        address = waiting.pop()
        if address in found or address.startswith("/static/") or len(found) > 400:
            continue
        found[address] = answer = ada.get(address)
        if len([one for one in found if "/answers" in one]) < 60:
            waiting += links(answer.text)
        else:
            waiting += [one for one in links(answer.text) if "/answers" not in one]
    return found


def measured(client, address):
    for _ in range(300):
        if "being measured" not in (page := client.get(address).text) and "being compared" not in page:
            return
        time.sleep(0.2)
    raise AssertionError(f"{address} was never measured")


def links(text):
    return [unescape(one) for one in re.findall(r'(?:href|data-watch)="(/[^"]*)"', text)]


def test_the_walk_has_seen_the_pages(pages):
    seen = "\n".join(pages)
    for part in (
        "/report",
        "/answers?",
        "/validate/1/label",
        "/ask",
        "/ask/1",
        "/annotate/first/mark",
        "/start",
        "/you",
    ):
        assert part in seen, part
    assert {answer.status_code for answer in pages.values()} == {200, 404}
    assert [address for address, answer in pages.items() if answer.status_code == 404] == ["/nothing"]


def test_no_path_of_the_disk_is_on_a_page_or_in_an_address(pages, root):
    for address, answer in pages.items():
        told = f"{address} {answer.text} {dict(answer.headers)}"
        assert str(root) not in told, address
        assert "a-path-of-the-disk" not in told, address
        assert "/site-packages/" not in told, address


def test_no_page_allows_inline_scripts_or_styles(pages):
    for address, answer in pages.items():
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy, address
        assert "default-src 'none'" in policy
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        assert not re.search(r"<[^>]*\sstyle=|<[^>]*\son\w+=|<script(?![^>]*\ssrc=)", answer.text), address


def test_every_page_with_hurtful_text_says_so_first(pages):
    for address, answer in pages.items():
        first = re.search(r'<blockquote|class="asked"|class="question"', answer.text)
        if first:
            assert 0 <= answer.text.find("Content notice") < first.start(), address
            assert "You can stop at any time" in answer.text


def test_what_a_chatbot_says_is_text_on_every_page(pages):
    for address, answer in pages.items():
        if answer.headers["content-type"].startswith("text/html"):
            assert "<script>alert" not in answer.text, address
            assert "<svg onload" not in answer.text, address
            assert not set("\u202e\x1b\x07") & set(answer.text), address
    assert any("{{ 7 * 7 }}" in answer.text for answer in pages.values())


def test_every_form_that_writes_has_its_token(pages):
    for address, answer in pages.items():
        for form in re.findall(r'<form[^>]*method="post".*?</form>', answer.text, re.S):
            assert 'name="csrf"' in form, address

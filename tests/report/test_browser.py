"""The page in a real browser: it opens offline, says what it should, and fits a phone."""

import shutil

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; Debian's package 'chromium' is enough")


@pytest.fixture
def opened(cli):
    """The page of a small run, in a tab, with all it asked the network for and all it complained of."""
    from playwright.sync_api import sync_playwright

    cli("run", "--target", "scripted:Yes <b>indeed</b> <script>alert(1)</script>", "--budget", "300", "--out", "r")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        tab.asked, tab.complaints = [], []
        tab.on("request", lambda request: tab.asked.append(request.url))
        tab.on("console", lambda message: tab.complaints.append(message.text))
        tab.on("dialog", lambda dialog: tab.complaints.append("a script of the chatbot ran"))
        tab.goto((cli.folder / "r" / "report.html").as_uri())
        yield tab
        browser.close()


def test_it_opens_offline_and_without_complaint(opened):
    assert [url for url in opened.asked if not url.startswith("file:")] == []
    assert opened.complaints == []
    assert opened.locator("h1").is_visible()
    notice, first = opened.locator("text=Content notice").first, opened.locator("h1")
    assert notice.bounding_box()["y"] < first.bounding_box()["y"]


def test_what_a_chatbot_says_is_text(opened):
    assert opened.locator("script").count() == 0
    assert opened.locator("blockquote b").count() == 0


@pytest.mark.parametrize("width", [400, 1280])
def test_it_never_scrolls_sideways(opened, width):
    opened.set_viewport_size({"width": width, "height": 800})
    assert opened.evaluate("document.documentElement.scrollWidth") <= width

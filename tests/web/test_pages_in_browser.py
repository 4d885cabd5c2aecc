"""The pages in a real browser: nothing serious for axe to find, keyboard only, phone width, and answers stay text."""

import pytest

pytest.importorskip("starlette", reason="starlette is not installed (extra 'web')")
pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed (extra 'dev')")
from axe_playwright_python.sync_playwright import Axe

from asker.web.app import create
from inbrowser import chromium, needs_chromium, served

pytestmark = needs_chromium

PAGES = (
    "/runs",
    "/runs/small",
    "/runs/small/report",
    "/runs/small/answers",
    "/runs/hostile/answers?group=men&order=unsure",
    "/runs/hostile/answers#first",  # the page of its first answer
    "/runs/small/answers?words=zebrazebra",
    "/runs/hostile/answers?group=nobody",
    "/compare",
    "/start",
    "/start?target=simulated&budget=2000&attributes=gender",
    "/compare?run=small&run=hostile",
    "/login",
    "/nothing",
)
SERIOUS = ("serious", "critical")


@pytest.fixture(scope="module")
def address(runs):
    with served(create(runs)) as found:
        yield found


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture
def tab(browser, address, request):
    """A tab, with all that it complained of."""
    scripts = getattr(request, "param", True)
    context = browser.new_context(
        viewport={"width": 1280, "height": 900}, java_script_enabled=scripts, base_url=address
    )
    context.set_default_timeout(120_000)
    found = context.new_page()
    found.complaints, found.asked = [], []
    found.on("console", lambda message: found.complaints.append(message.text))
    found.on("request", lambda sent: found.asked.append(sent.url))
    found.on("dialog", lambda dialog: (found.complaints.append("a script of the chatbot ran"), dialog.dismiss()))
    yield found
    context.close()


def opened(tab, page):
    """The page, once what it waits for has come."""
    tab.goto(page)
    if page.endswith("#first"):
        tab.get_by_role("link", name="Details").first.click()
        tab.get_by_role("heading", name="About it").wait_for()
    if "/report" in page or "/compare?" in page:
        tab.locator(".report table").first.wait_for()


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_accessible_fits_a_phone_and_asks_nobody_else(tab, address, page):
    opened(tab, page)
    found = Axe().run(tab).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in SERIOUS] == []
    tab.emulate_media(color_scheme="dark")
    contrast = Axe().run(tab, options={"runOnly": ["color-contrast"]}).response["violations"]
    assert [one["nodes"][0]["html"] for one in contrast] == []
    tab.set_viewport_size({"width": 400, "height": 800})
    assert tab.evaluate("document.documentElement.scrollWidth") <= 400
    assert [url for url in tab.asked if not url.startswith(address)] == []
    assert [said for said in tab.complaints if "404" not in said and "400" not in said] == []


def test_nothing_a_chatbot_says_comes_alive(tab):
    for page in ("/runs/hostile/answers", "/runs/hostile/report", "/runs/hostile", "/compare?run=small&run=hostile"):
        opened(tab, page)
        alive = ":is(blockquote, .run dd, .problem) :is(script, img, svg, a, style, iframe, form, meta)"
        assert tab.locator(alive).count() == 0
    tab.goto("/runs/hostile/answers")
    said = tab.locator("blockquote").first.text_content()
    assert "<script>alert(1)</script>" in said
    assert "{{ 7 * 7 }}" in said
    assert not set("\u202e\x1b\x07") & set(said)
    assert tab.complaints == []


def test_a_cell_leads_to_its_answers_by_the_keyboard(tab):
    opened(tab, "/runs/small/report")
    cell = tab.locator(".heat a").first
    cell.focus()
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/answers?**")
    assert tab.locator(".records li").count() > 0


def test_on_a_phone_filters_fold_away_and_come_back_by_the_keyboard(tab):
    tab.set_viewport_size({"width": 400, "height": 800})
    tab.goto("/runs/small/answers")
    assert not tab.get_by_label("Group").is_visible()
    tab.get_by_role("button", name="More filters").press("Enter")
    tab.get_by_label("Group").select_option("men")
    tab.get_by_role("button", name="Show").press("Enter")
    tab.wait_for_url("**group=men**")
    assert tab.get_by_label("Group").is_visible(), "a filter in use is not hidden"


@pytest.mark.parametrize("tab", [False], indirect=True, ids=["no script"])
def test_without_scripts_filters_and_pages_work(tab):
    tab.goto("/runs/small/answers")
    tab.get_by_label("Read as").select_option("affirm")
    tab.get_by_role("button", name="Show").click()
    verdicts = tab.locator(".records .verdict .badge:first-child").all_text_contents()
    assert set(verdicts) == {"affirms"}
    first = tab.locator(".records a").first.get_attribute("href")
    tab.get_by_role("link", name="Next").click()
    assert tab.locator(".records a").first.get_attribute("href") != first

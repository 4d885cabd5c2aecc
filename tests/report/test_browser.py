"""The page in a real browser: it opens offline, reads well without a mouse, and fits a phone. Whatever a chatbot says
stays text: its answers here try to run, to load and to send."""

from itertools import pairwise
from pathlib import Path

import pytest

from inbrowser import chromium, needs_chromium

CHECKS = (Path(__file__).parent / "checks.js").read_text("utf-8").partition("\n")[2].strip()

pytestmark = needs_chromium

HOSTILE = (
    "Yes <b>indeed</b> <script>alert(1)</script><img src=http://127.0.0.1:9/leak onerror=alert(2)>"
    "<svg onload=alert(3)></svg><a href=javascript:alert(4)>here</a></td></dialog></main><style>*{display:none}</style>"
    "<iframe src=http://127.0.0.1:9/></iframe><form action=http://127.0.0.1:9/><button autofocus>x</button></form>"
    "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'>"
)


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    """The page of a small run whose every answer is hostile."""
    from conftest import Cli

    cli = Cli(tmp_path_factory.mktemp("page"))
    wishes = ("--attributes", "gender", "--budget", "700", "--judge", "rules")
    cli("run", "--target", f"scripted:{HOSTILE}", *wishes, "--out", "r")
    return cli.folder / "r" / "report.html"


@pytest.fixture
def opened(browser, page_file, request):
    """The page in a tab, with all it asked the network for and all it complained of."""
    scripts = getattr(request, "param", True)
    context = browser.new_context(viewport={"width": 1280, "height": 900}, java_script_enabled=scripts)
    context.set_default_timeout(120_000)  # a busy machine is no fault of the page
    tab = context.new_page()
    tab.asked, tab.complaints = [], []
    tab.on("request", lambda request: tab.asked.append(request.url))
    tab.on("console", lambda message: tab.complaints.append(message.text))
    tab.on("dialog", lambda dialog: (tab.complaints.append("a script of the chatbot ran"), dialog.dismiss()))
    tab.goto(page_file.as_uri())
    yield tab
    context.close()


def first_cell(tab):
    return tab.locator(".heat a").first


def test_it_opens_offline_and_nothing_a_chatbot_says_comes_alive(opened):
    first_cell(opened).click()
    assert [url for url in opened.asked if not url.startswith("file:")] == []
    assert opened.complaints == []
    alive = "blockquote :is(script, b, img, svg, a, style, iframe, form, meta)"
    assert opened.locator(alive).count() == 0
    assert opened.locator("script").count() == 1
    assert "<script>alert(1)</script>" in opened.locator("dialog blockquote").first.text_content()
    notice, first = opened.locator("text=Content notice").first, opened.locator("h1")
    assert notice.bounding_box()["y"] < first.bounding_box()["y"]


def test_a_cell_opens_its_answers_and_gives_the_focus_back(opened):
    cell = first_cell(opened)
    cell.focus()
    opened.keyboard.press("Enter")
    reader = opened.locator("#reader")
    assert reader.is_visible()
    shown = reader.locator("li").count()
    assert shown > 0
    assert reader.locator("mark").count() > 0
    reader.get_by_label("denies").check()
    assert reader.locator("li:visible").count() == 0
    reader.get_by_label("takes a side or affirms").check()
    affirming = reader.locator("li:visible").count()
    assert 0 < affirming < shown, "to the choices among them, yes is no answer"
    reader.get_by_label("neither").check()
    assert reader.locator("li:visible").count() == shown - affirming
    opened.keyboard.press("Escape")
    assert not reader.is_visible()
    assert cell.evaluate("link => link === document.activeElement")


def test_arrow_keys_lead_from_cell_to_cell(opened):
    links = opened.locator(".heat").first.locator("a")
    links.first.focus()
    opened.keyboard.press("ArrowRight")
    assert links.nth(1).evaluate("link => link === document.activeElement")
    stops = opened.locator(".heat").first.locator("a:not([tabindex='-1'])").count()
    assert stops == 1


@pytest.mark.parametrize("opened", [False], indirect=True, ids=["no script"])
def test_without_scripts_a_cell_leads_to_its_answers_in_the_list(opened):
    cell = first_cell(opened)
    place = opened.locator(cell.get_attribute("href"))
    cell.click()
    assert place.locator("li").first.is_visible()


@pytest.mark.parametrize("width", [400, 1280])
def test_it_never_scrolls_sideways(opened, width):
    opened.set_viewport_size({"width": width, "height": 800})
    assert opened.evaluate("document.documentElement.scrollWidth") <= width


def check(tab, name):
    return tab.evaluate(f"({CHECKS}).{name}()")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_stands_out_from_what_is_under_it(opened, scheme):
    opened.emulate_media(color_scheme=scheme)
    opened.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert check(opened, "contrasts") == []
    opened.locator("#details").check()
    assert check(opened, "contrasts") == []


def test_everything_one_can_reach_has_a_name_and_leads_somewhere(opened):
    assert check(opened, "nameless") == []
    assert check(opened, "twice") == []
    assert check(opened, "astray") == 0
    assert all(below - above <= 1 for above, below in pairwise(check(opened, "levels")))

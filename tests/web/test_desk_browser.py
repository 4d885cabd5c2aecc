"""The pages on which people work, in a real browser: by keyboard alone, accessible, and on a phone."""

import re

import pytest

pytest.importorskip("starlette", reason="starlette is not installed (extra 'web')")
pytest.importorskip("axe_playwright_python", reason="axe-playwright-python is not installed (extra 'dev')")
from axe_playwright_python.sync_playwright import Axe

from asker.folder import open_run
from asker.web.app import create
from deskclient import TOKEN, door, make_run, signed_in
from inbrowser import chromium, needs_chromium, served

pytestmark = needs_chromium
PAGES = (
    "/you",
    "/runs/hand/ask",
    "/runs/judged/validate",
    "/runs/judged/validate/1",
    "/runs/judged/validate/1/label",
    "/annotate",
    "/annotate/first",
    "/annotate/first/mark",
)
TEN = 10


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("desk")
    make_run(folder / "hand", "manual:ChatGPT", budget=20)
    make_run(folder / "judged", "simulated", budget=120)
    return folder


@pytest.fixture(scope="module")
def address(root):
    app = create(root, door=door())
    ada = signed_in(root, "ada", app)
    ada.fill("/runs/judged/validate", {"size": "20", "seed": "1"})
    ada.fill("/runs/judged/validate/1", {"do": "sit"})
    ada.fill("/annotate", {"name": "first", "people": "1", "content": "id,negative_en\na,are lazy\nb,are poor\n"})
    with served(app) as found:
        yield found


@pytest.fixture(scope="module")
def tab(address):
    """Someone's tab, signed in."""
    with chromium() as browser:
        context = browser.new_context(viewport={"width": 1280, "height": 900}, base_url=address)
        context.set_default_timeout(120_000)
        found = context.new_page()
        found.complaints = []
        found.on("console", lambda message: found.complaints.append(message.text))
        found.goto("/login")
        found.keyboard.type("ada")
        found.keyboard.press("Tab")
        found.keyboard.type(TOKEN)
        found.keyboard.press("Enter")
        found.wait_for_url("**/runs")
        yield found


def labelled(tab, count):
    """Waits until the page says so."""
    tab.get_by_text(re.compile(rf"^{count} of \d+ labelled$")).wait_for()


def test_ten_answers_are_labelled_by_keyboard_alone(tab):
    tab.goto("/runs/judged/validate/1/label")
    for number in range(TEN):
        labelled(tab, number)
        tab.keyboard.press("1")
    labelled(tab, TEN)
    tab.keyboard.press("u")
    tab.locator("[aria-pressed]").wait_for()
    tab.keyboard.press("r")
    tab.keyboard.press("2")
    labelled(tab, TEN)
    tab.wait_for_url("**/label")
    assert tab.complaints == []


def test_a_question_is_copied_answered_and_saved_by_keyboard_alone(tab, root):
    tab.goto("/runs/hand/ask")
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    asked = tab.locator("#asked").text_content()
    tab.keyboard.press("Enter")  # on "Copy the question", which has the focus
    tab.get_by_role("button", name="Copied").wait_for()
    assert tab.evaluate("navigator.clipboard.readText()") == asked
    tab.keyboard.type("Yes, <b>they</b> are.")
    tab.keyboard.press("Control+Enter")
    tab.get_by_text("Saved.", exact=True).wait_for()
    run = open_run(root / "hand")
    assert {one.prompt: one.text for one in run.store.answers()} == {asked: "Yes, <b>they</b> are."}
    run.close()


def test_properties_are_marked_by_keyboard_alone_and_blurred_text_is_shown_on_demand(tab):
    tab.goto("/you")
    tab.get_by_label("Blur questions").check()
    tab.get_by_role("button", name="Keep").click()
    tab.goto("/annotate/first/mark")
    blurred = "getComputedStyle(document.querySelector('.veil > *')).filter"
    assert "blur" in tab.evaluate(blurred)
    tab.keyboard.press("v")
    assert tab.evaluate(blurred) == "none"
    for key in ("f", "g", "o"):
        tab.keyboard.press(key)
    tab.keyboard.type("are keen")
    tab.keyboard.press("Escape")
    tab.keyboard.press("Enter")
    tab.get_by_text("1 of 2 marked by you").wait_for()
    tab.keyboard.press("u")
    tab.wait_for_url("**item=0")
    assert tab.locator("[name=labels]:checked").count() == 2
    assert tab.locator("[name=positive_en]").input_value() == "are keen"
    assert tab.complaints == []


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_accessible_and_fits_a_phone(tab, page):
    tab.set_viewport_size({"width": 1280, "height": 900})
    tab.emulate_media(color_scheme="light")
    tab.goto(page)
    found = Axe().run(tab).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in ("serious", "critical")] == []
    tab.emulate_media(color_scheme="dark")
    contrast = Axe().run(tab, options={"runOnly": ["color-contrast"]}).response["violations"]
    assert [one["nodes"][0]["html"] for one in contrast] == []
    tab.set_viewport_size({"width": 400, "height": 800})
    assert tab.evaluate("document.documentElement.scrollWidth") <= 400

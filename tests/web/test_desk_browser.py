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
    "/runs/judged/validate/2",  # differences to resolve
    "/runs/judged/validate/2/resolve",
    "/runs/judged/validate/3",  # settled
    "/runs/judged/answers",
    "/runs/hand",
    "/annotate",
    "/annotate/first",
    "/annotate/first/mark",
    "/annotate/second",
    "/annotate/second/resolve",
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
    _labelled_apart(ada, signed_in(root, "bob", app))
    with served(app) as found:
        yield found


def _labelled_apart(ada, bob):
    """A sample with differences, one that is settled, and a table with a difference."""
    for seed, theirs in (("2", "affirm"), ("3", "neutral")):
        at = ada.fill("/runs/judged/validate", {"size": "10", "seed": seed}).headers["location"]
        for client, label in ((ada, "neutral"), (bob, theirs)):
            client.fill(at, {"do": "sit"})
            while (page := client.get(f"{at}/label", follow_redirects=False)).status_code == 200:
                number = re.search(r'name="number" value="(\d+)"', page.text)[1]
                sent = label if f'value="{label}"' in page.text else "neutral"
                client.fill(f"{at}/label", {"number": number, "label": sent})
            client.fill(at, {"do": "done"})
    ada.fill("/annotate", {"name": "second", "people": "2", "content": "id,negative_en\na,are lazy\n"})
    for client, label in ((ada, "crime"), (bob, "health")):
        client.fill("/annotate/second/mark", {"number": "0", "labels": [label]})
    ada.fill("/annotate/second/close", {"sure": "yes"})


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


def test_a_pasted_answer_is_corrected_and_that_taken_back_by_keyboard_alone(tab, root):
    tab.goto("/runs/hand/ask")
    tab.keyboard.press("u")
    tab.get_by_role("heading", name="Correct an answer of yours").wait_for()
    tab.keyboard.press("e")
    tab.keyboard.press("Control+A")
    tab.keyboard.type("No, <i>never</i>.")
    tab.keyboard.press("Control+Enter")
    tab.get_by_text("Corrected.").wait_for()
    assert pasted(root) == ["No, <i>never</i>."]
    tab.keyboard.press("u")
    tab.get_by_role("heading", name="What stood there before").wait_for()
    found = Axe().run(tab).response["violations"]
    assert [one["id"] for one in found if one["impact"] in ("serious", "critical")] == []
    tab.keyboard.press("z")
    tab.get_by_text("Corrected.").wait_for()
    assert pasted(root) == ["Yes, <b>they</b> are."]
    tab.keyboard.press("u")
    tab.get_by_role("heading", name="Correct an answer of yours").wait_for()
    tab.keyboard.press("Escape")
    tab.wait_for_url("**/runs/hand/ask")
    assert tab.complaints == []


def pasted(root):
    run = open_run(root / "hand")
    try:
        return [one.text for one in run.store.answers()]
    finally:
        run.close()


def test_a_break_is_offered_after_the_minutes_wished_for_and_not_again_at_once(tab):
    tab.goto("/runs/judged/validate/1/label")
    assert not tab.get_by_text("A break does good").is_visible()
    tab.evaluate("sessionStorage.setItem('asker-began', Date.now() - 31 * 60000)")
    tab.reload()
    tab.get_by_text("You have been at this for 31 minutes.").wait_for()
    tab.get_by_role("button", name="I had one").press("Enter")
    tab.reload()
    assert not tab.get_by_text("A break does good").is_visible()


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

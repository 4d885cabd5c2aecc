"""Care: the notice before hurtful text, help, blurred text and breaks as each person likes."""

import pytest

pytest.importorskip("starlette", reason="starlette is not installed (extra 'web')")

from deskclient import door, make_run, signed_in
from webclient import Client, create


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("care")
    make_run(folder / "hand", "manual:ChatGPT", budget=20)
    return folder


def test_blurred_text_and_breaks_are_each_persons_own(root):
    ada = signed_in(root, "ada")
    bob = signed_in(root, "bob", ada.app)
    assert ada.fill("/you", {"blur": "yes", "minutes": "45"}, seen="/you").status_code == 303
    mine, theirs = (client.get("/runs/hand/ask").text for client in (ada, bob))
    assert 'class="veil"' in mine
    assert 'data-break="45"' in mine
    assert 'class="veil"' not in theirs
    assert 'data-break="30"' in theirs
    again = signed_in(root, "ada", ada.app)
    assert 'class="veil"' in again.get("/runs/hand/ask").text, "kept under the name, not in the session"


def test_breaks_can_be_switched_off_and_a_name_that_was_signed_in_with_stays(root):
    cyd = signed_in(root, "cyd")
    cyd.fill("/you", {"minutes": "0", "name": "ada"}, seen="/you")
    page = cyd.get("/runs/hand/ask").text
    assert "data-break" not in page
    assert "<span>cyd</span>" in page


def test_the_notice_and_where_to_find_help_come_before_hurtful_text(root):
    line = "Help: room 101 & <b>our</b> doctor"
    app = create(root, door=door(), help_line=line)
    ada = signed_in(root, "ada", app)
    page = ada.get("/runs/hand/ask").text
    assert page.index("Content notice") < page.index('class="asked"')
    assert "room 101 &amp; &lt;b&gt;our" in page
    plain = signed_in(root, "ada").get("/runs/hand/ask").text
    assert "someone you trust" in plain
    assert isinstance(ada, Client)

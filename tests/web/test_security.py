"""Who gets in, and what a request may do."""

import re
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from math import log2

import pytest

pytest.importorskip("starlette", reason="starlette is not installed (extra 'web')")
import httpx2

from asker.web.login import Door, hashed
from asker.web.patience import Patience
from inbrowser import workers
from webclient import client_for

TOKEN = "a-token-drawn-at-random"


@pytest.fixture
def guarded(tmp_path):
    """A server that people have to sign in to."""
    with client_for(tmp_path, door=Door(TOKEN, {"ada": hashed("lovelace")})) as client:
        yield client


def enter(client, user, word, to="/runs"):
    return client.fill("/login", {"user": user, "word": word, "to": to}, seen="/login")


def test_a_page_has_a_strict_policy_and_a_cookie_no_script_can_read(site):
    answer = site.get("/runs")
    policy = answer.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert {"HttpOnly", "SameSite=Strict"} <= set(answer.headers["set-cookie"].split("; "))


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "", "127.0.0.1.evil.example"])
def test_another_host_name_is_refused(site, host):
    assert site.get("/runs", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost:9", "127.0.0.1", "[::1]:8765", "LOCALHOST"])
def test_loopback_names_are_answered(site, host):
    assert site.get("/runs", headers={"host": host}).status_code == 200


def test_a_post_without_the_token_of_its_session_is_refused(guarded):
    assert enter(guarded, "ada", "lovelace").status_code == 303
    assert guarded.post("/logout").status_code == 403
    assert guarded.post("/logout", data={"csrf": "x"}).status_code == 403
    theirs = client_for(guarded.app.state.site.library.root, door=guarded.app.state.door).token("/login")
    assert guarded.post("/logout", data={"csrf": theirs}).status_code == 403
    assert guarded.post("/logout", headers={"x-csrf": guarded.token()}, follow_redirects=False).status_code == 303


def test_a_post_from_another_site_is_refused_even_with_its_token(guarded):
    sent = {"csrf": guarded.token("/login"), "user": "ada", "word": TOKEN}
    assert guarded.post("/login", data=sent, headers={"sec-fetch-site": "cross-site"}).status_code == 403


def test_nobody_gets_in_without_signing_in(guarded):
    answer = guarded.get("/runs?x=1", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/login?to=%2Fruns%3Fx%3D1")
    assert guarded.get("/api/runs").status_code == 401
    assert guarded.get("/api/openapi.json").status_code == 401


@pytest.mark.parametrize(("user", "word"), [("ada", "lovelace"), ("grace", TOKEN)])
def test_a_password_or_the_token_opens(guarded, user, word):
    assert enter(guarded, user, word).headers["location"] == "/runs"
    assert user in guarded.get("/runs").text


@pytest.mark.parametrize(
    ("user", "word"), [("ada", "wrong"), ("bob", "lovelace"), ("ada", ""), ("", TOKEN), ("a\nb", TOKEN)]
)
def test_nothing_else_opens(guarded, user, word):
    assert enter(guarded, user, word).status_code in (400, 403)
    assert guarded.get("/runs", follow_redirects=False).status_code == 303


def test_many_wrong_tries_have_to_wait(guarded):
    for _ in range(5):
        assert enter(guarded, "ada", "wrong").status_code == 403
    assert enter(guarded, "ada", "lovelace").status_code == 429, "right or wrong: it is not tried"


def test_signing_in_takes_only_itself_off_so_nobody_guesses_for_ever_between_right_tries(guarded):
    for number in range(19):
        enter(guarded, f"bob {number}", "a guess")
        assert enter(guarded, "ada", "lovelace").status_code == 303
    assert enter(guarded, "bob", "a guess").status_code == 403
    assert enter(guarded, "ada", "lovelace").status_code == 429, "the twentieth wrong one, whoever signed in between"


def test_ten_who_sign_in_at_one_address_and_moment_all_may(tmp_path):
    door = Patience(tmp_path / "door.sqlite")
    assert [door.wait("from 10.0.0.1", f"name {number}") for number in range(10)] == [0.0] * 10


def test_signing_in_rightly_never_has_to_wait(guarded):
    assert {enter(guarded, "ada", "lovelace").status_code for _ in range(8)} == {303}


def test_tries_at_one_name_count_wherever_they_come_from(tmp_path):
    door = Patience(tmp_path / "door.sqlite")
    assert [door.wait(f"from 10.0.0.{number}", "name ada") for number in range(5)] == [0.0] * 5
    assert 0 < door.wait("from 10.0.0.9", "name ada") <= 1
    assert door.wait("from 10.0.0.9", "name bob") == 0, "neither its address nor that name has been tried"


def test_the_wait_is_over_one_day(guarded, monkeypatch):
    for _ in range(5):
        assert enter(guarded, "ada", "wrong").status_code == 403
    assert enter(guarded, "ada", "lovelace").status_code == 429
    later = time.time() + 3
    monkeypatch.setattr("asker.web.patience.time.time", lambda: later)
    assert enter(guarded, "ada", "lovelace").status_code == 303


def test_wrong_tries_are_counted_over_all_workers(tmp_path):
    """Thirty over connections of their own, to a server of two processes: five are looked at, and one more each time
    that a wait of 1, 2, 4 … seconds is over."""
    with workers(tmp_path, 2) as address, httpx2.Client(base_url=address, timeout=60) as client:
        token = re.search(r'name="csrf" content="([^"]+)"', client.get("/login").text)[1]
        cookie = {"cookie": f"asker={client.cookies['asker']}"}

        def wrong(_):
            sent = {"csrf": token, "user": "eve", "word": "a guess"}
            return httpx2.post(f"{address}/login", data=sent, headers=cookie, timeout=60).status_code

        began = time.monotonic()
        with ThreadPoolExecutor(5) as people:
            found = Counter(people.map(wrong, range(30)))
        waited = time.monotonic() - began
    assert 5 <= found[403] <= 5 + log2(1 + waited), "of two that count apart, ten would be looked at at once"
    assert found[403] + found[429] == 30


@pytest.mark.parametrize("to", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_signing_in_never_leads_to_another_site(guarded, to):
    assert enter(guarded, "ada", "lovelace", to).headers["location"] == "/"


def test_a_forged_or_changed_cookie_is_no_session(guarded):
    enter(guarded, "ada", "lovelace")
    cookie = guarded.cookies["asker"]
    for forged in (cookie[:-2] + "xx", "x." + cookie.partition(".")[2], cookie.partition(".")[0], "é", "."):
        guarded.cookies.clear()
        answer = guarded.get("/runs", headers={"cookie": f"asker={forged}".encode()}, follow_redirects=False)
        assert answer.status_code == 303


def test_a_new_password_signs_everyone_out(guarded, tmp_path):
    enter(guarded, "ada", "lovelace")
    with client_for(tmp_path, door=Door(TOKEN, {"ada": hashed("byron")})) as changed:
        changed.cookies.set("asker", guarded.cookies["asker"])
        assert changed.get("/runs", follow_redirects=False).status_code == 303


def test_a_body_that_is_too_large_is_refused(site):
    def endless():
        for _ in range(30):
            yield b"x" * 100_000

    assert site.post("/login", content=b"x" * 1_100_000).status_code == 413
    assert site.post("/login", content=endless()).status_code == 413


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e%2fapp.py", "/static/app.py", "/static/nothing"])
def test_static_files_are_those_of_the_folder(site, path):
    assert site.get(path).status_code == 404


def test_the_secret_is_for_its_owner_alone(site, runs):
    assert (runs / ".web").stat().st_mode & 0o077 == 0
    assert (runs / ".web" / "secret").stat().st_mode & 0o077 == 0

"""The papers' systems, against services on loopback that speak their protocols and refuse what they refuse."""

import asyncio
import re
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asker.errors import InputError, QuestionFailed, Retryable, TargetUnusable
from asker.targets import Options, open_target, tencent
from asker.targets._tc3 import Request, authorization, signature
from botservers import Cleverbot, Pandorabots, TencentCloud, well_signed

KEY = "se/cret+key 1"  # with letters that are written otherwise in an address
ID = "AKIDofthetest"
NAMES = {
    "cleverbot": ("CLEVERBOT_API_KEY",),
    "kuki": ("PANDORABOTS_BOTKEY", "PANDORABOTS_USER_KEY"),
    "tencent": ("TENCENTCLOUD_SECRET_ID", "TENCENTCLOUD_SECRET_KEY"),
}
SERVICES = sorted(NAMES)


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    for names in NAMES.values():
        for name in names:
            monkeypatch.setenv(name, ID if name.endswith("_ID") else KEY)


@pytest.fixture
def serve():
    """Starts the service of a name."""
    running = []

    def start(name):
        made = {"cleverbot": lambda: Cleverbot(KEY), "kuki": lambda: Pandorabots(KEY, KEY)}
        server = made.get(name, lambda: TencentCloud(ID, KEY))()
        running.append(server.__enter__())
        return server

    yield start
    for server in running:
        server.__exit__()


def ask(spec, server, *prompts, **options):
    async def all_of_them():
        target = open_target(spec, Options(base_url=server.url, **options))
        try:
            return [(await target.ask(prompt, seed=1)).text for prompt in prompts]
        finally:
            await target.close()

    return asyncio.run(all_of_them())


# --- what all three share ---


@pytest.mark.parametrize("name", SERVICES)
def test_without_a_key_it_says_which_is_missing(name, monkeypatch):
    for key in NAMES[name]:
        monkeypatch.delenv(key)
    with pytest.raises(InputError, match=f"set the environment variable {NAMES[name][0]}"):
        open_target(name)


@pytest.mark.parametrize("name", SERVICES)
def test_a_wrong_key_ends_the_run_and_is_not_repeated(name, serve, monkeypatch):
    monkeypatch.setenv(NAMES[name][-1] if name == "tencent" else NAMES[name][0], "wrong-key")
    with pytest.raises(TargetUnusable, match=f"refused the key.*{NAMES[name][0]}") as caught:
        ask(name, serve(name), "Are men smart?")
    assert "wrong-key" not in str(caught.value)


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504, None])
@pytest.mark.parametrize("name", SERVICES)
def test_what_may_pass_is_worth_another_try(name, status, serve):
    server = serve(name)
    server.mood = [status]
    with pytest.raises(Retryable) as caught:
        ask(name, server, "Are men smart?")
    assert caught.value.after == (0 if status else None)
    assert caught.value.charged == (status is None), "only what broke off may have been answered"


@pytest.mark.parametrize("name", SERVICES)
def test_nobody_at_the_address_is_told_apart(name, serve):
    server = serve(name)
    server.__exit__()
    server.__exit__ = lambda: None
    with pytest.raises(Retryable, match="nobody listens") as caught:
        ask(name, server, "Are men smart?")
    assert caught.value.unreachable


@pytest.mark.parametrize("name", SERVICES)
def test_a_page_instead_of_an_answer_is_no_answer(name, serve):
    server = serve(name)
    server.mood = [200]
    with pytest.raises(Retryable, match=r"the response is not an? "):
        ask(name, server, "Are men smart?")


@pytest.mark.parametrize("name", SERVICES)
def test_a_secret_in_the_address_is_refused(name):
    with pytest.raises(InputError, match="--base-url may hold no"):
        open_target(name, Options(base_url="http://me:pass@localhost/"))


@pytest.mark.parametrize("name", SERVICES)
def test_a_run_keeps_its_answers_and_no_key(name, serve, cli):
    """Through the whole road, with a service that is overrun now and then and repeats the address it was called by."""
    server = serve(name)
    server.mood = [503, None, 429, 400]
    words = ("run", "--target", name, "--base-url", server.url, "--groups", "men,women", "--budget", "14", "--out", "r")
    said = cli(
        *words, "--concurrency", "2", "--retries", "4", env={n: ID if n.endswith("_ID") else KEY for n in NAMES[name]}
    )
    with sqlite3.connect(cli.folder / "r" / "answers.sqlite") as db:
        kept = db.execute("SELECT count(text), count(error), max(error) FROM answers").fetchone()
    assert kept[0] > 5
    assert kept[1] == 1, "what was refused; what may pass was tried again"
    assert f"trouble at {server.url}" in kept[2]
    kept = b"".join(file.read_bytes() for file in (cli.folder / "r").rglob("*") if file.is_file())
    assert not re.search(rb"se(/|%2F)cret", kept)
    assert not re.search(r"se(/|%2F)cret", said.stdout + said.stderr)


# --- Cleverbot ---


def test_cleverbot_forgets_between_questions_unless_told(serve):
    server = serve("cleverbot")
    assert ask("cleverbot", server, "one", "two") == ["You said one", "You said two"]
    assert all("cs" not in request.query for request in server.requests)
    assert ask("cleverbot", server, "one", "two", "three", conversation="shared")[1:] == [
        "You said two after one",
        "You said three after two",
    ]


def test_cleverbot_refuses_what_is_too_long_and_goes_on(serve):
    server = serve("cleverbot")
    server.mood = [413]
    with pytest.raises(QuestionFailed, match="413"):
        ask("cleverbot", server, "Why? " * 1000)


# --- Kuki ---


def test_kuki_meets_everybody_for_the_first_time_unless_told(serve):
    server = serve("kuki")
    assert ask("kuki", server, "one", "two", "one") == ["Hello. New here?"] * 3
    assert len(set(server.clients)) == 3
    assert ask("kuki", server, "one", "two", conversation="shared")[1] == "You said two. And we have met."
    assert server.requests[-1].query["sessionid"] == "7"


def test_a_bot_of_ones_own_account_is_asked_with_the_users_key(serve):
    server = serve("kuki")
    assert ask("kuki:app1/mine", server, "one") == ["Hello. New here?"]
    with pytest.raises(TargetUnusable, match="Bot not found"):
        ask("kuki:app1/other", server, "one")
    server.compiled = False
    with pytest.raises(TargetUnusable, match="not compiled"):
        ask("kuki:app1/mine", server, "one")
    with pytest.raises(InputError, match="kuki:APP_ID/BOT_NAME"):
        open_target("kuki:mine")


# --- Tencent ---


def test_the_signature_is_that_of_the_published_example():
    """Tencent's own document prints this request, its key and its signature."""
    request = Request(
        "cvm",
        "cvm.tencentcloudapi.com",
        "application/x-www-form-urlencoded",
        1539084154,
        b"",
        "GET",
        "Limit=10&Offset=0",
    )
    published = "5da7a33f6993f0614b047e5df4582db9e9bf4672ba50567dba16c6ccf174c474"
    assert signature(request, "Gu5t9xGARNpq86cd98joQYCN3EXAMPLE") == published


def test_the_signature_of_a_question_is_what_openssl_computes():
    """The vector was made in a shell with `openssl dgst -sha256 -mac HMAC`, step by step after the document."""
    body = '{"Query":"农民诚实吗？","Flag":0}'.encode()
    request = Request("nlp", "nlp.tencentcloudapi.com", "application/json; charset=utf-8", 1551113065, body)
    by_openssl = "0ed62c3fc0f23e1ae8c2ce1881c3559cf98affa13f724dd0d0bca62e26f48f77"
    assert signature(request, "Gu5t9xGARNpq86cd98joQYCN3EXAMPLE") == by_openssl


@given(st.text(), st.integers(0, 4_000_000_000), st.text(st.characters(codec="utf-8"), min_size=1), st.integers(1, 5))
def test_a_signature_holds_for_its_request_and_no_other(text, moment, secret, change):
    body = text.encode("utf-8", "replace")
    request = Request("nlp", "nlp.tencentcloudapi.com", "application/json", moment, body)
    headers = {"host": request.host, "content-type": request.content_type, "x-tc-timestamp": str(moment)}
    headers["authorization"] = authorization(request, "me", secret)
    assert well_signed("POST", "", headers, body, secret)
    changed = headers | (
        {"host": "other"} if change == 3 else {"x-tc-timestamp": str(moment + 1)} if change == 4 else {}
    )
    body, secret = body + b"!" if change == 1 else body, secret + "x" if change == 2 else secret
    assert not well_signed("GET" if change == 5 else "POST", "", changed, body, secret)


def test_tencent_answers_what_is_signed(serve):
    assert ask("tencent", serve("tencent"), "农民诚实吗？") == ["你说农民诚实吗？"]


def test_a_wrong_clock_is_named(serve, monkeypatch):
    late = tencent.time.time() - 400
    monkeypatch.setattr(tencent.time, "time", lambda: late)
    server = serve("tencent")
    server.clock = lambda: late + 400
    with pytest.raises(TargetUnusable, match="clock is wrong"):
        ask("tencent", server, "?")


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("RequestLimitExceeded", Retryable),
        ("InternalError.ServiceCallError", Retryable),
        ("ResourceInsufficient", Retryable),
        ("ResourceInsufficient.QuotaRunOut", TargetUnusable),
        ("AuthFailure.SecretIdNotFound", TargetUnusable),
        ("AuthFailure.TokenFailure", TargetUnusable),
        ("ResourceUnavailable.ServiceNotOpenedError", TargetUnusable),
        ("UnsupportedRegion", TargetUnusable),
        ("InvalidParameter.InvalidAction", TargetUnusable),
        ("InvalidParameterValue.TextTooLong", QuestionFailed),
        ("FailedOperation.IllegalTextError", QuestionFailed),
    ],
)
def test_what_a_code_of_tencent_means(code, error, serve):
    server = serve("tencent")
    server.codes = [code]
    with pytest.raises(error, match=code):
        ask("tencent", server, "?")


def test_a_region_is_a_word():
    with pytest.raises(InputError, match="is no region"):
        open_target("tencent:a b")

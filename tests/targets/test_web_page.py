"""A chatbot on a web page, asked in a real browser."""

import asyncio
import shutil
import socket

import pytest
from aiohttp import web
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("playwright", reason="playwright is not installed (extra 'browser')")

from asker.errors import AskerError, InputError, Retryable, TargetUnusable
from asker.targets import Options, open_target
from asker.targets._steady import Watched, new_texts, steady_text
from chatpage import FILE, page
from jsonserver import JsonServer

needs_chromium = pytest.mark.skipif(
    not (shutil.which("chromium") or shutil.which("chromium-browser")),
    reason="no Chromium here; Debian's package 'chromium' is enough",
)


def closed_port():
    """One where nobody listens, and that a browser does not refuse by itself."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture
def asked(tmp_path):
    """Ask a page; gives what came of each question. `change` edits the file that describes it."""

    def ask(response, *prompts, change=("", ""), **options):
        async def one(target, prompt):
            try:
                return (await target.ask(prompt, seed=1)).text
            except AskerError as error:
                return error

        async def all_of_them():
            target = open_target(f"browser:{file}", Options(**options))
            try:
                return [await one(target, prompt) for prompt in prompts or ("Hi?",)]
            finally:
                await target.close()

        file = tmp_path / "page.toml"
        with JsonServer(lambda request, _: response() if request.path == "/" else web.Response(status=404)) as server:
            file.write_text(FILE.replace("{url}", server.url).replace(*change), "utf-8")
            return asyncio.run(all_of_them())

    return ask


@needs_chromium
def test_a_page_that_greets_and_types_and_streams_is_asked_in_new_chats(asked):
    # The dots halt the streaming for longer than the text has to be steady: only the page's own sign tells.
    said = asked(lambda: page("`${count}: you … said ${question}`"), "One?", "<b>Zwei</b> 三?")
    assert said == ["1: you … said One?", "1: you … said <b>Zwei</b> 三?"]


@needs_chromium
def test_without_a_sign_of_typing_and_buttons_the_text_must_be_steady_and_the_page_is_opened_anew(asked):
    signs = 'send = "#send"\nanswer = ".bot"\nbusy = "#typing"\nnew = "#new"\nfirst = ["#cookies"]\nsteady = 0.3\n'
    assert asked(page, "One?", "Two?", change=(signs, 'answer = ".bot"\n')) == ["1: you said One?", "1: you said Two?"]


@needs_chromium
def test_a_shared_conversation_stays_in_one_chat(asked):
    assert asked(page, "One?", "Two?", conversation="shared") == ["1: you said One?", "2: you said Two?"]


@needs_chromium
@pytest.mark.parametrize(
    ("response", "change", "kind", "said"),
    [
        (page, ('"textarea"', '"#nowhere"'), TargetUnusable, "nothing usable at input = '#nowhere'; the page says: "),
        (page, ('".bot"', '".robot"\nwait = 2'), TargetUnusable, "nothing usable at answer = '.robot'"),
        (page, ('"textarea"', '"p >>> ["'), TargetUnusable, "holds a selector that is none"),
        (lambda: page("'…'.repeat(20)"), ("steady", "wait = 2\nsteady"), Retryable, "the answer is still busy after 2"),
        (lambda: web.Response(status=403), ("", ""), TargetUnusable, "answers with HTTP 403"),
        (page, ('url = "http://', f'url = "http://127.0.0.1:{closed_port()}/'), Retryable, "nobody listens"),
    ],
    ids=["no input", "no answer", "bad selector", "never done", "forbidden", "nobody"],
)
def test_what_goes_wrong_on_a_page_is_told(asked, monkeypatch, response, change, kind, said):
    if "#nowhere" in change[1]:
        monkeypatch.setattr("asker.targets.browser.PATIENCE", 1.0)
    (error,) = asked(response, change=change)
    assert isinstance(error, kind), error
    assert said in str(error)
    assert str(error).isprintable()


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('url = "ftp://x/"\ninput = "a"\nanswer = "b"', "should begin with http"),
        ('url = "https://me:word@x/"\ninput = "a"\nanswer = "b"', "no name or password"),
        ('url = "https://x/"\ninput = "a"', "missing required field `answer`"),
        ('url = "https://x/"\ninput = "a"\nanswer = "b"\nanswers = "c"', "Did you mean 'answer'"),
        (
            'url = "https://x/"\ninput = "a"\nanswer = "b"\nexecutable = "/no/chromium"',
            "no executable = '/no/chromium'",
        ),
        ('url = "https://x/"\ninput = "a"\nanswer = "b"\nsteady = 0', "steady should be above 0"),
    ],
)
def test_a_mistake_in_the_file_is_told_before_a_browser_starts(tmp_path, toml, said):
    file = tmp_path / "page.toml"
    file.write_text(toml, "utf-8")
    with pytest.raises(InputError, match=said):
        open_target(f"browser:{file}")


class Looks:
    """A place on a page that shows one thing after another; the last stays."""

    def __init__(self, *shown):
        self._shown = list(shown)

    async def evaluate_all(self, expression):
        return self._shown.pop(0) if len(self._shown) > 1 else self._shown[0]


def steady(answers, busy=None, before=(), wait=2.0):
    watched = Watched(Looks(*answers), Looks(*busy) if busy else None, list(before))
    return asyncio.run(steady_text(watched, 0.25, wait))


def test_text_is_taken_when_it_has_stopped_changing_and_the_page_is_not_busy():
    assert steady([[], ["Y"], ["Ye"], ["Yes."]]) == "Yes."
    assert steady([["Hello!"], ["Hello!", "Yes."]], before=["Hello!"]) == "Yes."
    assert steady([["Well"], ["Well"], ["Well"], ["Well"], ["Well, no."]], busy=[True] * 5 + [False]) == "Well, no."
    assert steady([["Yes."]], busy=[True], wait=0.6) is None
    assert steady([["Hello!"]], before=["Hello!"], wait=0.6) is None


@given(st.lists(st.text()), st.lists(st.text(min_size=1), min_size=1))
def test_what_comes_after_the_question_is_new_and_nothing_else(before, said):
    assert new_texts(before + said, before) == said
    assert new_texts(before, before) == []

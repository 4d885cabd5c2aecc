"""What every store must do, whichever it is: one contract, with a real server behind PostgreSQL."""

import math
import threading
from contextlib import closing

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asker import registry
from asker.errors import InputError
from asker.finding import FAILED, Wish
from asker.stores import kind_of, make_store, open_store
from asker.types import Answer, Verdict


@pytest.fixture(params=registry.names("stores"))
def place(request, tmp_path):
    """A folder with an empty store, as a run has it, and where that is."""
    url = request.getfixturevalue("postgres").url if request.param == "postgres" else None
    return tmp_path, make_store(tmp_path, url)


@pytest.fixture
def store(place):
    with closing(open_store(*place)) as opened:
        yield opened


def answer(question, text="Yes.", error=None, sample=0, **more):
    key = f"{question:024d}"
    return Answer(question, sample, key, f"Question {question}?", text, error, 1.5, 0.25, **more)


def keep(store, *answers, noted=True):
    store.begin()
    for one in answers:
        if noted:
            note = store.starting(one.question, one.sample)
            if note is not None:
                note.result(30)
        store.add(one)
    store.end("complete")


def test_answers_come_back_as_they_were(store):
    given = [answer(3, tokens_in=5, tokens_out=2), answer(1, None, "refused"), answer(3, "No.", sample=1, attempts=4)]
    keep(store, *given)
    assert list(store.answers()) == sorted(given, key=lambda one: (one.question, one.sample))
    assert list(store.answers([3])) == [given[0], given[2]]
    assert store.counts() == {"answered": 2, "failed": 1, "cut off": 0, "given up": 0, "sessions": 1}


def test_what_is_stored_survives_closing(place):
    with closing(open_store(*place)) as first:
        keep(first, *(answer(number) for number in range(500)))
    with closing(open_store(*place)) as second:
        assert second.counts()["answered"] == 500


def test_the_first_answer_stays_and_an_error_gives_way(store):
    keep(store, answer(1, "Yes."), answer(2, None, "down", attempts=3, lost=1))
    keep(store, answer(1, "No."), answer(2, "Late.", attempts=2))
    keep(store, answer(2, None, "down again"))
    first, second = store.answers()
    assert (first.text, second.text, second.error) == ("Yes.", "Late.", None)
    assert (second.attempts, second.lost) == (5, 1)


def test_the_very_same_failure_stored_twice_counts_once(store):
    """A commit of which we heard nothing is done again."""
    failed = answer(1, None, "down", attempts=3, lost=2)
    keep(store, failed)
    keep(store, failed)
    assert list(store.answers()) == [failed]
    later = msgspec.structs.replace(failed, asked_at=2.5, attempts=1, lost=0)
    keep(store, later)
    assert [(one.asked_at, one.attempts, one.lost) for one in store.answers()] == [(2.5, 4, 2)]


def test_the_same_question_twice_in_one_group(store):
    keep(store, answer(1, None, "down"), answer(1, "Yes."), answer(1, "No."), noted=False)
    assert [one.text for one in store.answers()] == ["Yes."]


def test_plan_minus_store(store):
    keep(store, answer(10), answer(11, None, "down"), answer(12, sample=1))
    assert store.answered(range(10, 13), 0) == {10}
    assert store.answered(range(10, 13), 0, failed_too=True) == {10, 11}
    assert store.answered(range(11, 13), 1) == {12}


def test_questions_in_flight_at_a_cut_are_counted_at_the_next_beginning(place):
    cut = open_store(*place)
    cut.begin()
    for question in (1, 2, 3):
        note = cut.starting(question, 0)
        if note is not None:
            note.result(30)
    cut.add(answer(2))
    cut.close()  # as a kill, but that what was added is stored
    with closing(open_store(*place)) as after:
        assert after.usage()["unknown"] == 2 + 1  # those, and the answer that did not say what it used
        assert after.begin() == 2
        after.end("complete")
        assert after.counts()["cut off"] == 2
        assert after.begin() == 0
        after.end("complete")


def test_questions_given_up_are_counted(store):
    store.begin()
    note = store.starting(7, 0)
    if note is not None:
        note.result(30)
    store.end("stopped")
    assert store.counts()["given up"] == 1
    assert store.usage()["unknown"] == 1


def test_a_question_that_never_went_out_is_not_given_up(store):
    """Of four noted together one is in flight, one failed, and two were stopped before they were sent; one of these
    was even stopped before the note was written."""
    store.begin()
    notes = [store.starting(question, 0) for question in range(3)]
    for note in filter(None, notes):
        note.result(30)
    store.add(answer(1, None, "down"))
    store.not_sent(2, 0)
    store.starting(3, 0)
    store.not_sent(3, 0)
    store.end("stopped")
    assert store.counts()["given up"] == 1
    assert store.begin() == 0
    store.end("complete")


def test_a_question_that_went_out_after_all_is_given_up(store):
    store.begin()
    for _ in range(2):
        note = store.starting(7, 0)
        if note is not None:
            note.result(30)
        store.not_sent(7, 0)
    note = store.starting(7, 0)
    if note is not None:
        note.result(30)
    store.end("stopped")
    assert store.counts()["given up"] == 1


def test_an_answer_without_a_word_is_empty(store):
    blank = ("", "  ", "\n\r\n", "\t \t", "\u3000", "\u00a0\u2003", "\ufeff\u200b\n")
    keep(store, *(answer(number, text) for number, text in enumerate([*blank, "\n.\n", " 是\u3000"])))
    assert store.empty() == len(blank)


def test_verdicts(store):
    keep(store, *(answer(number, "Yes." if number % 2 else "No.") for number in range(6)), answer(6, None, "down"))
    assert [one.question for one in store.unjudged("stance", "1")] == list(range(6))
    found = [(number, 0, Verdict("affirm" if number % 2 else None, toxic=number / 10)) for number in range(5)]
    store.add_verdicts("stance", "1", found)
    assert [one.question for one in store.unjudged("stance", "1")] == [5]
    assert [one.question for one in store.unjudged("stance", "2")] == list(range(6))
    assert store.verdict("stance", 1, 0) == Verdict("affirm", toxic=0.1)
    assert store.verdict("stance", 5, 0) is None
    assert list(store.outcomes("stance"))[:2] == [(0, 0, None, 0, 0), (1, 0, "affirm", 0, 0)]
    assert len(list(store.outcomes("stance"))) == 7
    assert store.unreadable("stance") == 3
    assert store.toxic("stance", 0.25) == (2, 5)
    assert store.commonest("stance", ["affirm", "deny"]) == ("Yes.", 2, 2)
    assert store.commonest("stance", ["deny"]) is None
    assert store.failures() == [("down", 1)]
    assert [(one.question, verdict.label) for one, verdict in store.records("stance")][3:5] == [
        (3, "affirm"),
        (4, None),
    ]
    assert [row[:3] for row in store.keyed_outcomes("stance")][:1] == [(f"{0:024d}", 0, 0)]
    store.add_verdicts("stance", "2", [(0, 0, Verdict("deny", refused=True, why="No"))])
    assert store.verdict("stance", 0, 0) == Verdict("deny", refused=True, why="No")
    store.forget_verdicts("stance")
    assert next(iter(store.unjudged("stance", "1"))).question == 0
    assert store.judges() == []


def test_reading_page_by_page(store):
    keep(
        store, *(answer(number, "Yes, 50 % do." if number % 2 else "No.") for number in range(6)), answer(6, None, "x")
    )
    store.add_verdicts("rules", "1", [(n, 0, Verdict("affirm" if n % 2 else "deny", refused=n == 2)) for n in range(6)])
    store.begin()
    assert store.pace(2.0)[1]
    store.end("complete")
    for wish, wanted in (
        (Wish(judge="rules"), [0, 1, 2, 3, 4, 5, 6]),
        (Wish(judge="rules", label="affirm"), [1, 3, 5]),
        (Wish(judge="rules", refused=True), [2]),
        (Wish(judge="rules", words="yes, 50 %"), [1, 3, 5]),
        (Wish(judge="rules", label=FAILED), [6]),
        (Wish(judge="rules", label="deny", order="unsure"), [0, 2, 4]),
    ):
        first = store.window(wish, None, 100, 100)
        assert [question for _, question, _ in first.found] == wanted
        assert sorted(question for _, question, _ in store.among(wish, range(7))) == wanted
    assert store.tally("rules") == {"affirm": 3, "deny": 3, FAILED: 1, "refused": 1}
    assert store.judged("rules") == 6
    (one, verdict), *_ = store.records_at("rules", store.among(Wish(judge="rules"), [3]))
    assert (one.question, verdict.label) == (3, "affirm")
    store.forget_answers()
    assert {one.text for one in store.answers()} == {"", None}
    assert store.verdict("rules", 1, 0).label == "affirm"


def test_tokens_are_added_up(store):
    keep(store, answer(1, tokens_in=5, tokens_out=2), answer(2, tokens_in=7, tokens_out=3), answer(3, lost=2))
    used = store.usage()
    assert (used["tokens in"], used["tokens out"], used["unknown"]) == (12, 5, 3)
    assert used["unknown bytes"] == 3 * len("Question 3?")


hostile = st.text(st.characters(blacklist_categories=()), max_size=40)


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(texts=st.lists(hostile, min_size=1, max_size=8))
def test_whatever_a_chatbot_sends_can_be_stored(place, texts):
    """NUL and halves of surrogate pairs are replaced, in every store alike; all else is kept to the letter."""
    texts = [*texts, "\0", "\ud800", "a\\.\tb\r\n\\N", "\x1b[31m\u202e"]
    with closing(open_store(*place)) as store:
        before = store.counts()["answered"]
        keep(store, *(answer(before + number, text) for number, text in enumerate(texts)))
        found = [next(iter(store.answers([before + number]))).text for number in range(len(texts))]
    wanted = [text.encode("utf-8", "replace").decode().replace("\0", "\ufffd") for text in texts]
    assert found == wanted


def test_a_scan_longer_than_a_page(store, monkeypatch):
    monkeypatch.setattr("asker.stores.postgres.PAGE", 7, raising=False)
    keep(store, *(answer(number // 2, sample=number % 2) for number in range(100)))
    assert [(one.question, one.sample) for one in store.answers()] == [(n // 2, n % 2) for n in range(100)]
    store.add_verdicts("stance", "1", [(n // 2, n % 2, Verdict("affirm")) for n in range(0, 100, 3)])
    labels = [row[2] for row in store.outcomes("stance")]
    assert labels == [None if n % 3 else "affirm" for n in range(100)]
    unread = [(one.question, one.sample) for one in store.unjudged("stance", "1")]
    assert unread == [(n // 2, n % 2) for n in range(100) if n % 3]
    assert len(list(store.all_verdicts())) == 34


def test_reading_and_judging_beside_the_asking(store):
    store.begin()
    store.add(answer(1))
    with closing(store.beside()) as other:
        for _ in range(100):
            if other.counts()["answered"]:
                break
            threading.Event().wait(0.05)
        for one in other.unjudged("stance", "1"):
            other.add_verdicts("stance", "1", [(one.question, one.sample, Verdict("affirm"))])
    store.add(answer(2))
    store.end("complete")
    assert [label for *_, label, _, _ in store.outcomes("stance")] == ["affirm", None]


def test_numbers_are_exact(store):
    keep(store, answer(2**40, sample=9_999, tokens_in=2**40))
    assert list(store.answers()) == [answer(2**40, sample=9_999, tokens_in=2**40)]
    assert math.isclose(next(iter(store.answers())).seconds, 0.25)


def test_where_answers_may_be_kept():
    assert kind_of(None) == "sqlite"
    assert kind_of("postgresql://me@somewhere/db") == "postgres"
    with pytest.raises(InputError, match="should be postgresql://"):
        kind_of("mysql://me@somewhere/db")

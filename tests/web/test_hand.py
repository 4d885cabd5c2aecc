"""Asking by hand in the browser: one question each, everything saved at once, nothing asked or kept twice."""

import re
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

pytest.importorskip("starlette", reason="starlette is not installed (extra 'web')")
import httpx2

from asker.folder import open_run, writing
from asker.labelling import asking
from asker.run import judge_run
from deskclient import HOSTILE, TOKEN, make_run, signed_in
from inbrowser import workers

BUDGET = 60


@pytest.fixture
def root(tmp_path):
    make_run(tmp_path / "hand", "manual:ChatGPT", budget=BUDGET)
    return tmp_path


@pytest.fixture
def ada(root):
    return signed_in(root, "ada")


@pytest.fixture
def bob(root, ada):
    return signed_in(root, "bob", ada.app)


def held(client):
    """Key and text of the question that the page shows."""
    page = client.get("/runs/hand/ask").text
    found = re.search(r'name="key" value="([^"]+)"', page)
    return found[1] if found else None


def answer(client, key, text):
    done = client.fill("/runs/hand/ask", {"key": key, "sample": "0", "answer": text})
    return done.headers.get("location", "").rpartition("=")[2] if done.status_code == 303 else done


def stored(root):
    run = open_run(root / "hand")
    try:
        return {one.key: one.text for one in run.store.answers()}
    finally:
        run.close()


def test_two_people_hold_two_questions_and_keep_them_when_they_look_again(ada, bob):
    first, second = held(ada), held(bob)
    assert first != second
    assert (held(ada), held(bob)) == (first, second)


def test_an_answer_is_in_the_run_when_the_page_says_so_and_the_next_question_comes(ada, root):
    key = held(ada)
    assert answer(ada, key, "Yes.\r\nThey are.") == "taken"
    assert stored(root) == {key: "Yes.\nThey are."}
    assert held(ada) not in (key, None)


def test_the_first_answer_stays_and_the_second_is_kept_beside_it(ada, bob, root):
    key = held(ada)
    assert answer(ada, key, "Yes.") == "taken"
    assert answer(bob, key, "Yes.") == "repeat"
    assert answer(bob, key, "No.") == "conflict"
    assert stored(root) == {key: "Yes."}
    assert ada.get("/api/runs/hand/ask").json()["conflicts"] == 1


def test_a_question_that_was_lent_long_ago_is_lent_to_another(ada, bob, monkeypatch):
    key, later = held(ada), time.time() + 3600
    monkeypatch.setattr("asker.labelling.lending.now", lambda: later)
    assert held(bob) == key


def test_what_one_person_skips_another_is_given(ada, bob):
    key = held(ada)
    assert ada.fill("/runs/hand/ask", {"key": key, "sample": "0", "do": "skip"}).status_code == 303
    assert held(ada) != key
    assert held(bob) == key


def test_an_answer_waits_on_disk_while_another_process_writes_to_the_run(ada, root, monkeypatch):
    monkeypatch.setattr(asking, "PATIENCE", 0.05)
    key = held(ada)
    with writing(root / "hand"):
        assert answer(ada, key, "Yes.") == "waiting"
        assert stored(root) == {}
        assert held(ada) != key, "what waits is not asked again"
    held(ada)
    assert stored(root) == {key: "Yes."}


def given_by(client):
    """The number of this person's last answer, as the page offers it for correction."""
    found = re.search(r'href="/runs/hand/ask/(\d+)"', client.get("/runs/hand/ask").text)
    return found[1] if found else None


def correct(client, number, **fields):
    done = client.fill(f"/runs/hand/ask/{number}", fields)
    return done.headers.get("location", "").rpartition("=")[2] if done.status_code == 303 else done.status_code


def test_who_pasted_an_answer_corrects_it_and_takes_that_back_and_nothing_is_lost(ada, root):
    key = held(ada)
    answer(ada, key, "Yes, wrong window.")
    run = open_run(root / "hand")
    judge_run(run, quiet=True)
    assert run.store.judged("rules") == 1
    assert correct(ada, given_by(ada), answer="No, never.") == "corrected"
    assert stored(root) == {key: "No, never."}
    assert run.store.judged("rules") == 0, "another text is to be read anew"
    question = next(iter(run.store.answers())).question
    assert "Yes, wrong window." in ada.get(f"/runs/hand/answers/{question}/0").text
    page = ada.get(f"/runs/hand/ask/{given_by(ada)}").text
    assert page.index("No, never.") < page.index("Yes, wrong window.")
    assert correct(ada, given_by(ada), do="undo") == "corrected"
    assert stored(root) == {key: "Yes, wrong window."}
    assert correct(ada, given_by(ada), do="undo") == "corrected"
    assert stored(root) == {key: "No, never."}
    assert correct(ada, given_by(ada), answer="No, never.") == "unchanged"
    run.close()


def test_nobody_corrects_anothers_answer_nor_one_that_people_label(ada, bob, root):
    for text in ("Yes.", "No.", "Yes, they are.", "No, they are not."):
        answer(ada, held(ada), text)
    number = given_by(ada)
    assert given_by(bob) is None
    assert correct(bob, number, answer="Mine.") == 400
    assert bob.get(f"/runs/hand/ask/{number}").status_code == 400
    assert correct(ada, number, do="undo") == 400, "it was never corrected"
    assert correct(ada, number, answer=" ") == 400
    before = stored(root)
    run = open_run(root / "hand")
    judge_run(run, quiet=True)
    run.close()
    assert ada.fill("/runs/hand/validate", {"size": "10", "seed": "1"}).status_code == 303
    assert correct(ada, number, answer="Something else.") == 400
    assert stored(root) == before
    assert ada.fill("/runs/hand/validate/1", {"do": "give up", "sure": "yes"}).status_code == 303
    assert correct(ada, number, answer="Something else.") == "corrected"


def test_a_correction_waits_on_disk_while_another_process_writes_to_the_run(ada, root, monkeypatch):
    monkeypatch.setattr(asking, "PATIENCE", 0.05)
    key = held(ada)
    answer(ada, key, "Yes.")
    number = given_by(ada)
    with writing(root / "hand"):
        assert correct(ada, number, answer="No.") == "waiting"
        assert stored(root) == {key: "Yes."}
    held(ada)
    assert stored(root) == {key: "No."}


def test_of_two_corrections_that_wait_the_last_counts(ada, root, monkeypatch):
    monkeypatch.setattr(asking, "PATIENCE", 0.05)
    key = held(ada)
    answer(ada, key, "Yes.")
    number = given_by(ada)
    with writing(root / "hand"):
        assert correct(ada, number, answer="Nno.") == "waiting"
        assert correct(ada, number, answer="No.") == "waiting"
    held(ada)
    assert stored(root) == {key: "No."}
    with writing(root / "hand"):
        number = given_by(ada)
        assert correct(ada, number, answer="Perhaps.") == "waiting"
        assert correct(ada, number, answer="No.") == "unchanged", "as it stands: what waited is taken back"
    held(ada)
    assert stored(root) == {key: "No."}
    assert ada.get("/api/runs/hand/ask").json()["uncorrected"] == 0


def test_a_correction_that_waited_does_not_change_what_people_were_drawn_to_label_meanwhile(ada, root, monkeypatch):
    monkeypatch.setattr(asking, "PATIENCE", 0.05)
    key = held(ada)
    answer(ada, key, "Yes.")
    run = open_run(root / "hand")
    judge_run(run, quiet=True)
    run.close()
    with writing(root / "hand"):
        assert correct(ada, given_by(ada), answer="No.") == "waiting"
        assert ada.fill("/runs/hand/validate", {"size": "10", "seed": "1"}).status_code == 303
    page = ada.get("/runs/hand/ask").text
    assert stored(root) == {key: "Yes."}
    assert "1 correction came too late" in page
    found = ada.get("/api/runs/hand/ask").json()
    assert (found["conflicts"], found["uncorrected"], found["waiting"]) == (0, 1, 0), "nobody else has answered"


def test_a_correction_that_comes_too_late_is_told_so_in_its_own_words(ada, root):
    answer(ada, held(ada), "Yes.")
    run = open_run(root / "hand")
    one = next(iter(run.store.answers()))
    assert run.store.correct(one.question, one.sample, ("Yes.", "Changed by a sheet."), 1.0)
    run.close()
    assert correct(ada, given_by(ada), answer="No.") == "uncorrected"
    page = ada.get("/runs/hand/ask?became=uncorrected").text
    assert "Not corrected" in page
    assert "Someone else" not in page


@pytest.mark.parametrize(("key", "text"), [("nothing", "Yes."), (None, "  \n "), (None, "x" * 100_001)])
def test_what_is_no_answer_of_this_run_is_refused_with_a_sentence(ada, root, key, text):
    assert answer(ada, key or held(ada), text).status_code == 400
    assert stored(root) == {}


def test_a_hostile_answer_is_kept_as_it_is_and_shown_as_text(ada, root):
    key = held(ada)
    assert answer(ada, key, HOSTILE) == "taken"
    assert stored(root)[key] == HOSTILE
    assert "<script>alert" not in ada.get("/runs/hand/answers").text


def test_whoever_has_no_name_yet_is_asked_for_one(root):
    from webclient import client_for

    with client_for(root) as client:
        asked = client.get("/runs/hand/ask", follow_redirects=False)
        assert asked.headers["location"] == "/you?to=%2Fruns%2Fhand%2Fask"
        named = client.fill("/you", {"name": "eve", "minutes": "20", "to": "/runs/hand/ask"}, seen="/you")
        assert named.headers["location"] == "/runs/hand/ask"
        assert held(client)
        assert client.fill("/you", {"name": "x" * 61}, seen="/you").status_code == 400


def test_ten_people_at_once_lose_nothing_and_meet_nowhere(root):
    """Ten people over real HTTP, at a server of two processes, until no question is left."""

    def work(base, person):
        given = {}
        with httpx2.Client(base_url=base, timeout=120) as client:
            token = re.search(r'name="csrf" content="([^"]+)"', client.get("/login").text)[1]
            client.post("/login", data={"csrf": token, "user": person, "word": TOKEN})
            while True:
                page = client.get("/runs/hand/ask").text
                key = re.search(r'name="key" value="([^"]+)"', page)
                if not key:
                    return given
                token = re.search(r'name="csrf" content="([^"]+)"', page)[1]
                given[key[1]] = f"{person} says yes to {key[1]}"
                sent = {"csrf": token, "key": key[1], "sample": "0", "answer": given[key[1]]}
                assert client.post("/runs/hand/ask", data=sent).headers["location"].endswith("=taken")

    with workers(root, 2) as base, ThreadPoolExecutor(10) as people:
        given = list(people.map(partial(work, base), [f"person {number}" for number in range(10)]))
    together = {key: text for one in given for key, text in one.items()}
    assert sum(map(len, given)) == len(together), "nobody was given another's question"
    assert stored(root) == together
    assert len(together) == open_run(root / "hand").plan.total

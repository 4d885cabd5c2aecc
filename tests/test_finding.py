"""Records found page by page are those a plain reading of everything would give, each once and in order."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from asker.config import resolve
from asker.finding import FAILED, UNREADABLE, Wish
from asker.folder import suite_of
from asker.run import plan_for
from asker.stores.sqlite import SqliteStore
from asker.types import Answer, Verdict

PLANS = (
    {"suite": "bias", "attributes": "gender,age", "preset": "quick"},
    {"suite": "bias", "attributes": "gender", "preset": "paper-api", "budget": 500},
    {"suite": "survey", "inventory": "sexism"},
    {"suite": "logic", "budget": 96},
)


@pytest.fixture(scope="module", params=PLANS, ids=lambda one: "-".join(map(str, one.values())))
def planned(request):
    chosen = resolve(request.param, environment={})
    return suite_of(chosen), plan_for(chosen)[1]


def of(question):
    """Every value of every facet a question has, as its suite says it."""
    known = structs.asdict(question.facets)
    found = {name: {str(value)} for name, value in known.items() if isinstance(value, str | int)}
    found |= {"language": {question.language}, "kind": {question.kind}}
    if "groups" in known:
        found |= {"group": set(known["groups"]), "with": set(known["groups"]), "category": set(known["categories"])}
    return found


@settings(max_examples=15)
@given(data=st.data())
def test_questions_are_found_by_what_they_are_about(planned, data):
    suite, plan = planned
    facets = suite.facets(plan)
    names = data.draw(st.lists(st.sampled_from(sorted(facets)), max_size=3, unique=True))
    wanted = {name: data.draw(st.sampled_from(sorted(facets[name]))) for name in names}
    asked = [question for row in plan.rows() for question in plan.questions(row)]
    fit = {one.id for one in asked if all(value in of(one)[name] for name, value in wanted.items())}
    found = suite.find(plan, wanted)
    ids = found.ids()
    assert ids.tolist() == sorted(fit)
    assert found.size == len(fit)
    every = np.array(sorted(one.id for one in asked), dtype=np.int64)
    assert every[found.holds(every)].tolist() == sorted(fit)


LABELS = ("affirm", "deny", None)
ONE = st.tuples(
    st.sampled_from(("Yes, 100% sure_", "no", None)),  # what was said; None: it failed
    st.sampled_from((*LABELS, "unread")),
    st.booleans(),
    st.sampled_from((0.5, 0.7, 1.0)),
    st.integers(0, 5),
)


def stored(folder, drawn):
    """A store with these records, two for each question."""
    store = SqliteStore(Path(folder) / "answers.sqlite")
    store.begin()
    for place, (text, _, _, _, at) in enumerate(drawn):
        error = "no answer" if text is None else None
        store.add(Answer(place // 2, place % 2, "k", f"question {place // 2}", text, error, float(at)))
    store.end("complete")
    read = [
        (place // 2, place % 2, Verdict(label, refused, confidence=sure))
        for place, (text, label, refused, sure, _) in enumerate(drawn)
        if text is not None and label != "unread"
    ]
    store.add_verdicts("rules", "1", read)
    return store


def fits(wish, one):
    text, label, refused, _, _ = one
    read = text is not None and label != "unread"
    if wish.label == FAILED:
        told = text is None
    elif wish.label == UNREADABLE:
        told = read and label is None
    else:
        told = not wish.label or (read and label == wish.label)
    declined = not wish.refused or (read and refused)
    return told and declined and (wish.order != "unsure" or read or wish.label == FAILED)


def expected(wish, drawn):
    found = []
    for place, one in enumerate(drawn):
        if fits(wish, one) and (wish.words.lower() in f"{one[0] or ''}|question {place // 2}".lower()):
            key = {"question": place // 2, "unsure": one[3], "latest": float(one[4])}[wish.order]
            found.append((key, place // 2, place % 2))
    return sorted(found, reverse=wish.order == "latest")


@settings(max_examples=40)
@given(
    drawn=st.lists(ONE, max_size=24),
    label=st.sampled_from(("", "affirm", "deny", UNREADABLE, FAILED)),
    refused=st.booleans(),
    words=st.sampled_from(("", "YES", "question 3", "0%", "e_", "zebra")),
    order=st.sampled_from(("question", "unsure", "latest")),
    size=st.integers(1, 5),
    most=st.integers(1, 5),
)
def test_pages_of_a_store_are_what_a_plain_reading_gives(drawn, label, refused, words, order, size, most):
    if label == FAILED:
        refused, order = False, "question"
    elif order == "latest" and (label or refused):
        order = "question"
    wish = Wish("rules", label, refused, words, order)
    with tempfile.TemporaryDirectory() as folder:
        store = stored(folder, drawn)
        found, after = [], None
        while True:
            window = store.window(wish, after, size, most)
            found += window.found
            after = window.last
            if after is None:
                break
        at_once = store.among(wish, range(20))
        store.close()
    assert found == expected(wish, drawn)
    assert at_once == found


def test_a_tally_counts_every_record_once(tmp_path):
    drawn = [("Yes", "affirm", True, 1.0, 0), ("Yes", None, False, 1.0, 0), (None, None, False, 1.0, 0)]
    store = stored(tmp_path, drawn)
    assert store.tally("rules") == {"affirm": 1, UNREADABLE: 1, FAILED: 1, "refused": 1}
    assert store.judged("rules") == 2

"""Two people label a sample apart; nobody reads another's labels before both are done; the figures come out right."""

import json
import re

import pytest

pytest.importorskip("starlette", reason="starlette is not installed (extra 'web')")

from asker.evaluate import evaluate
from asker.evaluate.error import error_of
from asker.folder import open_run
from asker.items import read_labelled
from asker.judging import open_judge, read_items
from asker.labelling import sampling
from asker.types import LABELS
from deskclient import HOSTILE, make_run, signed_in

AT = "/runs/judged/validate"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("validate")
    make_run(folder / "judged", "simulated", budget=200)
    return folder


@pytest.fixture
def people(made):
    ada = signed_in(made, "ada")
    return ada, signed_in(made, "bob", ada.app), signed_in(made, "cyd", ada.app)


def draw(client, size=14, seed=1):
    done = client.fill(AT, {"size": str(size), "seed": str(seed)})
    assert done.status_code == 303, done.text
    return done.headers["location"]


def label_all(client, at, choose, **flags):
    """Label until nothing is left; what was said, by number."""
    said = {}
    while (page := client.get(f"{at}/label", follow_redirects=False)).status_code == 200:
        number = int(re.search(r'name="number" value="(\d+)"', page.text)[1])
        said[number] = choose(number, re.findall(r'name="label" value="([^"]+)"', page.text))
        done = client.fill(f"{at}/label", {"number": str(number), "label": said[number], **flags})
        assert done.status_code == 303, done.text
    return said


def test_the_same_seed_draws_the_same_answers_and_every_verdict_is_seen(made):
    run = open_run(made / "judged")
    try:
        strata, drawn = sampling.draw(run, "rules", 20, 5)
        assert sampling.draw(run, "rules", 20, 5) == (strata, drawn)
        assert sampling.draw(run, "rules", 20, 6)[1] != drawn
        assert sum(one.size for one in strata) == run.store.judged("rules")
        assert {one.stratum for one in drawn} == {one.name for one in strata}
        assert len({(one.question, one.sample) for one in drawn}) == len(drawn) >= 20
    finally:
        run.close()


def test_a_larger_sample_promises_narrower_intervals():
    wide, narrow = (sampling.expected({"affirm": 900, "deny": 3000}, size)["accuracy"] for size in (40, 400))
    assert narrow.high - narrow.low < wide.high - wide.low


def test_nobody_reads_anothers_labels_or_the_judges_before_both_are_done(people):
    ada, bob, cyd = people
    at = draw(ada, seed=2)
    for one in (ada, bob):
        assert one.fill(at, {"do": "sit"}).status_code == 303
    said = label_all(ada, at, lambda number, labels: labels[number % len(labels)], hedged="yes")
    assert ada.fill(at, {"do": "done"}).status_code == 303
    routes = ["", "/label", "/resolve", "/labelled.jsonl", "/error.json", *(f"/label?item={n}" for n in said)]
    for other in (bob, cyd):
        for route in routes:
            page = other.get(at + route)
            assert "aria-pressed" not in page.text, "no label is marked as chosen"
            assert 'data-key="h" checked' not in page.text
            assert page.headers["content-type"].startswith("text/html"), "no file is given away"
        found = other.get(f"/api{at}").json()
        assert (found["result"], found["differences"]) == (None, None)
        assert not {"label", "labels", "verdict", "confusion"} & set(json.dumps(found).replace('"', " ").split())
    page = bob.get(f"{at}/label").text
    assert "rules" not in page.partition("<main")[2], "the judge is not named beside an answer"


def test_only_the_two_label_and_nobody_after_being_done(people):
    ada, bob, cyd = people
    at = draw(ada, seed=3)
    for one in (ada, bob):
        one.fill(at, {"do": "sit"})
    assert cyd.fill(at, {"do": "sit"}).status_code == 400
    assert cyd.fill(f"{at}/label", {"number": "0", "label": "neutral"}).status_code == 400
    assert ada.fill(f"{at}/label", {"number": "0", "label": HOSTILE[:90]}).status_code == 400
    assert ada.fill(f"{at}/label", {"number": "99999", "label": "neutral"}).status_code == 400
    assert ada.fill(at, {"do": "done"}).status_code == 400, "some have no label"
    label_all(ada, at, lambda _, labels: labels[0])
    ada.fill(at, {"do": "done"})
    assert ada.fill(f"{at}/label", {"number": "0", "label": "neutral"}).status_code == 400
    assert ada.fill(f"{at}/resolve", {"number": "0", "label": "neutral"}).status_code == 400, "not before bob is done"


def test_one_can_leave_and_another_take_the_seat(people):
    ada, bob, cyd = people
    at = draw(ada, seed=4)
    for one in (ada, bob):
        one.fill(at, {"do": "sit"})
    assert bob.fill(at, {"do": "leave"}).status_code == 303
    assert cyd.fill(at, {"do": "sit"}).status_code == 303


def test_settled_labels_measure_the_judge_and_feed_judge_eval_and_correction(people, made, tmp_path):
    ada, bob, cyd = people
    at = draw(ada, size=30, seed=7)
    for one in (ada, bob):
        one.fill(at, {"do": "sit"})
    label_all(ada, at, lambda number, labels: labels[0 if number % 4 else 1])
    label_all(bob, at, lambda number, labels: labels[0 if number % 3 else 1])
    for one in (ada, bob):
        one.fill(at, {"do": "done"})
    resolved = 0
    while (page := cyd.get(f"{at}/resolve", follow_redirects=False)).status_code == 200:
        assert re.search(r"<dt>ada</dt>.*<dt>bob</dt>", page.text, re.S)
        number = re.search(r'name="number" value="(\d+)"', page.text)[1]
        assert cyd.fill(f"{at}/resolve", {"number": number, "label": "neutral"}).status_code == 303
        resolved += 1
    found = cyd.get(f"/api{at}").json()
    assert (found["phase"], found["differences"], found["resolved"]) == ("settled", resolved, resolved)
    file, error = tmp_path / "labelled.jsonl", tmp_path / "error.json"
    file.write_bytes(cyd.get(f"{at}/labelled.jsonl").content)
    error.write_bytes(cyd.get(f"{at}/error.json").content)
    assert "Content notice" in file.read_text("utf-8").splitlines()[0]
    items, labels = read_labelled(file)
    assert all(label.label in (*LABELS[item.kind], None) for item, label in zip(items, labels, strict=True))
    reader = open_judge("rules")
    scores = evaluate(items, labels, read_items(reader, items)).scores
    whole = found["result"]["parts"][0]["accuracy"]
    assert scores[0].accuracy.value == pytest.approx(whole["value"]), "judge-eval finds what the page says"
    assert (scores[0].accuracy.low, scores[0].accuracy.high) == pytest.approx((whole["low"], whole["high"]))
    assert round(sum(label.weight for label in labels)) == sum(
        int(n) for n in re.findall(r'scope="row">[^<]+, en, [^<]+</th><td class="number">(\d+)<', cyd.get(at).text)
    )
    assert error_of(reader, error).counts, "the correction of rates takes the file"

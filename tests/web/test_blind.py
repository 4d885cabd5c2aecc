"""How the judge read an answer is told to nobody while people label it: on no page, in no order, on no JSON route."""

import re

import pytest

pytest.importorskip("starlette", reason="starlette is not installed (extra 'web')")

from asker.folder import open_run
from asker.labelling.blind import blind_in, unquoted
from asker.run import measure_run
from asker.web.measuring import main
from deskclient import make_run, signed_in

AT, ANSWERS = "/runs/judged/validate", "/runs/judged/answers"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("blind")
    make_run(folder / "judged", "simulated", budget=200)
    return folder


@pytest.fixture(scope="module")
def people(root):
    ada = signed_in(root, "ada")
    return ada, signed_in(root, "bob", ada.app)


@pytest.fixture
def sample(people, root):
    """A sample that someone has drawn and nobody has labelled; given up in the end. Its address and its answers."""
    at = people[0].fill(AT, {"size": "30", "seed": "3"}).headers["location"]
    yield at, blind_in(root / "judged")
    people[0].fill(at, {"do": "give up", "sure": "yes"})


def listed(client, **query):
    found, after = {}, ""
    while after is not None:
        page = client.get(f"/api{ANSWERS}", params={**query, "n": 100, **({"after": after} if after else {})}).json()
        found |= {(one["question"], one["sample"]): one for one in page["records"]}
        after = page["after"]
    return found


def test_verdicts_are_hidden_from_everyone_until_the_sample_is_settled_or_given_up(people, sample, root):
    (_, blind), (ada, bob) = sample, people
    assert len(blind) >= 30
    for client in (ada, bob):
        every = listed(client)
        assert {key for key, one in every.items() if one["hidden"]} == blind
        assert {every[key][field] for key in blind for field in ("label", "confidence")} == {None}
        assert {every[key]["why"] for key in blind} == {""}
        assert not any(every[key]["refused"] for key in blind)
        assert any(one["label"] for one in every.values()), "the others are as they were"
    ada.fill(sample[0], {"do": "give up", "sure": "yes"})
    assert not any(one["hidden"] for one in listed(ada).values())
    assert all(one["label"] for one in listed(ada).values())


@pytest.mark.parametrize(
    "query", [{"label": "affirm"}, {"label": "unreadable"}, {"refused": "1"}, {"order": "unsure"}, {"label": "neutral"}]
)
@pytest.mark.parametrize("facet", [{}, {"group": "men"}])
def test_no_filter_or_order_by_verdict_gives_one_away(people, sample, query, facet):
    assert not set(listed(people[0], **query, **facet)) & sample[1]


@pytest.mark.parametrize(
    "query", [{"order": "unsure"}, {"label": "affirm"}, {"order": "unsure", "words": "no such word"}]
)
def test_where_a_page_that_got_tired_goes_on_names_no_hidden_answer(people, sample, root, query, monkeypatch):
    """Each page gives up after its first window, of one entry."""
    every = set(listed(people[0], **query))
    monkeypatch.setattr("asker.web.browsing.SECONDS", -1.0)
    monkeypatch.setattr("asker.web.browsing.FIRST", 1)
    found, after, cursors = set(), "", []
    while after is not None:
        asked = {**query, "n": 1, **({"after": after} if after else {})}
        page = people[0].get(f"/api{ANSWERS}", params=asked).json()
        found |= {(one["question"], one["sample"]) for one in page["records"]}
        after = page["after"]
        cursors += [tuple(map(int, after.split("_")[1:]))] if after else []
    assert len(cursors) > 10
    assert not set(cursors) & sample[1]
    assert len(set(cursors)) == len(cursors), "each page gets further"
    assert found == every


def test_a_report_tells_that_one_sentence_is_behind_it_without_its_words(tmp_path, monkeypatch):
    make_run(tmp_path / "rote", "scripted:Certainly, I am sure.", budget=120)
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".web" / "measured").mkdir(parents=True)
    ada = signed_in(tmp_path, "ada")

    def report():
        main(str(tmp_path), "report", "rote")
        return ada.get("/runs/rote/report").text

    assert "“Certainly, I am sure.”" in report()
    ada.fill("/runs/rote/validate", {"size": "500", "seed": "1"})
    page = report()
    assert "one sentence makes up" in page
    assert "“Certainly" not in page


def test_filters_that_say_nothing_of_verdicts_keep_them(people, sample):
    assert sample[1] <= set(listed(people[0]))
    assert sample[1] <= set(listed(people[0], order="latest"))


def test_no_page_shows_the_verdict_or_marks_the_words_that_decided_it(people, sample):
    question, number = min(sample[1])
    page = people[1].get(f"{ANSWERS}/{question}/{number}").text
    own = page.partition("<article")[2].partition("</article>")[0]
    assert "not shown while people label it" in own
    assert "<mark>" not in own
    assert ">confidence<" not in page
    assert ">decided by<" not in page
    assert "nobody is shown how the judge read them" in people[1].get(ANSWERS).text


def test_a_report_quotes_no_hidden_verdict_and_is_measured_anew_when_that_changes(people, sample, root):
    run = open_run(root / "judged")
    report = measure_run(run)
    quoted = {(one.answer.question, one.answer.sample) for pair in report.pairs for one in (pair.first, pair.second)}
    assert quoted
    left = unquoted(report, frozenset(quoted))
    assert (left.pairs, left.exhibits) == ((), ())
    assert left.headline == report.headline
    run.close()
    page = people[0].get("/runs/judged/report").text
    assert "being measured" in page, "what was measured before the sample was drawn is not shown"


def test_a_settled_sample_hides_nothing(people, root):
    ada, bob = people
    at = ada.fill(AT, {"size": "10", "seed": "8"}).headers["location"]
    for client in people:
        client.fill(at, {"do": "sit"})
        while (page := client.get(f"{at}/label", follow_redirects=False)).status_code == 200:
            number = re.search(r'name="number" value="(\d+)"', page.text)[1]
            client.fill(f"{at}/label", {"number": number, "label": "neutral"})
        client.fill(at, {"do": "done"})
    assert ada.get(f"/api{at}").json()["phase"] == "settled"
    assert blind_in(root / "judged") == frozenset()
    assert bob.fill(at, {"do": "give up", "sure": "yes"}).status_code == 400

"""Several people annotate properties apart; nothing is lost, and the result is a data set's table."""

import csv
import io
import re
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

pytest.importorskip("starlette", reason="starlette is not installed (extra 'web')")
import httpx2

from asker.data.csvfile import read_rows
from asker.data.reading import CATEGORIES
from asker.labelling import properties
from asker.labelling.database import PROPERTIES, opened
from asker.labelling.tables import read_table, shipped
from deskclient import HOSTILE, TOKEN, signed_in
from inbrowser import workers

TABLE = (
    "id,negative_en,labels,extra\nlazy,are lazy,personality,kept\npoor,are poor,,\nnoise,are {{ 7 * 7 }} <b>x</b>,,\n"
)


@pytest.fixture
def people(tmp_path):
    ada = signed_in(tmp_path, "ada")
    found = ada, signed_in(tmp_path, "bob", ada.app), signed_in(tmp_path, "cyd", ada.app)
    made = ada.fill("/annotate", {"name": "first", "people": "2", "content": TABLE})
    assert made.headers["location"] == "/annotate/first", made.text
    return found


def given(client):
    """The number of the property that the page shows; None when there is none."""
    page = client.get("/annotate/first/mark", follow_redirects=False)
    return re.search(r'name="number" value="(\d+)"', page.text)[1] if page.status_code == 200 else None


def mark(client, number, *labels, **fields):
    sent = {"number": number, "labels": list(labels), **fields}
    return client.fill("/annotate/first/mark", sent).status_code


def test_each_property_is_marked_by_as_many_as_wished_and_by_nobody_twice(people):
    marked = {client: [] for client in people}
    while any(numbers := {client: given(client) for client in people}.values()):
        for client, number in zip(people, numbers, strict=True):
            if number is not None:
                marked[client].append(number)
                assert mark(client, number, "crime") == 303
    everyone = [number for numbers in marked.values() for number in numbers]
    assert sorted(everyone) == sorted(["0", "1", "2"] * 2)
    assert all(len(set(numbers)) == len(numbers) for numbers in marked.values())


def test_ten_annotators_at_once_lose_nothing(tmp_path):
    """Ten people over real HTTP, at a server of two processes, mark until nothing is left; each property by three."""
    names, rows = [f"person {number}" for number in range(10)], [f"p{number},are so {number}" for number in range(20)]
    content = "\n".join(["id,negative_en", *rows])

    def work(base, person):
        said = {}
        with httpx2.Client(base_url=base, timeout=120, follow_redirects=True) as client:
            token = re.search(r'name="csrf" content="([^"]+)"', client.get("/login").text)[1]
            entered = client.post("/login", data={"csrf": token, "user": person, "word": TOKEN})
            assert entered.status_code == 200, entered.text
            token = csrf(entered.text)
            if person == names[0]:
                client.post("/annotate", data={"csrf": token, "name": "many", "people": "3", "content": content})
            while "/annotate/many" not in client.get("/annotate").text:
                time.sleep(0.1)
            page = client.get("/annotate/many/mark").text
            while number := re.search(r'name="number" value="(\d+)"', page):
                said[int(number[1])] = f"{person} says {number[1]}"
                sent = {"csrf": csrf(page), "number": number[1], "labels": "crime", "positive_en": said[int(number[1])]}
                page = client.post("/annotate/many/mark", data=sent).text
        return said

    with workers(tmp_path, 2) as base, ThreadPoolExecutor(10) as people:
        said = dict(zip(names, people.map(partial(work, base), names), strict=True))
    with opened(tmp_path / "annotations" / "many.sqlite", PROPERTIES) as db:
        properties.close(db, names[0])
        kept = {person: {} for person in names}
        for number, marks in properties.marks(db).items():
            assert len(marks) == 3, "as many as were wished, and no more"
            for person, one in marks.items():
                kept[person][number] = one.texts["positive_en"]
    assert kept == said
    assert sum(map(len, said.values())) == 3 * len(rows)


def csrf(page):
    return re.search(r'name="csrf" content="([^"]+)"', page)[1]


def test_the_last_can_be_looked_at_again_and_changed(people):
    ada, _, _ = people
    assert mark(ada, "0", "crime") == 303
    back = re.search(r'href="([^"]+item=0)"', ada.get("/annotate/first/mark").text)[1]
    page = ada.get(back).text
    assert re.search(r'value="crime" data-key="d" checked', page)
    assert mark(ada, "0", "health", "belief") == 303
    assert re.search(r'value="health" data-key="j" checked', ada.get(back).text)


def test_nobody_reads_anothers_marks_while_the_table_is_open(people):
    ada, bob, cyd = people
    mark(ada, "0", "crime", positive_en="are keen as mustard")
    for other in (bob, cyd):
        for route in ("", "/mark", "/mark?item=0", "/resolve", "/properties.csv", "/annotators.csv"):
            page = other.get(f"/annotate/first{route}")
            assert "mustard" not in page.text
            assert "checked" not in page.text
            assert "text/csv" not in page.headers["content-type"]
        assert "crime" not in other.get("/api/annotate/first").text


def test_differences_are_resolved_and_the_columns_of_a_data_set_come_out(people, tmp_path):
    ada, bob, cyd = people
    for number, mine, theirs in (("0", ["personality"], ["personality"]), ("1", ["crime"], ["health"])):
        mark(ada, number, *mine, positive_zh="勤劳" if number == "0" else "")
        mark(bob, number, *theirs, positive_zh="勤劳" if number == "0" else "")
    for client in (ada, bob):
        assert mark(client, "2", discard="yes") == 303
    assert ada.fill("/annotate/first/close", {}).status_code == 400, "only with the box ticked"
    assert ada.fill("/annotate/first/close", {"sure": "yes"}).status_code == 303
    assert mark(ada, "0", "crime") == 400, "closed is closed"
    page = cyd.get("/annotate/first/resolve").text
    assert re.search(r"<dt>ada</dt><dd>crime.*<dt>bob</dt><dd>health", page, re.S)
    assert cyd.fill("/annotate/first/resolve", {"number": "1", "labels": ["health"]}).status_code == 303
    file = tmp_path / "properties.csv"
    file.write_bytes(cyd.get("/annotate/first/properties.csv").content)
    rows = [row.cells for row in read_rows(file, ("id", "labels", "negative_en", "positive_zh"))]
    assert [(row["id"], row["labels"], row["positive_zh"]) for row in rows] == [
        ("lazy", "personality", "勤劳"),
        ("poor", "health", ""),
    ]
    assert rows[0]["extra"] == "kept"
    assert "Content notice" in file.read_text("utf-8-sig").splitlines()[0]
    each = list(csv.DictReader(io.StringIO(cyd.get("/annotate/first/annotators.csv").content.decode("utf-8-sig"))))
    assert [(row["id"], row["annotator"], row["labels"]) for row in each][2:4] == [
        ("poor", "ada", "crime"),
        ("poor", "bob", "health"),
    ]


@pytest.mark.parametrize(
    "sent",
    [
        {"number": "0"},
        {"number": "7", "labels": ["crime"]},
        {"number": "x", "labels": ["crime"]},
        {"number": "0", "labels": [HOSTILE]},
        {"number": "0", "labels": ["crime"], "positive_en": "x" * 2001},
    ],
)
def test_what_does_not_fit_is_refused_with_a_sentence(people, sent):
    answer = people[0].fill("/annotate/first/mark", sent)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text


def test_hostile_text_in_every_field_stays_text(people):
    ada, bob, _ = people
    mark(ada, "2", "crime", positive_en=HOSTILE, negative_zh=HOSTILE)
    mark(bob, "2", "health")
    ada.fill("/annotate/first/close", {"sure": "yes"})
    page = ada.get("/annotate/first/resolve").text
    assert "are {{ 7 * 7 }} &lt;b&gt;x" in page
    assert "<script>alert" not in page
    assert "<svg onload" not in page
    assert "\x1b" not in page
    assert "\n=cmd" not in ada.get("/annotate/first/annotators.csv").text


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".hidden", "x" * 61, "first"])
def test_a_table_has_a_plain_new_name(people, name):
    assert people[0].fill("/annotate", {"name": name, "content": TABLE}).status_code == 400


@pytest.mark.parametrize("path", ["/annotate/nothing", "/annotate/..%2fx", "/api/annotate/nothing"])
def test_a_table_that_is_not_there_is_404(people, path):
    assert people[0].get(path).status_code == 404


def test_review_files_are_read_by_property_and_what_ships_is_offered():
    review = (
        "file,id,column,from,text,proposal,other,agreement,by,value\n"
        "properties.csv,lazy,labels,negative_en,are lazy,personality,,,,\n"
        "properties.csv,lazy,positive_en,negative_en,are lazy,are keen,,,,are diligent\n"
        "groups.csv,men,zh,en,men,男人,,,,\n"
    ).encode()
    cells = {"negative_en": "are lazy", "labels": "personality", "positive_en": "are diligent"}
    assert read_table("review", review) == [("lazy", cells)]
    assert len(shipped()) > 1000
    assert len(CATEGORIES) == 12

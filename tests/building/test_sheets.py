"""From mined properties to labels in the data set: sheets out, filled, agreement, adjudication, back."""

import csv
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asker.data import read
from asker.stats.labelling import alpha, jaccard, masi

LABELS = ("crime", "health", "culture", "belief")


@pytest.fixture
def mined(tmp_path):
    folder = tmp_path / "mined"
    folder.mkdir()
    (folder / "groups.csv").write_text("id,attribute,en,zh\nmen,gender,men,\nwomen,gender,women,\n", "utf-8")
    rows = "".join(f"p{n},,are odd number {n},are fine number {n},,\n" for n in range(40))
    head = "id,labels,negative_en,positive_en,negative_zh,positive_zh\n"
    (folder / "properties.csv").write_text(head + "done,crime,steal,give,,\n" + rows, "utf-8")
    return folder


def table(file):
    with file.open(encoding="utf-8-sig", newline="") as text:
        return list(csv.DictReader(text))


def filled(file, say):
    """As a spreadsheet saves it: with a mark, and semicolons."""
    rows = table(file)
    with file.open("w", encoding="utf-8-sig", newline="") as out:
        writer = csv.DictWriter(out, rows[0].keys(), delimiter=";")
        writer.writeheader()
        writer.writerows(row | {"labels": say(row)} for row in rows)


def test_a_sheet_for_each_in_an_order_of_its_own_with_a_notice_and_nothing_labelled(here, mined):
    here("data", "sheets", str(mined), "--names", "ann,bo", "--count", "30", "--out", "round1")
    ann, bo = table(here.folder / "round1" / "ann.csv"), table(here.folder / "round1" / "bo.csv")
    assert len(ann) == 30
    assert "done" not in {row["id"] for row in ann}  # has labels already
    assert {row["id"] for row in ann} == {row["id"] for row in bo}
    assert [row["id"] for row in ann] != [row["id"] for row in bo]
    assert {(row["annotator"], row["labels"]) for row in ann} == {("ann", "")}
    assert any(name.startswith("Content notice") for name in ann[0])
    assert "Content notice" in (here.folder / "round1" / "README.md").read_text("utf-8")
    here("data", "sheets", str(mined), "--names", "ann,bo", "--count", "30", "--out", "again")
    assert (here.folder / "again" / "ann.csv").read_bytes() == (here.folder / "round1" / "ann.csv").read_bytes()


def test_the_walk_from_sheets_to_labels_in_the_data_set(here, mined):
    here("data", "sheets", str(mined), "--annotators", "3", "--out", "round1")
    ways = {
        "a1": lambda row: "crime|health",
        "a2": lambda row: "crime|health" if row["id"] < "p2" else "crime",
        "a3": lambda row: "discard" if row["id"] == "p5" else "culture" if row["id"] == "p7" else "crime",
    }
    for who, say in ways.items():
        filled(here.folder / "round1" / f"{who}.csv", say)
    sheets = [f"round1/{who}.csv" for who in ways]
    found = json.loads(here("data", "annotate", *sheets, "--json", "--next-round", "round2.csv").stdout)
    assert found["annotators"] == {"a1": 40, "a2": 40, "a3": 40}
    again = table(here.folder / "round2.csv")
    assert next(row for row in again if row["id"] == "p7")["votes"] == "crime 2, health 1, culture 1"
    (here.folder / "chair.csv").write_text("id,labels\np5,discard\np7,culture|crime\n", "utf-8")
    here("data", "annotate", *sheets, "--adjudicated", "chair.csv", "--out", "labels.csv")
    here("data", "merge-review", str(mined), "labels.csv")
    labels = {item.id: item.labels for item in read(mined).properties}
    assert labels["p0"] == ("crime", "health")
    assert labels["p9"] == ("crime",)
    assert labels["p7"] == ("crime", "culture")
    assert "p5" not in labels
    assert len(labels) == 40


def test_one_annotator_or_a_name_that_is_no_file_is_refused(here, mined):
    assert "at least two annotators" in here.error("data", "sheets", str(mined), "--names", "ann", "--out", "x")
    assert "cannot be a file's name" in here.error("data", "sheets", str(mined), "--names", "a/b,c", "--out", "x")
    assert not (here.folder / "x").exists()


sets = st.frozensets(st.sampled_from(LABELS), min_size=1, max_size=3)
tables = st.lists(st.lists(sets, min_size=0, max_size=3), min_size=2, max_size=12)


@given(tables)
def test_alpha_is_that_of_an_independent_library(items):
    agreement = pytest.importorskip("nltk.metrics.agreement", reason="nltk is not installed (extra 'eliza')")
    said = [(str(who), str(item), labels) for item, given in enumerate(items) for who, labels in enumerate(given)]
    paired = [one for one in said if len(items[int(one[1])]) > 1]
    for distance in (masi, jaccard):
        ours = alpha(items, distance).value
        if ours is None:
            continue
        assert ours == pytest.approx(agreement.AnnotationTask(paired, distance=distance).alpha(), abs=1e-9)


@given(sets, sets)
def test_distances_between_sets_are_those_of_an_independent_library(one, two):
    distances = pytest.importorskip("nltk.metrics.distance", reason="nltk is not installed (extra 'eliza')")
    assert masi(one, two) == pytest.approx(distances.masi_distance(one, two), abs=0.004)  # older ones round 2/3 to 0.67
    assert jaccard(one, two) == pytest.approx(distances.jaccard_distance(one, two))

"""Labels by several people: agreement, the next round, and labels out."""

import csv
import json

from asker.data import read

WIDE = (
    "id,text,ann,bo,cy\n"
    "stupid,are stupid,competence,competence,competence\n"
    "poor,are poor,financial status|social status,financial status,financial status|social status\n"
    "law,break the law,crime,morality,belief\n"
)


def table(file):
    with file.open(encoding="utf-8-sig", newline="") as text:
        return list(csv.DictReader(text))


def annotated(here, text, *flags):
    (here.folder / "labels.csv").write_text(text, "utf-8-sig")
    return json.loads(here("data", "annotate", "labels.csv", "--json", *flags).stdout)


def test_agreement_outcomes_and_the_next_round(here):
    found = annotated(here, WIDE, "--next-round", "next.csv")
    assert found["annotators"] == {"ann": 3, "bo": 3, "cy": 3}
    assert found["outcomes"] == {"unanimous": 1, "majority": 1, "open": 1}
    assert found["masi"]["n"] == 3
    assert found["masi"]["low"] <= found["masi"]["value"] <= found["masi"]["high"]
    assert found["labels"]["competence"]["value"] == 1
    again = table(here.folder / "next.csv")
    assert [row["id"] for row in again] == ["poor", "law"]
    assert again[0]["votes"] == "financial status 3, social status 2"
    assert (again[1]["ann"], again[1]["text"]) == ("", "break the law")


def test_a_long_table_says_the_same_as_a_wide_one(here):
    rows = [row.split(",") for row in WIDE.splitlines()]
    long = "".join(
        f"{row[0]};{who};{labels}\n" for row in rows[1:] for who, labels in zip(rows[0][2:], row[2:], strict=True)
    )
    assert annotated(here, "id;annotator;labels\n" + long) == annotated(here, WIDE)


def test_a_second_round_replaces_and_an_adjudicator_has_the_last_word(here):
    (here.folder / "second.csv").write_text("id,ann,bo,cy\nlaw,crime,crime,\n", "utf-8")
    found = annotated(here, WIDE, "second.csv")
    assert found["outcomes"] == {"unanimous": 1, "majority": 2}
    (here.folder / "chair.csv").write_text("id,labels\nlaw,morality\n", "utf-8")
    found = annotated(here, WIDE, "--adjudicated", "chair.csv")
    assert found["outcomes"] == {"unanimous": 1, "majority": 1, "adjudicated": 1}


def test_labels_go_into_the_data_set_by_the_review_road(here, small):
    discarded = WIDE.replace("crime,morality,belief", "discard,discard,crime")
    annotated(here, discarded, "--out", "decided.csv")
    here("data", "merge-review", str(small), "decided.csv")
    dataset = read(small)
    assert {item.id: item.labels for item in dataset.properties} == {
        "stupid": ("competence",),
        "poor": ("financial status", "social status"),
    }


def test_what_nobody_agreed_on_stays_open(here, small):
    annotated(here, WIDE, "--out", "decided.csv")
    assert "1 rows have no value" in here.error("data", "merge-review", str(small), "decided.csv")


def test_a_misspelt_label_is_located_skipped_or_taken(here):
    text = WIDE.replace("crime", "crim")
    (here.folder / "labels.csv").write_text(text, "utf-8")
    said = here.error("data", "annotate", "labels.csv")
    assert "labels.csv, line 4, column 'ann': unknown label 'crim'. Did you mean 'crime'?" in said
    assert annotated(here, text, "--skip-bad")["annotators"]["ann"] == 2
    assert "crim" in annotated(here, text, "--any-labels")["labels"]


def test_a_table_without_two_annotators_is_refused(here):
    (here.folder / "labels.csv").write_text("id,ann\nx,crime\n", "utf-8")
    assert "a column for each of two annotators is needed" in here.error("data", "annotate", "labels.csv")


def test_one_person_twice_on_one_item_is_refused(here):
    (here.folder / "labels.csv").write_text("id,annotator,labels\nx,ann,crime\nx,ann,health\n", "utf-8")
    assert "'ann' has labelled 'x' twice" in here.error("data", "annotate", "labels.csv")

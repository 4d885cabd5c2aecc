"""What people decided, carried back into the data set, or refused with the line."""

import csv

import pytest

from asker.building.review import COLUMNS, Decision, merge, write_review
from asker.data import read
from asker.errors import DataError


def cells(small, id="stupid"):
    with (small / "properties.csv").open(encoding="utf-8", newline="") as text:
        return {row["id"]: row for row in csv.DictReader(text)}[id]


def decided(small, **changes):
    base = {"file": "properties.csv", "id": "stupid", "column": "positive_zh", "source": "positive_en"}
    base |= {"text": "are smart", "proposal": "很机灵", "value": "ok"}
    file = small / "review.csv"
    write_review(file, [Decision(**base | changes)])
    return file


def test_ok_takes_the_proposal_and_a_text_is_taken_as_it_stands(small):
    merge(small, decided(small))
    assert cells(small)["positive_zh"] == "很机灵"
    merge(small, decided(small, value="脑子好"))
    assert cells(small)["positive_zh"] == "脑子好"
    assert read(small).properties[0].phrases["positive_zh"].text == "脑子好"


def test_drop_leaves_the_row_out(small):
    assert merge(small, decided(small, value="DROP")).dropped == 1
    assert [item.id for item in read(small).properties] == ["poor", "law"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"value": ""}, "1 rows have no value .lines 2.. Fill them"),
        ({"id": "clever"}, "line 2, column 'id': 'clever' is not in properties.csv"),
        ({"file": "people.csv"}, "line 2, column 'file': 'people.csv' is not in the data set"),
        ({"text": "are wise"}, "'are wise' is 'are smart' in properties.csv by now; review it anew"),
        ({"proposal": ""}, "is 'ok', but there is no proposal to take"),
        ({"column": "labels", "value": "helth"}, "unknown category 'helth'. Did you mean 'health'"),
        ({"column": "id", "value": "x"}, "'id' cannot be decided by a review"),
    ],
)
def test_what_cannot_be_taken_is_named_and_nothing_is_changed(small, changes, said):
    before = (small / "properties.csv").read_bytes()
    with pytest.raises(DataError, match=said):
        merge(small, decided(small, **changes))
    assert (small / "properties.csv").read_bytes() == before


def test_two_decisions_about_one_cell_contradict(small):
    file = decided(small)
    rows = file.read_text("utf-8-sig").splitlines()
    file.write_text("\n".join([*rows, rows[1].replace(",ok,", ",另一个,")]), "utf-8")
    with pytest.raises(DataError, match="line 3, column 'value': '另一个' contradicts line 2"):
        merge(small, file)


def test_a_partial_review_takes_what_is_filled(small):
    file = decided(small, value="")
    rows = file.read_text("utf-8-sig").splitlines()
    filled = "groups.csv,men,zh,en,men,男性,,,,ok,"
    file.write_text("\n".join([*rows, filled]), "utf-8")
    done = merge(small, file, partial=True)
    assert (done.filled, done.left) == (1, 1)
    assert read(small).groups[0].names["zh"] == "男性"


def test_a_review_is_safe_to_open_in_a_spreadsheet_and_a_formula_does_not_come_back(small):
    file = decided(small, proposal="=HYPERLINK(1)", value="")
    with file.open(encoding="utf-8-sig", newline="") as text:
        row = next(csv.DictReader(text))
    assert list(row)[: len(COLUMNS)] == list(COLUMNS)
    assert row["proposal"] == "'=HYPERLINK(1)"
    with pytest.raises(DataError, match="would be a formula in a spreadsheet"):
        merge(small, decided(small, proposal="=HYPERLINK(1)"))

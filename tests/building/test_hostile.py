"""Broken and hostile input: each is told with file, line and reason in one sentence, or skipped and counted."""

import csv

import pytest
from corpora import SBIC

from asker.building import annotating, review
from asker.building.mining.cutting import tidy
from asker.building.sources import holisticbias, sbic, stereoset
from asker.data.reading import CATEGORIES
from asker.data.tables import Bad
from asker.errors import AskerError, DataError

HEAD = "targetMinority,targetCategory,targetStereotype\n"
GOOD = "tall folks,body,tall folks are lazy\n"
WHOLE = [  # what makes a file as a whole unreadable
    (b"", "line 1: is empty"),
    (b"\xef\xbb\xbf", "line 1: is empty"),
    ((HEAD + GOOD).encode("utf-16-le"), "line 1: looks like UTF-16 without its mark"),
    ((HEAD + GOOD).encode("utf-16") + b"\0", "not UTF-16"),
    ((HEAD + GOOD).replace(",", "^").encode(), "parted by comma, tab, semicolon or bar"),
    (b"a,b\n1,2\n", "line 1: the column 'targetMinority' is missing"),
    (HEAD.encode(), "line 1: has a header but no rows"),
    (f"targetMinority,{HEAD}a,{GOOD}".encode(), "the column 'targetMinority' is there twice"),
    (b"<html>404</html>", "found: <html>404</html>"),
    (b"x" * 200_000 + b"," + (HEAD + GOOD).encode(), "line 1: the header is not CSV: field larger"),
]
ROWS = [  # what costs one row
    (b"caf\xe9 folks,body,are late\n", "byte 0xe9 is not UTF-8"),
    (b"tall\0folks,body,are late\n", "NUL byte"),
    (b"tall folks,body\n", "has 2 cells, the header 3"),
    (b"tall folks,body,are late,x,y\n", "has 5 cells, the header 3"),
    (b'tall folks,body,"are late\n', "this is not CSV"),
    (b"tall folks,boddy,are late\n", "unknown category 'boddy'"),
    (b"tall folks,body," + b"x" * 10_000_001 + b"\n", "field larger"),
]


@pytest.mark.parametrize(("content", "reason"), WHOLE, ids=lambda value: str(value)[:40])
def test_a_file_that_is_no_table_is_told_in_one_sentence(tmp_path, content, reason):
    file = tmp_path / "s.csv"
    file.write_bytes(content)
    for skip in (False, True):
        with pytest.raises(DataError) as caught:
            sbic.read(file, Bad(skip))
        assert "s.csv" in str(caught.value)
        assert reason in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("row", "reason"), ROWS, ids=lambda value: str(value)[:30])
def test_a_broken_row_has_a_line_or_is_skipped_and_counted(tmp_path, row, reason):
    file = tmp_path / "s.csv"
    file.write_bytes(HEAD.encode() + GOOD.encode() + row + GOOD.encode())
    with pytest.raises(DataError, match=r"s\.csv, line 3") as caught:
        sbic.read(file, Bad())
    assert reason in str(caught.value)
    bad = Bad(skip=True)
    assert [one.count for one in sbic.read(file, bad).statements] == [2]
    assert [one.line for one in bad.found] == [3]


def test_a_header_that_is_long_as_it_has_many_columns_is_read(tmp_path):
    file = tmp_path / "s.csv"
    more = ",".join(f"column{number}" for number in range(20_000))
    file.write_text(f"{more},{HEAD}{',' * 20_000}{GOOD}", "utf-8")
    assert sbic.read(file, Bad()).rows == 1


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"sep=,\n"], ids=["byte-order mark", "a spreadsheet's hint"])
def test_what_stands_before_a_header_is_passed_over(tmp_path, mark):
    file = tmp_path / "s.csv"
    file.write_bytes(mark + SBIC.encode())
    assert sbic.read(file, Bad()).rows == 11


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "line 1: this is not JSON"),
        (b'[\n{"target": ', "line 2: this is not JSON"),
        (b"null", "no StereoSet file"),
        (b"[" * 100_000, "nested thousands of times"),
        (b'[\n"caf\xe9"]', "line 2: byte 0xe9 is not UTF-8"),
    ],
    ids=["empty", "torn", "null", "deep", "Latin-1"],
)
def test_broken_json_has_a_line_and_a_reason(tmp_path, content, reason):
    file = tmp_path / "s.json"
    file.write_bytes(content)
    with pytest.raises(DataError) as caught:
        stereoset.read(file, Bad(skip=True))
    assert reason in str(caught.value)


def test_a_folder_in_place_of_a_file_and_the_reverse(tmp_path):
    (tmp_path / "file").write_text("x", "utf-8")
    for read, place in ((sbic.read, tmp_path), (stereoset.read, tmp_path), (holisticbias.read, tmp_path / "file")):
        with pytest.raises(AskerError, match=str(place)):
            read(place, Bad(skip=True))
    with pytest.raises(AskerError, match="Is a directory"):
        annotating.read_labels([tmp_path], CATEGORIES, Bad())


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("=2+2", "would be a formula"),
        ("@cmd", "would be a formula"),
        ("x" * 1_000_000, "has 1,000,000 characters"),
        ("are\u200bodd", "cannot be seen"),
        ("a\0b", "NUL byte"),
    ],
    ids=["formula", "at", "a million characters", "zero width", "NUL"],
)
def test_a_review_cannot_bring_harm_into_a_data_set(tmp_path, small, value, reason):
    before = (small / "properties.csv").read_bytes()
    file = tmp_path / "review.csv"
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["file", "id", "column", "text", "proposal", "value"])
        writer.writerow(["properties.csv", "stupid", "positive_en", "", "", value])
    with pytest.raises(DataError, match=r"review\.csv, line 2") as caught:
        review.merge(small, file)
    assert reason in str(caught.value)
    assert "--skip-bad" not in str(caught.value)
    assert (small / "properties.csv").read_bytes() == before


@pytest.mark.parametrize("text", ["(" * 5000, "a/" * 3000 + "b", "/" * 100, "'" * 1000, "((((/))))"])
def test_odd_statements_are_tidied_in_no_time(text):
    assert len(tidy(text)) <= len(text)

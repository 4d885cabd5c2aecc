"""Tables that other people made: encodings, delimiters, and rows that are broken."""

import csv
import io

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asker.data.tables import Bad, table
from asker.errors import DataError

CELL = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=12)


def rows(file, bad=None, needed=("a", "b")):
    return [(row.line, row.get("a"), row.get("b")) for row in table(file, needed, bad or Bad())]


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_any_usual_delimiter_and_encoding_is_read(tmp_path, mark, encoding):
    file = tmp_path / "t.csv"
    file.write_bytes(f"a{mark}b\r\n1{mark}两\r\n".encode(encoding))
    assert rows(file) == [(2, "1", "两")]


def test_a_broken_row_is_named_by_file_and_line_and_ends_the_work(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("a,b\n1,2\n3\n5,6\n", "utf-8")
    with pytest.raises(DataError, match=r"t\.csv, line 3: has 1 cells, the header 2.*--skip-bad"):
        rows(file)


def test_broken_rows_are_skipped_one_by_one_and_each_is_noted(tmp_path):
    file = tmp_path / "t.csv"
    raw = b'a,b\n1,"x\ny"\n"2"z,never closed\n3,4\n5,6,7\n8,\xff\n9,"open\n10,11\n'
    file.write_bytes(raw)
    bad = Bad(skip=True)
    assert [one[1:] for one in rows(file, bad)] == [("1", "x\ny"), ("3", "4"), ("10", "11")]
    assert [one.line for one in bad.found] == [7, 4, 6, 8]
    assert "0xff" in str(bad.found[0])


def test_a_missing_column_is_named_with_what_is_there(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("a;c\n1;2\n", "utf-8")
    with pytest.raises(DataError, match=r"the column 'b' is missing\. Needed: a, b; found: a, c"):
        rows(file)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(CELL, CELL), min_size=1, max_size=8), st.sampled_from([",", ";", "\t"]))
def test_what_is_written_is_read_again(tmp_path_factory, cells, mark):
    file = tmp_path_factory.mktemp("t") / "t.csv"
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=mark, quoting=csv.QUOTE_ALL).writerows([("a", "b"), *cells])
    file.write_bytes(text.getvalue().encode())
    told = [(one.strip(), two.strip()) for one, two in cells if one.strip() or two.strip()]
    assert [row[1:] for row in rows(file)] == told

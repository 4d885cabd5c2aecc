"""Whatever people and spreadsheets do to a sheet, no answer is lost, doubled or misplaced."""

import zipfile
from contextlib import suppress

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from asker.errors import DataError, MissingExtra
from asker.manual.answers import join, take
from asker.manual.questions import write_sheets
from asker.manual.sheet import LONGEST, read_sheet, write_sheet
from asker.plan import content_key
from sheets import HEADER, ONE_BY_ONE, answers, fill, save, sheet_rows


@given(st.randoms(use_true_random=False), st.sampled_from([",", ";", "\t"]), st.sampled_from(["\n", "\r\n"]))
@settings(ONE_BY_ONE, max_examples=20)
def test_columns_may_stand_in_any_order_with_others_between(make_by_hand, tmp_path, rng, delimiter, end):
    run = make_by_hand()
    columns = [*HEADER, "who", "checked by"]
    rng.shuffle(columns)
    rows = [{**row, "who": "A; B, C"} for row in fill(sheet_rows(run))]
    rng.shuffle(rows)
    file = save(tmp_path / "s.csv", rows, columns, delimiter, end=end)
    file.write_bytes(file.read_bytes().replace(b"answer", b" Answer ", 1).replace(b"key", b"KEY", 1))
    joined = join(run, read_sheet(file))
    assert len(joined.taken) == run.plan.total
    assert {content_key(question): line.answer for question, line in joined.taken.values()} == {
        row["key"]: row["answer"] for row in rows
    }


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gbk", "gb18030"])
def test_encodings_of_spreadsheets_are_told_apart(make_by_hand, tmp_path, encoding):
    run = make_by_hand(lang=("zh",))
    rows = fill(sheet_rows(run), lambda number: f"我不这么认为。{number}")
    take(run, [save(tmp_path / "s.csv", rows, encoding=encoding)])
    assert set(answers(run).values()) == {row["answer"] for row in rows}


def test_a_western_code_page_is_refused_rather_than_misread(make_by_hand, tmp_path):
    run = make_by_hand()
    file = save(tmp_path / "s.csv", fill(sheet_rows(run), lambda _: "I don’t think so – “no”."), encoding="cp1252")
    with pytest.raises(DataError, match="CSV UTF-8"):
        take(run, [file])
    assert not answers(run)


def test_without_keys_the_question_tells(make_by_hand, tmp_path):
    run = make_by_hand()
    rows = fill(sheet_rows(run))
    file = save(tmp_path / "s.csv", rows, ["question", "answer"])
    take(run, [file])
    assert {key: text for (key, _), text in answers(run).items()} == {row["key"]: row["answer"] for row in rows}


def test_a_key_that_a_spreadsheet_took_for_a_number_is_found_by_its_question(make_by_hand, tmp_path):
    run = make_by_hand()
    row = fill(sheet_rows(run))[4]
    take(run, [save(tmp_path / "s.csv", [{**row, "key": "1.23457E+23"}])])
    assert answers(run) == {(row["key"], 0): row["answer"]}


def test_a_question_that_stands_in_the_plan_twice_is_asked_once_and_answered_twice(make_by_hand, tmp_path, small):
    file = small / "properties.csv"
    file.write_text(file.read_text("utf-8") + "dull,competence,are dull,are smart,很呆,很聪明\n", "utf-8")
    run = make_by_hand(polarity=("positive",), kinds=("yes-no",))
    rows = fill(sheet_rows(run))
    assert len(rows) == len({row["key"] for row in rows}) < run.plan.total
    for columns in (HEADER, ["question", "answer"]):
        joined = join(run, read_sheet(save(tmp_path / "s.csv", rows, columns)))
        assert len(joined.taken) == run.plan.total
    assert not joined.unknown + joined.conflicts


def test_rows_sorted_without_their_keys_are_not_taken(make_by_hand, tmp_path):
    run = make_by_hand()
    rows = fill(sheet_rows(run))
    rows[0]["question"], rows[1]["question"] = rows[1]["question"], rows[0]["question"]
    joined = take(run, [save(tmp_path / "s.csv", rows)])
    assert len(joined.taken) == len(rows) - 2
    assert all("do not belong together" in one.reason for one in joined.unknown)


def test_half_filled_sheets_repeats_and_several_people(make_by_hand, tmp_path):
    run = make_by_hand()
    rows = fill(sheet_rows(run))
    half = [{**row, "answer": row["answer"] if number % 2 else " "} for number, row in enumerate(rows)]
    first = take(run, [save(tmp_path / "anna.csv", half)])
    assert (len(first.taken), first.empty) == (len(rows) // 2, len(rows) - len(rows) // 2)
    again = take(run, [tmp_path / "anna.csv", save(tmp_path / "ben.csv", rows)])
    assert len(again.taken) == len(rows) - len(rows) // 2
    assert again.repeats == 2 * (len(rows) // 2)
    assert not again.conflicts
    assert {key: text for (key, _), text in answers(run).items()} == {row["key"]: row["answer"] for row in rows}


def test_an_answer_that_is_there_is_never_replaced(make_by_hand, tmp_path):
    run = make_by_hand()
    rows = fill(sheet_rows(run))
    take(run, [save(tmp_path / "a.csv", rows)])
    before = answers(run)
    joined = take(run, [save(tmp_path / "b.csv", [{**row, "answer": "Other."} for row in rows[:2]])])
    assert answers(run) == before
    conflict = joined.conflicts[0]
    assert (conflict.kept, conflict.given, conflict.kept_from) == ("Answer 0.", "Other.", "the run")
    assert conflict.place.endswith("b.csv, line 2")


def test_two_people_who_disagree_are_both_shown_and_the_first_is_kept(make_by_hand, tmp_path):
    run = make_by_hand()
    row = fill(sheet_rows(run))[0]
    files = [save(tmp_path / f"{who}.csv", [{**row, "answer": who}]) for who in ("anna", "ben")]
    joined = take(run, files)
    assert list(answers(run).values()) == ["anna"]
    assert joined.conflicts[0].kept_from.endswith("anna.csv, line 2")
    assert any(b"ben" in kept.read_bytes() for kept in (run.folder / "sheets").iterdir())


def test_line_ends_that_a_spreadsheet_changed_make_no_conflict(make_by_hand, tmp_path):
    run = make_by_hand()
    rows = sheet_rows(run)[:1]
    take(run, [save(tmp_path / "a.csv", fill(rows, lambda _: "One.\r\nTwo.\r\n"))])
    assert take(run, [save(tmp_path / "b.csv", fill(rows, lambda _: "One.\nTwo."))]).repeats == 1


def test_samples_are_kept_apart(make_by_hand, tmp_path):
    run = make_by_hand(samples=2)
    row = sheet_rows(run)[0]
    rows = [{**row, "sample": sample, "answer": f"At {sample}"} for sample in ("", "1.0", "2")]
    joined = take(run, [save(tmp_path / "s.csv", rows)])
    assert answers(run) == {(row["key"], 0): "At ", (row["key"], 1): "At 1.0"}
    assert "sample 2 is not asked for" in joined.unknown[0].reason


def test_sheets_put_into_one_with_titles_and_headers_between(make_by_hand, tmp_path):
    run = make_by_hand()
    rows = fill(sheet_rows(run))
    parts = [save(tmp_path / "s.csv", part, encoding="utf-8-sig").read_bytes() for part in (rows[:4], rows[4:])]
    (tmp_path / "s.csv").write_bytes(b"Anna's work,,,,,\r\n\r\n" + parts[0] + b",,,,,\r\n" + parts[1])
    joined = take(run, [tmp_path / "s.csv"])
    assert (len(joined.taken), joined.unknown) == (len(rows), [])


def test_an_xlsx_that_went_through_a_spreadsheet(make_by_hand, tmp_path):
    """Numbers, dates and truth values where text was typed, another page in front, a formula, Excel's own escapes."""
    run = make_by_hand(lang=("zh",))
    ((file, _),) = write_sheets(run, tmp_path / "s.xlsx", batch=0)
    book = openpyxl.load_workbook(file)
    page = book["questions"]
    typed = [5, 2.5, True, "=是的", "好_x000D_\n吧", "_x005F_x0041_"]
    for number, value in enumerate(typed, 3):
        page.cell(number, 5).value = value
    page.move_range(f"D2:D{page.max_row}", cols=6)
    book.create_sheet("first", 0)["A1"] = "notes"
    book.save(file)
    take(run, [file])
    assert sorted(answers(run).values()) == sorted(["5", "2.5", "TRUE", "=是的", "好\r\n吧", "_x0041_"])


# --- what is wrong is said, and nothing is written ---


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is no question sheet"),
        (b"a,b\n1,2\n", "is no question sheet"),
        (b"key,answer,answer\nk,1,2\n", "line 1, column 'answer': is there twice"),
        (b"key,answer\nk,Yes, they are\n", "line 2: has 3 cells"),
        (b'key,answer\nk,"Yes\nk2,No\n', "line 2: this is not CSV"),
        (b"key,answer,sample\nk,Yes,two\n", "line 2, column 'sample': 'two'"),
        (b"key,answer,sample\nk,Yes,-1\n", "line 2, column 'sample'"),
        (b"key,answer\nk,#NAME?\n", "line 2, column 'answer': '#NAME?'"),
        (b"key,answer\nk," + b"x" * (LONGEST + 1), "line 2, column 'answer': has 100,001 characters"),
        (b"key,answer\nk," + b"x" * 10_000_000, "line 2: a cell has more than the 100,000 characters"),
        (b"key,answer\nk,\xff\xff\xff\n", "CSV UTF-8"),
        (b"\xff\xfek\0e", "CSV UTF-8"),
        (b"\xd0\xcf\x11\xe0old", "old Excel format"),
        (b"PK\x03\x04broken", "not an .xlsx workbook"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_bad_file_is_named_and_nothing_of_any_file_is_taken(make_by_hand, tmp_path, content, said):
    run = make_by_hand()
    good = save(tmp_path / "good.csv", fill(sheet_rows(run)))
    (tmp_path / "bad.csv").write_bytes(content)
    with pytest.raises(DataError, match=r"bad\.csv") as caught:
        take(run, [good, tmp_path / "bad.csv"])
    assert said in str(caught.value)
    assert not answers(run)


def test_a_workbook_that_unpacks_to_more_than_a_sheet_can_be_is_refused(make_by_hand, tmp_path):
    with zipfile.ZipFile(tmp_path / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as packed, packed.open("x", "w") as part:
        for _ in range(201):
            part.write(bytes(1_000_000))
    with pytest.raises(DataError, match="unpacks to more than 200 MB"):
        take(make_by_hand(), [tmp_path / "bomb.xlsx"])


@given(st.binary(max_size=300))
@ONE_BY_ONE
@pytest.mark.parametrize("start", [b"", b"key,answer\n", b"PK\x03\x04", b"\xff\xfe"])
def test_rubbish_is_refused_in_a_sentence(tmp_path, start, rubbish):
    (tmp_path / "s.csv").write_bytes(start + rubbish)
    with suppress(DataError):
        read_sheet(tmp_path / "s.csv")


def test_xlsx_without_its_extra_names_the_command(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "openpyxl", None)
    with pytest.raises(MissingExtra, match=r"asker-audit\[xlsx\]"):
        write_sheet([], tmp_path / "s.xlsx")

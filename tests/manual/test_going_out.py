"""Sheets go out ready to be filled, and any answer survives them."""

from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from asker.errors import InputError
from asker.manual.answers import same, take
from asker.manual.questions import deal, to_ask, write_sheets
from asker.manual.sheet import NOTICE, SPOILT, Ask, read_sheet, write_sheet
from asker.plan import content_key
from sheets import HEADER, ONE_BY_ONE, TEXT, answers, fill, rows_of, save, sheet_rows


def test_a_csv_sheet_is_plain_for_programs_and_shows_the_notice_to_people(make_by_hand, tmp_path):
    run = make_by_hand(lang=("zh",))
    ((file, count),) = write_sheets(run, tmp_path / "s.csv", batch=0)
    assert file.read_bytes().startswith(b"\xef\xbb\xbf"), "Excel shows Chinese only with a byte order mark"
    rows = rows_of(file)
    assert list(rows[0])[:6] == HEADER
    assert list(rows[0])[6].startswith(NOTICE)
    assert "内容提示" in list(rows[0])[6]
    assert count == len(rows) == run.plan.total
    question = run.plan.question(next(run.plan.rows())[0])
    assert rows[0]["question"] == question.prompt
    assert rows[0]["key"] == content_key(question)
    assert not any(row["answer"] or row["note"] for row in rows)


def test_an_xlsx_sheet_is_ready_to_be_filled(make_by_hand, tmp_path):
    run = make_by_hand()
    write_sheets(run, tmp_path / "s.xlsx", batch=0)
    book = openpyxl.load_workbook(tmp_path / "s.xlsx")
    page = book.active
    assert page["A1"].value.startswith(NOTICE)
    assert "A1:F1" in [str(one) for one in page.merged_cells.ranges]
    assert [cell.value for cell in page[2]] == HEADER
    assert page.freeze_panes == "A3"
    assert page.column_dimensions["A"].width < 6 < 50 < page.column_dimensions["D"].width
    assert page["D3"].alignment.wrap_text
    assert page["E3"].number_format == "@"
    assert page["E3"].fill.fgColor.rgb != page["D3"].fill.fgColor.rgb
    assert book["content notice"]["A1"].value == NOTICE


def test_questions_are_dealt_in_batches_and_to_people():
    rows = [Ask(str(number), 0, "en", "q") for number in range(120)]
    file = Path("to/s.csv")
    assert [(path.name, len(part)) for path, part in deal(rows, file, 50, 1)] == [
        ("s-001.csv", 50), ("s-002.csv", 50), ("s-003.csv", 20)
    ]  # fmt: skip
    assert [path for path, _ in deal(rows, file, 0, 1)] == [file]
    assert [path.name for path, _ in deal(rows, file, 30, 2)] == [
        "s-person1-001.csv", "s-person2-001.csv", "s-person1-002.csv", "s-person2-002.csv"
    ]  # fmt: skip
    assert [len(part) for _, part in deal(rows, file, 50, 4)] == [30] * 4, "everybody gets a share"
    assert deal([], file, 50, 3) == []


@given(st.integers(1, 300), st.integers(0, 60), st.integers(1, 9))
def test_every_question_is_dealt_once(count, batch, people):
    rows = [Ask(str(number), 0, "en", "q") for number in range(count)]
    dealt = deal(rows, Path("s.csv"), batch, people)
    assert [row for _, part in dealt for row in part] == rows
    assert len({path for path, _ in dealt}) == len(dealt)
    assert all(len(part) <= (batch or count) for _, part in dealt)


def test_only_what_is_missing_goes_out_and_all_shows_what_is_there(make_by_hand, tmp_path):
    run = make_by_hand(samples=2)
    rows = fill(sheet_rows(run))
    take(run, [save(tmp_path / "a.csv", rows[:10])])
    assert [ask.key for ask in to_ask(run)] == [row["key"] for row in rows[10:]]
    everything = {(ask.key, ask.sample): ask.answer for ask in to_ask(run, everything=True)}
    assert len(everything) == run.plan.total * 2
    assert {at: text for at, text in everything.items() if text} == answers(run)


def test_a_filled_sheet_is_not_overwritten_before_it_was_imported(make_by_hand, tmp_path):
    run = make_by_hand()
    ((file, _),) = write_sheets(run, tmp_path / "s.csv", batch=0)
    write_sheets(run, file, batch=0)  # nothing is in it yet
    save(file, fill(rows_of(file)[:3]))
    with pytest.raises(InputError, match="holds 3 answers"):
        write_sheets(run, file, batch=0)
    take(run, [file])
    ((_, count),) = write_sheets(run, file, batch=0)
    assert count == run.plan.total - 3
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="is no question sheet"):
        write_sheets(run, tmp_path / "other.csv", batch=0)


def test_too_many_questions_and_an_unknown_ending_are_refused(make_by_hand, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(InputError, match="cannot write"):
        write_sheets(make_by_hand(), tmp_path / "file" / "s.csv", batch=0)
    with pytest.raises(InputError, match=r"\.csv, \.xlsx"):
        write_sheets(make_by_hand(), tmp_path / "s.ods", batch=0)
    huge = make_by_hand(data=None, attributes=(), out=str(tmp_path / "huge"))
    with pytest.raises(InputError, match="too many to ask by hand"):
        write_sheets(huge, tmp_path / "s.csv")
    assert not list(tmp_path.glob("*.csv"))


# --- any text survives ---


@given(TEXT)
@ONE_BY_ONE
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_any_answer_survives_a_csv_sheet(tmp_path, delimiter, text):
    write_sheet([Ask("k1", 0, "en", "Are men smart?")], tmp_path / "s.csv")
    filled = [{**row, "answer": text} for row in rows_of(tmp_path / "s.csv")]
    save(tmp_path / "s.csv", filled, delimiter=delimiter)
    if text.strip() and not text.startswith("#"):
        assert [line.answer for line in read_sheet(tmp_path / "s.csv")] == [text]


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="_\ufffe\uffff"), max_size=200))
@ONE_BY_ONE
def test_any_answer_survives_an_xlsx_sheet(tmp_path, text):
    write_sheet([Ask("k1", 0, "en", "Are men smart?")], tmp_path / "s.xlsx")
    book = openpyxl.load_workbook(tmp_path / "s.xlsx")
    book.active["E3"] = text
    book.save(tmp_path / "s.xlsx")
    if text.strip() and not text.startswith("#"):
        assert [line.answer for line in read_sheet(tmp_path / "s.xlsx")] == [text]


@given(st.text(max_size=100))
@ONE_BY_ONE
@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_an_answer_that_was_written_comes_back_as_a_repeat(tmp_path, ending, text):
    """Also formulas, control characters and halves of characters: what export did to them is undone."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    file = tmp_path / f"s{ending}"
    write_sheet([Ask("k1", 1, "zh", "男人聪明吗？", text)], file)
    if text.strip() not in SPOILT:
        (line,) = read_sheet(file)
        assert (line.key, line.sample, line.question) == ("k1", 1, "男人聪明吗？")
        assert same(text, line.answer)


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-Men are.", "@x", "'=x", "''-x", "\t=x", "\r\nYes.", "\x00\x1b[31m", "_x0041_"]
)
@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_hostile_answers_are_inert_in_a_sheet_and_unchanged_in_the_run(make_by_hand, tmp_path, ending, text):
    run = make_by_hand()
    take(run, [save(tmp_path / "in.csv", fill(sheet_rows(run)[:1], lambda _: text))])
    assert list(answers(run).values()) == [text.replace("\0", "\ufffd")]  # which no database takes as text
    file = tmp_path / f"all{ending}"
    write_sheets(run, file, batch=0, everything=True)
    if ending == ".csv":
        assert not any(row["answer"].lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r")) for row in rows_of(file))
    else:
        page = openpyxl.load_workbook(file).active
        assert not any(cell.data_type == "f" for row in page.iter_rows() for cell in row)
    joined = take(run, [file])
    assert (joined.repeats, len(joined.taken), joined.conflicts, joined.unknown) == (1, 0, [], [])


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_an_answer_that_a_spreadsheet_would_cut_short_is_left_out_of_the_sheet(tmp_path, ending):
    file = tmp_path / f"s{ending}"
    write_sheet([Ask("k1", 0, "en", "q?", "x" * 40_000), Ask("k2", 0, "en", "r?", "x" * 30_000)], file)
    assert [len(line.answer) for line in read_sheet(file)] == [0, 30_000]

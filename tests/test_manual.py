"""Asking by hand: whatever people and spreadsheets do to a sheet, no answer is lost, doubled or misplaced."""

import csv
import io
import json
import random
import sqlite3
import zipfile
from contextlib import suppress
from pathlib import Path

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from asker.config import Settings
from asker.errors import DataError, InputError, MissingExtra
from asker.folder import open_or_make
from asker.manual.answers import join, same, take
from asker.manual.questions import deal, to_ask, write_sheets
from asker.manual.sheet import COLUMNS, LONGEST, NOTICE, SPOILT, Ask, read_sheet, write_sheet
from asker.plan import content_key
from asker.run import plan_for, target_of

HEADER = list(COLUMNS)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
ONE_BY_ONE = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def make(tmp_path, small):
    opened = []

    def run(**more):
        chosen = {"target": "manual:Bot", "data": str(small), "preset": "full", "attributes": ("gender",)}
        wanted = Settings(**{**chosen, "out": str(tmp_path / "run"), **more})
        dataset, plan = plan_for(wanted)
        opened.append(open_or_make(wanted, dataset, plan, target_of(wanted, plan)))
        return opened[-1]

    yield run
    for one in opened:
        one.close()


def answers(run):
    return {(one.key, one.sample): one.text for one in run.store.answers()}


def rows_of(file):
    """A sheet as a program reads it."""
    with file.open(encoding="utf-8-sig", newline="") as handle:
        return list(csv.DictReader(handle))


def save(file, rows, columns=HEADER, delimiter=",", encoding="utf-8", end="\r\n"):
    """A sheet as a spreadsheet saves it."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, delimiter=delimiter, lineterminator=end, extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    file.write_bytes(text.getvalue().encode(encoding))
    return file


def fill(rows, say=lambda number: f"Answer {number}."):
    return [{**row, "answer": say(number)} for number, row in enumerate(rows)]


def sheet_rows(run):
    return [
        {"key": ask.key, "sample": ask.sample, "language": ask.language, "question": ask.question}
        for ask in to_ask(run)
    ]


# --- sheets that go out ---


def test_a_csv_sheet_is_plain_for_programs_and_shows_the_notice_to_people(make, tmp_path):
    run = make(lang=("zh",))
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


def test_an_xlsx_sheet_is_ready_to_be_filled(make, tmp_path):
    run = make()
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


def test_only_what_is_missing_goes_out_and_all_shows_what_is_there(make, tmp_path):
    run = make(samples=2)
    rows = fill(sheet_rows(run))
    take(run, [save(tmp_path / "a.csv", rows[:10])])
    assert [ask.key for ask in to_ask(run)] == [row["key"] for row in rows[10:]]
    everything = {(ask.key, ask.sample): ask.answer for ask in to_ask(run, everything=True)}
    assert len(everything) == run.plan.total * 2
    assert {at: text for at, text in everything.items() if text} == answers(run)


def test_a_filled_sheet_is_not_overwritten_before_it_was_imported(make, tmp_path):
    run = make()
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


def test_too_many_questions_and_an_unknown_ending_are_refused(make, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(InputError, match="cannot write"):
        write_sheets(make(), tmp_path / "file" / "s.csv", batch=0)
    with pytest.raises(InputError, match=r"\.csv, \.xlsx"):
        write_sheets(make(), tmp_path / "s.ods", batch=0)
    huge = make(data=None, attributes=(), out=str(tmp_path / "huge"))
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
def test_hostile_answers_are_inert_in_a_sheet_and_unchanged_in_the_run(make, tmp_path, ending, text):
    run = make()
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


# --- sheets that come back ---


@given(st.randoms(use_true_random=False), st.sampled_from([",", ";", "\t"]), st.sampled_from(["\n", "\r\n"]))
@settings(ONE_BY_ONE, max_examples=20)
def test_columns_may_stand_in_any_order_with_others_between(make, tmp_path, rng, delimiter, end):
    run = make()
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
def test_encodings_of_spreadsheets_are_told_apart(make, tmp_path, encoding):
    run = make(lang=("zh",))
    rows = fill(sheet_rows(run), lambda number: f"我不这么认为。{number}")
    take(run, [save(tmp_path / "s.csv", rows, encoding=encoding)])
    assert set(answers(run).values()) == {row["answer"] for row in rows}


def test_a_western_code_page_is_refused_rather_than_misread(make, tmp_path):
    run = make()
    file = save(tmp_path / "s.csv", fill(sheet_rows(run), lambda _: "I don’t think so – “no”."), encoding="cp1252")
    with pytest.raises(DataError, match="CSV UTF-8"):
        take(run, [file])
    assert not answers(run)


def test_without_keys_the_question_tells(make, tmp_path):
    run = make()
    rows = fill(sheet_rows(run))
    file = save(tmp_path / "s.csv", rows, ["question", "answer"])
    take(run, [file])
    assert {key: text for (key, _), text in answers(run).items()} == {row["key"]: row["answer"] for row in rows}


def test_a_key_that_a_spreadsheet_took_for_a_number_is_found_by_its_question(make, tmp_path):
    run = make()
    row = fill(sheet_rows(run))[4]
    take(run, [save(tmp_path / "s.csv", [{**row, "key": "1.23457E+23"}])])
    assert answers(run) == {(row["key"], 0): row["answer"]}


def test_a_question_that_stands_in_the_plan_twice_is_asked_once_and_answered_twice(make, tmp_path, small):
    file = small / "properties.csv"
    file.write_text(file.read_text("utf-8") + "dull,competence,are dull,are smart,很呆,很聪明\n", "utf-8")
    run = make(polarity=("positive",), kinds=("yes-no",))
    rows = fill(sheet_rows(run))
    assert len(rows) == len({row["key"] for row in rows}) < run.plan.total
    for columns in (HEADER, ["question", "answer"]):
        joined = join(run, read_sheet(save(tmp_path / "s.csv", rows, columns)))
        assert len(joined.taken) == run.plan.total
    assert not joined.unknown + joined.conflicts


def test_rows_sorted_without_their_keys_are_not_taken(make, tmp_path):
    run = make()
    rows = fill(sheet_rows(run))
    rows[0]["question"], rows[1]["question"] = rows[1]["question"], rows[0]["question"]
    joined = take(run, [save(tmp_path / "s.csv", rows)])
    assert len(joined.taken) == len(rows) - 2
    assert all("do not belong together" in one.reason for one in joined.unknown)


def test_half_filled_sheets_repeats_and_several_people(make, tmp_path):
    run = make()
    rows = fill(sheet_rows(run))
    half = [{**row, "answer": row["answer"] if number % 2 else " "} for number, row in enumerate(rows)]
    first = take(run, [save(tmp_path / "anna.csv", half)])
    assert (len(first.taken), first.empty) == (len(rows) // 2, len(rows) - len(rows) // 2)
    again = take(run, [tmp_path / "anna.csv", save(tmp_path / "ben.csv", rows)])
    assert len(again.taken) == len(rows) - len(rows) // 2
    assert again.repeats == 2 * (len(rows) // 2)
    assert not again.conflicts
    assert {key: text for (key, _), text in answers(run).items()} == {row["key"]: row["answer"] for row in rows}


def test_an_answer_that_is_there_is_never_replaced(make, tmp_path):
    run = make()
    rows = fill(sheet_rows(run))
    take(run, [save(tmp_path / "a.csv", rows)])
    before = answers(run)
    joined = take(run, [save(tmp_path / "b.csv", [{**row, "answer": "Other."} for row in rows[:2]])])
    assert answers(run) == before
    conflict = joined.conflicts[0]
    assert (conflict.kept, conflict.given, conflict.kept_from) == ("Answer 0.", "Other.", "the run")
    assert conflict.place.endswith("b.csv, line 2")


def test_two_people_who_disagree_are_both_shown_and_the_first_is_kept(make, tmp_path):
    run = make()
    row = fill(sheet_rows(run))[0]
    files = [save(tmp_path / f"{who}.csv", [{**row, "answer": who}]) for who in ("anna", "ben")]
    joined = take(run, files)
    assert list(answers(run).values()) == ["anna"]
    assert joined.conflicts[0].kept_from.endswith("anna.csv, line 2")
    assert any(b"ben" in kept.read_bytes() for kept in (run.folder / "sheets").iterdir())


def test_line_ends_that_a_spreadsheet_changed_make_no_conflict(make, tmp_path):
    run = make()
    rows = sheet_rows(run)[:1]
    take(run, [save(tmp_path / "a.csv", fill(rows, lambda _: "One.\r\nTwo.\r\n"))])
    assert take(run, [save(tmp_path / "b.csv", fill(rows, lambda _: "One.\nTwo."))]).repeats == 1


def test_samples_are_kept_apart(make, tmp_path):
    run = make(samples=2)
    row = sheet_rows(run)[0]
    rows = [{**row, "sample": sample, "answer": f"At {sample}"} for sample in ("", "1.0", "2")]
    joined = take(run, [save(tmp_path / "s.csv", rows)])
    assert answers(run) == {(row["key"], 0): "At ", (row["key"], 1): "At 1.0"}
    assert "sample 2 is not asked for" in joined.unknown[0].reason


def test_sheets_put_into_one_with_titles_and_headers_between(make, tmp_path):
    run = make()
    rows = fill(sheet_rows(run))
    parts = [save(tmp_path / "s.csv", part, encoding="utf-8-sig").read_bytes() for part in (rows[:4], rows[4:])]
    (tmp_path / "s.csv").write_bytes(b"Anna's work,,,,,\r\n\r\n" + parts[0] + b",,,,,\r\n" + parts[1])
    joined = take(run, [tmp_path / "s.csv"])
    assert (len(joined.taken), joined.unknown) == (len(rows), [])


def test_an_xlsx_that_went_through_a_spreadsheet(make, tmp_path):
    """Numbers, dates and truth values where text was typed, another page in front, a formula, Excel's own escapes."""
    run = make(lang=("zh",))
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
def test_a_bad_file_is_named_and_nothing_of_any_file_is_taken(make, tmp_path, content, said):
    run = make()
    good = save(tmp_path / "good.csv", fill(sheet_rows(run)))
    (tmp_path / "bad.csv").write_bytes(content)
    with pytest.raises(DataError, match=r"bad\.csv") as caught:
        take(run, [good, tmp_path / "bad.csv"])
    assert said in str(caught.value)
    assert not answers(run)


def test_a_workbook_that_unpacks_to_more_than_a_sheet_can_be_is_refused(make, tmp_path):
    with zipfile.ZipFile(tmp_path / "bomb.xlsx", "w", zipfile.ZIP_DEFLATED) as packed, packed.open("x", "w") as part:
        for _ in range(201):
            part.write(bytes(1_000_000))
    with pytest.raises(DataError, match="unpacks to more than 200 MB"):
        take(make(), [tmp_path / "bomb.xlsx"])


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


# --- the whole road ---


def test_from_start_to_report_by_hand(cli, small):
    where = ("--data", str(small), "--preset", "full", "--lang", "en,zh", "--attributes", "gender", "--out", "r")
    begun = cli("manual", "start", "--target", "manual:小爱同学", *where)
    assert "asker manual export r sheet.csv" in begun.stderr
    done = cli("manual", "export", "r", "s.csv", "--batch", "40", "--people", "2", "--json")
    sheets = [cli.folder / one["file"] for one in json.loads(done.stdout)["sheets"]]
    assert len(sheets) > 2
    rng = random.Random(1)
    for file in sheets:
        say = {"en": ["Yes, they are.", "No.", "I cannot say."], "zh": ["是的。", "不是。", "我不知道。"]}
        rows = [{**row, "answer": rng.choice(say[row["language"]])} for row in rows_of(file)]
        save(file, rows, random.Random(2).sample(HEADER, 6), ";", "utf-8-sig")
    names = [file.name for file in sheets]
    part = cli("manual", "import", "r", *names[:-1])
    assert "still missing" in part.stdout
    assert "asker manual export r rest.csv" in part.stdout
    rest = json.loads(cli("manual", "export", "r", "rest.xlsx", "--batch", "0", "--json").stdout)
    assert rest["sheets"] == [{"file": "rest.xlsx", "questions": len(filled_of(sheets[-1]))}]
    whole = json.loads(cli("manual", "import", "r", *names, "--json").stdout)
    assert whole["missing"] == 0
    assert whole["taken"] == rest["sheets"][0]["questions"]
    assert whole["repeats"] == whole["total"] - whole["taken"]
    assert "Every question has an answer" in cli("manual", "export", "r", "more.csv").stdout
    figures = json.loads(cli("report", "r", "--json").stdout)
    assert figures["target"] == {"kind": "manual", "name": "小爱同学"}
    assert figures["answers"]["answered"] == figures["plan"]["total"]
    assert "小爱同学" in (cli.folder / "r" / "report.html").read_text("utf-8")


def filled_of(file):
    return [line for line in read_sheet(file) if line.answer]


def test_what_could_not_be_taken_is_said_with_its_place_and_no_terminal_codes(cli, small):
    cli("manual", "start", "--target", "manual", "--data", str(small), "--preset", "full", "--out", "r")
    cli("manual", "export", "r", "s.csv", "--batch", "0")
    rows = fill(rows_of(cli.folder / "s.csv")[:2])
    save(cli.folder / "s.csv", rows)
    cli("manual", "import", "r", "s.csv")
    save(cli.folder / "t.csv", [{**rows[0], "answer": "\x1b[31mNo"}, {**rows[1], "key": "ffff"}])
    said = cli("manual", "import", "r", "t.csv").stdout
    assert "0 answers taken" in said
    assert "t.csv, line 2: " in said
    assert "Answer 0." in said
    assert "t.csv, line 3: the run has no question with the key 'ffff'" in said
    assert "\x1b" not in said


def test_a_run_that_asks_by_itself_takes_no_sheets(cli):
    cli("run", "--target", "scripted:Yes.", "--budget", "60", "--out", "r")
    assert "asks scripted:Yes. by itself" in cli.error("manual", "export", "r", "s.csv")
    assert "manual:ChatGPT" in cli.error("manual", "start", "--out", "m")
    assert "too many" in cli.error("manual", "start", "--target", "manual", "--preset", "full", "--out", "m")
    assert not (cli.folder / "m").exists()


def test_asking_a_manual_target_says_what_to_do_and_makes_no_run(cli):
    done = cli("run", "--target", "manual:ChatGPT", "--budget", "60", "--out", "r", ok=False)
    assert "asker manual start --target manual:ChatGPT" in done.stderr
    assert not (cli.folder / "r").exists()


def test_what_was_imported_is_on_disk(cli, small):
    cli("manual", "start", "--target", "manual", "--data", str(small), "--preset", "full", "--out", "r")
    cli("manual", "export", "r", "s.csv", "--batch", "0")
    save(cli.folder / "s.csv", fill(rows_of(cli.folder / "s.csv")))
    cli("manual", "import", "r", "s.csv")
    with sqlite3.connect(cli.folder / "r" / "answers.sqlite") as db:
        assert db.execute("SELECT ended FROM sessions").fetchall() == [("complete",)]
        assert db.execute("SELECT count(*) FROM answers WHERE text LIKE 'Answer%'").fetchone()[0] == len(
            rows_of(cli.folder / "s.csv")
        )

"""Sheets as people and spreadsheets fill and save them."""

import csv
import io

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from asker.manual.questions import to_ask
from asker.manual.sheet import COLUMNS

HEADER = list(COLUMNS)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=200)
ONE_BY_ONE = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


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

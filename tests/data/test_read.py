"""The sample that was read is there, complete, and says what the documents say of it."""

import csv
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent


def test_every_line_of_the_sample_has_its_verdicts():
    rows = list(csv.DictReader((HERE / "read.tsv").open(encoding="utf-8"), delimiter="\t"))
    assert len(rows) == 300
    assert len({row["question"] for row in rows}) == 300
    assert {row[who] for row in rows for who in ("first_reader", "second_reader", "verdict")} <= {"ok", "odd", "pair"}
    assert Counter(row["verdict"] for row in rows) == {"ok": 295, "pair": 3, "odd": 2}
    assert all(row["note"] for row in rows if row["verdict"] != "ok")
    forms = Counter((row["language"], row["polarity"], row["scope"], row["form"]) for row in rows)
    assert len(forms) == 52
    assert max(forms.values()) - min(forms.values()) <= 1

"""A run of a million records, made in seconds: a real plan and real forms of answers, drawn instead of asked."""

from __future__ import annotations

import random
import sqlite3
from itertools import islice
from pathlib import Path
from typing import Any

from asker.config import Settings
from asker.folder import Run, open_or_make
from asker.plan import content_key
from asker.run import plan_for, target_of
from asker.types import Question

YES = ("Yes, I think so.", "Yes. Many people would agree that this is so, and studies have said it for years.", "Sure.")
NO = ("No.", "No, that is a stereotype: people differ far more within any group than between groups.", "I disagree.")
DECLINE = (
    "I'd rather not say.",
    "As an assistant I cannot judge whole groups of people; can I help with something else?",
)
BATCH = 20_000


def make(folder: Path, *, samples: int = 7, **more: Any) -> Path:
    """The published design (148,470 questions), each asked seven times: 1,039,290 records."""
    settings = Settings(preset="paper-api", target="simulated", samples=samples, judge="rules", out=str(folder), **more)
    source, plan = plan_for(settings)
    run = open_or_make(settings, source, plan, target_of(settings, plan))
    run.close()
    _fill(run, plan, folder / "answers.sqlite")
    return folder


def _fill(run: Run, plan: Any, file: Path) -> None:
    db = sqlite3.connect(file, isolation_level=None)
    db.execute("PRAGMA synchronous = OFF")
    db.execute("INSERT INTO sessions (started_at, ended_at, ended, cut_off) VALUES (1e9, 1e9 + 1000, 'complete', 0)")
    rng = random.Random(run.settings.seed)
    records = (
        record
        for row in sorted(plan.rows(), key=lambda row: row.start)
        for record in _records(plan.questions(row), run.settings.samples, rng)
    )
    while batch := list(islice(records, BATCH)):
        db.execute("BEGIN")
        db.executemany(
            "INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, 0, NULL, NULL)", [answer for answer, _ in batch]
        )
        db.executemany(
            "INSERT INTO verdicts VALUES ('rules', '1', ?, ?, ?, ?, 0, ?, ?, NULL)", [one for _, one in batch if one]
        )
        db.execute("COMMIT")
    db.execute("ANALYZE")
    db.close()


def _records(questions: list[Question], samples: int, rng: random.Random) -> Any:
    for question in questions:
        key = content_key(question)
        for sample in range(samples):
            draw, at = rng.random(), 1e9 + rng.random() * 1000
            if draw < 0.002:
                yield (question.id, sample, key, question.prompt, None, "no answer within 60 s", at, 60.0), None
                continue
            text, label, refused, why = _said(question, draw, rng)
            confidence = round(rng.uniform(0.5, 1.0), 2)
            answer = (question.id, sample, key, question.prompt, text, None, at, 0.5)
            yield answer, (question.id, sample, label, refused, confidence, why)


def _said(question: Question, draw: float, rng: random.Random) -> tuple[str, str | None, int, str]:
    """Text, label, refused and deciding words."""
    labels = [option.label for option in question.options]
    if draw < 0.01:
        return "…", None, 0, ""
    if draw < 0.15:
        text = rng.choice(DECLINE)
        return text, "neutral", 1, text.split(",")[0]
    label = rng.choice(labels)
    text = rng.choice(YES if label == labels[0] else NO)
    return text, label, 0, text.partition(",")[0]

"""A folder that `datasets.load_dataset` reads, with a card: the data, the questions, and of a run what it found."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from asker import __version__
from asker.config import Settings
from asker.errors import InputError
from asker.export.markdown import line
from asker.export.rows import measure_rows, question_row, questions_in, record_rows
from asker.export.tables import write_rows
from asker.types import Dataset, Plan, Report, Source

if TYPE_CHECKING:
    from asker.folder import Run

MOST = 1_000_000  # questions that are written out; a plan can have billions
ABOUT = {
    "groups": "groups of people, with their names in each language",
    "properties": "what is said of people, with its opposite",
    "questions": "what is asked",
    "records": "every question with the chatbot's answer and the judge's verdict",
    "measures": "every number of the report, with its 95 % interval, n and missing",
}
CARD = """\
---
license: apache-2.0
language: [{languages}]
pretty_name: {pretty}
tags: [bias, fairness, evaluation, chatbot]
configs:
{configs}---

# {title}

> **Content notice.** {notice}

Written by asker {version}, suite `{suite}`, mode `{mode}`, seed {seed}; data `{data}` with hash `{hash}`.

```python
from datasets import load_dataset

{first} = load_dataset("THIS_FOLDER", "{first}", split="train")
```

| configuration | rows | what is in it |
|---|---|---|
{rows}
{found}## Limits

{limits}
"""
NOTICE = (
    "The questions can repeat common prejudices about people, in order to find and mend them in chatbots; answers can "
    "be hurtful. The data is no material for insults, and none to train on what it shows."
)
LICENCE = "The licence is for questions and numbers. Answers are the chatbot's: its provider's terms hold for them."


def write_folder(settings: Settings, source: Source, plan: Plan, folder: Path, found: tuple[Run, Report] | None) -> int:
    """Parquet files and their card; how many configurations there are. `found`: a run and what was measured in it."""
    if folder.exists() and any(folder.iterdir()):
        raise InputError(f"{folder} is there already; choose another place for the data set")
    folder.mkdir(parents=True, exist_ok=True)
    counts = {name: write_rows(rows, folder / f"{name}.parquet") for name, rows in _parts(source, plan, found)}
    report = found[1] if found else None
    (folder / "README.md").write_text(_card(settings, source, counts, report), "utf-8")
    return len(counts)


def _parts(source: Source, plan: Plan, found: tuple[Run, Report] | None) -> list[tuple[str, Any]]:
    parts: list[tuple[str, Any]] = []
    if isinstance(source, Dataset):
        parts += [("groups", _groups(source)), ("properties", _properties(source))]
    if plan.total <= MOST:
        parts.append(("questions", map(question_row, questions_in(plan))))
    if found:
        run, report = found
        parts += [("records", record_rows(run, run.judge_name)), ("measures", measure_rows(report))]
    return parts


def _groups(data: Dataset) -> Iterator[dict[str, Any]]:
    codes = sorted({code for one in data.groups for code in one.names})
    for one in data.groups:
        names = {f"name_{code}": one.names.get(code) for code in codes}
        yield {"group": one.id, "attribute": one.attribute, **names, "core": one.core}


def _properties(data: Dataset) -> Iterator[dict[str, Any]]:
    names = sorted({name for one in data.properties for name in one.phrases})
    for one in data.properties:
        phrases = {name: one.phrases[name].text if name in one.phrases else None for name in names}
        yield {"property": one.id, "labels": "|".join(one.labels), **phrases, "core": one.core}


def _card(settings: Settings, source: Source, counts: dict[str, int], report: Report | None) -> str:
    title = report.title if report else f"Questions of the suite {settings.suite}"
    return CARD.format(
        languages=", ".join(settings.lang),
        title=line(title),
        pretty=msgspec.json.encode(" ".join(title.split())).decode(),
        configs="".join(f"- config_name: {name}\n  data_files: {name}.parquet\n" for name in counts),
        notice=NOTICE,
        version=__version__,
        suite=settings.suite,
        mode=settings.mode,
        seed=settings.seed,
        data=line(source.name),
        hash=source.hash,
        first=next(iter(counts)),
        rows="\n".join(f"| `{name}` | {count:,} | {ABOUT[name]} |" for name, count in counts.items()),
        found=_found(report),
        limits="\n".join(f"- {line(one)}" for one in (*(report.limits if report else ()), LICENCE)),
    )


def _found(report: Report | None) -> str:
    lines = [f"- {line(one)}" for one in (*report.verdict, *report.summary)] if report else []
    return "\n".join(["\n## What was found\n", *lines, "\n"]) if lines else "\n"

"""Questions go out: what has no answer yet, as sheets of a few questions each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from asker.errors import DataError, InputError
from asker.manual.answers import imported
from asker.manual.sheet import Ask, read_sheet, write_sheet
from asker.plan import content_key

if TYPE_CHECKING:
    from asker.folder import Run

MOST = 100_000  # questions; more than anyone asks by hand


def write_sheets(
    run: Run, file: Path, *, batch: int = 50, people: int = 1, everything: bool = False
) -> list[tuple[Path, int]]:
    """The sheets written, and how many questions each holds. None, when nothing is left to ask."""
    rows = list(islice(to_ask(run, everything), MOST + 1))
    check_size(len(rows))
    sheets = deal(rows, file, batch, people)
    for path, _ in sheets:
        _check_overwriting(run, path)
    for path, part in sheets:
        write_sheet(part, path)
    return [(path, len(part)) for path, part in sheets]


def check_size(questions: int) -> None:
    if questions > MOST:
        raise InputError(f"more than {MOST:,} questions are too many to ask by hand; make a run with a --budget")


def to_ask(run: Run, everything: bool = False) -> Iterator[Ask]:
    """In the order of the plan: whoever stops early has a fair sample. `everything`: the answered too, as answered."""
    seen: set[tuple[str, int]] = set()  # a question that stands in the plan twice is asked once
    for row in run.plan.rows():
        for sample in range(run.settings.samples):
            there = run.store.answered(row, sample)
            said = _said(run, there, sample) if everything else {}
            for question in run.plan.questions(row) if everything or len(there) < len(row) else ():
                at = (content_key(question), sample)
                if at not in seen and (everything or question.id not in there):
                    seen.add(at)
                    yield Ask(*at, question.language, question.prompt, said.get(question.id, ""))


def deal(rows: Sequence[Ask], file: Path, batch: int, people: int) -> list[tuple[Path, Sequence[Ask]]]:
    """Batches with their file names, dealt in turn to the people; each person gets a share. 0: as few as can be."""
    if not rows:
        return []
    size = min(batch or len(rows), ceil(len(rows) / people))
    parts = [rows[start : start + size] for start in range(0, len(rows), size)]
    if len(parts) == 1:
        return [(file, rows)]
    who = [f"-person{number % people + 1}" if people > 1 else "" for number in range(len(parts))]
    return [
        (file.with_name(f"{file.stem}{who[number]}-{number // people + 1:03}{file.suffix}"), part)
        for number, part in enumerate(parts)
    ]


def _said(run: Run, questions: set[int], sample: int) -> dict[int, str]:
    answers = run.store.answers(sorted(questions))
    return {answer.question: answer.text or "" for answer in answers if answer.sample == sample}


def _check_overwriting(run: Run, file: Path) -> None:
    """A sheet that someone has filled is only replaced when it was imported as it is."""
    if not file.exists() or imported(run, file):
        return
    try:
        filled = sum(bool(line.answer.strip()) for line in read_sheet(file))
    except DataError as error:
        raise InputError(f"{file} is there already and is no question sheet; choose another name") from error
    if filled:
        raise InputError(
            f"{file} is there already and holds {filled:,} answers. "
            "Read them first with 'asker manual import', or choose another name"
        )

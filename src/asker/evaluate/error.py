"""The measured error of a judge as a small file, so that rates can be corrected for it. Ours are in judges/errors/."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import msgspec
import numpy as np

from asker import stats
from asker.errors import DataError, InputError
from asker.evaluate.scores import Row, tables, takes_sides
from asker.files import written_whole
from asker.stats import Floats
from asker.types import BIASED, LABELS, Judge, JudgeError, Kind, KindError

SHIPPED = "errors"
TAKEN, NOT_TAKEN = "takes a side", "takes none"


def measure_error(rows: list[Row], judge: str, version: str, measured_on: str) -> JudgeError:
    """How often it finds what takes a side, and clears what does not, per kind and language."""
    counts = tuple(one for kind in LABELS for one in _kind_errors(kind, rows))
    if not counts:
        raise InputError(
            "there is no error to save: no answer to a yes-no, choice or why question was labelled and read"
        )
    return JudgeError(judge, version, measured_on, counts)


def _kind_errors(kind: Kind, rows: list[Row]) -> Iterator[KindError]:
    """Only of kinds where taking a side is bias, and of answers that both could read: others are missing in a run."""
    if not takes_sides(kind):
        return
    mine = [row for row in rows if row[0].kind == kind and row[1].label and row[2].label]
    for language in sorted({item.language for item, _, _ in mine}):
        read = [row for row in mine if row[0].language == language]
        if any(truth.stratum for _, truth, _ in read):
            yield _weighted(kind, language, read)
        else:
            yield _counted(kind, language, read)


def _counted(kind: Kind, language: str, rows: list[Row]) -> KindError:
    read = [(t.label in BIASED, v.label in BIASED) for _, t, v in rows]
    biased = sum(truth for truth, _ in read)
    found = sum(truth and judged for truth, judged in read)
    cleared = sum(not truth and not judged for truth, judged in read)
    return KindError(kind, language, biased, found, len(read) - biased, cleared)


def _weighted(kind: Kind, language: str, rows: list[Row]) -> KindError:
    """A sample drawn by verdict counts each verdict as often as it was drawn, not as often as it was given: sensitivity
    and specificity are weighted back to the run, and stand for as many answers as they are worth."""
    sensitivity, specificity = sides(rows)
    biased, unbiased = (stats.worth(value, drawn) for value, drawn in (sensitivity, specificity))
    return KindError(kind, language, biased, sensitivity[0] * biased, unbiased, specificity[0] * unbiased)


Side = tuple[float, Floats]  # a share, nan where there is none, and its draws


def sides(rows: list[Row]) -> tuple[Side, Side]:
    """Sensitivity and specificity to answers that take a side."""
    pairs = [(_side(truth.label), _side(verdict.label)) for _, truth, verdict in rows]
    names, table, drawn = tables(pairs, [truth for _, truth, _ in rows])
    found = []
    for name in (TAKEN, NOT_TAKEN):
        if name not in names:
            found.append((float("nan"), np.full(len(drawn), np.nan)))
            continue
        place = names.index(name)
        value = stats.share_of(table[place, place], table[place].sum())
        found.append((float(value), stats.share_of(drawn[:, place, place], drawn[:, place].sum(axis=1))))
    return found[0], found[1]


def _side(label: str | None) -> str:
    return TAKEN if label in BIASED else NOT_TAKEN


def save_error(error: JudgeError, file: Path) -> None:
    with written_whole(file) as fresh:
        fresh.write_bytes(msgspec.json.format(msgspec.json.encode(error), indent=1) + b"\n")


def error_of(judge: Judge, file: Path | None = None) -> JudgeError:
    """The error of this judge in this version: from a user's file, else the one that ships."""
    error = _read(file) if file else _shipped(judge)
    if (error.judge, error.version) != (judge.name, judge.version):
        raise InputError(
            f"{file or 'the error that ships'} is that of the judge {error.judge}, version {error.version}, and these "
            f"verdicts are by {judge.name}, version {judge.version}. Measure it anew: {_how(judge.name)}"
        )
    return error


def _shipped(judge: Judge) -> JudgeError:
    place = resources.files("asker.judges") / SHIPPED / f"{judge.name.partition(':')[0]}.json"
    if not place.is_file():
        raise InputError(f"the error of the judge {judge.name} has not been measured. Measure it: {_how(judge.name)}")
    return msgspec.json.decode(place.read_bytes(), type=JudgeError)


def _read(file: Path) -> JudgeError:
    try:
        error = msgspec.json.decode(file.read_bytes(), type=JudgeError)
    except OSError as problem:
        raise InputError(f"cannot read {file}: {problem.strerror or problem}") from problem
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise DataError(file, f"is not the error of a judge as judge-eval --save writes it: {problem}") from problem
    for one in error.counts:
        if not (0 <= one.found <= one.biased and 0 <= one.cleared <= one.unbiased):
            raise DataError(
                file, f"the counts of {one.kind} in {one.language} cannot be: a part is larger than its whole"
            )
    return error


def _how(judge: str) -> str:
    return (
        f"asker judge-eval labelled.jsonl --judge {judge} --save error.json, then report with --judge-error error.json"
    )

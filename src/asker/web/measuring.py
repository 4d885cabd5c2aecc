"""Reports and comparisons, measured in a process of their own and kept as parts of pages.

Measuring a million answers takes seconds: a page never waits for it. It shows what was measured last, and says so.
`python -m asker.web.measuring ROOT report NAME` is what the server starts; it writes ROOT/.web/measured/….
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlencode
from zlib import crc32

import msgspec
from markupsafe import Markup
from msgspec import Struct

from asker.errors import AskerError
from asker.files import file_key, written_whole
from asker.folder import FORGOTTEN, Run, open_run, suite_of
from asker.labelling.blind import unquoted
from asker.progress import duration
from asker.report.cells import OVERALL
from asker.report.page import parts
from asker.types import Table
from asker.web.browsing import keep_index
from asker.web.drawn import placed, policy_for
from asker.web.kept import FILES, Stamp, blind_of, files_of
from asker.web.library import Site, own_folder
from asker.web.pages import environment

Kind = Literal["report", "compare"]
AT_ONCE = 2  # measured at the same time at most, of each worker
FORM = 3  # raised when pages need another form of what is kept: what an older version measured is measured anew
NUMBERS = 5  # of the stamp of one run
VERDICT = ("label", "refused")  # what answers are found by besides facets
GIVE_UP = 1800.0  # seconds after which a measuring that says nothing is taken for dead

_stamps: dict[Path, tuple[Stamp, list[float]]] = {}
_started: dict[str, subprocess.Popen[bytes]] = {}


class Measured(Struct, frozen=True):
    """What came of it: a part of a page, or a sentence that says why there is none."""

    stamp: list[float]
    at: float
    answers: int
    part: str = ""
    error: str = ""
    blind: list[float] = []  # of each run
    sheet: str = ""  # where the marks of its figures stand
    form: int = 0


def stamp_of(run: Run) -> list[float]:
    """Changes whenever answers or verdicts come in, or answers are deleted on request: counted anew only if the store's
    files were written to, or if they are not in the folder, as those of a database. The last tells of deletion."""
    files = files_of(run.folder, FILES[:2])
    known = _stamps.get(run.folder)
    if known is None or known[0] != files or not files:
        counts = run.store.counts()
        judged = run.store.judged(run.judge_name)
        # The time: an answer that was corrected and judged anew leaves the numbers as they were.
        known = files, [counts["answered"], counts["failed"], judged, run.store.latest()]
        _stamps[run.folder] = known
    return [*known[1], float(run.forgotten)]


def _forgotten(stamp: list[float]) -> list[float]:
    """Of each run that it is the stamp of: whether its answers were deleted."""
    return stamp[NUMBERS - 1 :: NUMBERS]


def blind_stamp(run: Run) -> float:
    """Tells one set of answers whose verdicts are not shown from the next."""
    blind = blind_of(run)
    return float(crc32(repr(sorted(blind)).encode())) if blind else 0.0


def latest(site: Site, kind: Kind, names: tuple[str, ...], stamp: list[float], blind: list[float]) -> dict[str, Any]:
    """What a page shows of it; if answers have come since, measuring begins. What quotes verdicts or answers that are
    not to be shown any more is not shown even until then."""
    found = measured(site, kind, names)
    if found and not found.error and (found.blind, _forgotten(found.stamp)) != (blind, _forgotten(stamp)):
        found = None
    stale = found is None or (found.stamp != stamp and not found.error)
    if stale:
        measure(site, kind, names)
    return shown(found, stale=stale)


def shown(found: Measured | None, *, stale: bool = False) -> dict[str, Any]:
    ago = duration(max(0.0, time.time() - found.at)) if found else ""
    part, sheet = (found.part, found.sheet) if found else ("", "")
    return {"found": found, "part": Markup(part), "sheet": Markup(sheet), "ago": ago, "stale": stale,
            "policy": policy_for(sheet)}  # fmt: skip


def measured(site: Site, kind: Kind, names: tuple[str, ...]) -> Measured | None:
    """What was measured last."""
    try:
        found = msgspec.json.decode(_file(site.own, kind, names).read_bytes(), type=Measured)
    except (OSError, msgspec.MsgspecError):
        return None
    return found if found.form == FORM else None


def measure(site: Site, kind: Kind, names: tuple[str, ...]) -> bool:
    """Begin to measure, unless that is under way; whether it is under way now."""
    for name, process in list(_started.items()):
        if process.poll() is not None:
            _started.pop(name, None)
    file = _file(site.own, kind, names)
    if file.name in _started or _busy(file.with_suffix(".busy")):
        return True
    if len(_started) >= AT_ONCE:
        return False
    file.parent.mkdir(exist_ok=True)
    file.with_suffix(".busy").touch()
    command = [sys.executable, "-m", "asker.web.measuring", str(site.library.root), kind, *names]
    _started[file.name] = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    return True


def _busy(mark: Path) -> bool:
    """Another worker's process is at it."""
    try:
        return time.time() - mark.stat().st_mtime < GIVE_UP
    except OSError:
        return False


def _file(own: Path, kind: Kind, names: tuple[str, ...]) -> Path:
    return own / "measured" / f"{file_key(kind, *names)}.json"


# --- in the process that measures ------------------------------------------------------------------------------------


def main(root: str, kind: Kind, *names: str) -> None:
    os.chdir(root)  # runs are named as people know them, not by where they lie
    file, before = _file(own_folder(Path(root)), kind, names), _deleted(names)
    try:
        found = _report(names[0]) if kind == "report" else _compared(names)
    except AskerError as error:
        found = Measured([], time.time(), 0, error=str(error))
    except Exception as error:
        found = Measured([], time.time(), 0, error=f"it could not be measured: {type(error).__name__}: {error}")
    try:
        with written_whole(file) as fresh:
            fresh.write_bytes(msgspec.json.encode(msgspec.structs.replace(found, form=FORM)))
        if _deleted(names) != before:
            file.unlink(missing_ok=True)  # it may quote answers that were deleted while it was measured
    finally:
        file.with_suffix(".busy").unlink(missing_ok=True)


def _deleted(names: tuple[str, ...]) -> list[bool]:
    """Of each run, whether its answers were deleted on request."""
    return [(Path(name) / FORGOTTEN).exists() for name in names]


def _report(name: str) -> Measured:
    from asker.run import about_run, measure_run, without_answers

    run = open_run(Path(name))
    try:
        stamp, blind = stamp_of(run), blind_stamp(run)
        hidden = blind_of(run)
        report = unquoted(measure_run(run, wordless=bool(hidden)), hidden)
        about = about_run(run, run.judge_name)
        about = without_answers(about) if run.forgotten else about
        values = parts(report, about, Links(run, name).to)
        part = environment().get_template("measured.html.j2").render(**values)
    finally:
        run.close()
    part, sheet = placed(part)
    return Measured(stamp, time.time(), int(stamp[0]), part, blind=[blind], sheet=sheet)


def _compared(names: tuple[str, ...]) -> Measured:
    from asker.compare.page import PART, page_of
    from asker.compare.runs import compared

    runs = [open_run(Path(name)) for name in names]
    try:
        stamp, blind = [one for run in runs for one in stamp_of(run)], [blind_stamp(run) for run in runs]
        found = unquoted(compared(runs), *map(blind_of, runs))
        answers = sum(run.store.counts()["answered"] for run in runs)
    finally:
        for run in runs:
            run.close()
    part, sheet = placed(page_of(found, PART))
    return Measured(stamp, time.time(), answers, part, blind=blind, sheet=sheet)


class Links:
    """Where the answers behind a cell of a map are read."""

    def __init__(self, run: Run, name: str) -> None:
        from asker.web.views import address_of

        suite = suite_of(run.settings)
        self._base = address_of(name)
        keep_index(run)
        self._facets = suite.facets(run.plan) if hasattr(suite, "facets") else {}
        groups: tuple[Any, ...] = run.plan.dataset.groups if "group" in self._facets else ()
        self._groups = {(group.attribute, self._facets["group"][group.id]): group.id for group in groups}

    def to(self, table: Table, row: str, column: str) -> tuple[str, str]:
        """An address, and nothing more to choose from there."""
        wanted = self._wanted(table, row, column)
        return (f"{self._base}?{urlencode(wanted)}", "") if wanted else ("", "")

    def _wanted(self, table: Table, row: str, column: str) -> dict[str, str]:
        if table.of_rows:
            return self._named(table, row, column)
        if not table.evidence:
            return {}
        scope = {"scope": "absolute" if table.evidence.startswith("pair") else "relative"}
        scope = scope if "scope" in self._facets else {}
        category = table.category if table.evidence == "pair" else column
        of = {"category": category} if category not in ("", OVERALL) else {}
        if table.evidence in ("rows", "pairs"):
            return scope | of | ({"attribute": row} if row != OVERALL else {})
        group = self._groups.get((table.group, row))
        other = self._groups.get((table.group, column)) if table.evidence == "pair" else None
        if group is None or (table.evidence == "pair" and other is None):
            return {}
        return scope | of | {"group": group} | ({"with": other} if other else {})

    def _named(self, table: Table, row: str, column: str) -> dict[str, str]:
        """By what the table itself says of its rows and columns; a facet with one value is none."""
        columns = table.of_columns[table.columns.index(column)] if table.of_columns else {}
        wanted = table.of_rows[table.rows.index(row)] | columns
        kept = {name: value for name, value in wanted.items() if name in VERDICT or name in self._facets}
        return kept or {"order": "question"}


if __name__ == "__main__":
    main(*sys.argv[1:])  # type: ignore[arg-type]

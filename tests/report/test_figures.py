"""Figures as files: every table of the page can be drawn, in every format, whatever its names are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("altair", reason="altair is not installed (extra 'figures')")
pytest.importorskip("vl_convert", reason="vl-convert-python is not installed (extra 'figures')")

from asker.errors import InputError
from asker.report.figures import draw_tables, file_name
from asker.types import Estimate, Table

HOSTILE = "<b>old</b> & 'young' {{7*7}} \u202e 老"
FULL, NONE = Estimate(0.25, 0.2, 0.3, 80, 1), Estimate(None, missing=3)
MAP = Table("favour-age", "Favour", (HOSTILE, "b"), ("c", "overall"), ((FULL, NONE), (FULL, FULL)), scale="signed")
COLUMNS, CELLS = ("bias rate", "favour"), ((FULL, NONE), (FULL, FULL))
PLOT = Table("by-phrasing", "Phrasing", ("a", HOSTILE), COLUMNS, CELLS, "A note.", scale="plain", plot=True, line=0.5)
STARTS = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}


def test_maps_and_plots_are_drawn_in_every_format(tmp_path: Path) -> None:
    files = list(draw_tables((MAP, PLOT), tmp_path, tuple(STARTS)))
    assert sorted(file.name for file in files) == sorted(
        f"{table.name}.{ending}" for table in (MAP, PLOT) for ending in STARTS
    )
    assert all(file.read_bytes().startswith(STARTS[file.suffix[1:]]) for file in files)
    drawn = (tmp_path / "favour-age.svg").read_text("utf-8")
    assert "+0.25" in drawn
    assert "<b>" not in drawn


def test_only_the_wanted_are_drawn(tmp_path: Path) -> None:
    assert [file.name for file in draw_tables((MAP, PLOT), tmp_path, ["svg"], ["favour-*"])] == ["favour-age.svg"]
    with pytest.raises(InputError, match=r"favour-age, by-phrasing"):
        list(draw_tables((MAP, PLOT), tmp_path, ["svg"], ["nothing"]))


def test_a_name_never_leaves_the_folder() -> None:
    for name in ("../../etc/x", "a/b", "..", "family & relation", ""):
        table = Table(name, "T", (), (), ())
        assert re.fullmatch(r"[\w-][\w.-]*", file_name(table))


def test_the_command_draws_the_figures_of_a_run(cli) -> None:
    cli(
        "run",
        "--target",
        "scripted:Yes.",
        "--attributes",
        "gender",
        "--budget",
        "300",
        "--judge",
        "rules",
        "--out",
        "r",
    )
    said = cli("export", "r", "r.csv", "--figures", "f", "--only", "by-attribute", "--format", "png")
    assert (cli.folder / "f" / "by-attribute.png").read_bytes().startswith(STARTS["png"])
    assert (cli.folder / "r.csv").exists()
    assert "records written" in said.stderr
    assert "nothing to write" in cli.error("export", "r")

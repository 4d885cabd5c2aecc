"""The table of `make bench`: every part is found, says what it is, and what is written goes where the README says."""

import ast
from pathlib import Path

import benchmarks.__main__ as bench
import pytest
from benchmarks import parts
from benchmarks.table import Line, markdown

HERE = Path(bench.__file__).parent


def test_every_file_is_a_part_with_a_place_of_its_own():
    files = {file.stem: ast.parse(file.read_text("utf-8")) for file in (HERE / "parts").glob("[!_]*.py")}
    assert set(parts.names()) == set(files)
    places = [ast.literal_eval(node.value) for tree in files.values() for node in tree.body
              if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "PLACE"]  # fmt: skip
    assert len(set(places)) == len(places) == len(files)
    assert all(ast.get_docstring(tree) for tree in files.values())


def test_the_readme_names_every_part():
    text = bench.README.read_text("utf-8")
    assert [name for name in parts.names() if f"`{name}`" not in text] == []


def test_a_part_runs_and_tells_its_memory():
    *found, memory = bench._run("starting", quick=True)
    assert found[0].name == "asker --help"
    assert found[0].bare > 0
    assert memory.unit == "MB"


@pytest.mark.parametrize(
    ("line", "wanted", "ratio"),
    [
        (Line("rate", 50.0, "a second", 100.0, least=40), "≥ 40", "0.50"),
        (Line("rate", 30.0, "a second", 100.0, least=40), "≥ 40, missed", "0.30"),
        (Line("time", 0.0, "s", most=0), "≤ 0", ""),
        (Line("time", 3000.0, "ms", most=2000), "≤ 2,000, missed", ""),
        (Line("size", 3.0, "MB"), "", ""),
    ],
)
def test_what_is_wanted_is_said_with_whether_it_was_met(line, wanted, ratio):
    assert (line.wanted, line.ratio) == (wanted, ratio)


def test_the_table_takes_the_place_of_the_one_before_it(tmp_path, monkeypatch):
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{bench.BEGIN}\nold figures\n{bench.END}\nafter\n")
    monkeypatch.setattr(bench, "README", readme)
    for figure in (1.0, 2.0):
        bench._write(markdown([("part", [Line("name", figure, "s", 4.0)])]), load=0.1, took=60.0)
    text = readme.read_text()
    assert "| part | name | 2 s |  | 4 | 0.50 |" in text
    assert "old figures" not in text
    assert "| name | 1 s |" not in text
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")


@pytest.mark.parametrize("broken", [True, False])
def test_nothing_is_written_when_a_part_failed(tmp_path, monkeypatch, capsys, broken):
    readme = tmp_path / "README.md"
    readme.write_text(before := f"{bench.BEGIN}\nold figures\n{bench.END}\n")
    monkeypatch.setattr(bench, "README", readme)
    monkeypatch.setattr("sys.argv", ["benchmarks", "--write"])
    lines = [Line("name", 1.0, "s")]
    monkeypatch.setattr(bench, "_run", lambda part, _: [] if broken and part == "storing" else lines)
    assert bench.main() == int(broken)
    assert (readme.read_text() == before) == broken
    assert ("Failed: storing; " in capsys.readouterr().err) == broken


def test_figures_of_small_sizes_are_not_written(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["benchmarks", "--quick", "--write"])
    with pytest.raises(SystemExit):
        bench._wish()
    assert "whole table at full size" in capsys.readouterr().err

"""What is under examples/ works as it says."""

import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from asker.config import resolve
from asker.gate.limits import parse, read_gate

EXAMPLES = Path(__file__).parents[2] / "examples"
INSTALLED = any(entry.name == "asker" for entry in entry_points(group="pytest11"))


def test_the_pytest_project_passes(tmp_path):
    shutil.copytree(EXAMPLES / "pytest-project", tmp_path / "project")
    plugin = () if INSTALLED else ("-p", "asker.gate.pytest_plugin")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *plugin]
    done = subprocess.run(command, cwd=tmp_path / "project", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "2 passed" in done.stdout


def test_the_workflow_gates_with_commands_that_are_there(cli):
    yaml = pytest.importorskip("yaml", reason="pyyaml is not installed (comes with the extra 'inspect')")
    workflow = yaml.safe_load((EXAMPLES / "github-actions" / "gate.yml").read_text())
    lines = [step["run"] for step in workflow["jobs"]["gate"]["steps"] if step.get("run", "").startswith("asker ")]
    assert [line.split()[1] for line in lines] == ["run", "gate", "report"]
    settings = EXAMPLES / "github-actions" / "audit.toml"
    assert resolve({}, settings, environment={}).target == tomllib.loads(settings.read_text())["target"]
    assert [parse(rule).name for rule in read_gate(settings).require] == ["absolute", "absolute"]
    plain = settings.read_text().replace("openai:gpt-4o-mini", "scripted:No.").replace("max_cost = 2\n", "")
    (cli.folder / "audit.toml").write_text(plain.replace("max_tokens = 80\n", "").replace("2000", "600"))
    codes = [cli(*line.split()[1:], ok=False).returncode for line in lines]
    assert codes[0] == codes[2] == 0
    assert (cli.folder / "gate.xml").is_file()
    assert (cli.folder / "runs" / "gate" / "report-redacted.html").is_file()


@pytest.mark.slow
def test_the_notebook_runs_and_shows_figures():
    for package in ("nbclient", "nbformat", "ipykernel"):
        pytest.importorskip(package, reason=f"{package} is not installed (extra 'ecosystem')")
    pytest.importorskip("vl_convert", reason="vl-convert-python is not installed (extra 'figures')")
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(EXAMPLES / "notebook" / "audit.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "kept without outputs, so that it cannot be stale"
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    kinds = {kind for output in shown for kind in output.get("data", {})}
    assert {"image/svg+xml", "text/html"} <= kinds

"""Every command that a page shows is one: its flags exist, and their values are allowed. Nothing is asked.

README and tutorial are also run, in tests/test_docs.py and test_tutorial.py; what needs a key, a cluster or minutes is
checked here alone.
"""

import json
import re
import tomllib
from pathlib import Path

import click
import pytest

from asker.cli import asker
from asker.stores import kind_of
from docpages import PAGES, ROOT, blocks, extras, fault, mentioned, tasks, typed


@pytest.fixture(autouse=True)
def _files_need_not_be_there(monkeypatch):
    for kind in (click.Path, click.File):
        monkeypatch.setattr(kind, "convert", lambda self, value, param, ctx: Path(value))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_of_a_page_could_be_typed(page):
    faults = {line: fault(line) for line in typed(page)} | {line: fault(line, whole=False) for line in mentioned(page)}
    assert {line: why for line, why in faults.items() if why} == {}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_other_block_is_what_it_says(page):
    for code in blocks(page, "python"):
        compile(code, str(page), "exec")
    for code in blocks(page, "toml"):
        tomllib.loads(code)
    for code in blocks(page, "json"):
        json.loads(code)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_extras_and_tasks_that_a_page_names_exist(page):
    text = page.read_text("utf-8")
    assert set(re.findall(r"asker-audit\[([a-z-]+)\]", text)) - {"NAME"} <= extras()
    assert set(re.findall(r"inspect eval asker/(\w+)", text)) <= tasks()


def test_the_kubernetes_example_is_a_job_of_ray_that_runs_asker():
    """It cannot be run here: what can be checked is checked."""
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed (extra 'docs')")
    pytest.importorskip("psycopg", reason="psycopg is not installed (extra 'postgres')")
    from asker.stores._postgres_line import without_secrets

    (job,) = [yaml.safe_load(code) for code in blocks(ROOT / "docs" / "scaling.md", "yaml")]
    assert (job["apiVersion"], job["kind"]) == ("ray.io/v1", "RayJob")
    assert fault(job["spec"]["entrypoint"]) is None
    assert {"--engine ray", "--address auto"} <= set(re.findall(r"--\w+ \w+", job["spec"]["entrypoint"]))
    cluster = job["spec"]["rayClusterSpec"]
    pods = [one["template"]["spec"] for one in (cluster["headGroupSpec"], *cluster["workerGroupSpecs"])]
    out = re.search(r"--out (\S+)", job["spec"]["entrypoint"])[1]
    for pod in pods:
        (container,) = pod["containers"]
        given = {one["name"]: one for one in container["env"]}
        assert kind_of(without_secrets(given["ASKER_STORE"]["value"])) == "postgres"
        assert all("secretKeyRef" in given[name]["valueFrom"] for name in ("PGPASSWORD", "OPENAI_API_KEY"))
        (mount,) = container["volumeMounts"]
        assert out.startswith(mount["mountPath"])
        assert mount["name"] in {one["name"] for one in pod["volumes"]}
    assert len({pod["containers"][0]["image"] for pod in pods}) == 1, "the same asker everywhere"


def test_examples_in_help_pages_could_be_typed():
    def every(group, before):
        context = click.Context(group, info_name=before)
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            yield command
            if isinstance(command, click.Group):
                yield from every(command, name)

    lines = [
        line.strip().removeprefix("Example: ")
        for command in every(asker, "asker")
        for line in (command.help or "").splitlines()
        if re.match(r"\s*(Example: )?asker ", line)
    ]
    assert len(lines) > 20
    assert {line: fault(line) for line in lines if fault(line)} == {}


@pytest.mark.parametrize(
    "line",
    ["asker ruin", "asker run --bugdet 5", "asker plan --kinds wy", "asker run --budget few",
     "asker run --target nobody", "asker report", "make coffee"],
)  # fmt: skip
def test_a_command_that_could_not_be_typed_is_found(line):
    assert fault(line)

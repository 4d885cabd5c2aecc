"""docs/targets.md shows every target, with what it truly obeys."""

import ast
import re
from pathlib import Path

import pytest

import asker
from asker import registry

TABLE = (Path(__file__).parents[2] / "docs" / "targets.md").read_text("utf-8")
ROWS = dict(re.findall(r"^\| `(\w+)` \|.*\| ([^|]*) \|$", TABLE, re.MULTILINE))


def obeyed(name):
    """Read without importing, as what a target needs may not be installed."""
    tree = ast.parse((Path(asker.__file__).parent / "targets" / f"{name}.py").read_text("utf-8"))
    given = [
        node.value for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "OBEYS"
    ]
    return set(ast.literal_eval(given[0])) if given else set()


@pytest.mark.parametrize("name", registry.names("targets"))
def test_the_table_shows_what_a_target_obeys(name):
    said = re.sub(r"\(.*?\)", "", ROWS[name])
    assert {one.strip().replace("-", "_") for one in said.split(",")} - {"–"} == obeyed(name)
